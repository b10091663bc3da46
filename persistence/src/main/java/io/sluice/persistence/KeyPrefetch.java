package io.sluice.persistence;

import io.sluice.persistence.store.Store;

/**
 * Keys that are about to be looked up one after the other. A lookup by itself waits for memory several times in a row,
 * which is most of what a command costs once the keys outgrow the caches; fetched together, their waits overlap.
 * Changes nothing but the caches. Reusable; belongs to the keyspace's thread.
 */
public final class KeyPrefetch {
    /** Keys that can be added between two calls of {@link #fetch}; more are not fetched. */
    public static final int KEYS_MAX = Store.PREFETCH_MAX;

    private final Core core;
    private final long[] hashes = new long[KEYS_MAX];
    private int count;

    KeyPrefetch(final Core core) {
        this.core = core;
    }

    /** Notes a key. */
    public void add(final int db, final long keyAddress, final int keyLength) {
        if (count < KEYS_MAX) {
            hashes[count++] = core.store.hash(core.spaces.spaceOf(db), keyAddress, keyLength);
        }
    }

    /** Fetches what was noted. */
    public void fetch() {
        core.store.prefetch(hashes, count);
        core.bounds.prefetch(core.store, hashes, count);
        count = 0;
    }
}
