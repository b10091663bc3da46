package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.getShort;
import static org.agrona.UnsafeApi.putLong;
import static org.agrona.UnsafeApi.putShort;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.ValueType;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * One value as {@code DUMP} gives it and {@code RESTORE} takes it: type and value as in a snapshot, then the format's
 * version and a checksum. Strings and collections are exchanged with Redis. Reused: what {@link #encode} made is valid
 * until the next call.
 */
public final class DumpPayload implements AutoCloseable {

    private static final int VERSION_BYTES = Short.BYTES;
    private static final int FOOTER_BYTES = VERSION_BYTES + Long.BYTES;

    private final NativeBlock block = new NativeBlock(256);
    private final NativeBlock value = new NativeBlock(256);
    private final RdbEncoder encoder = new RdbEncoder(this::append);
    private final MemoryChannel memory = new MemoryChannel();
    private final RdbInput in = new RdbInput(memory);
    private final RdbCollections collections = new RdbCollections(in);
    private final CollectionBuilder builder = new CollectionBuilder();
    private final long[] words = new long[255];
    private int length;

    /** Encodes the value of an entry that exists. */
    public void encode(final Entry e) {
        length = 0;
        encoder.reset();
        encoder.type(e);
        encoder.value(e);
        block.ensure(length + FOOTER_BYTES);
        putShort(block.address() + length, (short) Rdb.VERSION);
        length += VERSION_BYTES;
        putLong(block.address() + length, Crc64.update(0, block.address(), length));
        length += Long.BYTES;
    }

    /** Native address of what was encoded. */
    public long address() {
        return block.address();
    }

    /** Length of what was encoded. */
    public int length() {
        return length;
    }

    /** Whether the version is one that is read here and the checksum is right. */
    public static boolean isIntact(final long address, final int length) {
        if (length < FOOTER_BYTES + 1) {
            return false;
        }
        final int version = getShort(address + length - FOOTER_BYTES) & 0xFFFF;
        return version <= Rdb.VERSION_READ_MAX
            && getLong(address + length - Long.BYTES) == Crc64.update(0, address, length - Long.BYTES);
    }

    /**
     * Stores the value of an {@linkplain #isIntact intact} payload in a key, replacing what it holds.
     *
     * @return false when the payload is malformed or of a type that is not held here; nothing has changed
     * @throws io.sluice.persistence.KeyspaceFullException when it does not fit
     * @throws ValueTooLargeException when it is longer than the keyspace's maximum
     */
    public boolean restore(
        final Keyspace keyspace, final Entry e, final long address, final int payloadLength,
        final long expireAtMs) {
        memory.wrap(address, payloadLength - FOOTER_BYTES);
        in.reset();
        try {
            final int type = in.unsignedByte();
            if (RdbCollections.typeOf(type) != ValueType.STRING) {
                return restoreCollection(keyspace, e, type, expireAtMs);
            } else if (type == Rdb.TYPE_STRING) {
                final int bytes = in.string(value, keyspace.valueBytesMax());
                if (memory.isRead(in)) {
                    putString(keyspace, e, bytes, expireAtMs);
                    return true;
                }
            } else if (type == Rdb.TYPE_MODULE_2 && in.number() == Rdb.MODULE_ID) {
                final OwnValue own = OwnValue.read(in, value, keyspace.valueBytesMax());
                if (memory.isRead(in)) {
                    putOwn(keyspace, e, own, expireAtMs);
                    return true;
                }
            }
            return false;
        } catch (final IOException malformed) {
            return false;
        }
    }

    private boolean restoreCollection(
        final Keyspace keyspace, final Entry e, final int type, final long expireAtMs) throws IOException {
        builder.in(keyspace);
        try {
            collections.read(type, builder, keyspace.valueBytesMax());
            if (!memory.isRead(in) || builder.isEmpty() && !builder.isTooLarge()) {
                return false;
            } else if (builder.isTooLarge()) {
                throw ValueTooLargeException.INSTANCE;
            }
            builder.store(e, expireAtMs);
            return true;
        } finally {
            builder.discard();
        }
    }

    private void putString(final Keyspace keyspace, final Entry e, final int bytes, final long expireAtMs) {
        if (bytes == RdbInput.TOO_LONG) {
            throw ValueTooLargeException.INSTANCE;
        }
        keyspace.putBytes(e, value.address(), bytes, expireAtMs);
    }

    private void putOwn(
        final Keyspace keyspace, final Entry e, final OwnValue own, final long expireAtMs) {
        assert own.type() != ValueType.STRING;
        if (own.words()) {
            final int count = own.length() / Long.BYTES;
            for (int i = 0; i < count; i++) {
                words[i] = getLong(value.address() + (long) i * Long.BYTES);
            }
            keyspace.putWords(e, own.type(), words, count, expireAtMs);
        } else {
            final long payload = keyspace.putBlob(e, own.type(), own.length(), expireAtMs);
            UnsafeApi.copyMemory(value.address(), payload, own.length());
            keyspace.blobWritten(e);
        }
    }

    private void append(final long from, final int bytes) {
        block.ensure(length + bytes);
        UnsafeApi.copyMemory(from, block.address() + length, bytes);
        length += bytes;
    }

    @Override
    public void close() {
        encoder.close();
        collections.close();
        in.close();
        block.close();
        value.close();
    }

    /** Native memory as a channel. */
    private static final class MemoryChannel implements ReadableByteChannel {

        private long address;
        private int length;
        private int position;

        void wrap(final long address, final int length) {
            this.address = address;
            this.length = length;
            position = 0;
        }

        boolean isRead(final RdbInput in) {
            return in.offset() == length;
        }

        @Override
        public int read(final ByteBuffer into) {
            if (position == length) {
                return -1;
            }
            final int part = Math.min(into.remaining(), length - position);
            UnsafeApi.copyMemory(
                address + position, BufferUtil.address(into) + into.position(), part);
            into.position(into.position() + part);
            position += part;
            return part;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            position = length;
        }
    }
}
