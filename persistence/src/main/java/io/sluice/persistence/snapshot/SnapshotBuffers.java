package io.sluice.persistence.snapshot;

import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.jctools.queues.SpscArrayQueue;

import java.nio.ByteBuffer;

/**
 * The bounded way from the owner thread to the one that drains: chunks of memory that go there full and come back
 * empty. The owner never waits; it asks {@link #available()} first.
 */
final class SnapshotBuffers implements RdbOutput {

    static final int CHUNK_BYTES = 128 << 10;

    private final Chunk[] chunks;
    private final SpscArrayQueue<Chunk> free;
    private final SpscArrayQueue<Chunk> full;
    private Chunk current;

    /** A piece of memory, or one of the two signals that end a snapshot. */
    static final class Chunk {

        static final Chunk END = new Chunk(0);
        static final Chunk ABORT = new Chunk(0);

        final ByteBuffer buffer;
        final long address;
        int length;

        private Chunk(final int bytes) {
            buffer = ByteBuffer.allocateDirect(bytes);
            address = BufferUtil.address(buffer);
        }
    }

    SnapshotBuffers(final int bytes) {
        chunks = new Chunk[Math.max(2, (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES)];
        free = new SpscArrayQueue<>(chunks.length);
        full = new SpscArrayQueue<>(chunks.length + 2);
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = new Chunk(CHUNK_BYTES);
            free.offer(chunks[i]);
        }
    }

    /** Bytes that can be written now. Owner. */
    long available() {
        final int inChunk = current == null ? 0 : CHUNK_BYTES - current.length;
        return inChunk + (long) free.size() * CHUNK_BYTES;
    }

    /** Bytes that can be written when everything is drained. */
    long capacity() {
        return (long) chunks.length * CHUNK_BYTES;
    }

    /** Owner; needs {@link #available()} bytes. */
    @Override
    public void write(final long address, final int length) {
        int done = 0;
        while (done < length) {
            if (current == null) {
                current = free.poll();
                if (current == null) {
                    throw new IllegalStateException("no buffer is free");
                }
                current.length = 0;
            }
            final int part = Math.min(length - done, CHUNK_BYTES - current.length);
            UnsafeApi.copyMemory(address + done, current.address + current.length, part);
            current.length += part;
            done += part;
            if (current.length == CHUNK_BYTES) {
                full.offer(current);
                current = null;
            }
        }
    }

    /** Everything was written. Owner. */
    void end() {
        if (current != null) {
            full.offer(current);
            current = null;
        }
        full.offer(Chunk.END);
    }

    /** The snapshot has failed. Owner. */
    void abort() {
        if (current != null) {
            // Kept for the next snapshot: only the draining thread gives chunks back.
            current.length = 0;
        }
        full.offer(Chunk.ABORT);
    }

    /** The next chunk or signal, or null. Draining thread. */
    Chunk poll() {
        return full.poll();
    }

    /** Gives a chunk back. Draining thread. */
    void free(final Chunk chunk) {
        free.offer(chunk);
    }
}
