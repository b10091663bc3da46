package io.sluice.persistence;

/**
 * What bounds a keyspace.
 *
 * @param maxKeys        most keys of all databases together, 0 for no limit
 * @param maxMemoryBytes most bytes that entries take up, overhead included, 0 for no limit
 * @param policy         what happens to a new key when one of them is reached
 */
public record KeyspaceLimits(long maxKeys, long maxMemoryBytes, EvictionPolicy policy) {

    /** No limit but the store's own. */
    public static final KeyspaceLimits NONE = new KeyspaceLimits(0, 0, EvictionPolicy.NOEVICTION);

    /** Checks the ranges. */
    public KeyspaceLimits {
        if (maxKeys < 0 || maxMemoryBytes < 0) {
            throw new IllegalArgumentException("limits are not negative: " + maxKeys + ", " + maxMemoryBytes);
        }
    }
}
