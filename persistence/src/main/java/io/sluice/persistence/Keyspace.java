package io.sluice.persistence;

import io.sluice.persistence.store.Store;

/**
 * Typed values with an expiry, in numbered databases: all that command handlers know of stored state, and the one way
 * to write it. Every write stores, counts as dirty, tells the {@link KeyObserver} and feeds the {@link EffectSink}.
 *
 * <p>One thread owns it. Operations on an {@link Entry} need a {@link #lookup} before.
 */
public final class Keyspace {

    /** In a unit of this time nothing has expired: a replica stores what its primary holds. */
    public static final long BEFORE_ALL_EXPIRY_NS = 0;

    private static final long NS_PER_MS = 1_000_000;

    /** Added to key and value in {@link #memoryUsage(Entry)}: about what a store spends on an entry of its own. */
    private static final int ENTRY_OVERHEAD_BYTES = 16;

    private final Core core;
    private final Purge purge;
    private final DatabaseSwitch databaseSwitch;
    private final Room room;
    private final Placement placement;
    private final Writer writer;
    private final Blobs blobs;
    private final KeyScan scan;
    private final KeyPrefetch prefetch;
    private long hits;
    private long misses;
    private boolean inUnit;

    /**
     * A keyspace over what the store holds, which is all visited once.
     *
     * @param databases number of databases, 1 to 128
     * @param nowNs     time in ns since the epoch
     * @throws IllegalStateException when the store has keys in a database beyond that number
     */
    public Keyspace(final Store store, final int databases, final KeyspaceLimits limits, final long nowNs) {
        core = new Core(store, new Spaces(store, databases, toMs(nowNs)), limits);
        core.nowNs = nowNs;
        core.nowMs = toMs(nowNs);
        purge = new Purge(core);
        room = new Room(core, purge);
        databaseSwitch = new DatabaseSwitch(core, purge);
        placement = new Placement(core, room);
        writer = new Writer(core, placement);
        blobs = new Blobs(this, core, placement);
        scan = new KeyScan(core);
        prefetch = new KeyPrefetch(core);
        new OpeningVisit(core).run();
    }

    /** Begins a unit of execution: one command, one EXEC, one script. All of it sees the same time. */
    public void begin(final long nowNs) {
        assert !inUnit;
        inUnit = true;
        core.nowNs = nowNs;
        core.nowMs = toMs(nowNs);
        if (core.effects != null) {
            core.effects.unitBegin();
        }
    }

    /** Ends the unit. */
    public void end() {
        assert inUnit;
        inUnit = false;
        if (core.effects != null) {
            core.effects.unitEnd();
        }
    }

    /** For collections, which change a part of their bytes at a time. */
    public Blobs blobs() {
        return blobs;
    }

    /** For looking up several keys in a row. */
    public KeyPrefetch prefetch() {
        return prefetch;
    }

    /** Positions the entry, without counting a hit or a miss. Returns {@link Entry#exists()}. */
    public boolean lookup(final Entry e, final int db, final long keyAddress, final int keyLength) {
        e.db = db;
        e.space = core.spaces.spaceOf(db);
        e.keyAddress = keyAddress;
        e.keyLength = keyLength;
        e.hash = core.store.hash(e.space, keyAddress, keyLength);
        core.find(e);
        return e.exists;
    }

    /** Positions the entry and counts a hit or a miss. Returns {@link Entry#exists()}. */
    public boolean lookupRead(final Entry e, final int db, final long keyAddress, final int keyLength) {
        if (lookup(e, db, keyAddress, keyLength)) {
            hits++;
        } else {
            misses++;
        }
        return e.exists;
    }

    /**
     * Stores a string held as an integer.
     *
     * @throws KeyspaceFullException for a new key that does not fit
     */
    public void putInt(final Entry e, final long value, final long expireAtMs) {
        writer.putInt(e, value, expireAtMs);
    }

    /**
     * Stores a string. Text that is a canonical 64-bit integer is held as one.
     *
     * @throws KeyspaceFullException  when it does not fit
     * @throws ValueTooLargeException when it is longer than {@link #valueBytesMax()}
     */
    public void putBytes(final Entry e, final long source, final int length, final long expireAtMs) {
        writer.putBytes(e, source, length, expireAtMs);
    }

    /**
     * Stores the state words of a limiter, at most 255.
     *
     * @throws KeyspaceFullException when it does not fit
     */
    public void putWords(final Entry e, final int type, final long[] words, final int count, final long expireAtMs) {
        writer.putWords(e, type, words, count, expireAtMs);
    }

