package io.sluice.resp;

import io.netty.buffer.ByteBuf;

/** Reads and prints 64-bit integers in decimal; the only place that does. Allocates nothing. */
public final class Integers {
    /** Bytes of the longest 64-bit integer: {@code -9223372036854775808}. */
    public static final int TEXT_BYTES_MAX = 20;

    private Integers() {
    }

    /**
     * Reads canonical decimal: what printing the number gives, so no {@code +}, no leading zero, no {@code -0}.
     *
     * @return whether it is one that fits 64 bits; {@code result} is then set
     */
    public static boolean parseStrict(ByteBuf buffer, int offset, int length, LongValue result) {
        throw new UnsupportedOperationException();
    }

    /**
     * Reads {@code [+-]?[0-9]+}.
     *
     * @return whether it is one that fits 64 bits; {@code result} is then set
     */
    public static boolean parseLenient(ByteBuf buffer, int offset, int length, LongValue result) {
        throw new UnsupportedOperationException();
    }

    /** Bytes that {@code value} takes when printed, the sign included. */
    public static int textLength(long value) {
        throw new UnsupportedOperationException();
    }

    /**
     * Prints at an index, leaving reader and writer index alone.
     *
     * @return bytes printed, at most {@link #TEXT_BYTES_MAX}
     */
    public static int put(ByteBuf buffer, int index, long value) {
        throw new UnsupportedOperationException();
    }

    /**
     * Prints into an array.
     *
     * @return bytes printed, at most {@link #TEXT_BYTES_MAX}
     */
    public static int put(byte[] array, int index, long value) {
        throw new UnsupportedOperationException();
    }
}
