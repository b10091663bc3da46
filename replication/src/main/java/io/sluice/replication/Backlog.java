package io.sluice.replication;

import org.agrona.UnsafeApi;

/**
 * The newest bytes of the replication stream in native memory: as many as its capacity, and more while a reader that
 * is attached {@linkplain #keepFrom has not taken them}. A replica that was away goes on from the offset that it has
 * reached, if that is still {@linkplain #covers held}. All replicas read from here, so none costs memory of its own.
 *
 * <p>An offset is the number of bytes of the stream before it, so a replica that has applied {@code n} bytes reads
 * from offset {@code n}.
 */
public final class Backlog implements StreamOutput, AutoCloseable {

    private static final int BLOCK_BYTES_MAX = 256 << 10;

    /** Blocks are as large as a power of two, which makes finding one a shift. */
    private final int blockShift;
    private int capacity;
    private final OwnRanges ownRanges = new OwnRanges();
    /** Addresses of the blocks that are held, a ring. */
    private long[] blocks = new long[8];
    private long firstBlock;
    private long blocksEnd;
    private long spareBlock;
    private long startOffset;
    private long endOffset;
    private long keptFrom = Long.MAX_VALUE;

    /**
     * An empty backlog.
     *
     * @param capacityBytes most bytes that it holds for those who are away
     * @param offset        where in the stream it begins
     */
    public Backlog(final int capacityBytes, final long offset) {
        if (capacityBytes < 1 || offset < 0) {
            throw new IllegalArgumentException("capacity " + capacityBytes + ", offset " + offset);
        }
        capacity = capacityBytes;
        blockShift = 31 - Integer.numberOfLeadingZeros(Math.min(BLOCK_BYTES_MAX, capacityBytes));
        startOffset = offset;
        endOffset = offset;
        firstBlock = offset >> blockShift;
        blocksEnd = firstBlock;
    }

    /** Adds bytes at the end; the oldest make room for them. */
    @Override
    public void append(final long address, final int bytes) {
        int done = 0;
        while (done < bytes) {
            if (endOffset >> blockShift == blocksEnd) {
                addBlock();
            }
            final int position = position(endOffset);
            final int part = Math.min(bytes - done, blockBytes() - position);
            UnsafeApi.copyMemory(address + done, block(endOffset >> blockShift) + position, part);
            done += part;
            endOffset += part;
        }
        trim();
    }

    /** Adds a command that only Sluice servers understand. */
    @Override
    public void appendOwn(final long address, final int bytes) {
        ownRanges.add(endOffset, bytes);
        append(address, bytes);
    }

    /** Bytes from this offset on stay until the next call, whatever the capacity; {@code Long.MAX_VALUE} for none. */
    void keepFrom(final long offset) {
        keptFrom = offset;
        trim();
    }

    /** Offset behind the last byte: what {@code INFO} calls {@code master_repl_offset}. */
    public long endOffset() {
        return endOffset;
    }

    /** Offset of the oldest byte held. */
    public long startOffset() {
        return startOffset;
    }

    /** Number of the oldest byte held, the stream's first being 1: what {@code INFO} and {@code PSYNC} count by. */
    public long firstByteOffset() {
        return startOffset + 1;
    }

    /** Bytes held. */
    public long length() {
        return endOffset - startOffset;
    }

    /** Most bytes that it holds for those who are away. */
    public int capacity() {
        return capacity;
    }

    /** Holds so many for those who are away from now on. */
    void capacity(final int capacityBytes) {
        capacity = capacityBytes;
        trim();
    }

    /** Native memory that it takes. */
    public long memoryBytes() {
        return blocksEnd - firstBlock << blockShift;
    }

    /** Whether a reader that is at this offset can go on from here. */
    public boolean covers(final long offset) {
        return offset >= startOffset && offset <= endOffset && !ownRanges.isInside(offset);
    }

    /** Length of the command of ours that begins at this offset, or 0. */
    int ownLengthAt(final long offset) {
        return ownRanges.lengthAt(offset);
    }

    /** Offset of the next command of ours from here on, or {@code Long.MAX_VALUE}. */
    long nextOwn(final long offset) {
        return ownRanges.next(offset);
    }

    /**
     * Copies bytes from an offset on.
     *
     * @return how many, 0 at the end of the stream
     * @throws IllegalArgumentException when the offset is not held
     */
    public int read(final long offset, final long target, final int bytesMax) {
        if (offset < startOffset || offset > endOffset) {
            throw new IllegalArgumentException("offset " + offset + " is not within " + startOffset + " to "
                + endOffset);
        }
        final int bytes = (int) Math.min(bytesMax, endOffset - offset);
        int done = 0;
        while (done < bytes) {
            final int position = position(offset + done);
            final int part = Math.min(bytes - done, blockBytes() - position);
            UnsafeApi.copyMemory(block(offset + done >> blockShift) + position, target + done, part);
            done += part;
        }
        return bytes;
    }

    private int blockBytes() {
        return 1 << blockShift;
    }

    /** Of an offset in its block. */
    private int position(final long offset) {
        return (int) offset & blockBytes() - 1;
    }

    private long block(final long number) {
        return blocks[(int) (number & blocks.length - 1)];
    }

    private void addBlock() {
        if (blocksEnd - firstBlock == blocks.length) {
            final long[] larger = new long[2 * blocks.length];
            for (long number = firstBlock; number < blocksEnd; number++) {
                larger[(int) (number & larger.length - 1)] = block(number);
            }
            blocks = larger;
        }
        blocks[(int) (blocksEnd++ & blocks.length - 1)] =
            spareBlock != 0 ? spareBlock : UnsafeApi.allocateMemory(blockBytes());
        spareBlock = 0;
    }

    private void trim() {
        final long wanted = Math.min(endOffset - capacity, keptFrom);
        if (wanted <= startOffset) {
            return;
        }
        startOffset = wanted;
        ownRanges.forget(startOffset);
        while (firstBlock < startOffset >> blockShift) {
            if (spareBlock == 0) {
                spareBlock = block(firstBlock);
            } else {
                UnsafeApi.freeMemory(block(firstBlock));
            }
            firstBlock++;
        }
    }

    @Override
    public void close() {
        for (; firstBlock < blocksEnd; firstBlock++) {
            UnsafeApi.freeMemory(block(firstBlock));
        }
        if (spareBlock != 0) {
            UnsafeApi.freeMemory(spareBlock);
            spareBlock = 0;
        }
    }
}
