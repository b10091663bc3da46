package io.sluice.persistence;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getLong;

/** Pieces of native memory. */
final class Memory {

    private Memory() {
    }

    static boolean equal(final long a, final long b, final int length) {
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
}
