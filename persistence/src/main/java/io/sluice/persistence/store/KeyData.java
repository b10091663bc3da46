package io.sluice.persistence.store;

import net.openhft.chronicle.algo.hashing.LongHashFunction;
import net.openhft.chronicle.bytes.PointerBytesStore;
import net.openhft.chronicle.bytes.RandomDataInput;
import net.openhft.chronicle.bytes.RandomDataOutput;
import net.openhft.chronicle.hash.Data;
import org.agrona.UnsafeApi;

/** Reusable key for Chronicle Map: space, copy and the client's key in a buffer of its own. */
final class KeyData implements Data<byte[]>, AutoCloseable {

    private static final LongHashFunction HASH = LongHashFunction.xx_r39();
    private static final int BUFFER_BYTES = FileEntry.KEY_PREFIX_BYTES + Store.KEY_BYTES_MAX;

    private final long address = UnsafeApi.allocateMemory(BUFFER_BYTES);
    private final PointerBytesStore bytes = new PointerBytesStore();
    private int size;
    private long hash;
    private long writtenEnd;

    KeyData() {
        bytes.set(address, BUFFER_BYTES);
    }

    void set(final int space, final int copy, final long keyAddress, final int keyLength) {
        FileEntry.writeKey(address, space, copy, keyAddress, keyLength);
        size = FileEntry.KEY_PREFIX_BYTES + keyLength;
        hash = HASH.hashMemory(address, size);
    }

    /** Length of the client's key. */
    int keyLength() {
        return size - FileEntry.KEY_PREFIX_BYTES;
    }

    /** Chronicle Map's own hash of this key. */
    long hash() {
        return hash;
    }

    /** The address after the key where Chronicle Map last wrote it. */
    long writtenEnd() {
        return writtenEnd;
    }

    @Override
    public RandomDataInput bytes() {
        return bytes;
    }

    @Override
    public long offset() {
        return 0;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long hash(final LongHashFunction function) {
        return function == HASH ? hash : function.hashMemory(address, size);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void writeTo(final RandomDataOutput target, final long targetOffset) {
        final long to = target.addressForWrite(targetOffset);
        UnsafeApi.copyMemory(address, to, size);
        writtenEnd = to + size;
    }

    @Override
    public byte[] get() {
        return getUsing(null);
    }

    @Override
    public byte[] getUsing(final byte[] using) {
        final byte[] copy = using != null && using.length == size ? using : new byte[size];
        for (int i = 0; i < size; i++) {
            copy[i] = UnsafeApi.getByte(address + i);
        }
        return copy;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(address);
    }
}
