package io.sluice.persistence.snapshot;

import org.agrona.UnsafeApi;

/** A piece of native memory that grows as it fills. */
final class NativeBlock implements AutoCloseable {

    private long address;
    private int capacity;

    NativeBlock(final int capacity) {
        this.capacity = capacity;
        address = UnsafeApi.allocateMemory(capacity);
    }

    long address() {
        return address;
    }

    int capacity() {
        return capacity;
    }

    /** Makes it at least that large, keeping its content. */
    void ensure(final int bytes) {
        if (bytes > capacity) {
            capacity = Math.max(bytes, (int) Math.min(2L * capacity, Integer.MAX_VALUE));
            address = UnsafeApi.reallocateMemory(address, capacity);
        }
    }

    /** The first bytes of it. */
    byte[] copy(final int bytes) {
        final byte[] copy = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            copy[i] = UnsafeApi.getByte(address + i);
        }
        return copy;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(address);
    }
}
