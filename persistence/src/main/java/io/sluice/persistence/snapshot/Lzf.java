package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.putByte;

/** Decompresses what Redis compressed with LibLZF. */
final class Lzf {

    private static final int LITERALS_MAX = 32;
    private static final int LENGTH_EXTENDED = 7;

    private Lzf() {
    }

    /**
     * Decompresses in native memory, and neither reads nor writes a byte outside the two ranges, whatever the input.
     *
     * @return whether the input was sound and gave exactly {@code outLength} bytes
     */
    static boolean decompress(final long in, final int inLength, final long out, final int outLength) {
        int at = 0;
        int done = 0;
        while (at < inLength) {
            final int control = getByte(in + at++) & 0xFF;
            if (control < LITERALS_MAX) {
                final int literals = control + 1;
                if (literals > inLength - at || literals > outLength - done) {
                    return false;
                }
                for (int i = 0; i < literals; i++) {
                    putByte(out + done++, getByte(in + at++));
                }
                continue;
            }
            int length = control >> 5;
            if (length == LENGTH_EXTENDED) {
                if (at == inLength) {
                    return false;
                }
                length += getByte(in + at++) & 0xFF;
            }
            if (at == inLength) {
                return false;
            }
            int from = done - ((control & 0x1F) << 8 | getByte(in + at++) & 0xFF) - 1;
            length += 2;
            if (from < 0 || length > outLength - done) {
                return false;
            }
            // Source and target may overlap: that is how runs are coded.
            for (int i = 0; i < length; i++) {
                putByte(out + done++, getByte(out + from++));
            }
        }
        return done == outLength;
    }
}
