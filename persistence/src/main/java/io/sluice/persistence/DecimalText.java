package io.sluice.persistence;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.putByte;

/** Integers as canonical decimal text in native memory: {@code 0}, {@code -7}; never {@code +7} or {@code 07}. */
public final class DecimalText {

    /** Longest text. */
    public static final int BYTES_MAX = 20;

    private static final String LEAST = Long.toString(Long.MIN_VALUE);

    private DecimalText() {
    }

    /** Whether the bytes are the canonical text of a 64-bit integer. */
    public static boolean isCanonical(final long address, final int length) {
        final boolean negative = length > 0 && getByte(address) == '-';
        final int digits = negative ? length - 1 : length;
        final long at = negative ? address + 1 : address;
        if (digits < 1 || digits > BYTES_MAX - 1 || getByte(at) == '0' && length > 1) {
            return false;
        }
        long magnitude = 0;
        for (int i = 0; i < digits; i++) {
            final int digit = getByte(at + i) - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            magnitude = magnitude * 10 + digit;
        }
        // Nineteen digits stay below 2^64, so an overflow shows as a negative number.
        return magnitude >= 0 || negative && magnitude == Long.MIN_VALUE;
    }

    /** The integer that {@linkplain #isCanonical canonical} text stands for. */
    public static long parse(final long address, final int length) {
        final boolean negative = getByte(address) == '-';
        long value = 0;
        for (int i = negative ? 1 : 0; i < length; i++) {
            value = value * 10 + (getByte(address + i) - '0');
        }
        return negative ? -value : value;
    }

    /** Length of the text of an integer. */
    public static int length(final long value) {
        if (value == Long.MIN_VALUE) {
            return LEAST.length();
        }
        int length = value < 0 ? 2 : 1;
        for (long rest = Math.abs(value); rest >= 10; rest /= 10) {
            length++;
        }
        return length;
    }

    /** Writes the text of an integer and returns its length, at most {@link #BYTES_MAX}. */
    public static int write(final long value, final long address) {
        final int length = length(value);
        // Negative numbers reach one further than positive ones.
        long rest = value < 0 ? value : -value;
        int at = length;
        do {
            putByte(address + --at, (byte) ('0' - rest % 10));
            rest /= 10;
        } while (rest != 0);
        if (value < 0) {
            putByte(address, (byte) '-');
        }
        return length;
    }
}
