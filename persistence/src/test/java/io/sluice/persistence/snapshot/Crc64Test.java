package io.sluice.persistence.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

class Crc64Test {

    private static long crc(final byte[] bytes, final int split) {
        final long address = UnsafeApi.allocateMemory(bytes.length + 1);
        try {
            for (int i = 0; i < bytes.length; i++) {
                UnsafeApi.putByte(address + i, bytes[i]);
            }
            return Crc64.update(Crc64.update(0, address, split), address + split, bytes.length - split);
        } finally {
            UnsafeApi.freeMemory(address);
        }
    }

    /** The definition: one bit after the other, unreflected polynomial, bytes and result reflected. */
    private static long bitByBit(final byte[] bytes) {
        long crc = 0;
        for (final byte b : bytes) {
            for (int bit = 0; bit < 8; bit++) {
                final boolean high = crc < 0 ^ (b >> bit & 1) == 1;
                crc = high ? crc << 1 ^ 0xad93d23594c935a9L : crc << 1;
            }
        }
        return Long.reverse(crc);
    }

    @Test
    void shouldGiveTheCheckValueThatRedisStates() {
        assertEquals(0xe9c6d914c4b8d9caL, crc("123456789".getBytes(StandardCharsets.US_ASCII), 0));
    }

    @Property
    void shouldEqualTheDefinitionHoweverTheBytesAreCut(@ForAll final byte[] bytes, @ForAll final int cut) {
        assertEquals(bitByBit(bytes), crc(bytes, Math.floorMod(cut, bytes.length + 1)));
    }
}
