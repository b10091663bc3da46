package io.sluice.server.acl;

/** A rule that cannot be applied; the message is Redis's reason. */
public final class RuleException extends Exception {
    static final String UNKNOWN_COMMAND = "Unknown command or category name in ACL";
    static final String SYNTAX = "Syntax error";

    private static final long serialVersionUID = 1L;

    RuleException(String reason) {
        super(reason, null, false, false);
    }

    /** Whether a command or category is meant that does not exist, which says nothing about secrets. */
    boolean isUnknownCommand() {
        return UNKNOWN_COMMAND.equals(getMessage());
    }
}
