package io.sluice.persistence;

/**
 * A value would be larger than the maximum. Nothing has changed. Stackless and shared, so throwing it costs nothing.
 */
public final class ValueTooLargeException extends RuntimeException {

    /** The only instance. */
    public static final ValueTooLargeException INSTANCE = new ValueTooLargeException();

    private static final long serialVersionUID = 1L;

    private ValueTooLargeException() {
        super("value is too large", null, false, false);
    }
}
