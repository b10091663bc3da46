package io.sluice.persistence;

import io.sluice.persistence.store.Store;
import io.sluice.persistence.store.StoreVisitor;

import java.util.function.LongSupplier;

/**
 * Shows every entry of a keyspace exactly once, as it was when the walk began, while commands go on changing it:
 * shard by shard in slices, and an entry that is about to change just before it does. An entry that was shown out of
 * turn, or was added since, carries a mark, so that its shard's turn passes over it; when a shard is through, its
 * marks are gone and its entries need none any more.
 */
public final class SnapshotWalk implements SnapshotHook {

    /** Bytes of keys and values after which a slice ends. */
    private static final long SLICE_BYTES_MAX = 1 << 20;

    private final Core core;
    private final EntrySaver saver;
    /** Logical database by space as of the beginning, -1 for what is no part of it. */
    private final int[] databaseOfSpace = new int[Store.SPACES];
    private final long beginMs;
    private final Entry shown = new Entry();
    private final StoreVisitor saveVisitor = this::save;
    private final StoreVisitor markVisitor = this::mark;
    private final StoreVisitor clearVisitor = this::clear;

    private int shard;
    private boolean abandoned;
    private long sliceBytes;
    private int savedInVisit;
    private int toMark;
    private boolean interrupted;
    private boolean marksSeen;

    /** Takes what a walk shows. */
    public interface EntrySaver {

        /** Whether a slice may go on. There should be room left for entries that cannot wait. */
        boolean hasRoom();

        /**
         * Saves an entry, which is valid during the call only.
         *
         * @return false if there is no room for it; nothing was saved, and the walk is lost
         */
        boolean save(Entry entry);
    }

    /** Entries with an earlier expiry were never complete. */
    private static final long WITH_EXPIRED_MS = 1;

    SnapshotWalk(final Core core, final EntrySaver saver, final boolean withExpired) {
        this.core = core;
        this.saver = saver;
        beginMs = withExpired ? WITH_EXPIRED_MS : core.nowMs;
        for (int space = 0; space < Store.SPACES; space++) {
            databaseOfSpace[space] = core.spaces.databaseOf(space);
        }
        core.snapshot = this;
    }

    /**
     * Visits shards until the time is up or there is no room. At least one shard is begun.
     *
     * @return whether the walk is at its end
     */
    public boolean slice(final LongSupplier monotonicNs, final long sliceNsMax) {
        final long startNs = monotonicNs.getAsLong();
        sliceBytes = 0;
        do {
            if (isAtEnd()) {
                return true;
            }
            if (abandoned) {
                core.store.forEach(shard++, clearVisitor);
            } else {
                visitShard();
            }
        } while (!interrupted && monotonicNs.getAsLong() - startNs < sliceNsMax);
        return isAtEnd();
    }

    /** Shows nothing any more. What is left to do is to take the marks away. */
    public void abandon() {
        abandoned = true;
        interrupted = false;
        core.snapshot = null;
    }

    /** Whether the walk was abandoned, by the caller or because there was no room for an entry. */
    public boolean isAbandoned() {
        return abandoned;
    }

    private boolean isAtEnd() {
        final boolean atEnd = shard == core.store.shards();
        if (atEnd) {
            core.snapshot = null;
        }
        return atEnd;
    }

    private void visitShard() {
        savedInVisit = 0;
        interrupted = false;
        marksSeen = false;
        core.store.forEach(shard, saveVisitor);
        if (abandoned) {
            return;
        }
        if (interrupted) {
            toMark = savedInVisit;
            core.store.forEach(shard, markVisitor);
        } else {
            if (marksSeen) {
                core.store.forEach(shard, clearVisitor);
            }
            shard++;
        }
    }

    private void save(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (interrupted || abandoned) {
            return;
        }
        if (EntryLayout.isSaved(valueAddress)) {
            marksSeen = true;
        } else if (isPart(space, valueAddress)) {
            if (sliceBytes > SLICE_BYTES_MAX || !saver.hasRoom()) {
                interrupted = true;
            } else {
                sliceBytes += (long) keyLength + EntryLayout.valueBytes(valueAddress);
                savedInVisit++;
                show(hash, space, keyAddress, keyLength, valueAddress);
            }
        }
    }

    /** Marks the entries that the interrupted visit has shown: as many of the same, in the same order. */
    private void mark(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (toMark > 0 && !EntryLayout.isSaved(valueAddress) && isPart(space, valueAddress)) {
            toMark--;
            EntryLayout.saved(valueAddress, true);
        }
    }

    private void clear(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (EntryLayout.isSaved(valueAddress)) {
            EntryLayout.saved(valueAddress, false);
        }
    }

    private boolean isPart(final int space, final long valueAddress) {
        return databaseOfSpace[space] >= 0 && EntryLayout.expireAtMs(valueAddress) >= beginMs;
    }

    private void show(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        shown.db = databaseOfSpace[space];
        shown.space = space;
        shown.hash = hash;
        shown.keyAddress = keyAddress;
        shown.keyLength = keyLength;
        shown.valueAddress = valueAddress;
        shown.exists = true;
        shown.version = core.version;
        if (!saver.save(shown)) {
            abandon();
        }
    }

    @Override
    public void beforeChange(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        if (core.store.shardOf(hash) < shard) {
            return;
        }
        if (isPart(space, valueAddress)) {
            show(hash, space, keyAddress, keyLength, valueAddress);
        }
        if (!abandoned) {
            EntryLayout.saved(valueAddress, true);
        }
    }

    @Override
    public void inserted(final long hash, final long valueAddress) {
        if (core.store.shardOf(hash) >= shard) {
            EntryLayout.saved(valueAddress, true);
        }
    }
}
