package io.sluice.resp;

/**
 * A reply would take more room than it may. Made beforehand and without a stack trace: it crosses whatever writes a
 * reply.
 */
public final class ReplyTooLargeException extends RuntimeException {
    static final ReplyTooLargeException INSTANCE = new ReplyTooLargeException();

    private static final long serialVersionUID = 1L;

    private ReplyTooLargeException() {
        super("the reply is too large", null, false, false);
    }
}
