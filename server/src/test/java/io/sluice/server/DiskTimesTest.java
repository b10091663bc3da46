package io.sluice.server;

import io.sluice.persistence.snapshot.SnapshotSink;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class DiskTimesTest {
    private long nowNs = 1_000;
    private final DiskTimes times = new DiskTimes(() -> nowNs);

    /** A disk that takes so long over everything, and fails if told to. */
    private SnapshotSink disk(long eachNs, boolean fails) {
        return times.measured(new SnapshotSink() {
            private void work() throws IOException {
                nowNs += eachNs;
                if (fails) {
                    throw new IOException("full");
                }
            }

            @Override
            public void write(ByteBuffer bytes) throws IOException {
                work();
            }

            @Override
            public void complete() throws IOException {
                work();
            }

            @Override
            public void abort() {
                nowNs += eachNs;
            }
        });
    }

    @Test
    void shouldTellTheLongestOfEachKindOnce() throws IOException {
        disk(20, false).write(ByteBuffer.allocate(1));
        disk(30, false).write(ByteBuffer.allocate(1));
        disk(10, false).write(ByteBuffer.allocate(1));
        disk(7, false).complete();
        assertEquals(30, times.takeWriteNs());
        assertEquals(7, times.takeSyncNs());
        assertEquals(0, times.takeWriteNs());
        assertEquals(0, times.takeSyncNs());
    }

    @Test
    void shouldTellOfNothingThatFailed() {
        assertThrows(IOException.class, () -> disk(5, true).write(ByteBuffer.allocate(1)));
        assertThrows(IOException.class, () -> disk(5, true).complete());
        disk(5, true).abort();
        assertEquals(0, times.takeWriteNs());
        assertEquals(0, times.takeSyncNs());
    }
}
