package io.sluice.lua;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/**
 * The first n decimal digits of a double, correctly rounded (ties to even of the exact value, as C's printf).
 *
 * <p>The quick way multiplies the 64-bit mantissa with a 64-bit power of ten and looks at the product's fraction: when
 * it is further from one half than the truncated bits could matter, the rounding is certain. Otherwise BigDecimal
 * decides.
 */
final class DecimalDigits {

    /** Most digits {@link #round} is asked for: 17 tell every double apart. */
    static final int DIGITS_MAX = 17;

    private static final int POWER_MAX = 60;
    private static final long[] POWER_MANTISSA = new long[2 * POWER_MAX + 1];
    private static final int[] POWER_EXPONENT = new int[2 * POWER_MAX + 1];
    private static final long[] POWERS = new long[19];

    /** The two truncations (power, product) are off by less than this in the product's last place. */
    private static final long ERROR_MAX = 4;

    static {
        for (int k = -POWER_MAX; k <= POWER_MAX; k++) {
            BigInteger power = BigInteger.TEN.pow(Math.abs(k));
            int shift = 128 + power.bitLength();
            BigInteger mantissa = k >= 0 ? power : BigInteger.ONE.shiftLeft(shift).divide(power);
            int excess = mantissa.bitLength() - 64;
            POWER_MANTISSA[k + POWER_MAX] = mantissa.shiftRight(excess).longValue();
            POWER_EXPONENT[k + POWER_MAX] = excess - (k >= 0 ? 0 : shift);
        }
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
    }

    private DecimalDigits() {
    }

    /**
     * Writes n digits of a positive finite number.
     *
     * @param v the number, above zero
     * @param n how many digits, 1 to 17
     * @param out receives the digits as ASCII
     * @return the decimal exponent of the first digit: 2 for 123.4
     */
    static int round(double v, int n, byte[] out) {
        if (v >= Double.MIN_NORMAL) {
            int exponent = (int) Math.floor(Math.log10(v));
            long digits = quick(v, n, exponent);
            if (digits >= POWERS[n]) {
                exponent++;
                digits = quick(v, n, exponent);
            } else if (digits >= 0 && digits <= POWERS[n - 1]) {
                // The logarithm of a number just below a power of ten may come out as that power's, and hide a digit.
                long finer = quick(v, n, exponent - 1);
                if (finer < POWERS[n]) {
                    exponent--;
                    digits = finer;
                }
            }
            if (digits == POWERS[n]) {
                digits = POWERS[n - 1];
                exponent++;
            }
            if (digits >= POWERS[n - 1] && digits < POWERS[n]) {
                write(digits, n, out);
                return exponent;
            }
        }
        return exact(v, n, out);
    }

    /** round(v * 10^(n-1-exponent)), or -1 when that is not certain. */
    private static long quick(double v, int n, int exponent) {
        int k = n - 1 - exponent;
        if (k < -POWER_MAX || k > POWER_MAX) {
            return -1;
        }
        long bits = Double.doubleToRawLongBits(v);
        long mantissa = (bits & (1L << 52) - 1 | 1L << 52) << 11;
        int binaryExponent = (int) (bits >>> 52) - 1075 - 11;
        long product = multiplyHighUnsigned(mantissa, POWER_MANTISSA[k + POWER_MAX]);
        int shift = -(binaryExponent + POWER_EXPONENT[k + POWER_MAX] + 64);
        if (shift < 4 || shift > 63) {
            return -1;
        }
        long fraction = product & (1L << shift) - 1;
        long half = 1L << shift - 1;
        if (Math.abs(fraction - half) <= ERROR_MAX) {
            return -1;
        }
        return (product >>> shift) + (fraction > half ? 1 : 0);
    }

    private static long multiplyHighUnsigned(long a, long b) {
        return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
    }

    static void write(long digits, int n, byte[] out) {
        long rest = digits;
        for (int i = n - 1; i >= 0; i--) {
            long q = rest / 10;
            out[i] = (byte) ('0' + (rest - q * 10));
            rest = q;
        }
    }

    private static int exact(double v, int n, byte[] out) {
        BigDecimal rounded = new BigDecimal(v).round(new MathContext(n, RoundingMode.HALF_EVEN));
        byte[] text = rounded.unscaledValue().toString().getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < n; i++) {
            out[i] = i < text.length ? text[i] : (byte) '0';
        }
        return text.length - 1 - rounded.scale();
    }
}
