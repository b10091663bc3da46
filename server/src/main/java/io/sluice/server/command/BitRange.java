package io.sluice.server.command;

import org.agrona.UnsafeApi;

/** A range of the bits of a string: what {@code BITCOUNT} and {@code BITPOS} look at. Reused. */
final class BitRange {
    private long first;
    private long last;

    /**
     * Sets the range from one with inclusive ends, of which negative ones count from the end of the string.
     *
     * @param inBits whether the ends count bits rather than bytes
     * @return false when it is empty
     */
    boolean set(int stringBytes, long start, long end, boolean inBits) {
        long total = inBits ? 8L * stringBytes : stringBytes;
        long from = Math.max(0, start < 0 ? total + start : start);
        long to = Math.min(total - 1, Math.max(0, end < 0 ? total + end : end));
        first = inBits ? from : 8 * from;
        last = inBits ? to : 8 * to + 7;
        return from <= to;
    }

    /** Number of bits that are set. */
    long count(long address) {
        long firstByte = first >> 3;
        long lastByte = last >> 3;
        long count = 0;
        long at = firstByte;
        for (; at + Long.BYTES <= lastByte + 1; at += Long.BYTES) {
            count += Long.bitCount(UnsafeApi.getLong(address + at));
        }
        for (; at <= lastByte; at++) {
            count += Integer.bitCount(UnsafeApi.getByte(address + at) & 0xff);
        }
        int before = UnsafeApi.getByte(address + firstByte) & 0xff & ~(0xff >> (first & 7));
        int after = UnsafeApi.getByte(address + lastByte) & (1 << 7 - (last & 7)) - 1;
        return count - Integer.bitCount(before) - Integer.bitCount(after);
    }

    /** Position in the string of the first bit that has this value, or -1. */
    long find(long address, int bit) {
        int skipped = bit == 0 ? 0xff : 0;
        for (long at = first; at <= last; at++) {
            int each = UnsafeApi.getByte(address + (at >> 3)) & 0xff;
            if (each == skipped) {
                at |= 7;
            } else if ((each >> 7 - (at & 7) & 1) == bit) {
                return at;
            }
        }
        return -1;
    }
}
