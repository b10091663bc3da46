package io.sluice.persistence;

/**
 * A new key, or growth of a value, does not fit within the limits and nothing may be evicted for it. Nothing has
 * changed. Stackless and shared, so throwing it costs nothing.
 */
public final class KeyspaceFullException extends RuntimeException {

    /** There is no room for the bytes. */
    public static final KeyspaceFullException INSTANCE = new KeyspaceFullException("keyspace is full");

    /** There are as many keys as there may be. */
    public static final KeyspaceFullException KEYS = new KeyspaceFullException("there are as many keys as may be");

    private static final long serialVersionUID = 1L;

    private KeyspaceFullException(final String message) {
        super(message, null, false, false);
    }
}
