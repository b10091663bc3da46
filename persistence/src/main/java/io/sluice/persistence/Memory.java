package io.sluice.persistence;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getLong;

/** Pieces of native memory. */
public final class Memory {

    private Memory() {
    }

    /** Whether two pieces have the same bytes. */
    public static boolean equal(final long a, final long b, final int length) {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (getLong(a + i) != getLong(b + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (getByte(a + i) != getByte(b + i)) {
                return false;
            }
        }
        return true;
    }

    /** Compares as unsigned bytes; a piece comes before its extensions. Negative, 0 or positive. */
    public static int compare(final long a, final int aLength, final long b, final int bLength) {
        final int length = Math.min(aLength, bLength);
        int i = 0;
        while (i + Long.BYTES <= length && getLong(a + i) == getLong(b + i)) {
            i += Long.BYTES;
        }
        for (; i < length; i++) {
            final int difference = (getByte(a + i) & 0xFF) - (getByte(b + i) & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        return aLength - bLength;
    }
}
