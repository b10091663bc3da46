package io.sluice.server.command;

/** Bounds a reply that may show the same bytes again and again, so that it can be larger than anything stored. */
public final class ReplyBudget {
    /** Most bytes of elements in such a reply. */
    static final long BYTES_MAX = 64 << 20;

    private static final String TOO_LARGE = "ERR the reply would be too large";

    private long left = BYTES_MAX;

    /**
     * Accounts for an element.
     *
     * @throws CommandException if the reply would be too large
     */
    public void take(long bytes) {
        left -= bytes;
        if (left < 0) {
            throw new CommandException(TOO_LARGE);
        }
    }
}