    /**
     * Makes room for a payload that the caller then writes at the returned address and completes with
     * {@link #blobWritten}. A live value of the same type keeps its bytes up to the smaller size; new bytes are zero.
     *
     * @throws KeyspaceFullException  when it does not fit
     * @throws ValueTooLargeException when it is longer than {@link #valueBytesMax()}
     */
    public long putBlob(final Entry e, final int type, final int payloadBytes, final long expireAtMs) {
        return writer.putBlob(e, type, payloadBytes, expireAtMs);
    }

    /** Completes {@link #putBlob}: nothing else may happen in between. */
    public void blobWritten(final Entry e) {
        writer.written(e);
    }

    /**
     * As {@link #blobWritten}, for a value that was there and has changed a little: elsewhere a command of ours changes
     * it in the same way.
     *
     * @param command name of the command, whose arguments are the key and these numbers
     */
    public void blobChanged(final Entry e, final byte[] command, final long[] numbers) {
        writer.changed(e, command, numbers);
    }

    /**
     * Appends to a string, or makes one; an expiry stays. Returns the new length.
     *
     * @throws KeyspaceFullException  when it does not fit
     * @throws ValueTooLargeException when it would be longer than {@link #valueBytesMax()}
     */
    public int append(final Entry e, final long source, final int length) {
        return writer.append(e, source, length);
    }

    /**
     * Overwrites part of a string, or makes one, with zero bytes in a gap; an expiry stays. Returns the new length.
     * With nothing to write nothing changes.
     *
     * @throws KeyspaceFullException  when it does not fit
     * @throws ValueTooLargeException when it would be longer than {@link #valueBytesMax()}
     */
    public int setRange(final Entry e, final long offset, final long source, final int length) {
        return writer.setRange(e, offset, source, length);
    }

    /** Removes the key. Returns whether it was there. */
    public boolean remove(final Entry e) {
        core.refresh(e);
        if (!e.exists) {
            return false;
        }
        core.dirty++;
        core.tellRemoved(e.db, e.keyAddress, e.keyLength);
        core.drop(e.hash, e.space, e.keyAddress, e.keyLength, e.valueAddress);
        e.valueAddress = Store.NOT_FOUND;
        e.exists = false;
        return true;
    }

    /** Sets the expiry of a key that is there. Returns whether it was. */
    public boolean expireAt(final Entry e, final long expireAtMs) {
        core.refresh(e);
        if (!e.exists) {
            return false;
        }
        writer.expireAt(e, expireAtMs);
        return true;
    }

    /** Takes the expiry away. Returns whether there was one. */
    public boolean persist(final Entry e) {
        core.refresh(e);
        return e.exists && e.hasExpiry() && expireAt(e, Entry.NO_EXPIRY);
    }

    /**
     * Moves the value and expiry of a key that is there to another key, of any database, replacing what that has. Does
     * nothing when both are the same key. A limit does not stop it, since it adds nothing.
     *
     * @throws KeyspaceFullException when the store itself has no room for the second copy
     */
    public void rename(final Entry from, final Entry to) {
        if (!isSameKey(from, to)) {
            writer.copyWithoutLimit(from, to);
            remove(from);
        }
    }

    /**
     * Copies the value and expiry of a key that is there to another key, of any database, replacing what that holds.
     *
     * @throws KeyspaceFullException when it does not fit
     */
    public void copy(final Entry from, final Entry to) {
        if (!isSameKey(from, to)) {
            writer.copy(from, to);
        }
    }

    /** Empties a database at once. Returns how many keys it had. */
    public long flushDb(final int db) {
        return databaseSwitch.flush(db);
    }

    /** Empties all databases at once. Returns how many keys they had. */
    public long flushAll() {
        return databaseSwitch.flushAll();
    }

    /** Lets two databases change places at once. */
    public void swapDb(final int a, final int b) {
        databaseSwitch.swap(a, b);
    }

    /** Number of databases. */
    public int databases() {
        return core.spaces.databases();
    }

    /** Keys of a database, with expired ones that were not swept yet. */
    public long size(final int db) {
        return core.spaces.size(db);
    }

    /** Keys of all databases. */
    public long size() {
        return core.spaces.size();
    }

    /** Keys of a database that have an expiry. */
    public long expiring(final int db) {
        return core.spaces.expiring(db);
    }

    /**
     * Mean time to live in ms of the keys of a database that have an expiry; what is over two years counts as two.
     */
    public long avgTtlMs(final int db) {
        return core.spaces.avgTtlMs(db, core.nowMs);
    }

