package io.sluice.persistence;

import io.sluice.persistence.store.Store;
import io.sluice.persistence.store.StoreVisitor;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Visits a database in the order of its keys' hashes. That order never changes, so a position in it is a cursor that
 * survives whatever happens to other keys.
 */
final class KeyScan {

    /** Entries of any database that one call looks at, besides ten for each that was asked for. */
    private static final int EXAMINED_MIN = 1_000;
    private static final int EXAMINED_FACTOR = 10;
    /** Keys that a random one is drawn from where there are so many: neighbours, so that a gap favours none much. */
    private static final int CANDIDATES_WANTED = 16;
    private static final int COUNT_MAX = 1 << 20;

    private final Core core;
    private final Entry shown = new Entry();
    private final SplittableRandom random;
    private final StoreVisitor collector = this::collect;
    private final StoreVisitor shower = this::show;
    private final StoreVisitor chooser = this::choose;

    private int db;
    private int space;
    /** Unsigned and inclusive. */
    private long first;
    private long last;
    private long[] hashes = new long[512];
    private int hashCount;
    private int examined;
    private int shownCount;
    private int candidates;
    private EntryVisitor visitor;
    private Entry chosen;

    KeyScan(final Core core) {
        this.core = core;
        this.random = new SplittableRandom(core.store.hash(0, 0, 0));
    }

    long scan(final long cursor, final int db, final int count, final EntryVisitor visitor) {
        if (core.spaces.size(db) == 0) {
            return 0;
        }
        this.db = db;
        this.visitor = visitor;
        space = core.spaces.spaceOf(db);
        final int wanted = Math.min(Math.max(count, 1), COUNT_MAX);
        final int examinedMax = wanted * EXAMINED_FACTOR + EXAMINED_MIN;
        first = cursor;
        examined = 0;
        shownCount = 0;
        do {
            final int shard = core.store.shardOf(first);
            last = lastOf(shard);
            hashCount = 0;
            core.store.forEach(shard, collector);
            limitTo(wanted - shownCount);
            core.store.forEach(shard, shower);
            first = last + 1;
        } while (first != 0 && shownCount < wanted && examined < examinedMax);
        this.visitor = null;
        return first;
    }

    void forEachStored(final EntryVisitor everything) {
        final Entry e = new Entry();
        for (int shard = 0; shard < core.store.shards(); shard++) {
            core.store.forEach(shard, (hash, entrySpace, keyAddress, keyLength, valueAddress) -> {
                final int owner = core.spaces.databaseOf(entrySpace);
                if (owner >= 0 && EntryLayout.expireAtMs(valueAddress) != 0) {
                    db = owner;
                    space = entrySpace;
                    position(e, hash, keyAddress, keyLength, valueAddress);
                    everything.visit(e);
                }
            });
        }
    }

    boolean random(final int db, final Entry e) {
        if (core.spaces.size(db) == 0) {
            return false;
        }
        this.db = db;
        space = core.spaces.spaceOf(db);
        chosen = e;
        candidates = 0;
        e.exists = false;
        final int shards = core.store.shards();
        final int from = random.nextInt(shards);
        for (int i = 0; i < shards && candidates < CANDIDATES_WANTED; i++) {
            core.store.forEach(from + i & shards - 1, chooser);
        }
        chosen = null;
        return e.exists;
    }

    private long lastOf(final int shard) {
        final int shardBits = Integer.numberOfTrailingZeros(core.store.shards());
        // Shifts by 64 do nothing in Java, so the only shard of one takes two steps.
        return ((long) shard + 1 << 63 - shardBits << 1) - 1;
    }

    /** Ends the range behind that many of the collected hashes. Equal hashes stay together. */
    private void limitTo(final int count) {
        if (hashCount > count) {
            for (int i = 0; i < hashCount; i++) {
                hashes[i] += Long.MIN_VALUE;
            }
            Arrays.sort(hashes, 0, hashCount);
            last = hashes[count - 1] - Long.MIN_VALUE;
        }
    }

    private boolean isInRange(final long hash) {
        return Long.compareUnsigned(hash, first) >= 0 && Long.compareUnsigned(hash, last) <= 0;
    }

    private void collect(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        examined++;
        if (space == this.space && isInRange(hash) && !core.isGone(valueAddress)) {
            if (hashCount == hashes.length) {
                hashes = Arrays.copyOf(hashes, 2 * hashCount);
            }
            hashes[hashCount++] = hash;
        }
    }

    private void show(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (space == this.space && isInRange(hash) && !core.isGone(valueAddress)) {
            shownCount++;
            position(shown, hash, keyAddress, keyLength, valueAddress);
            visitor.visit(shown);
        }
    }

    private void choose(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (space == this.space && !core.isGone(valueAddress) && random.nextInt(++candidates) == 0) {
            position(chosen, hash, keyAddress, keyLength, valueAddress);
        }
    }

    private void position(
        final Entry e, final long hash, final long keyAddress, final int keyLength, final long valueAddress) {
        assert valueAddress != Store.NOT_FOUND;
        e.db = db;
        e.space = space;
        e.hash = hash;
        e.keyAddress = keyAddress;
        e.keyLength = keyLength;
        e.valueAddress = valueAddress;
        e.exists = true;
        e.version = core.version;
    }
}
