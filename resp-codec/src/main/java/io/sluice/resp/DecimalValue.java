package io.sluice.resp;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** An exact decimal number, as {@link Decimals} has read it. Reusable; ordinary numbers are held without allocation. */
public final class DecimalValue {
    /** {@link #wholeNs()} of a number of seconds that is no whole number of nanoseconds. */
    public static final long NOT_WHOLE = Long.MIN_VALUE;
    /** What does not fit 64 bits. */
    public static final long TOO_LARGE = Long.MIN_VALUE + 1;

    /** Significant digits that are held in a {@code long}. */
    static final int DIGITS_MAX = Integers.POWER_OF_TEN_MAX;

    private static final int NS_DIGITS = 9;

    /** The number is {@code significand * 10^exponent}, unless it is {@link #big}. */
    private long significand;
    private int exponent;
    private BigDecimal big;

    void set(long significand, int exponent) {
        this.significand = significand;
        this.exponent = exponent;
        this.big = null;
    }

    void set(BigDecimal value) {
        this.big = value;
    }

    /** -1, 0 or 1. */
    public int signum() {
        return big == null ? Long.signum(significand) : big.signum();
    }

    /** Compares with a whole number: negative, zero or positive as this is smaller, equal or larger. */
    public int compareTo(long whole) {
        if (big != null) {
            return big.compareTo(BigDecimal.valueOf(whole));
        }
        if (exponent >= 0) {
            long value = timesPowerOfTen(significand, exponent);
            return value == TOO_LARGE ? Long.signum(significand) : Long.compare(value, whole);
        }
        long truncated = -exponent > DIGITS_MAX ? 0 : significand / Integers.powerOfTen(-exponent);
        if (truncated != whole) {
            return Long.compare(truncated, whole);
        }
        long rest = -exponent > DIGITS_MAX ? significand : significand % Integers.powerOfTen(-exponent);
        return Long.signum(rest);
    }

    /** This many seconds in nanoseconds, exactly, or {@link #NOT_WHOLE} or {@link #TOO_LARGE}. */
    public long wholeNs() {
        if (big != null) {
            BigDecimal ns = big.movePointRight(NS_DIGITS);
            return ns.stripTrailingZeros().scale() > 0 ? NOT_WHOLE : toLong(ns.toBigInteger());
        }
        int power = exponent + NS_DIGITS;
        if (power >= 0) {
            return timesPowerOfTen(significand, power);
        }
        if (significand == 0) {
            return 0;
        }
        boolean whole = -power <= DIGITS_MAX && significand % Integers.powerOfTen(-power) == 0;
        return whole ? significand / Integers.powerOfTen(-power) : NOT_WHOLE;
    }

    /** This many seconds rounded to the nearest nanosecond, halves away from zero, or {@link #TOO_LARGE}. */
    public long nearestNs() {
        if (big != null) {
            return toLong(nearestNsBig());
        }
        int power = exponent + NS_DIGITS;
        if (power >= 0) {
            return timesPowerOfTen(significand, power);
        }
        if (-power > DIGITS_MAX) {
            return 0;
        }
        long divisor = Integers.powerOfTen(-power);
        long rest = significand % divisor;
        boolean away = Math.abs(rest) >= divisor - Math.abs(rest);
        return significand / divisor + (away ? Long.signum(significand) : 0);
    }

    /** {@link #nearestNs()} for what is {@link #TOO_LARGE}; allocates. */
    public BigInteger nearestNsBig() {
        return toBigDecimal().movePointRight(NS_DIGITS).setScale(0, RoundingMode.HALF_UP).toBigInteger();
    }

    /** The number itself; allocates. */
    public BigDecimal toBigDecimal() {
        return big == null ? BigDecimal.valueOf(significand, -exponent) : big;
    }

    private static long timesPowerOfTen(long value, int power) {
        if (value == 0) {
            return 0;
        }
        if (power > Integers.POWER_OF_TEN_MAX) {
            return TOO_LARGE;
        }
        long factor = Integers.powerOfTen(power);
        long product = value * factor;
        return Math.multiplyHigh(value, factor) == product >> Long.SIZE - 1 && product > TOO_LARGE
            ? product : TOO_LARGE;
    }

    private static long toLong(BigInteger value) {
        return value.bitLength() < Long.SIZE && value.longValue() > TOO_LARGE ? value.longValue() : TOO_LARGE;
    }
}
