package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getByte;

import io.sluice.persistence.DecimalText;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * The small parts that an RDB file is made of, read from untrusted bytes. Memory follows what arrives, never what is
 * announced. Everything is checksummed on the way.
 */
final class RdbInput implements AutoCloseable {

    /** Answer of {@link #string} for one that is longer than allowed; it has been skipped. */
    static final int TOO_LONG = -1;

    private static final int BUFFER_BYTES = 64 << 10;

    private final ReadableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
    private final long address = BufferUtil.address(buffer);
    private final NativeBlock compressed = new NativeBlock(256);
    private long bytesBefore;
    private long crc;
    private int crcPosition;
    private boolean encoded;

    RdbInput(final ReadableByteChannel channel) {
        this.channel = channel;
    }

    /** Begins anew, with whatever the channel gives next. */
    void reset() {
        buffer.limit(0);
        bytesBefore = 0;
        crc = 0;
        crcPosition = 0;
    }

    /** Bytes read so far. */
    long offset() {
        return bytesBefore + buffer.position();
    }

    SnapshotException error(final String message) {
        return new SnapshotException(offset(), message);
    }

    int unsignedByte() throws IOException {
        if (!buffer.hasRemaining()) {
            fill();
        }
        return buffer.get() & 0xFF;
    }

    /** A little-endian integer of so many bytes, with its sign. */
    long integer(final int bytes) throws IOException {
        long value = 0;
        for (int shift = 0; shift < bytes * Byte.SIZE; shift += Byte.SIZE) {
            value |= (long) unsignedByte() << shift;
        }
        final int unused = Long.SIZE - bytes * Byte.SIZE;
        return value << unused >> unused;
    }

    /** A length that has to be a plain number, unsigned. */
    long number() throws IOException {
        final long value = length();
        if (encoded) {
            throw error("a number was expected, not encoding " + value);
        }
        return value;
    }

    /** The checksum of everything before this point. */
    long checksum() {
        sum();
        return crc;
    }

    void skip(final long bytes) throws IOException {
        if (bytes < 0) {
            throw error("length out of range");
        }
        long left = bytes;
        while (left > 0) {
            if (!buffer.hasRemaining()) {
                fill();
            }
            final int part = (int) Math.min(left, buffer.remaining());
            buffer.position(buffer.position() + part);
            left -= part;
        }
    }

    void skipString() throws IOException {
        final long length = length();
        if (!encoded) {
            skip(length);
        } else if (length == Rdb.ENCODED_LZF) {
            final long compressedLength = number();
            number();
            skip(compressedLength);
        } else {
            skip(integerBytes(length));
        }
    }

    /** A string of at most {@code lengthMax} bytes: its length, or {@link #TOO_LONG}. */
    int string(final NativeBlock into, final int lengthMax) throws IOException {
        final long length = length();
        if (!encoded) {
            return bytes(length, into, lengthMax);
        }
        if (length == Rdb.ENCODED_LZF) {
            return compressed(into, lengthMax);
        }
        into.ensure(DecimalText.BYTES_MAX);
        return DecimalText.write(integer(integerBytes(length)), into.address());
    }

    /** A string of at most {@code lengthMax} bytes, which are the characters; null for a longer one. */
    String text(final NativeBlock scratch, final int lengthMax) throws IOException {
        final int length = string(scratch, lengthMax);
        if (length == TOO_LONG) {
            return null;
        }
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = getByte(scratch.address() + i);
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** So many bytes, at most {@code lengthMax}: their number, or {@link #TOO_LONG}. */
    int bytes(final long length, final NativeBlock into, final int lengthMax) throws IOException {
        if (length < 0 || length > lengthMax) {
            skip(length);
            return TOO_LONG;
        }
        int done = 0;
        while (done < length) {
            if (!buffer.hasRemaining()) {
                fill();
            }
            final int part = (int) Math.min(length - done, buffer.remaining());
            into.ensure(done + part);
            UnsafeApi.copyMemory(address + buffer.position(), into.address() + done, part);
            buffer.position(buffer.position() + part);
            done += part;
        }
        return done;
    }

    private int compressed(final NativeBlock into, final int lengthMax) throws IOException {
        final long compressedLength = number();
        final long length = number();
        if (compressedLength < 0 || length < 0 || length > lengthMax || compressedLength > lengthMax) {
            skip(compressedLength);
            return TOO_LONG;
        }
        final int inLength = bytes(compressedLength, compressed, lengthMax);
        into.ensure((int) length);
        if (!Lzf.decompress(compressed.address(), inLength, into.address(), (int) length)) {
            throw error("a compressed string is damaged");
        }
        return (int) length;
    }

    private int integerBytes(final long encoding) throws SnapshotException {
        if (encoding == Rdb.ENCODED_INT8) {
            return Byte.BYTES;
        } else if (encoding == Rdb.ENCODED_INT16) {
            return Short.BYTES;
        } else if (encoding == Rdb.ENCODED_INT32) {
            return Integer.BYTES;
        }
        throw error("unknown string encoding " + encoding);
    }

    /** A length, or, with {@link #encoded} set, the first byte of what comes instead of one. */
    private long length() throws IOException {
        final int first = unsignedByte();
        encoded = false;
        switch (first >> 6) {
            case Rdb.LENGTH_6 -> {
                return first;
            }
            case Rdb.LENGTH_14 -> {
                return (first & 0x3F) << 8 | unsignedByte();
            }
            case Rdb.LENGTH_ENCODED -> {
                encoded = true;
                return first;
            }
            default -> {
                if (first == Rdb.LENGTH_32) {
                    return Integer.toUnsignedLong(Integer.reverseBytes((int) integer(Integer.BYTES)));
                } else if (first == Rdb.LENGTH_64) {
                    return Long.reverseBytes(integer(Long.BYTES));
                }
                throw error("unknown length encoding " + first);
            }
        }
    }

    private void fill() throws IOException {
        sum();
        bytesBefore += buffer.limit();
        buffer.clear();
        crcPosition = 0;
        int read;
        do {
            read = channel.read(buffer);
        } while (read == 0);
        buffer.flip();
        if (read < 0) {
            throw error("unexpected end");
        }
    }

    private void sum() {
        crc = Crc64.update(crc, address + crcPosition, buffer.position() - crcPosition);
        crcPosition = buffer.position();
    }

    @Override
    public void close() {
        compressed.close();
    }
}
