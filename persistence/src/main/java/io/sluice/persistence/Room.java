package io.sluice.persistence;

import io.sluice.persistence.store.EntryVisitor;

/**
 * Finds room for new keys and for growth. What is void goes first, whatever the policy; with {@code volatile-ttl} then
 * the keys nearest to their expiry, found by way of {@link ExpiryBounds}. The work per call is bounded, so a call can
 * be refused although one after it would find room.
 */
final class Room {

    /** Most shards that one call purges. */
    private static final int PURGES_MAX = 32;
    /** Most keys that one call evicts. */
    private static final int EVICTIONS_MAX = 128;
    /** Most shards that are looked through for one eviction. */
    private static final int SAMPLES_MAX = 8;

    private final Core core;
    private final Purge purge;
    private final EntryVisitor sampler = this::sample;
    private int deadCursor;

    private long shardLeastMs;
    private long bestExpiryMs;
    private long bestHash;
    private int bestSpace;
    private long bestKeyAddress;
    private int bestKeyLength;
    private long bestValueAddress;

    Room(final Core core, final Purge purge) {
        this.core = core;
        this.purge = purge;
    }

    /** Makes room within the limits, or throws {@link KeyspaceFullException}. */
    void require(final int newKeys, final long keyAndValueBytes) {
        for (int i = 0; i < PURGES_MAX && !core.store.hasRoom(newKeys, keyAndValueBytes); i++) {
            if (!purgeOne()) {
                break;
            }
        }
        for (int i = 0; !core.store.hasRoom(newKeys, keyAndValueBytes); i++) {
            if (i == EVICTIONS_MAX || !evictOne()) {
                throw KeyspaceFullException.INSTANCE;
            }
        }
    }

    /** The store had no room although the limits allow it. Returns whether something went, so that it may have now. */
    boolean release() {
        return purgeOne() || evictOne();
    }

    private boolean purgeOne() {
        final int due = core.bounds.nextDue(0, core.nowMs);
        if (due >= 0) {
            purge.shard(due, core.nowMs);
            return true;
        }
        if (core.spaces.deadKeys() > 0) {
            purge.shard(deadCursor, core.nowMs);
            deadCursor = deadCursor + 1 & core.store.shards() - 1;
            return true;
        }
        return false;
    }

    private boolean evictOne() {
        if (core.limits.policy() != EvictionPolicy.VOLATILE_TTL) {
            return false;
        }
        bestExpiryMs = Entry.NO_EXPIRY;
        for (int i = 0; i < SAMPLES_MAX; i++) {
            final int shard = core.bounds.leastShard();
            if (shard < 0 || bestExpiryMs <= core.bounds.of(shard)) {
                break;
            }
            shardLeastMs = Entry.NO_EXPIRY;
            core.store.forEach(shard, sampler);
            core.bounds.set(shard, shardLeastMs);
        }
        if (bestExpiryMs == Entry.NO_EXPIRY) {
            return false;
        }
        final int db = core.spaces.databaseOf(bestSpace);
        core.evicted++;
        if (core.observer != null) {
            core.observer.keyEvent(KeyEvent.EVICTED, db, bestKeyAddress, bestKeyLength);
        }
        core.tellRemoved(db, bestKeyAddress, bestKeyLength);
        core.drop(bestHash, bestSpace, bestKeyAddress, bestKeyLength, bestValueAddress);
        return true;
    }

    private void sample(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        final long expireAtMs = EntryLayout.expireAtMs(valueAddress);
        if (!core.spaces.isLive(space) || core.isPinned(valueAddress)) {
            return;
        }
        shardLeastMs = Math.min(shardLeastMs, expireAtMs);
        if (expireAtMs < bestExpiryMs) {
            bestExpiryMs = expireAtMs;
            bestHash = hash;
            bestSpace = space;
            bestKeyAddress = keyAddress;
            bestKeyLength = keyLength;
            bestValueAddress = valueAddress;
        }
    }
}
