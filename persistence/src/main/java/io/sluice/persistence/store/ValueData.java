package io.sluice.persistence.store;

import net.openhft.chronicle.bytes.RandomDataInput;
import net.openhft.chronicle.bytes.RandomDataOutput;
import net.openhft.chronicle.hash.Data;
import org.agrona.UnsafeApi;

/** Reusable new value for Chronicle Map: our prefix, what is copied from an older value, zeros up to the capacity. */
final class ValueData implements Data<byte[]> {

    private final KeyData key;
    private int capacity;
    private int mark;
    private long source;
    private int sourceBytes;
    private long writtenAt;

    /** The prefix is about this key, which is written first. */
    ValueData(final KeyData key) {
        this.key = key;
    }

    void setZero(final int capacity) {
        setCopy(capacity, FileEntry.MARK_LIVE, 0, 0);
    }

    void setCopy(final int capacity, final int mark, final long source, final int sourceBytes) {
        this.capacity = capacity;
        this.mark = mark;
        this.source = source;
        this.sourceBytes = sourceBytes;
    }

    /** Address of our value where Chronicle Map last wrote it. */
    long writtenAt() {
        return writtenAt;
    }

    @Override
    public long size() {
        return FileEntry.VALUE_PREFIX_BYTES + capacity;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void writeTo(final RandomDataOutput target, final long targetOffset) {
        final long to = target.addressForWrite(targetOffset);
        final long valueAddress = to + FileEntry.VALUE_PREFIX_BYTES;
        final long gap = to - key.writtenEnd();
        if (gap != FileEntry.stopBitBytes(size())) {
            throw new IllegalStateException("Chronicle Map lays entries out in another way: gap of " + gap);
        }
        UnsafeApi.copyMemory(source, valueAddress, sourceBytes);
        UnsafeApi.setMemory(valueAddress + sourceBytes, capacity - sourceBytes, (byte) 0);
        FileEntry.writePrefix(valueAddress, key.keyLength(), (int) gap, mark);
        writtenAt = valueAddress;
    }

    @Override
    public RandomDataInput bytes() {
        throw new UnsupportedOperationException("written only");
    }

    @Override
    public long offset() {
        throw new UnsupportedOperationException("written only");
    }

    @Override
    public byte[] get() {
        throw new UnsupportedOperationException("written only");
    }

    @Override
    public byte[] getUsing(final byte[] using) {
        throw new UnsupportedOperationException("written only");
    }
}
