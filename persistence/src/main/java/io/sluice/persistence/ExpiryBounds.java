package io.sluice.persistence;

import io.sluice.persistence.store.Store;

import java.util.Arrays;

/**
 * For each shard of the store a time before which none of its keys expires. A write can only lower it; a visit to the
 * shard makes it exact. So whoever looks for expired keys, or for those nearest to their expiry, knows where to look
 * without visiting anything.
 *
 * <p>Shards are grouped in blocks with a bound of their own, which keeps the search for the least one short.
 */
final class ExpiryBounds {

    private static final int BLOCK_SHIFT = 6;

    /** Keeps the loads of {@link #prefetch} from being optimised away. */
    private long prefetched;
    private final long[] shards;
    private final long[] blocks;

    ExpiryBounds(final int shardCount) {
        shards = new long[shardCount];
        blocks = new long[(shardCount - 1 >> BLOCK_SHIFT) + 1];
        Arrays.fill(shards, Entry.NO_EXPIRY);
        Arrays.fill(blocks, Entry.NO_EXPIRY);
    }

    long of(final int shard) {
        return shards[shard];
    }

    /** A key of the shard expires then. */
    void lower(final int shard, final long expireAtMs) {
        if (expireAtMs < shards[shard]) {
            shards[shard] = expireAtMs;
            final int block = shard >> BLOCK_SHIFT;
            if (expireAtMs < blocks[block]) {
                blocks[block] = expireAtMs;
            }
        }
    }

    /** Touches what {@link #lower} will read for keys of these hashes. */
    void prefetch(final Store store, final long[] hashes, final int count) {
        long touched = 0;
        for (int i = 0; i < count; i++) {
            touched += shards[store.shardOf(hashes[i])];
        }
        prefetched = touched;
    }

    /** The shard was visited: none of its keys expires earlier than this. */
    void set(final int shard, final long expireAtMs) {
        shards[shard] = expireAtMs;
        final int first = shard >> BLOCK_SHIFT << BLOCK_SHIFT;
        final int end = Math.min(first + (1 << BLOCK_SHIFT), shards.length);
        long least = Entry.NO_EXPIRY;
        for (int i = first; i < end; i++) {
            least = Math.min(least, shards[i]);
        }
        blocks[shard >> BLOCK_SHIFT] = least;
    }

    /** The first shard from {@code from} on that may have a key that is gone at {@code nowMs}, or -1. */
    int nextDue(final int from, final long nowMs) {
        int shard = from;
        while (shard < shards.length) {
            if (blocks[shard >> BLOCK_SHIFT] >= nowMs) {
                shard = (shard >> BLOCK_SHIFT) + 1 << BLOCK_SHIFT;
            } else if (shards[shard] < nowMs) {
                return shard;
            } else {
                shard++;
            }
        }
        return -1;
    }

    /** The shard with the least bound, or -1 when no key has an expiry. */
    int leastShard() {
        int leastBlock = 0;
        for (int i = 1; i < blocks.length; i++) {
            if (blocks[i] < blocks[leastBlock]) {
                leastBlock = i;
            }
        }
        if (blocks[leastBlock] == Entry.NO_EXPIRY) {
            return -1;
        }
        int shard = leastBlock << BLOCK_SHIFT;
        while (shards[shard] != blocks[leastBlock]) {
            shard++;
        }
        return shard;
    }
}
