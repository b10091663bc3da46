package io.sluice.persistence.collection;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.putByte;
import static org.agrona.UnsafeApi.putInt;

import org.agrona.UnsafeApi;

/**
 * The bytes of a collection, little-endian, drawn in {@code docs/FORMATS.md}, "Collections": header, ring of
 * references, index, arena. The only place that knows an offset of the header.
 *
 * <p>What the header says is held in fields here; {@link #writeHeader} puts those back that change in place. A
 * reference is the offset of an element in words of four bytes.
 */
final class Packed {

    static final int HEADER_BYTES = 24;
    static final int REF_BYTES = Integer.BYTES;
    /** Elements begin at multiples of this. */
    static final int ALIGNMENT = 4;
    /** Lengths of members and values are below this, and so are offsets. */
    static final int LENGTH_BITS = 22;
    static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

    /** The collection has left its small form. */
    static final int LARGE = 1;
    /** A small set of integers in ascending order. */
    static final int INTEGERS = 2;

    private static final int FLAGS = 0;
    private static final int RING_BITS = 1;
    private static final int INDEX_BITS = 2;
    private static final int COUNT = 4;
    private static final int FIRST = 8;
    private static final int ARENA_END = 12;
    private static final int GARBAGE = 16;
    private static final int EXTRA = 20;
    private static final int BITS_MAX = 20;

    /** Native address of the payload; 0 while there is none. */
    long address;
    /** Bytes of the payload. */
    int length;
    int flags;
    int ringBits;
    /** 0 without an index. */
    int indexBits;
    int count;
    int first;
    int arenaEnd;
    /** Bytes of the arena that hold nothing any more. */
    int garbage;
    /** With an index its seed; of a list about the bytes that Redis's listpack would take. */
    int extra;

    void clear() {
        address = 0;
        length = 0;
        flags = 0;
        ringBits = 0;
        indexBits = 0;
        count = 0;
        first = 0;
        arenaEnd = 0;
        garbage = 0;
        extra = 0;
    }

    /** Reads the header at an address. */
    void read(final long payload, final int bytes) {
        address = payload;
        length = bytes;
        if (bytes < HEADER_BYTES) {
            throw damaged("header");
        }
        flags = getByte(payload + FLAGS);
        ringBits = getByte(payload + RING_BITS);
        indexBits = getByte(payload + INDEX_BITS);
        count = getInt(payload + COUNT);
        first = getInt(payload + FIRST);
        arenaEnd = getInt(payload + ARENA_END);
        garbage = getInt(payload + GARBAGE);
        extra = getInt(payload + EXTRA);
        if (ringBits < 0 || ringBits > BITS_MAX || indexBits < 0 || indexBits > BITS_MAX
            || count < 0 || count > ringCapacity() || first < 0 || first >= ringCapacity()
            || arenaEnd < arenaStart() || arenaEnd > length || garbage < 0 || liveBytes() < 0) {
            throw damaged("header");
        }
    }

    /** Sets up an empty structure in memory of that length, and writes its header. */
    void format(
        final long payload, final int bytes, final int newFlags, final int newRingBits, final int newIndexBits,
        final int newExtra) {
        clear();
        address = payload;
        length = bytes;
        flags = newFlags;
        ringBits = newRingBits;
        indexBits = newIndexBits;
        extra = newExtra;
        arenaEnd = arenaStart();
        UnsafeApi.setMemory(address, arenaEnd, (byte) 0);
        putByte(address + RING_BITS, (byte) ringBits);
        putByte(address + INDEX_BITS, (byte) indexBits);
        writeHeader();
    }

    /** Writes those fields of the header that change in place. */
    void writeHeader() {
        putByte(address + FLAGS, (byte) flags);
        putInt(address + COUNT, count);
        putInt(address + FIRST, first);
        putInt(address + ARENA_END, arenaEnd);
        putInt(address + GARBAGE, garbage);
        putInt(address + EXTRA, extra);
    }

    int ringCapacity() {
        return 1 << ringBits;
    }

    boolean isLarge() {
        return (flags & LARGE) != 0;
    }

    int indexOffset() {
        return HEADER_BYTES + (REF_BYTES << ringBits);
    }

    int indexBytes() {
        return indexBits == 0 ? 0 : REF_BYTES << indexBits;
    }

    int arenaStart() {
        return address == 0 ? 0 : indexOffset() + indexBytes();
    }

    /** Bytes of the arena that hold elements. */
    int liveBytes() {
        return arenaEnd - arenaStart() - garbage;
    }

    /** Bytes that a structure takes up in front of its arena. */
    static long fixedBytes(final int ringBits, final int indexBits) {
        return HEADER_BYTES + ((long) REF_BYTES << ringBits) + (indexBits == 0 ? 0 : (long) REF_BYTES << indexBits);
    }

    /** Offset in the payload of the ring's slot for a position. */
    int slotOffset(final int position) {
        return HEADER_BYTES + REF_BYTES * (first + position & ringCapacity() - 1);
    }

    /** Offset of the element at a position, not checked. */
    int refAt(final int position) {
        return getInt(address + slotOffset(position)) * ALIGNMENT;
    }

    void refAt(final int position, final int element) {
        putInt(address + slotOffset(position), element / ALIGNMENT);
    }

    /** Moves a run of references to other positions; what was there is overwritten. */
    void moveRefs(final int from, final int to, final int references) {
        if (references <= 0) {
            return;
        }
        final int low = Math.min(from, to);
        final int high = Math.max(from, to) + references - 1;
        if (slotOffset(high) - slotOffset(low) == (high - low) * REF_BYTES) {
            UnsafeApi.copyMemory(
                address + slotOffset(from), address + slotOffset(to), (long) references * REF_BYTES);
        } else if (to < from) {
            for (int i = 0; i < references; i++) {
                refAt(to + i, refAt(from + i));
            }
        } else {
            for (int i = references - 1; i >= 0; i--) {
                refAt(to + i, refAt(from + i));
            }
        }
    }

    static int align(final int bytes) {
        return bytes + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** The exponent of the smallest power of two that is at least that number. */
    static int bitsFor(final int number) {
        return number <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(number - 1);
    }

    IllegalStateException damaged(final String what) {
        return new IllegalStateException("damaged collection: " + what + " in " + length + " bytes");
    }
}
