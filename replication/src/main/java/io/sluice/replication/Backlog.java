package io.sluice.replication;

import org.agrona.UnsafeApi;

/**
 * The newest bytes of the replication stream, as many as fit: a ring in native memory. A replica that was away goes on
 * from the offset that it has reached, if that is still {@linkplain #covers held}.
 *
 * <p>An offset is the number of bytes of the stream before it, so a replica that has applied {@code n} bytes reads
 * from offset {@code n}.
 */
public final class Backlog implements StreamOutput, AutoCloseable {

    private final int capacity;
    private final long ring;
    private long endOffset;
    private int length;

    /**
     * An empty backlog.
     *
     * @param capacityBytes most bytes that it holds
     * @param offset        where in the stream it begins
     */
    public Backlog(final int capacityBytes, final long offset) {
        if (capacityBytes < 1 || offset < 0) {
            throw new IllegalArgumentException("capacity " + capacityBytes + ", offset " + offset);
        }
        capacity = capacityBytes;
        ring = UnsafeApi.allocateMemory(capacityBytes);
        endOffset = offset;
    }

    /** Adds bytes at the end; the oldest make room for them. */
    @Override
    public void append(final long address, final int bytes) {
        final int kept = Math.min(bytes, capacity);
        endOffset += bytes - kept;
        final int position = (int) (endOffset % capacity);
        final int untilEdge = Math.min(kept, capacity - position);
        final long from = address + bytes - kept;
        UnsafeApi.copyMemory(from, ring + position, untilEdge);
        UnsafeApi.copyMemory(from + untilEdge, ring, kept - untilEdge);
        endOffset += kept;
        length = (int) Math.min(capacity, (long) length + bytes);
    }

    /** Offset behind the last byte: what {@code INFO} calls {@code master_repl_offset}. */
    public long endOffset() {
        return endOffset;
    }

    /** Offset of the oldest byte held. */
    public long startOffset() {
        return endOffset - length;
    }

    /** Number of the oldest byte held, the stream's first being 1: what {@code INFO} and {@code PSYNC} count by. */
    public long firstByteOffset() {
        return startOffset() + 1;
    }

    /** Bytes held. */
    public int length() {
        return length;
    }

    /** Most bytes that it holds. */
    public int capacity() {
        return capacity;
    }

    /** Whether a reader that is at this offset can go on from here. */
    public boolean covers(final long offset) {
        return offset >= startOffset() && offset <= endOffset;
    }

    /**
     * Copies bytes from an offset on.
     *
     * @return how many, 0 at the end of the stream
     * @throws IllegalArgumentException when the offset is not {@linkplain #covers held}
     */
    public int read(final long offset, final long target, final int bytesMax) {
        if (!covers(offset)) {
            throw new IllegalArgumentException(
                "offset " + offset + " is not within " + startOffset() + " to " + endOffset);
        }
        final int bytes = (int) Math.min(bytesMax, endOffset - offset);
        final int position = (int) (offset % capacity);
        final int untilEdge = Math.min(bytes, capacity - position);
        UnsafeApi.copyMemory(ring + position, target, untilEdge);
        UnsafeApi.copyMemory(ring, target + untilEdge, bytes - untilEdge);
        return bytes;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(ring);
    }
}
