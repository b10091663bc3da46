package io.sluice.replication;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

class BacklogTest {

    private static final int SCRATCH_BYTES = 4_096;

    /** Any sequence of appends and reads does what a list of all bytes ever appended does. */
    @Property(tries = 500)
    void shouldHoldTheNewestBytes(
        @ForAll final long seed, @ForAll @IntRange(min = 1, max = 300) final int capacity,
        @ForAll @IntRange(max = 100_000) final int start) {
        final Random random = new Random(seed);
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        final long scratch = UnsafeApi.allocateMemory(SCRATCH_BYTES);
        try (Backlog backlog = new Backlog(capacity, start)) {
            for (int i = 0; i < 100; i++) {
                final byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 1_000 : 60)];
                random.nextBytes(bytes);
                write(bytes, scratch);
                backlog.append(scratch, bytes.length);
                all.writeBytes(bytes);
                assertEquals(start + all.size(), backlog.endOffset());
                assertEquals(Math.min(all.size(), capacity), backlog.length());
                assertEquals(backlog.endOffset() - backlog.length(), backlog.startOffset());
                assertEquals(backlog.startOffset() + 1, backlog.firstByteOffset());
                final int back = random.nextInt((int) backlog.length() + 1);
                final int max = random.nextInt((int) backlog.length() + 10);
                final int read = backlog.read(backlog.endOffset() - back, scratch, max);
                assertEquals(Math.min(back, max), read);
                final int from = all.size() - back;
                assertArrayEquals(Arrays.copyOfRange(all.toByteArray(), from, from + read), bytes(scratch, read));
            }
        } finally {
            UnsafeApi.freeMemory(scratch);
        }
    }

    @Test
    void shouldTellWhichOffsetsItHolds() {
        final long scratch = UnsafeApi.allocateMemory(SCRATCH_BYTES);
        try (Backlog backlog = new Backlog(10, 100)) {
            assertTrue(backlog.covers(100));
            assertFalse(backlog.covers(99));
            assertFalse(backlog.covers(101));
            backlog.append(scratch, 25);
            assertFalse(backlog.covers(114));
            assertTrue(backlog.covers(115));
            assertTrue(backlog.covers(125));
            assertFalse(backlog.covers(126));
            assertThrows(IllegalArgumentException.class, () -> backlog.read(114, scratch, 1));
            assertThrows(IllegalArgumentException.class, () -> backlog.read(126, scratch, 1));
            assertEquals(0, backlog.read(125, scratch, 100));
        } finally {
            UnsafeApi.freeMemory(scratch);
        }
    }

    @Test
    void shouldHoldOffsetsBeyondTheRangeOfAnInt() {
        final long scratch = UnsafeApi.allocateMemory(SCRATCH_BYTES);
        final long offset = 1L << 40;
        try (Backlog backlog = new Backlog(7, offset)) {
            write(new byte[] {1, 2, 3, 4, 5}, scratch);
            backlog.append(scratch, 5);
            backlog.append(scratch, 5);
            assertEquals(7, backlog.read(offset + 3, scratch, 100));
            assertArrayEquals(new byte[] {4, 5, 1, 2, 3, 4, 5}, bytes(scratch, 7));
        } finally {
            UnsafeApi.freeMemory(scratch);
        }
    }

    private static void write(final byte[] bytes, final long address) {
        for (int i = 0; i < bytes.length; i++) {
            UnsafeApi.putByte(address + i, bytes[i]);
        }
    }

    private static byte[] bytes(final long address, final int length) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return bytes;
    }
}
