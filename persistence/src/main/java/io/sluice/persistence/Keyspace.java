package io.sluice.persistence;

import io.sluice.persistence.store.Store;

/**
 * Typed values with an expiry, in numbered databases: all that command handlers know of stored state, and the one way
 * to write it. Every write stores, counts as dirty, tells the {@link KeyObserver} and feeds the {@link EffectSink}.
 *
 * <p>One thread owns it. Operations on an {@link Entry} need a {@link #lookup} before.
 */
public final class Keyspace {

    private final Store store;
    private final int databases;

    /** A keyspace over what the store holds. */
    public Keyspace(final Store store, final int databases, final KeyspaceLimits limits) {
        this.store = store;
        this.databases = databases;
    }

    /** Begins a unit of execution: one command, one EXEC, one script. All of it sees the same time. */
    public void begin(final long nowNs) {
        throw new UnsupportedOperationException();
    }

    /** Ends the unit. */
    public void end() {
        throw new UnsupportedOperationException();
    }

    /** Time of the unit in ns since the epoch. */
    public long nowNs() {
        throw new UnsupportedOperationException();
    }

    /** Time of the unit in ms since the epoch, rounded down. */
    public long nowMs() {
        throw new UnsupportedOperationException();
    }

    /** Positions the entry, without counting a hit or a miss. Returns {@link Entry#exists()}. */
    public boolean lookup(final Entry e, final int db, final long keyAddress, final int keyLength) {
        throw new UnsupportedOperationException();
    }

    /** Positions the entry and counts a hit or a miss. Returns {@link Entry#exists()}. */
    public boolean lookupRead(final Entry e, final int db, final long keyAddress, final int keyLength) {
        throw new UnsupportedOperationException();
    }

    /**
     * Stores a string held as an integer.
     *
     * @throws KeyspaceFullException for a new key that does not fit
     */
    public void putInt(final Entry e, final long value, final long expireAtMs) {
        throw new UnsupportedOperationException();
    }

    /**
     * Stores a string. Text that is a canonical 64-bit integer is held as one.
     *
     * @throws KeyspaceFullException  when it does not fit
     * @throws ValueTooLargeException when it is longer than {@link #valueBytesMax()}
     */
    public void putBytes(final Entry e, final long source, final int length, final long expireAtMs) {
        throw new UnsupportedOperationException();
    }

    /**
     * Stores the state words of a limiter, at most 255.
     *
     * @throws KeyspaceFullException when it does not fit
     */
    public void putWords(final Entry e, final int type, final long[] words, final int count, final long expireAtMs) {
        throw new UnsupportedOperationException();
    }

    /**
     * Makes room for a payload that the caller then writes at the returned address and completes with
     * {@link #blobWritten}. A live value of the same type keeps its bytes up to the smaller size; new bytes are zero.
     *
     * @throws KeyspaceFullException  when it does not fit
     * @throws ValueTooLargeException when it is longer than {@link #valueBytesMax()}
     */
    public long putBlob(final Entry e, final int type, final int payloadBytes, final long expireAtMs) {
        throw new UnsupportedOperationException();
    }

    /** Completes {@link #putBlob}: nothing else may happen in between. */
    public void blobWritten(final Entry e) {
        throw new UnsupportedOperationException();
    }

    /**
     * Appends to a string, or makes one; an expiry stays. Returns the new length.
     *
     * @throws KeyspaceFullException  when it does not fit
     * @throws ValueTooLargeException when it would be longer than {@link #valueBytesMax()}
     */
    public int append(final Entry e, final long source, final int length) {
        throw new UnsupportedOperationException();
    }

    /**
     * Overwrites part of a string, or makes one, with zero bytes in a gap; an expiry stays. Returns the new length.
     * With nothing to write nothing changes.
     *
     * @throws KeyspaceFullException  when it does not fit
     * @throws ValueTooLargeException when it would be longer than {@link #valueBytesMax()}
     */
    public int setRange(final Entry e, final long offset, final long source, final int length) {
        throw new UnsupportedOperationException();
    }

    /** Removes the key. Returns whether it was there. */
    public boolean remove(final Entry e) {
        throw new UnsupportedOperationException();
    }

    /** Sets the expiry of a key that is there. Returns whether it was. */
    public boolean expireAt(final Entry e, final long expireAtMs) {
        throw new UnsupportedOperationException();
    }

    /** Takes the expiry away. Returns whether there was one. */
    public boolean persist(final Entry e) {
        throw new UnsupportedOperationException();
    }

