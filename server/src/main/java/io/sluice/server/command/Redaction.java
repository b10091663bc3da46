package io.sluice.server.command;

import io.sluice.resp.Request;

/** Which words of a command nobody but its sender may see, as in Redis. */
final class Redaction {
    /** What stands in the place of a word that is not shown. */
    static final String SHOWN_INSTEAD = "(redacted)";

    private static final byte[] AUTH = Words.lower("auth");
    private static final String HELLO = "hello";
    /** HELLO has its user and its password within two words behind AUTH. */
    private static final int AUTH_WORDS = 2;

    private Redaction() {
    }

    /** Whether argument {@code i} is not for others. */
    static boolean hides(CommandSpec spec, Request request, int i) {
        if (!spec.has(CommandFlag.SECRET) || i < spec.firstArg()) {
            return false;
        }
        if (!HELLO.equals(spec.fullName())) {
            return true;
        }
        for (int word = Math.max(1, i - AUTH_WORDS); word < i; word++) {
            if (request.argIs(word, AUTH)) {
                return true;
            }
        }
        return false;
    }
}
