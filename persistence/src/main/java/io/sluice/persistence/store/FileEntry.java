package io.sluice.persistence.store;

import static org.agrona.UnsafeApi.copyMemory;
import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.getShort;
import static org.agrona.UnsafeApi.putByte;
import static org.agrona.UnsafeApi.putByteRelease;
import static org.agrona.UnsafeApi.putInt;

/**
 * Where things lie in an entry of a map file. Sizes marked * are Chronicle Map's stop-bit numbers (7 bits per byte,
 * lowest first, the top bit set on all but the last byte).
 *
 * <pre>
 *  +-----------+-------+------+-------------+-------------+--------------------------+-----------------+
 *  | key size* | space | copy | client's key| value size* | key length | gap | mark  | value           |
 *  | 1 to 3    | 1     | 1    | 0 to 65,535 | 1 to 4      | 2          | 1   | 1     | value size* - 4 |
 *  +-----------+-------+------+-------------+-------------+--------------------------+-----------------+
 *              |&lt;------ Chronicle's key ---&gt;|             |&lt;---------- Chronicle's value -----------&gt;|
 * </pre>
 *
 * The four bytes before the value lead from its address back to the key: {@code gap} is the number of bytes between
 * the key and them. {@code copy} is 0 or 1 and tells two copies of one key apart while a value moves; {@code mark} says
 * which of the two counts.
 */
final class FileEntry {

    /** Bytes of Chronicle's key before the client's. */
    static final int KEY_PREFIX_BYTES = 2;

    /** Bytes of Chronicle's value before ours. */
    static final int VALUE_PREFIX_BYTES = 4;

    /** The entry counts. */
    static final int MARK_LIVE = 'L';

    /** The entry counts only when the other copy is retired or gone. */
    static final int MARK_PROVISIONAL = 'P';

    /** The entry no longer counts, the other copy does. */
    static final int MARK_RETIRED = 'R';

    private static final int KEY_LENGTH = -4;
    private static final int GAP = -2;
    private static final int MARK = -1;

    private FileEntry() {
    }

    /** Bytes of a stop-bit number. */
    static int stopBitBytes(final long number) {
        return Math.max(1, (70 - Long.numberOfLeadingZeros(number)) / 7);
    }

    /** Bytes of an entry, from its key size to the end of its value. */
    static long entryBytes(final int keyLength, final int capacity) {
        final int keyBytes = keyLength + KEY_PREFIX_BYTES;
        final int valueBytes = capacity + VALUE_PREFIX_BYTES;
        return (long) stopBitBytes(keyBytes) + keyBytes + stopBitBytes(valueBytes) + valueBytes;
    }

    static void writePrefix(final long valueAddress, final int keyLength, final int gap, final int mark) {
        putInt(valueAddress + KEY_LENGTH, keyLength | gap << 16 | mark << 24);
    }

    static int keyLength(final long valueAddress) {
        return getShort(valueAddress + KEY_LENGTH) & 0xFFFF;
    }

    static int gap(final long valueAddress) {
        return getByte(valueAddress + GAP) & 0xFF;
    }

    static int mark(final long valueAddress) {
        return getByte(valueAddress + MARK);
    }

    static boolean isMark(final int mark) {
        return mark == MARK_LIVE || mark == MARK_PROVISIONAL || mark == MARK_RETIRED;
    }

    /** Everything written before is in memory before the mark is. */
    static void mark(final long valueAddress, final int mark) {
        putByteRelease(null, valueAddress + MARK, (byte) mark);
    }

    /** Address of the client's key. */
    static long keyAddress(final long valueAddress) {
        return valueAddress - VALUE_PREFIX_BYTES - gap(valueAddress) - keyLength(valueAddress);
    }

    static int space(final long keyAddress) {
        return getByte(keyAddress - 2) & 0xFF;
    }

    static int copy(final long keyAddress) {
        return getByte(keyAddress - 1);
    }

    /** Bytes that a value may use. */
    static int capacity(final long valueAddress) {
        final int gap = gap(valueAddress);
        final long at = valueAddress - VALUE_PREFIX_BYTES - gap;
        int size = 0;
        for (int i = 0; i < gap; i++) {
            size |= (getByte(at + i) & 0x7F) << 7 * i;
        }
        return size - VALUE_PREFIX_BYTES;
    }

    /** Whether the value at this address belongs to the key. */
    static boolean isOf(final long valueAddress, final int space, final long keyAddress, final int keyLength) {
        final int prefix = getInt(valueAddress + KEY_LENGTH);
        if ((prefix & 0xFFFF) != keyLength) {
            return false;
        }
        final long stored = valueAddress - VALUE_PREFIX_BYTES - (prefix >>> 16 & 0xFF) - keyLength;
        return space(stored) == space && sameBytes(stored, keyAddress, keyLength);
    }

    private static boolean sameBytes(final long a, final long b, final int length) {
        if (length >= Long.BYTES) {
            final int last = length - Long.BYTES;
            for (int i = 0; i < last; i += Long.BYTES) {
                if (getLong(a + i) != getLong(b + i)) {
                    return false;
                }
            }
            return getLong(a + last) == getLong(b + last);
        }
        if (length >= Integer.BYTES) {
            final int last = length - Integer.BYTES;
            return getInt(a) == getInt(b) && getInt(a + last) == getInt(b + last);
        }
        for (int i = 0; i < length; i++) {
            if (getByte(a + i) != getByte(b + i)) {
                return false;
            }
        }
        return true;
    }

    /** Writes Chronicle's key. */
    static void writeKey(final long to, final int space, final int copy, final long keyAddress, final int keyLength) {
        putByte(to, (byte) space);
        putByte(to + 1, (byte) copy);
        copyMemory(keyAddress, to + KEY_PREFIX_BYTES, keyLength);
    }
}
