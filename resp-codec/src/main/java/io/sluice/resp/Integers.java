package io.sluice.resp;

import io.netty.buffer.ByteBuf;

/** Reads and prints 64-bit integers in decimal; the only place that does. Allocates nothing. */
public final class Integers {
    /** Bytes of the longest 64-bit integer: {@code -9223372036854775808}. */
    public static final int TEXT_BYTES_MAX = 20;

    /** Greatest n for which 10^n fits 64 bits. */
    static final int POWER_OF_TEN_MAX = 18;

    private static final long NEGATIVE_MAX_BY_TEN = Long.MIN_VALUE / 10;
    /** log10(2) in 1/4096; exact enough for the digits of any 64-bit number. */
    private static final int LOG10_OF_2 = 1233;
    private static final int LOG10_SHIFT = 12;
    /** 10^0 to 10^18, all that fit. */
    private static final long[] POWERS_OF_TEN = new long[POWER_OF_TEN_MAX + 1];
    /** The two digits of 0 to 99, the first in the lower byte. */
    private static final short[] PAIRS = new short[100];

    static {
        long power = 1;
        for (int i = 0; i < POWERS_OF_TEN.length; i++, power *= 10) {
            POWERS_OF_TEN[i] = power;
        }
        for (int i = 0; i < PAIRS.length; i++) {
            PAIRS[i] = (short) ('0' + i / 10 | '0' + i % 10 << 8);
        }
    }

    private Integers() {
    }

    /** 10^n for n up to {@link #POWER_OF_TEN_MAX}. */
    static long powerOfTen(int n) {
        return POWERS_OF_TEN[n];
    }

    /**
     * Reads canonical decimal: what printing the number gives, so no {@code +}, no leading zero, no {@code -0}.
     *
     * @return whether it is one that fits 64 bits; {@code result} is then set
     */
    public static boolean parseStrict(ByteBuf buffer, int offset, int length, LongValue result) {
        if (length < 1 || length > TEXT_BYTES_MAX) {
            return false;
        }
        byte first = buffer.getByte(offset);
        if (first == '0') {
            result.value = 0;
            return length == 1;
        }
        if (first != '-') {
            return parseDigits(buffer, offset, offset + length, false, result);
        }
        return length > 1 && buffer.getByte(offset + 1) != '0'
            && parseDigits(buffer, offset + 1, offset + length, true, result);
    }

    /**
     * Reads {@code [+-]?[0-9]+}.
     *
     * @return whether it is one that fits 64 bits; {@code result} is then set
     */
    public static boolean parseLenient(ByteBuf buffer, int offset, int length, LongValue result) {
        if (length < 1) {
            return false;
        }
        byte first = buffer.getByte(offset);
        int digits = first == '-' || first == '+' ? 1 : 0;
        return length > digits && parseDigits(buffer, offset + digits, offset + length, first == '-', result);
    }

    /** Collects below zero, where there is room for one number more. */
    private static boolean parseDigits(ByteBuf buffer, int start, int end, boolean negative, LongValue result) {
        long value = 0;
        for (int at = start; at < end; at++) {
            int digit = buffer.getByte(at) - '0';
            if (digit < 0 || digit > 9 || value < NEGATIVE_MAX_BY_TEN) {
                return false;
            }
            value = value * 10 - digit;
            if (value > 0) {
                return false;
            }
        }
        if (!negative) {
            if (value == Long.MIN_VALUE) {
                return false;
            }
            value = -value;
        }
        result.value = value;
        return true;
    }

    /** Bytes that {@code value} takes when printed, the sign included. */
    public static int textLength(long value) {
        long magnitude = Math.abs(value);
        if (magnitude < 0) {
            return TEXT_BYTES_MAX;
        }
        return digits(magnitude) + (value < 0 ? 1 : 0);
    }

    /** Decimal digits of a number that is not negative; 1 for 0. Setting the lowest bit never adds a digit. */
    static int digits(long magnitude) {
        int tooFewByAtMostOne = (Long.SIZE - Long.numberOfLeadingZeros(magnitude | 1)) * LOG10_OF_2 >>> LOG10_SHIFT;
        return (magnitude | 1) < POWERS_OF_TEN[tooFewByAtMostOne] ? tooFewByAtMostOne : tooFewByAtMostOne + 1;
    }

    /**
     * Prints at an index, leaving reader and writer index alone.
     *
     * @return bytes printed, at most {@link #TEXT_BYTES_MAX}
     */
    public static int put(ByteBuf buffer, int index, long value) {
        int length = textLength(value);
        long rest = value < 0 ? value : -value;
        int at = index + length;
        while (rest <= -10) {
            long quotient = rest / 100;
            at -= 2;
            buffer.setShortLE(at, PAIRS[(int) (quotient * 100 - rest)]);
            rest = quotient;
        }
        if (rest != 0 || length == 1) {
            buffer.setByte(--at, (int) ('0' - rest));
        }
        if (value < 0) {
            buffer.setByte(index, '-');
        }
        return length;
    }

    /**
     * Prints into an array.
     *
     * @return bytes printed, at most {@link #TEXT_BYTES_MAX}
     */
    public static int put(byte[] array, int index, long value) {
        int length = textLength(value);
        long rest = value < 0 ? value : -value;
        int at = index + length;
        while (rest <= -10) {
            long quotient = rest / 100;
            int pair = PAIRS[(int) (quotient * 100 - rest)];
            array[--at] = (byte) (pair >> 8);
            array[--at] = (byte) pair;
            rest = quotient;
        }
        if (rest != 0 || length == 1) {
            array[--at] = (byte) ('0' - rest);
        }
        if (value < 0) {
            array[index] = '-';
        }
        return length;
    }
}