    /** Keys of a type in a database. */
    public long keysOfType(final int db, final int type) {
        return core.spaces.keysOfType(db, type);
    }

    /** Positions the entry on a random live key, to be read or removed. Returns false when there is none. */
    public boolean random(final int db, final Entry e) {
        return scan.random(db, e);
    }

    /**
     * Shows live entries in the order of their hashes, about {@code count} of them.
     * A key that is there from the first call to the last is shown at least once, whatever else happens in between.
     *
     * @param cursor 0 to start, then what the call before returned
     * @return where to go on, 0 at the end
     */
    public long scan(final long cursor, final int db, final int count, final EntryVisitor visitor) {
        return scan.scan(cursor, db, count, visitor);
    }

    /** Shows every entry that is stored, expired or not, in no order. */
    public void forEachStored(final EntryVisitor visitor) {
        scan.forEachStored(visitor);
    }

    /**
     * Makes sure that so many new keys with so many bytes of keys and values will fit, before a write of several keys
     * changes anything.
     *
     * @throws KeyspaceFullException when they do not
     */
    public void ensureRoom(final int newKeys, final long keyAndValueBytes) {
        room.require(newKeys, keyAndValueBytes);
    }

    /** Longest string or blob in bytes. */
    public int valueBytesMax() {
        return placement.payloadBytesMax();
    }

    /** Bytes that the entry takes up, overhead included. */
    public long memoryUsage(final Entry e) {
        assert e.exists();
        return (long) ENTRY_OVERHEAD_BYTES + e.keyLength + core.store.capacityOf(e.valueAddress);
    }

    /** Bytes that all entries take up, overhead included. */
    public long memoryUsed() {
        return core.store.bytesUsed();
    }

    /** The limits that hold. */
    public KeyspaceLimits limits() {
        return core.limits;
    }

    /** Other limits from now on. What is there already stays. */
    public void limits(final KeyspaceLimits limits) {
        core.limits(limits);
    }

    /** Changes since the start or the last completed snapshot. */
    public long dirty() {
        return core.dirty;
    }

    /** Lookups by {@link #lookupRead} that found a key. */
    public long hits() {
        return hits;
    }

    /** Lookups by {@link #lookupRead} that found none. */
    public long misses() {
        return misses;
    }

    /** Keys removed or overwritten after their expiry. */
    public long expired() {
        return core.expired;
    }

    /** Keys evicted. */
    public long evicted() {
        return core.evicted;
    }

    /** Entries found in the store at the start that no keyspace wrote. They were removed. */
    public long damaged() {
        return core.damaged;
    }

    /** Sets the counters of {@code INFO stats} to zero. */
    public void resetStats() {
        hits = 0;
        misses = 0;
        core.expired = 0;
        core.evicted = 0;
    }

    /** Who is told of changes, null for nobody. */
    public void observer(final KeyObserver observer) {
        core.observer = observer;
    }

    /** Who takes the effects, null for nobody. */
    public void effects(final EffectSink effects) {
        core.effects = effects;
    }

    /** Whether somebody takes the effects. */
    public boolean hasEffects() {
        return core.effects != null;
    }

    /** Has a command executed elsewhere, too, that changes no key. */
    public void relay(final byte[]... words) {
        if (core.effects != null) {
            core.effects.relayed(words);
        }
    }

    /** Raises a named event for the entry's key, if anybody listens. */
    public void event(final KeyEvent event, final Entry e) {
        if (core.observer != null) {
            core.observer.keyEvent(event, e.db, e.keyAddress, e.keyLength);
        }
    }

    /**
     * Begins to show everything as it is now to a snapshot. One at a time: the walk before must be at its end.
     *
     * @param withExpired whether keys are shown too that have expired and are still stored
     */
    public SnapshotWalk beginSnapshot(final SnapshotWalk.EntrySaver saver, final boolean withExpired) {
        if (core.snapshot != null) {
            throw new IllegalStateException("a snapshot is running");
        }
        return new SnapshotWalk(core, saver, withExpired);
    }

    /** A snapshot is complete that began when {@link #dirty()} was this. */
    public void snapshotCompleted(final long dirtyAtBegin) {
        core.dirty -= dirtyAtBegin;
    }

    static long toMs(final long nowNs) {
        return Math.floorDiv(nowNs, NS_PER_MS);
    }

    Core core() {
        return core;
    }

    Purge purge() {
        return purge;
    }

    private static boolean isSameKey(final Entry a, final Entry b) {
        return a.db == b.db && a.hash == b.hash && a.keyLength == b.keyLength
            && Memory.equal(a.keyAddress, b.keyAddress, a.keyLength);
    }
}
