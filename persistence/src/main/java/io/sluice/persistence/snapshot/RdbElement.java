package io.sluice.persistence.snapshot;

import io.sluice.persistence.DecimalText;
import org.agrona.UnsafeApi;

/** One element of a collection in a file: bytes that lie elsewhere, or the text of an integer. Reused. */
final class RdbElement implements AutoCloseable {

    private final long text = UnsafeApi.allocateMemory(DecimalText.BYTES_MAX);
    private long address;
    private int length;

    void bytes(final long newAddress, final int newLength) {
        address = newAddress;
        length = newLength;
    }

    void integer(final long value) {
        address = text;
        length = DecimalText.write(value, text);
    }

    long address() {
        return address;
    }

    int length() {
        return length;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(text);
    }
}
