package io.sluice.persistence;

import static io.sluice.persistence.EntryLayout.SIZED_HEADER_BYTES;

import io.sluice.persistence.store.Store;
import io.sluice.persistence.store.StoreFullException;

/**
 * Where a value is written. In this order: {@link #claim} a place, {@link #beginOverwrite} unless a kill can cut the
 * writing nowhere, write, {@link #endOverwrite}, {@link #settle}. A value is overwritten where it is whenever it fits,
 * also one that has expired.
 */
final class Placement {

    /** A place this many times too large is given back. */
    private static final int WASTE_FACTOR = 4;
    private static final int WASTE_BYTES_MIN = 256;

    /** How often room is made for one value that grows. */
    private static final int RELEASES_MAX = 16;

    private final Core core;
    private final Room room;
    /** What the place that is being written to could hold when it was claimed; 0 for a new one. */
    private int claimedBytes;

    Placement(final Core core, final Room room) {
        this.core = core;
        this.room = room;
    }

    /** Longest payload of a value that has its length in its header. */
    int payloadBytesMax() {
        return core.store.valueBytesMax() - SIZED_HEADER_BYTES;
    }

    void checkLength(final long payloadBytes) {
        if (payloadBytes > payloadBytesMax()) {
            throw ValueTooLargeException.INSTANCE;
        }
    }

    /** Makes sure that a collection may take up so many bytes of payload. */
    void require(final Entry e, final int payloadBytes) {
        checkLength(payloadBytes);
        core.refresh(e);
        core.pinnedTarget = e.valueAddress;
        try {
            room.require(e.exists ? 0 : 1,
                (long) payloadBytes + (e.exists ? -e.payloadLength() : e.keyLength + SIZED_HEADER_BYTES));
        } finally {
            core.pinnedTarget = Store.NOT_FOUND;
            if (e.valueAddress != Store.NOT_FOUND) {
                unpinned(e);
            }
        }
    }

    /**
     * A place of at least that many bytes for the value of a key, there or not. What a present value held is kept and
     * saved, but no longer accounted for. Changes nothing when it throws.
     */
    long claim(final Entry e, final int valueBytes) {
        core.refresh(e);
        if (e.valueAddress == Store.NOT_FOUND) {
            return insert(e, valueBytes);
        }
        core.beforeChange(e.hash, e.space, e.keyAddress, e.keyLength, e.valueAddress);
        claimedBytes = core.store.capacityOf(e.valueAddress);
        if (claimedBytes < valueBytes) {
            grow(e, valueBytes, valueBytes - claimedBytes);
        }
        if (!e.exists) {
            core.expired++;
            if (core.observer != null) {
                core.observer.keyEvent(KeyEvent.EXPIRED, e.db, e.keyAddress, e.keyLength);
                // That it is gone is a change of its own: what is written now is touched once more.
                core.observer.keyTouched(e.db, e.keyAddress, e.keyLength);
            }
        }
        core.spaces.removed(
            e.space, EntryLayout.type(e.valueAddress), EntryLayout.expireAtMs(e.valueAddress));
        return e.valueAddress;
    }

    /** From here to {@link #endOverwrite} a kill leaves what the claimed entry held: its value, or none. */
    void beginOverwrite(final Entry e) {
        if (e.exists) {
            core.store.keepImage(
                e.space, e.keyAddress, e.keyLength, e.valueAddress, EntryLayout.valueBytes(e.valueAddress));
        } else {
            EntryLayout.beginReplace(e.valueAddress);
        }
    }

    void endOverwrite(final Entry e) {
        if (e.exists) {
            core.store.dropImage();
        }
    }

    /** The claimed entry has been written: gives back what it does not need, and accounts for it. */
    void settle(final Entry e) {
        e.exists = true;
        if (claimedBytes > WASTE_BYTES_MIN) {
            shrink(e);
        }
        e.version = core.version;
        account(e, e.expireAtMs());
    }

    void account(final Entry e, final long expireAtMs) {
        core.spaces.added(e.space, e.type(), expireAtMs);
        core.bounds.lower(core.store.shardOf(e.hash), expireAtMs);
    }

    /** Nobody who makes room takes notice of a pinned entry, so its expiry may be missing in the bounds. */
    void unpinned(final Entry e) {
        core.bounds.lower(core.store.shardOf(e.hash), EntryLayout.expireAtMs(e.valueAddress));
    }

    private long insert(final Entry e, final int valueBytes) {
        room.require(1, (long) e.keyLength + valueBytes);
        long address;
        try {
            address = core.store.insert(e.hash, e.space, e.keyAddress, e.keyLength, valueBytes);
        } catch (final StoreFullException full) {
            if (!room.release()) {
                throw KeyspaceFullException.INSTANCE;
            }
            address = insertAgain(e, valueBytes);
        }
        core.version++;
        claimedBytes = 0;
        e.valueAddress = address;
        if (core.snapshot != null) {
            core.snapshot.inserted(e.hash, address);
        }
        return address;
    }

    private long insertAgain(final Entry e, final int valueBytes) {
        try {
            return core.store.insert(e.hash, e.space, e.keyAddress, e.keyLength, valueBytes);
        } catch (final StoreFullException full) {
            throw KeyspaceFullException.INSTANCE;
        }
    }

    private void grow(final Entry e, final int valueBytes, final int moreBytes) {
        core.pinnedTarget = e.valueAddress;
        try {
            room.require(0, moreBytes);
            int releases = 0;
            // A value that begins a larger chunk takes more than the bytes that it has more.
            while (!resized(e, valueBytes)) {
                if (releases++ == RELEASES_MAX || !isNearLimit(e, valueBytes) || !room.release()) {
                    throw KeyspaceFullException.INSTANCE;
                }
            }
        } finally {
            core.pinnedTarget = Store.NOT_FOUND;
            unpinned(e);
        }
    }

    /** Whether it may be the limit for which the store refused: in its files nothing is gained by removing others. */
    private boolean isNearLimit(final Entry e, final int valueBytes) {
        final long limit = core.limits.maxMemoryBytes();
        return limit > 0 && core.store.bytesUsed() + 2L * (e.keyLength + valueBytes) > limit;
    }

    private boolean resized(final Entry e, final int valueBytes) {
        try {
            resize(e, valueBytes);
            return true;
        } catch (final StoreFullException full) {
            return false;
        }
    }

    /** Gives a place back that is far too large. Only now: until it was complete the old value had to stay whole. */
    private void shrink(final Entry e) {
        final int valueBytes = EntryLayout.valueBytes(e.valueAddress);
        if (claimedBytes / WASTE_FACTOR > valueBytes) {
            try {
                resize(e, valueBytes);
            } catch (final StoreFullException full) {
                // The value stays where it is, which is large enough.
                assert core.store.capacityOf(e.valueAddress) >= valueBytes;
            }
        }
    }

    private void resize(final Entry e, final int valueBytes) {
        e.valueAddress =
            core.store.resize(e.hash, e.space, e.keyAddress, e.keyLength, e.valueAddress, valueBytes);
        core.version++;
    }
}
