package io.sluice.resp;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Prints floating point numbers as Redis does since 7.2: whole numbers up to 2^62 as integers, all others by the fewest
 * digits that read back the same, in the notation of its {@code fpconv} library. Not for hot paths.
 */
public final class DoubleText {
    private static final double WHOLE_MAX = 0x1p62;
    /** Any decimal of so many digits survives the way through a normal double. */
    private static final int DIGITS_SAFE = 15;
    /** So many digits tell any two doubles apart. */
    private static final int DIGITS_MAX = 17;
    /** {@code fpconv} appends at most so many zeros before it turns to an exponent. */
    private static final int ZEROS_APPENDED_MAX = 7;
    private static final int DECIMALS_PLAIN_MAX = 6;
    private static final int EXPONENT_PLAIN_MAX = 3;

    private DoubleText() {
    }

    /** The text of any double. */
    public static String of(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        if (Math.abs(value) <= WHOLE_MAX && value == Math.rint(value)) {
            return Long.toString((long) value);
        }
        String digits = format(shortest(Math.abs(value)));
        return value < 0 ? "-" + digits : digits;
    }

    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        int digits = value < Double.MIN_NORMAL ? 1 : DIGITS_SAFE;
        BigDecimal rounded = null;
        while (rounded == null) {
            rounded = rounded(exact, digits++, value);
        }
        return rounded.stripTrailingZeros();
    }

    /** Null if no so short a number reads back the same. A power of two has more room above than below. */
    private static BigDecimal rounded(BigDecimal exact, int digits, double value) {
        BigDecimal nearest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
        if (digits == DIGITS_MAX || nearest.doubleValue() == value) {
            return nearest;
        }
        BigDecimal above = exact.round(new MathContext(digits, RoundingMode.CEILING));
        return above.doubleValue() == value ? above : null;
    }

    private static String format(BigDecimal value) {
        String digits = value.unscaledValue().toString();
        int zeros = -value.scale();
        int exponent = digits.length() - 1 + zeros;
        if (zeros >= 0 && exponent < digits.length() + ZEROS_APPENDED_MAX) {
            return value.toPlainString();
        }
        if (zeros < 0 && (-zeros <= DECIMALS_PLAIN_MAX || Math.abs(exponent) <= EXPONENT_PLAIN_MAX)) {
            return value.toPlainString();
        }
        StringBuilder text = new StringBuilder(digits);
        if (digits.length() > 1) {
            text.insert(1, '.');
        }
        return text.append('e').append(exponent < 0 ? '-' : '+').append(Math.abs(exponent)).toString();
    }
}
