package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getLong;

/**
 * CRC-64 as Redis uses it: Jones's polynomial 0xad93d23594c935a9, bits reflected, starting at 0, not inverted at the
 * end. Eight bytes at a time by eight tables.
 */
final class Crc64 {

    private static final long REFLECTED_POLYNOMIAL = 0x95AC9329AC4BC9B5L;
    private static final long[][] TABLES = tables();

    private Crc64() {
    }

    /** Continues a checksum with bytes in native memory. */
    static long update(final long crc, final long address, final int length) {
        long state = crc;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            final long word = state ^ getLong(address + i);
            state = TABLES[7][(int) word & 0xFF]
                ^ TABLES[6][(int) (word >>> 8) & 0xFF]
                ^ TABLES[5][(int) (word >>> 16) & 0xFF]
                ^ TABLES[4][(int) (word >>> 24) & 0xFF]
                ^ TABLES[3][(int) (word >>> 32) & 0xFF]
                ^ TABLES[2][(int) (word >>> 40) & 0xFF]
                ^ TABLES[1][(int) (word >>> 48) & 0xFF]
                ^ TABLES[0][(int) (word >>> 56)];
        }
        for (; i < length; i++) {
            state = TABLES[0][(int) (state ^ getByte(address + i)) & 0xFF] ^ state >>> 8;
        }
        return state;
    }

    private static long[][] tables() {
        final long[][] tables = new long[Long.BYTES][256];
        for (int i = 0; i < 256; i++) {
            long crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ REFLECTED_POLYNOMIAL;
            }
            tables[0][i] = crc;
        }
        for (int i = 0; i < 256; i++) {
            for (int table = 1; table < Long.BYTES; table++) {
                final long before = tables[table - 1][i];
                tables[table][i] = tables[0][(int) before & 0xFF] ^ before >>> 8;
            }
        }
        return tables;
    }
}
