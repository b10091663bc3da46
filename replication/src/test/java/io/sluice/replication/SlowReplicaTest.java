package io.sluice.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.snapshot.SnapshotContents;
import io.sluice.persistence.snapshot.SnapshotSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Full syncs of replicas that take their snapshot slowly, or not at all. Redis's say nothing meanwhile. */
class SlowReplicaTest {

    private static final int CHUNK_BYTES = 100_000;
    private static final int CHUNKS = 300;
    private static final int TIMEOUT_MS = 60_000;
    private static final int TICK_MS = 500;

    private final ReplicationStream stream = new ReplicationStream();
    private final Chunks source = new Chunks();
    private final Replicas replicas = new Replicas(stream, source,
        new ReplicationSettings(1 << 20, 0, TIMEOUT_MS, 10_000, 0, 0, 0, 0, 10_000), line -> { });
    private long nowMs = 1_000_000;

    @AfterEach
    void close() {
        replicas.close();
        stream.close();
    }

    private ReplicaPeer follow(final PacedLink link) {
        final ReplicaPeer peer = replicas.attach(link, "10.0.0.1");
        peer.capability("eof");
        replicas.partialSync(peer, "?", -1, nowMs);
        return peer;
    }

    private void pass(final int ms) {
        for (int i = 0; i < ms / TICK_MS; i++) {
            nowMs += TICK_MS;
            replicas.doWork(nowMs);
        }
    }

    @Test
    void shouldDropOneThatTakesNothingOfItsSnapshot() {
        final PacedLink stuck = new PacedLink(0);
        final PacedLink other = new PacedLink(Integer.MAX_VALUE);
        follow(stuck);
        final ReplicaPeer waiting = follow(other);
        pass(TIMEOUT_MS / 2);
        assertFalse(stuck.closed);
        pass(TIMEOUT_MS);
        assertTrue(stuck.closed);
        pass(CHUNKS * TICK_MS);
        assertEquals(ReplicaPeer.State.LOADING, waiting.state());
        assertFalse(source.isRunning());
    }

    @Test
    void shouldNotDropOneThatTakesItsSnapshotForLongerThanTheTimeout() {
        final PacedLink slow = new PacedLink(CHUNK_BYTES / 2);
        final ReplicaPeer peer = follow(slow);
        for (int ms = 0; peer.state() != ReplicaPeer.State.LOADING; ms += TICK_MS) {
            assertTrue(ms < 10 * TIMEOUT_MS, "ends");
            assertFalse(slow.closed, "after " + ms + " ms");
            pass(TICK_MS);
        }
        assertTrue(nowMs > 1_000_000 + 2 * TIMEOUT_MS, "at " + nowMs);
        pass(TIMEOUT_MS / 2);
        assertFalse(slow.closed);
        pass(TIMEOUT_MS);
        assertTrue(slow.closed, "one that has everything is to answer");
    }

    /** Takes so many bytes in a tick, and is writable while nothing waits. */
    private final class PacedLink implements Link {

        private final int bytesPerTick;
        private long unsent;
        private long takenMs = nowMs;
        private boolean closed;

        PacedLink(final int bytesPerTick) {
            this.bytesPerTick = bytesPerTick;
        }

        private void take() {
            final long ticks = (nowMs - takenMs) / TICK_MS;
            takenMs += ticks * TICK_MS;
            unsent -= Math.min(unsent, ticks * bytesPerTick);
        }

        @Override
        public void send(final long address, final int length) {
            take();
            unsent += length;
        }

        @Override
        public void flush() {
        }

        @Override
        public boolean isWritable() {
            return unsentBytes() == 0 || bytesPerTick == Integer.MAX_VALUE;
        }

        @Override
        public long unsentBytes() {
            take();
            return unsent;
        }

        @Override
        public long receivedBytes() {
            return 0;
        }

        @Override
        public void reading(final boolean on) {
        }

        @Override
        public void closeWhenSent() {
            closed = true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** A snapshot of some chunks. */
    private static final class Chunks implements SyncSource {

        private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        private SnapshotSink sink;
        private int left;

        @Override
        public boolean begin(
            final SnapshotSink newSink, final SnapshotContents parts, final Map<String, String> aux) {
            sink = newSink;
            left = CHUNKS;
            return true;
        }

        @Override
        public StoredSnapshot beginStored(final SnapshotContents parts, final Map<String, String> aux) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void work(final BooleanSupplier sinkReady) {
            if (!sinkReady.getAsBoolean()) {
                return;
            }
            try {
                chunk.clear();
                sink.write(chunk);
                if (--left == 0) {
                    sink.complete();
                    sink = null;
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean isRunning() {
            return sink != null;
        }

        @Override
        public void cancel() {
            sink.abort();
            sink = null;
        }
    }
}
