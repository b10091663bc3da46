package io.sluice.persistence;

import io.sluice.persistence.store.Store;

/** What the parts of a keyspace share: the store, its accounting, the time of the unit, and who hears of changes. */
final class Core {

    final Store store;
    final Spaces spaces;
    final ExpiryBounds bounds;
    KeyspaceLimits limits;
    long nowNs;
    long nowMs;
    /** Counts everything that may make an {@link Entry} point to nothing: inserts, moves, removals. */
    long version;
    long dirty;
    long expired;
    long evicted;
    /** Entries found at the start that no keyspace wrote. */
    long damaged;
    KeyObserver observer;
    EffectSink effects;
    SnapshotHook snapshot;
    /** Value addresses of two entries that must not be removed to make room, or 0. */
    long pinnedSource;
    long pinnedTarget;

    Core(final Store store, final Spaces spaces, final KeyspaceLimits limits) {
        this.store = store;
        this.spaces = spaces;
        this.bounds = new ExpiryBounds(store.shards());
        limits(limits);
    }

    void limits(final KeyspaceLimits limits) {
        this.limits = limits;
        // Keys are counted here, since those of flushed databases do not count.
        store.limit(0, limits.maxMemoryBytes());
    }

    boolean hasRoom(final int newKeys, final long keyAndValueBytes) {
        return hasKeys(newKeys) && store.hasRoom(newKeys, keyAndValueBytes);
    }

    /** Whether there may be so many keys more. */
    boolean hasKeys(final int newKeys) {
        return limits.maxKeys() == 0 || spaces.size() + newKeys <= limits.maxKeys();
    }

    boolean isGone(final long valueAddress) {
        return nowMs > EntryLayout.expireAtMs(valueAddress);
    }

    boolean isPinned(final long valueAddress) {
        return valueAddress == pinnedSource || valueAddress == pinnedTarget;
    }

    void find(final Entry e) {
        e.valueAddress = store.find(e.hash, e.space, e.keyAddress, e.keyLength);
        e.exists = e.valueAddress != Store.NOT_FOUND && !isGone(e.valueAddress);
        e.version = version;
    }

    /** Makes an entry true again that writes through other entries may have overtaken. */
    void refresh(final Entry e) {
        if (e.version != version) {
            e.space = spaces.spaceOf(e.db);
            e.hash = store.hash(e.space, e.keyAddress, e.keyLength);
            find(e);
        }
    }

    void beforeChange(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (snapshot != null && !EntryLayout.isSaved(valueAddress)) {
            snapshot.beforeChange(hash, space, keyAddress, keyLength, valueAddress);
        }
    }

    /** Counts a change and tells of it. */
    void touched(final Entry e) {
        dirty++;
        if (observer != null) {
            observer.keyTouched(e.db, e.keyAddress, e.keyLength);
        }
    }

    /** Takes an entry out of the store and the accounts, and tells nobody. */
    void drop(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        beforeChange(hash, space, keyAddress, keyLength, valueAddress);
        spaces.removed(space, EntryLayout.type(valueAddress), EntryLayout.expireAtMs(valueAddress));
        store.remove(hash, space, keyAddress, keyLength, valueAddress);
        version++;
    }

    /** Tells that a key is gone. Comes before {@link #drop}, since the key's bytes may be the store's. */
    void tellRemoved(final int db, final long keyAddress, final int keyLength) {
        if (observer != null) {
            observer.keyTouched(db, keyAddress, keyLength);
        }
        if (effects != null) {
            effects.remove(db, keyAddress, keyLength);
        }
    }
}
