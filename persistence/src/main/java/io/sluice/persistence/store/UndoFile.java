package io.sluice.persistence.store;

import org.agrona.BufferUtil;
import org.agrona.IoUtil;
import org.agrona.UnsafeApi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.putByte;
import static org.agrona.UnsafeApi.putInt;
import static org.agrona.UnsafeApi.putIntRelease;

/**
 * The mapped file {@code keyspace.undo}: what the value that is being overwritten held before, so that a process killed
 * half way leaves the old value and not a mixture. One writer, hence one value at a time. The image is a list of
 * pieces, since of a large value only a few bytes may be about to change; a piece is here before its bytes are
 * overwritten.
 *
 * <pre>
 *   0  4  1 while the image counts
 *   4  4  bytes of all pieces
 *   8  4  bytes of the client's key
 *  12  1  space, then 3 zero bytes
 *  16     the client's key, then the pieces
 *
 *  piece: 4  offset in the value, 4  length, the bytes as they were
 * </pre>
 */
final class UndoFile implements AutoCloseable {

    static final String NAME = "keyspace.undo";

    private static final int ACTIVE = 0;
    private static final int IMAGE_BYTES = 4;
    private static final int KEY_LENGTH = 8;
    private static final int SPACE = 12;
    private static final int KEY = 16;
    private static final int PIECE_HEADER_BYTES = 2 * Integer.BYTES;
    private static final int PIECES_BYTES_MAX = SizeClass.VALUE_BYTES_MAX + Store.IMAGE_OVERHEAD_BYTES;
    private static final int FILE_BYTES = KEY + Store.KEY_BYTES_MAX + PIECES_BYTES_MAX;

    private final MappedByteBuffer buffer;
    private final long base;
    private long value;
    private long pieces;
    private int used;

    private UndoFile(final MappedByteBuffer buffer) {
        this.buffer = buffer;
        base = BufferUtil.address(buffer);
    }

    /** Maps the file, made with all its blocks if it is not there or was not finished. */
    static UndoFile open(final Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory.resolve(NAME),
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (long at = channel.size(); at < FILE_BYTES;) {
                at += channel.write(ByteBuffer.allocate((int) Math.min(1 << 16, FILE_BYTES - at)), at);
            }
            return new UndoFile(channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES));
        }
    }

    /** Keeps the first bytes of a value until {@link #drop()}. */
    void keep(
        final int space, final long keyAddress, final int keyLength, final long valueAddress, final int bytes) {
        value = valueAddress;
        pieces = base + KEY + keyLength;
        used = 0;
        putInt(base + IMAGE_BYTES, 0);
        putInt(base + KEY_LENGTH, keyLength);
        putByte(base + SPACE, (byte) space);
        UnsafeApi.copyMemory(keyAddress, base + KEY, keyLength);
        if (bytes > 0) {
            keepMore(0, bytes);
        }
        putIntRelease(null, base + ACTIVE, 1);
        UnsafeApi.storeFence();
    }

    /** Keeps another piece of the same value. */
    void keepMore(final int offset, final int bytes) {
        if (used + PIECE_HEADER_BYTES + bytes > PIECES_BYTES_MAX) {
            throw new IllegalStateException("image of " + used + " bytes has no room for " + bytes);
        }
        final long piece = pieces + used;
        putInt(piece, offset);
        putInt(piece + Integer.BYTES, bytes);
        UnsafeApi.copyMemory(value + offset, piece + PIECE_HEADER_BYTES, bytes);
        used += PIECE_HEADER_BYTES + bytes;
        putIntRelease(null, base + IMAGE_BYTES, used);
        UnsafeApi.storeFence();
    }

    /** The value is complete. */
    void drop() {
        putIntRelease(null, base + ACTIVE, 0);
    }

    /** Puts the value back that a kill left half overwritten, if there is one. Returns whether there was. */
    boolean restore(final Store store) {
        final int keyLength = getInt(base + KEY_LENGTH);
        final int bytes = getInt(base + IMAGE_BYTES);
        if (getInt(base + ACTIVE) != 1 || keyLength < 0 || keyLength > Store.KEY_BYTES_MAX
            || bytes < 0 || bytes > PIECES_BYTES_MAX) {
            return false;
        }
        final int space = getByte(base + SPACE) & 0xFF;
        final long hash = store.hash(space, base + KEY, keyLength);
        final long valueAddress = store.find(hash, space, base + KEY, keyLength);
        final boolean found = valueAddress != Store.NOT_FOUND;
        if (found) {
            restore(base + KEY + keyLength, bytes, valueAddress, store.capacityOf(valueAddress));
        }
        drop();
        return found;
    }

    /** The last piece first: where two overlap, the earlier one has the bytes from before. */
    private static void restore(final long pieces, final int bytes, final long valueAddress, final int capacity) {
        final ArrayDeque<Integer> starts = new ArrayDeque<>();
        for (int at = 0; at + PIECE_HEADER_BYTES <= bytes;) {
            final int length = getInt(pieces + at + Integer.BYTES);
            if (length < 0 || length > bytes - at - PIECE_HEADER_BYTES) {
                break;
            }
            starts.push(at);
            at += PIECE_HEADER_BYTES + length;
        }
        for (final int at : starts) {
            final int offset = getInt(pieces + at);
            if (offset >= 0 && offset < capacity) {
                UnsafeApi.copyMemory(pieces + at + PIECE_HEADER_BYTES, valueAddress + offset,
                    Math.min(getInt(pieces + at + Integer.BYTES), capacity - offset));
            }
        }
    }

    @Override
    public void close() {
        IoUtil.unmap(buffer);
    }
}
