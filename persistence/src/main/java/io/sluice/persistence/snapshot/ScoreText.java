package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getByte;

import java.nio.charset.StandardCharsets;

/** Scores of sorted sets as text. */
final class ScoreText {

    private static final int BYTES_MAX = 128;

    private ScoreText() {
    }

    /** The score; not a number if the bytes are none. */
    static double parse(final long address, final int length) {
        if (length == 0 || length > BYTES_MAX) {
            return Double.NaN;
        }
        final byte[] bytes = new byte[length];
        boolean plain = true;
        for (int i = 0; i < length; i++) {
            bytes[i] = getByte(address + i);
            plain &= bytes[i] >= '0' && bytes[i] <= '9' || "+-.eE".indexOf(bytes[i]) >= 0;
        }
        final String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if ("inf".equals(text)) {
            return Double.POSITIVE_INFINITY;
        } else if ("-inf".equals(text)) {
            return Double.NEGATIVE_INFINITY;
        }
        try {
            return plain ? Double.parseDouble(text) : Double.NaN;
        } catch (final NumberFormatException none) {
            return Double.NaN;
        }
    }
}
