package io.sluice.persistence;

/**
 * Takes the effects of writes, in order: what has to be done elsewhere to arrive at the same state. Every effect is
 * absolute, so applying it twice does no harm. Effects between {@link #unitBegin} and {@link #unitEnd} belong together
 * and are applied at once or not at all; effects outside stand alone (expiry, eviction).
 *
 * <p>Called on the owner thread in the midst of a write, so it must not call the keyspace. Entries and addresses are
 * valid during the call only.
 */
public interface EffectSink {

    /** A unit begins. It may stay empty. */
    void unitBegin();

    /** The unit ends. */
    void unitEnd();

    /** The key has this value and this expiry now. */
    void put(Entry entry);

    /** The key is gone. */
    void remove(int db, long keyAddress, int keyLength);

    /** The key expires then; {@link Entry#NO_EXPIRY} for never. */
    void expireAt(int db, long keyAddress, int keyLength, long expireAtMs);

    /** The database is empty. */
    void flushDb(int db);

    /** All databases are empty. */
    void flushAll();

    /** The two databases changed places. */
    void swapDb(int a, int b);
}
