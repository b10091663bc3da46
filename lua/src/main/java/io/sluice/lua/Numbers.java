package io.sluice.lua;

/** The arithmetic of Lua's doubles where Java's differs: NaN's sign, remainder, C's conversions to integers. */
final class Numbers {

    /** What x86 makes of 0/0: prints as "-nan". Java leaves the sign open, so every operation settles it here. */
    static final double NEGATIVE_NAN = Double.longBitsToDouble(0xfff8_0000_0000_0000L);
    static final double POSITIVE_NAN = Double.longBitsToDouble(0x7ff8_0000_0000_0000L);

    private static final double TWO_63 = 0x1p63;

    private Numbers() {
    }

    /** The NaN that {@code a op b} gives: an operand's, the first first, else a fresh one. */
    static double nan(double a, double b) {
        return a != a ? a : b != b ? b : NEGATIVE_NAN;
    }

    static double negate(double a) {
        return a == a ? -a : Double.longBitsToDouble(Double.doubleToRawLongBits(a) ^ Long.MIN_VALUE);
    }

    static double divide(double a, double b) {
        double r = a / b;
        return r == r ? r : nan(a, b);
    }

    /** {@code a - floor(a/b)*b}, Lua 5.1's definition to the letter. */
    static double mod(double a, double b) {
        double r = a - Math.floor(a / b) * b;
        return r == r ? r : nan(a, b);
    }

    static double pow(double a, double b) {
        if (b == 2) {
            return a * a;
        }
        if (a == 1 || a == -1 && Double.isInfinite(b)) {
            return 1;
        }
        double r = Math.pow(a, b);
        return r == r ? r : nan(a, b);
    }

    /** C's cast to a 64-bit integer on x86: what does not fit becomes the smallest. */
    static long toLong(double d) {
        return d >= -TWO_63 && d < TWO_63 ? (long) d : Long.MIN_VALUE;
    }

    /** C's cast to {@code int} after one to 64 bits: the low half, as {@code luaL_checkint} does. */
    static int toInt(double d) {
        return (int) toLong(d);
    }

    /** C's cast to {@code int} on x86, without the detour of {@link #toInt}. */
    static int castToInt(double d) {
        int i = (int) d;
        return i == Integer.MAX_VALUE && d >= -(double) Integer.MIN_VALUE || d != d ? Integer.MIN_VALUE : i;
    }

    /** C's cast to an unsigned 64-bit integer on x86. */
    static long toUnsigned(double d) {
        return d >= TWO_63 ? toLong(d - TWO_63) ^ Long.MIN_VALUE : toLong(d);
    }

    static double unsignedToDouble(long bits) {
        if (bits >= 0) {
            return bits;
        }
        return ((bits >>> 1) | (bits & 1)) * 2.0;
    }
}
