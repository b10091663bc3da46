package io.sluice.persistence.snapshot;

import io.sluice.persistence.snapshot.SnapshotBuffers.Chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes the chunks of one snapshot to its sink and adds the checksum. Runs on the disk thread, or is called by hand
 * where there is none.
 */
final class SnapshotDrain implements Runnable {

    private static final long IDLE_NS = 100_000;

    private final SnapshotBuffers buffers;
    private final SnapshotSink sink;
    private long crc;
    private volatile boolean ended;
    /** Why it failed, or null. Set long before {@link #ended}, so that the owner need not go on for nothing. */
    private volatile String failure;

    SnapshotDrain(final SnapshotBuffers buffers, final SnapshotSink sink) {
        this.buffers = buffers;
        this.sink = sink;
    }

    /** Drains until the snapshot ends. */
    @Override
    public void run() {
        while (!ended) {
            if (!doWork()) {
                LockSupport.parkNanos(IDLE_NS);
            }
        }
    }

    /** Takes one chunk, if there is one. */
    boolean doWork() {
        final Chunk chunk = buffers.poll();
        if (chunk == null) {
            return false;
        }
        if (chunk == Chunk.END) {
            attempt(this::complete);
            end();
        } else if (chunk == Chunk.ABORT) {
            fail("aborted");
            end();
        } else {
            attempt(() -> write(chunk));
            buffers.free(chunk);
        }
        return true;
    }

    boolean isEnded() {
        return ended;
    }

    String failure() {
        return failure;
    }

    private interface Step {
        void run() throws IOException;
    }

    private void attempt(final Step step) {
        if (failure == null) {
            try {
                step.run();
            } catch (final IOException | RuntimeException e) {
                fail(e.toString());
            }
        }
    }

    private void fail(final String why) {
        if (failure == null) {
            failure = why;
        }
    }

    private void end() {
        if (failure != null) {
            try {
                sink.abort();
            } catch (final RuntimeException e) {
                failure = failure + "; then " + e;
            }
        }
        ended = true;
    }

    private void write(final Chunk chunk) throws IOException {
        crc = Crc64.update(crc, chunk.address, chunk.length);
        chunk.buffer.limit(chunk.length).position(0);
        sink.write(chunk.buffer);
        chunk.buffer.clear();
    }

    private void complete() throws IOException {
        final ByteBuffer trailer = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        sink.write(trailer.putLong(0, crc));
        sink.complete();
    }
}
