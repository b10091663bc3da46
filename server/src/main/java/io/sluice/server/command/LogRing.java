package io.sluice.server.command;

import io.sluice.limiter.LogChange;
import io.sluice.limiter.UnitLog;
import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;

/**
 * The stored form of a sliding window log: a ring of (time, running total) entries in a blob, drawn in {@code
 * docs/FORMATS.md}, "Limiter states". Appending and dropping dead entries touch a few words, however long the log is;
 * only when the ring is full of live entries does it double.
 *
 * <p>First entry, size and capacity share one word, and a change is published by writing that word last. So a process
 * killed in between leaves either the old log or the new one.
 */
final class LogRing implements UnitLog {
    /** 64-bit words in front of the entries. */
    static final int HEAD_WORDS = 2;

    private static final int ENTRIES_OFFSET = HEAD_WORDS * Long.BYTES;
    private static final int UNITS_BEFORE_OFFSET = Long.BYTES;
    private static final int ENTRY_BYTES = 2 * Long.BYTES;
    private static final int CAPACITY_INITIAL = 4;
    /** Bits of each of the three numbers in the ring's word. */
    private static final int FIELD_BITS = 21;
    private static final long FIELD_MASK = (1L << FIELD_BITS) - 1;

    /** {@code SLUICE.LOG key expire-at-ms dead replaces time-ns units-through}: what {@link #apply} does, elsewhere. */
    static final byte[] COMMAND = "SLUICE.LOG".getBytes(StandardCharsets.US_ASCII);

    private final long[] numbers = new long[5];
    private long address;
    private int first;
    private int size;
    private int capacity;

    /** Shows the log of a key, which is empty if the key is not there. False if what was restored is no log. */
    boolean read(Entry entry) {
        first = 0;
        size = 0;
        capacity = 0;
        if (!entry.exists()) {
            return true;
        }
        if (entry.payloadLength() < ENTRIES_OFFSET) {
            return false;
        }
        address = entry.payloadAddress();
        long ring = UnsafeApi.getLong(address);
        first = (int) (ring & FIELD_MASK);
        size = (int) (ring >>> FIELD_BITS & FIELD_MASK);
        capacity = (int) (ring >>> 2 * FIELD_BITS);
        return isValid(entry.payloadLength());
    }

    private boolean isValid(int payloadBytes) {
        return Integer.bitCount(capacity) == 1 && first < capacity && size <= capacity
            && bytesOf(capacity) <= payloadBytes;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long timeNs(int index) {
        return UnsafeApi.getLong(entryAddress(index));
    }

    @Override
    public long unitsThrough(int index) {
        return UnsafeApi.getLong(entryAddress(index) + Long.BYTES);
    }

    @Override
    public long unitsBefore() {
        return capacity == 0 ? 0 : UnsafeApi.getLong(address + UNITS_BEFORE_OFFSET);
    }

    /**
     * Stores a change of the log that this shows.
     *
     * @return false, and nothing has changed, if the log would outgrow the largest value
     */
    boolean apply(LogChange change, Keyspace keyspace, Entry entry, int type, long expireAtMs) {
        int live = size - change.deadEntries();
        boolean grows = live == capacity && !change.replacesLast();
        int newCapacity = grows ? Math.max(CAPACITY_INITIAL, 2 * capacity) : capacity;
        if (newCapacity > FIELD_MASK || bytesOf(newCapacity) > keyspace.valueBytesMax()) {
            return false;
        }
        boolean isNew = !entry.exists();
        address = keyspace.putBlob(entry, type, (int) bytesOf(newCapacity), expireAtMs);
        if (grows) {
            unwrap(newCapacity);
        }
        dropFirst(change.deadEntries());
        if (change.replacesLast()) {
            UnsafeApi.putLong(entryAddress(size - 1) + Long.BYTES, change.unitsThrough());
        } else {
            UnsafeApi.putLong(entryAddress(size), change.timeNs());
            UnsafeApi.putLong(entryAddress(size) + Long.BYTES, change.unitsThrough());
            publish(first, size + 1);
        }
        if (isNew) {
            keyspace.blobWritten(entry);
        } else {
            tell(change, keyspace, entry, expireAtMs);
        }
        return true;
    }

    private void tell(LogChange change, Keyspace keyspace, Entry entry, long expireAtMs) {
        numbers[0] = expireAtMs;
        numbers[1] = change.deadEntries();
        numbers[2] = change.replacesLast() ? 1 : 0;
        numbers[3] = change.timeNs();
        numbers[4] = change.unitsThrough();
        keyspace.blobChanged(entry, COMMAND, numbers);
    }

    /** The entries before {@link #first} continue the ring behind its old end, where they have room. */
    private void unwrap(int newCapacity) {
        int wrapped = Math.max(0, first + size - capacity);
        UnsafeApi.copyMemory(address + ENTRIES_OFFSET, address + bytesOf(capacity), (long) wrapped * ENTRY_BYTES);
        capacity = newCapacity;
        publish(first, size);
    }

    private void dropFirst(int entries) {
        if (entries > 0) {
            long unitsDropped = unitsThrough(entries - 1);
            publish(first + entries & capacity - 1, size - entries);
            UnsafeApi.putLong(address + UNITS_BEFORE_OFFSET, unitsDropped);
        }
    }

    private void publish(int newFirst, int newSize) {
        first = newFirst;
        size = newSize;
        UnsafeApi.storeFence();
        UnsafeApi.putLong(address, first | (long) size << FIELD_BITS | (long) capacity << 2 * FIELD_BITS);
        UnsafeApi.storeFence();
    }

    private long entryAddress(int index) {
        return address + ENTRIES_OFFSET + (long) (first + index & capacity - 1) * ENTRY_BYTES;
    }

    private static long bytesOf(int entries) {
        return ENTRIES_OFFSET + (long) entries * ENTRY_BYTES;
    }
}
