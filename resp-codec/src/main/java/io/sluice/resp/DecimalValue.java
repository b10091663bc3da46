package io.sluice.resp;

import java.math.BigDecimal;
import java.math.BigInteger;

/** An exact decimal number, as {@link Decimals} has read it. Reusable; ordinary numbers are held without allocation. */
public final class DecimalValue {
    /** {@link #wholeNs()} of a number of seconds that is no whole number of nanoseconds. */
    public static final long NOT_WHOLE = Long.MIN_VALUE;
    /** What does not fit 64 bits. */
    public static final long TOO_LARGE = Long.MIN_VALUE + 1;

    /** -1, 0 or 1. */
    public int signum() {
        throw new UnsupportedOperationException();
    }

    /** Compares with a whole number: negative, zero or positive as this is smaller, equal or larger. */
    public int compareTo(long whole) {
        throw new UnsupportedOperationException();
    }

    /** This many seconds in nanoseconds, exactly, or {@link #NOT_WHOLE} or {@link #TOO_LARGE}. */
    public long wholeNs() {
        throw new UnsupportedOperationException();
    }

    /** This many seconds rounded to the nearest nanosecond, halves away from zero, or {@link #TOO_LARGE}. */
    public long nearestNs() {
        throw new UnsupportedOperationException();
    }

    /** {@link #nearestNs()} for what is {@link #TOO_LARGE}. */
    public BigInteger nearestNsBig() {
        throw new UnsupportedOperationException();
    }

    /** The number itself; allocates. */
    public BigDecimal toBigDecimal() {
        throw new UnsupportedOperationException();
    }
}
