package io.sluice.limiter;

/**
 * Products of two longs that do not fit a long. Operands are not negative; a quotient that does not fit 63 bits
 * comes back as {@code Long.MAX_VALUE}.
 */
final class Wide {
    private static final long INT_MASK = 0xFFFF_FFFFL;

    private Wide() {
    }

    /** Whether {@code a * b} fits 63 bits. */
    static boolean productFits(final long a, final long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0;
    }

    /** {@code floor(a * b / divisor)}, saturated. */
    static long mulDivFloor(final long a, final long b, final long divisor) {
        return divideFloor(Math.multiplyHigh(a, b), a * b, divisor);
    }

    /** {@code ceil((a * b + addend) / divisor)}, saturated; the addend may be negative, the sum may not. */
    static long mulAddDivCeil(final long a, final long b, final long addend, final long divisor) {
        final long product = a * b;
        final long low = product + addend;
        final long carry = Long.compareUnsigned(low, product) < 0 ? 1 : 0;
        final long high = Math.multiplyHigh(a, b) + (addend >> 63) + carry;
        assert high >= 0;
        final long quotient = divideFloor(high, low, divisor);
        return quotient == Long.MAX_VALUE || low == quotient * divisor ? quotient : quotient + 1;
    }

    private static long divideFloor(final long high, final long low, final long divisor) {
        if (high == 0 && low >= 0) {
            return low / divisor;
        }
        if (high >= divisor) {
            return Long.MAX_VALUE;
        }
        final long quotient = divideLow(high, low, divisor);
        return quotient < 0 ? Long.MAX_VALUE : quotient;
    }

    /** Unsigned comparison of two numbers of 128 bits. */
    static int compare(final long high, final long low, final long otherHigh, final long otherLow) {
        return high == otherHigh ? Long.compareUnsigned(low, otherLow) : Long.compareUnsigned(high, otherHigh);
    }

    /**
     * The lower 64 bits of {@code (high * 2^64 + low) / divisor}; the upper 64 are {@code high / divisor}.
     * Schoolbook long division with 32-bit digits: Knuth, The Art of Computer Programming, volume 2, algorithm 4.3.1 D.
     */
    static long divideLow(final long high, final long low, final long divisor) {
        final long rest = high % divisor;
        if (rest == 0) {
            return Long.divideUnsigned(low, divisor);
        }
        final int shift = Long.numberOfLeadingZeros(divisor);
        final long normalDivisor = divisor << shift;
        final long dividendHigh = rest << shift | low >>> 1 >>> (63 - shift);
        final long dividendLow = low << shift;
        final long upper = digit(dividendHigh, dividendLow >>> 32, normalDivisor);
        final long middle = (dividendHigh << 32 | dividendLow >>> 32) - upper * normalDivisor;
        final long lower = digit(middle, dividendLow & INT_MASK, normalDivisor);
        return upper << 32 | lower;
    }

    /** One 32-bit digit of {@code (rest * 2^32 + next) / divisor}, where the divisor's top bit is set. */
    private static long digit(final long rest, final long next, final long divisor) {
        final long divisorHigh = divisor >>> 32;
        final long divisorLow = divisor & INT_MASK;
        long digit = Long.divideUnsigned(rest, divisorHigh);
        long remainder = rest - digit * divisorHigh;
        while (digit > INT_MASK || Long.compareUnsigned(digit * divisorLow, remainder << 32 | next) > 0) {
            digit--;
            remainder += divisorHigh;
            if (remainder > INT_MASK) {
                break;
            }
        }
        return digit;
    }
}
