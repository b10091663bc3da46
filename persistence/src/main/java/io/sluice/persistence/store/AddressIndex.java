package io.sluice.persistence.store;

import org.agrona.UnsafeApi;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.putInt;
import static org.agrona.UnsafeApi.putLong;

/**
 * Value addresses by hash, in anonymous memory: what answers every lookup.
 *
 * <p>The top bits of a hash choose one of 2^k shards, each an open-addressing table of its own that grows and shrinks
 * alone, so that no rehash is longer than one shard. A slot is 8 bytes: a tag of 16 bits of the hash above an address
 * of 48 bits, 0 when empty. The tag's low bits are also the slot that the entry would like to have, so that entries
 * are moved, by growth and by removal, without reading what they point to.
 *
 * <pre>
 *  hash:  63 ........ 48 | 47 ........ 32 | 31 ......... 0
 *         shard (top k)  | tag            |
 *  slot:  63 ........ 48 | 47 .......................... 0
 *         tag            | value address
 * </pre>
 */
final class AddressIndex implements AutoCloseable {

    static final int SHARD_BITS_MAX = 16;

    /** Tags tell no more slots apart. */
    static final int SLOTS_MAX = 1 << 16;

    private static final int SLOTS_MIN = 8;
    private static final long ADDRESS_MASK = (1L << 48) - 1;
    /** A shard's descriptor: address of the table (8), mask (4), entries (4). */
    private static final int DESCRIPTOR_BYTES = 16;
    private static final int MASK = 8;
    private static final int COUNT = 12;

    /** How far in front of its value a common key starts: the entry may lie across two lines. */
    private static final int ENTRY_REACH_BYTES = 24;

    private final long[] ahead = new long[Store.PREFETCH_MAX];
    /** Keeps the loads of {@link #prefetch} from being optimised away. */
    private long prefetched;
    private final int shards;
    private final int shift;
    private final long descriptors;
    /** What an empty shard points to: one slot that is never filled. */
    private final long emptyTable;
    private long tableBytes;
    private long size;
    private boolean iterating;

    AddressIndex(final int shardBits) {
        if (shardBits < 1 || shardBits > SHARD_BITS_MAX) {
            throw new IllegalArgumentException("2^" + shardBits + " shards");
        }
        shards = 1 << shardBits;
        shift = 64 - shardBits;
        emptyTable = allocateZeroed(Long.BYTES);
        descriptors = allocateZeroed((long) shards * DESCRIPTOR_BYTES);
        for (int i = 0; i < shards; i++) {
            putLong(descriptor(i), emptyTable);
        }
    }

    int shards() {
        return shards;
    }

    long size() {
        return size;
    }

    long bytes() {
        return tableBytes + (long) shards * DESCRIPTOR_BYTES;
    }

    /** Whether the shard of this hash takes another entry. */
    boolean hasRoom(final long hash) {
        final long shard = descriptors + (hash >>> shift) * DESCRIPTOR_BYTES;
        return !isCrowded(getInt(shard + COUNT) + 1, SLOTS_MAX);
    }

    long find(final long hash, final int space, final long keyAddress, final int keyLength) {
        final long shard = descriptors + (hash >>> shift) * DESCRIPTOR_BYTES;
        final long table = getLong(shard);
        final int mask = getInt(shard + MASK);
        final long tag = hash >>> 32 & 0xFFFF;
        int slot = (int) tag & mask;
        for (;;) {
            final long entry = getLong(table + ((long) slot << 3));
            if (entry == 0) {
                return Store.NOT_FOUND;
            }
            if (entry >>> 48 == tag && FileEntry.isOf(entry & ADDRESS_MASK, space, keyAddress, keyLength)) {
                return entry & ADDRESS_MASK;
            }
            slot = slot + 1 & mask;
        }
    }

    /**
     * Touches the lines that finds of these hashes will read. Every pass is a row of loads none of which waits for
     * another, so that their misses overlap; only between passes is there a dependency.
     */
    void prefetch(final long[] hashes, final int count) {
        for (int i = 0; i < count; i++) {
            final long shard = descriptors + (hashes[i] >>> shift) * DESCRIPTOR_BYTES;
            ahead[i] = getLong(shard) + ((hashes[i] >>> 32 & 0xFFFF & getInt(shard + MASK)) << 3);
        }
        long touched = 0;
        for (int i = 0; i < count; i++) {
            touched += getLong(ahead[i]);
        }
        for (int i = 0; i < count; i++) {
            ahead[i] = likely(hashes[i]);
        }
        for (int i = 0; i < count; i++) {
            if (ahead[i] != 0) {
                touched += getByte(ahead[i]) + getByte(ahead[i] - ENTRY_REACH_BYTES);
            }
        }
        prefetched = touched;
    }

    /** The first address whose tag is the hash's, or 0. */
    private long likely(final long hash) {
        final long shard = descriptors + (hash >>> shift) * DESCRIPTOR_BYTES;
        final long table = getLong(shard);
        final int mask = getInt(shard + MASK);
        final long tag = hash >>> 32 & 0xFFFF;
        int slot = (int) tag & mask;
        long entry = getLong(table + ((long) slot << 3));
        while (entry != 0 && entry >>> 48 != tag) {
            slot = slot + 1 & mask;
            entry = getLong(table + ((long) slot << 3));
        }
        return entry & ADDRESS_MASK;
    }

