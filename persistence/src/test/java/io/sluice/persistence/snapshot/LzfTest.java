package io.sluice.persistence.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

class LzfTest {

    private static final byte GUARD = 0x5A;

    /** The decompressed bytes, or null; fails when a byte beyond the target was written. */
    private static byte[] decompress(final byte[] in, final int outLength) {
        final long from = UnsafeApi.allocateMemory(in.length + 1);
        final long to = UnsafeApi.allocateMemory(outLength + 2);
        try {
            for (int i = 0; i < in.length; i++) {
                UnsafeApi.putByte(from + i, in[i]);
            }
            UnsafeApi.putByte(to, GUARD);
            UnsafeApi.putByte(to + outLength + 1, GUARD);
            final boolean sound = Lzf.decompress(from, in.length, to + 1, outLength);
            assertEquals(GUARD, UnsafeApi.getByte(to));
            assertEquals(GUARD, UnsafeApi.getByte(to + outLength + 1));
            final byte[] out = new byte[outLength];
            for (int i = 0; i < outLength; i++) {
                out[i] = UnsafeApi.getByte(to + 1 + i);
            }
            return sound ? out : null;
        } finally {
            UnsafeApi.freeMemory(from);
            UnsafeApi.freeMemory(to);
        }
    }

    private static String text(final byte[] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void shouldCopyLiterals() {
        assertEquals("abc", text(decompress(new byte[] {2, 'a', 'b', 'c'}, 3)));
    }

    @Test
    void shouldRepeatWhatItWrote() {
        // One literal, then 7 more of it (5 + 2) from one byte back.
        assertEquals("aaaaaaaa", text(decompress(new byte[] {0, 'a', (byte) (5 << 5), 0}, 8)));
        // The long form: 7 + 3 + 2 bytes from two back.
        assertEquals("ab" + "ab".repeat(6),
            text(decompress(new byte[] {1, 'a', 'b', (byte) (7 << 5), 3, 1}, 14)));
    }

    @Test
    void shouldRefuseWhatIsMalformed() {
        final byte[][] malformed = {
            {}, {2, 'a', 'b'}, {3, 'a', 'b', 'c', 'd'}, {1, 'a', 'b'}, {0, 'a', 1 << 5, 1}, {0, 'a', 1 << 5},
            {0, 'a', (byte) (7 << 5)}, {0, 'a', (byte) (7 << 5), 9}, {0, 'a', 2 << 5, 0}, {1 << 5, 0}};
        for (final byte[] in : malformed) {
            assertFalse(decompress(in, 3) != null, Arrays.toString(in));
        }
    }

    @Property(tries = 5_000)
    void shouldStayWithinItsTargetWhateverTheInput(
        @ForAll @Size(max = 40) final byte[] in, @ForAll @IntRange(max = 300) final int outLength) {
        decompress(in, outLength);
    }
}
