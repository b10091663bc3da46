package io.sluice.persistence;

import io.sluice.persistence.store.StoreVisitor;

/** Removes from a shard what is void: expired keys, and all keys of dead spaces. */
final class Purge {

    private final Core core;
    private final StoreVisitor visitor = this::visit;
    private long nowMs;
    private long leastExpiryMs;
    private int examined;
    private int expired;

    Purge(final Core core) {
        this.core = core;
    }

    /** Visits one shard. */
    void shard(final int shard, final long nowMs) {
        this.nowMs = nowMs;
        leastExpiryMs = Entry.NO_EXPIRY;
        examined = 0;
        expired = 0;
        core.store.forEach(shard, visitor);
        core.bounds.set(shard, leastExpiryMs);
    }

    /** Visits all shards. */
    void everything(final long nowMs) {
        for (int i = 0; i < core.store.shards(); i++) {
            shard(i, nowMs);
        }
    }

    /** Entries that the last visit saw. */
    int examined() {
        return examined;
    }

    /** Expired keys that the last visit removed. */
    int expired() {
        return expired;
    }

    private void visit(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (core.isPinned(valueAddress)) {
            return;
        }
        examined++;
        final int db = core.spaces.databaseOf(space);
        final long expireAtMs = EntryLayout.expireAtMs(valueAddress);
        if (db < 0) {
            core.drop(hash, space, keyAddress, keyLength, valueAddress);
        } else if (nowMs > expireAtMs) {
            expired++;
            core.expired++;
            if (core.observer != null) {
                core.observer.keyEvent(KeyEvent.EXPIRED, db, keyAddress, keyLength);
            }
            core.tellRemoved(db, keyAddress, keyLength);
            core.drop(hash, space, keyAddress, keyLength, valueAddress);
        } else {
            leastExpiryMs = Math.min(leastExpiryMs, expireAtMs);
        }
    }
}
