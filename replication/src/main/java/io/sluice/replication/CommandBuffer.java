package io.sluice.replication;

import static org.agrona.UnsafeApi.putByte;

import io.sluice.persistence.DecimalText;
import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;

/** Commands in RESP, put together in native memory that grows with the largest of them. */
final class CommandBuffer implements AutoCloseable {

    /** Marker, number, line end. */
    private static final int HEAD_BYTES_MAX = 1 + DecimalText.BYTES_MAX + 2;

    /** Below this a double has every whole number. */
    private static final long WHOLE_MAX = 1L << 53;

    private int capacity = 1 << 10;
    private long address = UnsafeApi.allocateMemory(capacity);
    private int length;

    long address() {
        return address;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    /** Begins a command of so many words. */
    CommandBuffer command(final int words) {
        ensure(HEAD_BYTES_MAX);
        head('*', words);
        return this;
    }

    CommandBuffer word(final byte[] word) {
        ensure(HEAD_BYTES_MAX + word.length + 2);
        head('$', word.length);
        for (final byte b : word) {
            putByte(address + length++, b);
        }
        lineEnd();
        return this;
    }

    CommandBuffer word(final long from, final int bytes) {
        ensure(HEAD_BYTES_MAX + (long) bytes + 2);
        head('$', bytes);
        UnsafeApi.copyMemory(from, address + length, bytes);
        length += bytes;
        lineEnd();
        return this;
    }

    CommandBuffer word(final long number) {
        ensure(2 * HEAD_BYTES_MAX);
        head('$', DecimalText.length(number));
        length += DecimalText.write(number, address + length);
        lineEnd();
        return this;
    }

    /** A score, in text that gives the same double again. */
    CommandBuffer word(final double number) {
        final long whole = (long) number;
        if (whole == number && Math.abs(whole) < WHOLE_MAX && (whole != 0 || 1 / number > 0)) {
            return word(whole);
        }
        return word(ascii(Double.isInfinite(number) ? number > 0 ? "inf" : "-inf" : Double.toString(number)));
    }

    static byte[] ascii(final String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    private void head(final char marker, final int number) {
        putByte(address + length++, (byte) marker);
        length += DecimalText.write(number, address + length);
        lineEnd();
    }

    private void lineEnd() {
        putByte(address + length++, (byte) '\r');
        putByte(address + length++, (byte) '\n');
    }

    private void ensure(final long more) {
        final long needed = length + more;
        if (needed > capacity) {
            capacity = Math.toIntExact(Math.max(needed, Math.min(2L * capacity, Integer.MAX_VALUE)));
            address = UnsafeApi.reallocateMemory(address, capacity);
        }
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(address);
    }
}
