package io.sluice.persistence;

/**
 * A new key, or growth of a value, does not fit within the limits and nothing may be evicted for it. Nothing has
 * changed. Stackless and shared, so throwing it costs nothing.
 */
public final class KeyspaceFullException extends RuntimeException {

    /** The only instance. */
    public static final KeyspaceFullException INSTANCE = new KeyspaceFullException();

    private static final long serialVersionUID = 1L;

    private KeyspaceFullException() {
        super("keyspace is full", null, false, false);
    }
}