    /** Adds an entry whose key is absent. */
    void insert(final long hash, final long valueAddress) {
        assert !iterating : "insert while visiting";
        final long shard = descriptors + (hash >>> shift) * DESCRIPTOR_BYTES;
        final int count = getInt(shard + COUNT);
        final int slots = getInt(shard + MASK) + 1;
        if (isCrowded(count + 1, slots)) {
            rehash(shard, Math.max(SLOTS_MIN, slots * 2));
        }
        place(getLong(shard), getInt(shard + MASK), hash << 16 & ~ADDRESS_MASK | valueAddress);
        putInt(shard + COUNT, count + 1);
        size++;
    }

    /** Points the entry of a key that is present at another address. */
    void replace(final long hash, final long valueAddress, final long newValueAddress) {
        final long shard = descriptors + (hash >>> shift) * DESCRIPTOR_BYTES;
        final long slot = getLong(shard) + ((long) slotOf(shard, hash, valueAddress) << 3);
        putLong(slot, getLong(slot) & ~ADDRESS_MASK | newValueAddress);
    }

    /** Removes a present entry and moves those behind it up, so that no tombstones gather. */
    void remove(final long hash, final long valueAddress) {
        final long shard = descriptors + (hash >>> shift) * DESCRIPTOR_BYTES;
        final long table = getLong(shard);
        final int mask = getInt(shard + MASK);
        int hole = slotOf(shard, hash, valueAddress);
        int next = hole;
        for (;;) {
            next = next + 1 & mask;
            final long entry = getLong(table + ((long) next << 3));
            if (entry == 0) {
                break;
            }
            final int home = (int) (entry >>> 48) & mask;
            if ((next - home & mask) >= (next - hole & mask)) {
                putLong(table + ((long) hole << 3), entry);
                hole = next;
            }
        }
        putLong(table + ((long) hole << 3), 0);
        putInt(shard + COUNT, getInt(shard + COUNT) - 1);
        size--;
    }

    /**
     * Shows every entry of a shard. Going backwards from an empty slot, a removal moves only entries that were shown.
     * Who visits a shard twice and changes nothing sees the same order: a table that has become sparse shrinks before.
     */
    void forEach(final int index, final long seed, final StoreVisitor visitor) {
        final long shard = descriptor(index);
        shrinkIfSparse(shard);
        if (getInt(shard + COUNT) == 0) {
            return;
        }
        final long table = getLong(shard);
        final int mask = getInt(shard + MASK);
        int empty = 0;
        while (getLong(table + ((long) empty << 3)) != 0) {
            empty++;
        }
        iterating = true;
        try {
            for (int i = 1; i <= mask; i++) {
                final long entry = getLong(table + ((long) (empty - i & mask) << 3));
                if (entry != 0) {
                    show(entry & ADDRESS_MASK, seed, visitor);
                }
            }
        } finally {
            iterating = false;
        }
        shrinkIfSparse(shard);
    }

    @Override
    public void close() {
        for (int i = 0; i < shards; i++) {
            freeTable(descriptor(i));
        }
        UnsafeApi.freeMemory(descriptors);
        UnsafeApi.freeMemory(emptyTable);
    }

    private static void show(final long valueAddress, final long seed, final StoreVisitor visitor) {
        final int keyLength = FileEntry.keyLength(valueAddress);
        final long keyAddress = FileEntry.keyAddress(valueAddress);
        final int space = FileEntry.space(keyAddress);
        final long hash = KeyHash.hash(seed, space, keyAddress, keyLength);
        visitor.visit(hash, space, keyAddress, keyLength, valueAddress);
    }

    private static boolean isCrowded(final int count, final int slots) {
        return count * 4L > slots * 3L;
    }

    private long descriptor(final int index) {
        return descriptors + (long) index * DESCRIPTOR_BYTES;
    }

    private static int slotOf(final long shard, final long hash, final long valueAddress) {
        final long table = getLong(shard);
        final int mask = getInt(shard + MASK);
        int slot = (int) (hash >>> 32) & mask;
        for (;;) {
            final long entry = getLong(table + ((long) slot << 3));
            if ((entry & ADDRESS_MASK) == valueAddress) {
                return slot;
            }
            if (entry == 0) {
                throw new IllegalStateException("the index has no such value");
            }
            slot = slot + 1 & mask;
        }
    }

    private static void place(final long table, final int mask, final long entry) {
        int slot = (int) (entry >>> 48) & mask;
        while (getLong(table + ((long) slot << 3)) != 0) {
            slot = slot + 1 & mask;
        }
        putLong(table + ((long) slot << 3), entry);
    }

    private void shrinkIfSparse(final long shard) {
        final int count = getInt(shard + COUNT);
        final int slots = getInt(shard + MASK) + 1;
        if (count < slots >> 3 && slots > SLOTS_MIN) {
            rehash(shard, Math.max(SLOTS_MIN, Integer.highestOneBit(Math.max(1, count)) << 2));
        }
    }

    private void rehash(final long shard, final int slots) {
        final long table = getLong(shard);
        final int oldMask = getInt(shard + MASK);
        final long newTable = allocateZeroed((long) slots * Long.BYTES);
        for (int i = 0; i <= oldMask; i++) {
            final long entry = getLong(table + ((long) i << 3));
            if (entry != 0) {
                place(newTable, slots - 1, entry);
            }
        }
        freeTable(shard);
        tableBytes += (long) slots * Long.BYTES;
        putLong(shard, newTable);
        putInt(shard + MASK, slots - 1);
    }

    private void freeTable(final long shard) {
        final long table = getLong(shard);
        if (table != emptyTable) {
            tableBytes -= (getInt(shard + MASK) + 1L) * Long.BYTES;
            UnsafeApi.freeMemory(table);
        }
    }

    private static long allocateZeroed(final long bytes) {
        final long address = UnsafeApi.allocateMemory(bytes);
        UnsafeApi.setMemory(address, bytes, (byte) 0);
        return address;
    }
}