    /**
     * Moves the value and expiry of a key that is there to another key, of any database, replacing what that has. Does
     * nothing when both are the same key. A limit does not stop it, since it adds nothing.
     *
     * @throws KeyspaceFullException when the store itself has no room for the second copy
     */
    public void rename(final Entry from, final Entry to) {
        throw new UnsupportedOperationException();
    }

    /**
     * Copies the value and expiry of a key that is there to another key, of any database, replacing what that holds.
     *
     * @throws KeyspaceFullException when it does not fit
     */
    public void copy(final Entry from, final Entry to) {
        throw new UnsupportedOperationException();
    }

    /** Empties a database at once. Returns how many keys it had. */
    public long flushDb(final int db) {
        throw new UnsupportedOperationException();
    }

    /** Empties all databases at once. Returns how many keys they had. */
    public long flushAll() {
        throw new UnsupportedOperationException();
    }

    /** Lets two databases change places at once. */
    public void swapDb(final int a, final int b) {
        throw new UnsupportedOperationException();
    }

    /** Number of databases. */
    public int databases() {
        throw new UnsupportedOperationException();
    }

    /** Keys of a database, with expired ones that were not swept yet. */
    public long size(final int db) {
        throw new UnsupportedOperationException();
    }

    /** Keys of all databases. */
    public long size() {
        throw new UnsupportedOperationException();
    }

    /** Keys of a database that have an expiry. */
    public long expiring(final int db) {
        throw new UnsupportedOperationException();
    }

    /**
     * Mean time to live in ms of the keys of a database that have an expiry; what is over two years counts as two.
     */
    public long avgTtlMs(final int db) {
        throw new UnsupportedOperationException();
    }

    /** Keys of a type in a database. */
    public long keysOfType(final int db, final int type) {
        throw new UnsupportedOperationException();
    }

    /** Positions the entry on a random live key. Returns false when there is none. */
    public boolean random(final int db, final Entry e) {
        throw new UnsupportedOperationException();
    }

    /**
     * Shows live entries in the order of their hashes, about {@code count} of them.
     * A key that is there from the first call to the last is shown at least once, whatever else happens in between.
     *
     * @param cursor 0 to start, then what the call before returned
     * @return where to go on, 0 at the end
     */
    public long scan(final long cursor, final int db, final int count, final EntryVisitor visitor) {
        throw new UnsupportedOperationException();
    }

    /**
     * Makes sure that so many new keys with so many bytes of keys and values will fit, before a write of several keys
     * changes anything.
     *
     * @throws KeyspaceFullException when they do not
     */
    public void ensureRoom(final int newKeys, final long keyAndValueBytes) {
        throw new UnsupportedOperationException();
    }

    /** Longest string or blob in bytes. */
    public int valueBytesMax() {
        throw new UnsupportedOperationException();
    }

    /** Bytes that the entry takes up, overhead included. */
    public long memoryUsage(final Entry e) {
        throw new UnsupportedOperationException();
    }

    /** Bytes that all entries take up, overhead included. */
    public long memoryUsed() {
        throw new UnsupportedOperationException();
    }

    /** The limits that hold. */
    public KeyspaceLimits limits() {
        throw new UnsupportedOperationException();
    }

    /** Other limits from now on. What is there already stays. */
    public void limits(final KeyspaceLimits limits) {
        throw new UnsupportedOperationException();
    }

    /** Changes since the start or the last completed snapshot. */
    public long dirty() {
        throw new UnsupportedOperationException();
    }

    /** Lookups by {@link #lookupRead} that found a key. */
    public long hits() {
        throw new UnsupportedOperationException();
    }

    /** Lookups by {@link #lookupRead} that found none. */
    public long misses() {
        throw new UnsupportedOperationException();
    }

    /** Keys removed or overwritten after their expiry. */
    public long expired() {
        throw new UnsupportedOperationException();
    }

    /** Keys evicted. */
    public long evicted() {
        throw new UnsupportedOperationException();
    }

    /** Sets the counters of {@code INFO stats} to zero. */
    public void resetStats() {
        throw new UnsupportedOperationException();
    }

    /** Who is told of changes, null for nobody. */
    public void observer(final KeyObserver observer) {
        throw new UnsupportedOperationException();
    }

    /** Who takes the effects, null for nobody. */
    public void effects(final EffectSink effects) {
        throw new UnsupportedOperationException();
    }

    /** Raises a named event for the entry's key, if anybody listens. */
    public void event(final KeyEvent event, final Entry e) {
        throw new UnsupportedOperationException();
    }
}
