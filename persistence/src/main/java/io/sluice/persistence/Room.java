package io.sluice.persistence;

import io.sluice.persistence.store.StoreVisitor;

import java.util.Arrays;

/**
 * Finds room for new keys and for growth. What is void goes first, whatever the policy; with {@code volatile-ttl} then
 * the keys nearest to their expiry, found by way of {@link ExpiryBounds}. The work per call is bounded, so a call can
 * be refused although one after it would find room.
 */
final class Room {

    /** Most shards that one call purges. */
    private static final int PURGES_MAX = 8;
    /** Most shards that one call evicts from. */
    private static final int EVICTIONS_MAX = 64;
    /** Most shards that are looked through for the one to evict from. */
    private static final int SAMPLES_MAX = 8;
    /**
     * Of the keys in the shard with the nearest expiry, one in so many goes at a time, since looking through a shard
     * costs more than that.
     */
    private static final int EVICTED_FRACTION = 16;

    private final Core core;
    private final Purge purge;
    private final StoreVisitor sampler = this::sample;
    private final StoreVisitor evictor = this::evict;
    private int deadCursor;

    private long[] expiries = new long[512];
    private int sampled;
    private long threshold;
    private int toEvict;
    private long leastLeftMs;

    Room(final Core core, final Purge purge) {
        this.core = core;
        this.purge = purge;
    }

    /** Makes room within the limits, or throws {@link KeyspaceFullException}. */
    void require(final int newKeys, final long keyAndValueBytes) {
        if (core.hasRoom(newKeys, keyAndValueBytes)) {
            return;
        }
        final KeyspaceLimits limits = core.limits;
        if (limits.maxKeys() > 0 && newKeys > limits.maxKeys()
            || limits.maxMemoryBytes() > 0 && keyAndValueBytes > limits.maxMemoryBytes()) {
            throw full(newKeys);
        }
        int purges = 0;
        int evictions = 0;
        while (!core.hasRoom(newKeys, keyAndValueBytes)) {
            if ((purges++ >= PURGES_MAX || !purgeOne()) && (evictions++ >= EVICTIONS_MAX || !evictSome())) {
                throw full(newKeys);
            }
        }
    }

    private KeyspaceFullException full(final int newKeys) {
        return core.hasKeys(newKeys) ? KeyspaceFullException.INSTANCE : KeyspaceFullException.KEYS;
    }

    /** The store had no room although the limits allow it. Returns whether something went, so that it may have now. */
    boolean release() {
        return purgeOne() || evictSome();
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

    private boolean evictSome() {
        if (core.limits.policy() != EvictionPolicy.VOLATILE_TTL) {
            return false;
        }
        for (int i = 0; i < SAMPLES_MAX; i++) {
            final int shard = core.bounds.leastShard();
            if (shard < 0) {
                return false;
            }
            sampled = 0;
            core.store.forEach(shard, sampler);
            Arrays.sort(expiries, 0, sampled);
            final long least = sampled == 0 ? Entry.NO_EXPIRY : expiries[0];
            // Where the bound was out of date, another shard may be nearer.
            if (sampled > 0 && (least <= core.bounds.of(shard) || i == SAMPLES_MAX - 1)) {
                evictFrom(shard);
                return true;
            }
            core.bounds.set(shard, least);
        }
        return false;
    }

    private void evictFrom(final int shard) {
        toEvict = Math.max(1, sampled / EVICTED_FRACTION);
        threshold = expiries[toEvict - 1];
        leastLeftMs = Entry.NO_EXPIRY;
        core.store.forEach(shard, evictor);
        core.bounds.set(shard, leastLeftMs);
    }

    private boolean isEvictable(final int space, final long valueAddress) {
        return core.spaces.isLive(space) && !core.isPinned(valueAddress)
            && EntryLayout.expireAtMs(valueAddress) != Entry.NO_EXPIRY;
    }

    private void sample(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (isEvictable(space, valueAddress)) {
            if (sampled == expiries.length) {
                expiries = Arrays.copyOf(expiries, 2 * sampled);
            }
            expiries[sampled++] = EntryLayout.expireAtMs(valueAddress);
        }
    }

    private void evict(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (!isEvictable(space, valueAddress)) {
            return;
        }
        final long expireAtMs = EntryLayout.expireAtMs(valueAddress);
        if (toEvict == 0 || expireAtMs > threshold) {
            leastLeftMs = Math.min(leastLeftMs, expireAtMs);
            return;
        }
        toEvict--;
        final int db = core.spaces.databaseOf(space);
        core.evicted++;
        if (core.observer != null) {
            core.observer.keyEvent(KeyEvent.EVICTED, db, keyAddress, keyLength);
        }
        core.tellRemoved(db, keyAddress, keyLength);
        core.drop(hash, space, keyAddress, keyLength, valueAddress);
    }
}
