package io.sluice.persistence;

/**
 * Takes the effects of writes, in order: what has to be done elsewhere to arrive at the same state. An effect says what
 * the command came to, never what was asked for, and needs no clock. Most can be applied twice without harm; those that
 * cannot say so. A collection that became empty has the effect {@link #remove} instead of one of its own. Effects
 * between {@link #unitBegin} and {@link #unitEnd} belong together and are applied at once or not at all; effects
 * outside stand alone (expiry, eviction).
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

    /** A list has this element more, in front of the others or behind them. Not to be applied twice. */
    void listPushed(Entry entry, boolean first, long address, int length);

    /** A list has lost so many elements at one end. Not to be applied twice. */
    void listPopped(Entry entry, boolean first, int elements);

    /** The list's element at this position is this one now. */
    void listSet(Entry entry, int position, long address, int length);

    /** A list has this element more, next to the first one that equals the pivot. Not to be applied twice. */
    void listInserted(
        Entry entry, boolean before, long pivotAddress, int pivotLength, long address, int length);

    /**
     * A list has lost the elements that equal this one: all for a count of 0, the first so many, or the last for a
     * negative count. Not to be applied twice, except for 0.
     */
    void listRemoved(Entry entry, long count, long address, int length);

    /** The hash's field has this value. */
    void hashPut(Entry entry, long fieldAddress, int fieldLength, long valueAddress, int valueLength);

    /** The hash has no such field. */
    void hashRemoved(Entry entry, long fieldAddress, int fieldLength);

    /** The set has this member. */
    void setAdded(Entry entry, long address, int length);

    /** The set has no such member. */
    void setRemoved(Entry entry, long address, int length);

    /** The sorted set's member has this score. */
    void zsetPut(Entry entry, double score, long address, int length);

    /** The sorted set has no such member. */
    void zsetRemoved(Entry entry, long address, int length);

    /** A sorted set has lost the members in a run of positions, lowest score first. Not to be applied twice. */
    void zsetRunRemoved(Entry entry, int from, int members);

    /**
     * A value of a type of ours has changed as this command of ours changes it, whose arguments are these numbers. Not
     * to be applied twice.
     */
    void ownChanged(Entry entry, byte[] command, long[] numbers);

    /** No key has changed; this command has to be executed elsewhere, too. */
    void relayed(byte[]... words);
}
