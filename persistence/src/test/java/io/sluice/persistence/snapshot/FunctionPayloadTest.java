package io.sluice.persistence.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

class FunctionPayloadTest {

    private static final byte[] FIRST = "#!lua name=a\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SECOND = new byte[100_000];

    @Test
    void shouldTakeBackWhatItMade() {
        final List<byte[]> sources = FunctionPayload.decode(FunctionPayload.encode(List.of(FIRST, SECOND)), 1 << 20);
        assertEquals(2, sources.size());
        assertArrayEquals(FIRST, sources.get(0));
        assertArrayEquals(SECOND, sources.get(1));
        assertEquals(List.of(), FunctionPayload.decode(FunctionPayload.encode(List.of()), 1 << 20));
    }

    @Test
    void shouldRefuseWhatIsDamagedOrTooLong() {
        final byte[] payload = FunctionPayload.encode(List.of(FIRST));
        for (int i = 0; i < payload.length; i++) {
            final byte[] damaged = payload.clone();
            damaged[i] ^= 4;
            assertNull(FunctionPayload.decode(damaged, 1 << 20), "byte " + i);
        }
        assertNull(FunctionPayload.decode(new byte[0], 1 << 20));
        assertNull(FunctionPayload.decode(payload, FIRST.length - 1));
    }
}
