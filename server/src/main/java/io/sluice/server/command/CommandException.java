package io.sluice.server.command;

/**
 * Ends a command with an error reply from deep inside it. Carries no stack trace: it is an answer for the client, not
 * a fault. Use it where passing the error up by hand would blur the handler; rare paths only.
 */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param error the whole reply after the {@code -}, such as {@code ERR no such key} */
    public CommandException(String error) {
        super(error, null, false, false);
    }
}
