package io.sluice.persistence.store;

/** A key or a larger value does not fit. Nothing has changed. Stackless and shared, so throwing it costs nothing. */
public final class StoreFullException extends RuntimeException {

    /** The only instance. */
    public static final StoreFullException INSTANCE = new StoreFullException();

    private static final long serialVersionUID = 1L;

    private StoreFullException() {
        super("store is full", null, false, false);
    }
}
