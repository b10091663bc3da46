package io.sluice.persistence;

import io.sluice.persistence.store.Store;

/**
 * Which space of the store holds which database, and what is in each space. Emptying a database is giving it another
 * space: the old one is <em>dead</em> until {@link Purge} has removed its keys.
 */
final class Spaces {

    /** Most databases; the spaces behind them are spare. */
    static final int DATABASES_MAX = Store.SPACES / 2;

    /** Expiries count relative to the start and within this, so that no sum of them overflows. */
    private static final long EXPIRY_SPAN_MS = 1L << 36;

    private final Store store;
    private final int databases;
    private final int[] spaceOfDatabase = new int[Store.SPACES];
    private final int[] databaseOfSpace = new int[Store.SPACES];
    private final long[] keysOfType = new long[Store.SPACES * ValueType.COUNT];
    private final long[] expiring = new long[Store.SPACES];
    private final long[] expirySumMs = new long[Store.SPACES];
    private final long baseMs;

    Spaces(final Store store, final int databases, final long baseMs) {
        if (databases < 1 || databases > DATABASES_MAX) {
            throw new IllegalArgumentException("databases must be 1 to " + DATABASES_MAX + ", not " + databases);
        }
        this.store = store;
        this.databases = databases;
        this.baseMs = baseMs;
        for (int db = 0; db < Store.SPACES; db++) {
            spaceOfDatabase[db] = store.state().spaceOf(db);
            databaseOfSpace[spaceOfDatabase[db]] = db;
            if (db >= databases && db < DATABASES_MAX && size(db) > 0) {
                throw new IllegalStateException(
                    "database " + db + " has keys, but only " + databases + " databases are configured");
            }
        }
    }

    int databases() {
        return databases;
    }

    int spaceOf(final int db) {
        return spaceOfDatabase[db];
    }

    /** The database that has the space, or -1 when the space is dead or spare. */
    int databaseOf(final int space) {
        final int db = databaseOfSpace[space];
        return db < databases ? db : -1;
    }

    boolean isLive(final int space) {
        return databaseOfSpace[space] < databases;
    }

    long size(final int db) {
        return store.size(spaceOfDatabase[db]);
    }

    long expiring(final int db) {
        return expiring[spaceOfDatabase[db]];
    }

    long keysOfType(final int db, final int type) {
        return keysOfType[spaceOfDatabase[db] * ValueType.COUNT + type];
    }

    long avgTtlMs(final int db, final long nowMs) {
        final int space = spaceOfDatabase[db];
        return expiring[space] == 0 ? 0 : Math.max(0, expirySumMs[space] / expiring[space] + baseMs - nowMs);
    }

    /** Keys of all databases that have an expiry. */
    long expiring() {
        long sum = 0;
        for (int db = 0; db < databases; db++) {
            sum += expiring(db);
        }
        return sum;
    }

    /** Keys of all databases. */
    long size() {
        long sum = 0;
        for (int db = 0; db < databases; db++) {
            sum += size(db);
        }
        return sum;
    }

    /** Keys in dead spaces. */
    long deadKeys() {
        return store.size() - size();
    }

    void added(final int space, final int type, final long expireAtMs) {
        keysOfType[space * ValueType.COUNT + type]++;
        if (expireAtMs != Entry.NO_EXPIRY) {
            expiring[space]++;
            expirySumMs[space] += relativeMs(expireAtMs);
        }
    }

    void removed(final int space, final int type, final long expireAtMs) {
        keysOfType[space * ValueType.COUNT + type]--;
        if (expireAtMs != Entry.NO_EXPIRY) {
            expiring[space]--;
            expirySumMs[space] -= relativeMs(expireAtMs);
        }
    }

    /** Gives the database an empty space. Returns false when no empty one is left. */
    boolean renew(final int db) {
        for (int spare = DATABASES_MAX; spare < Store.SPACES; spare++) {
            if (size(spare) == 0) {
                swap(db, spare);
                return true;
            }
        }
        return false;
    }

    void swap(final int a, final int b) {
        final int space = spaceOfDatabase[a];
        assign(a, spaceOfDatabase[b]);
        assign(b, space);
        store.state().spaces(spaceOfDatabase);
    }

    private void assign(final int db, final int space) {
        spaceOfDatabase[db] = space;
        databaseOfSpace[space] = db;
    }

    private long relativeMs(final long expireAtMs) {
        final long low = baseMs - EXPIRY_SPAN_MS;
        final long high = baseMs + EXPIRY_SPAN_MS;
        return Math.min(Math.max(expireAtMs, low), high) - baseMs;
    }
}
