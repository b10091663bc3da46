package io.sluice.lua;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** C's {@code %e %f %g} of a finite number that is not negative. */
final class FloatText {

    private FloatText() {
    }

    static String format(double v, char letter, int precision, boolean alternate) {
        String text = switch (letter) {
            case 'f' -> fixed(v, precision, alternate);
            case 'e', 'E' -> scientific(v, precision, alternate, true);
            default -> general(v, Math.max(precision, 1), alternate);
        };
        return Character.isUpperCase(letter) ? text.toUpperCase(Locale.ROOT) : text;
    }

    private static String fixed(double v, int precision, boolean alternate) {
        String text = new BigDecimal(v).setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
        return alternate && precision == 0 ? text + "." : text;
    }

    private static String scientific(double v, int precision, boolean alternate, boolean zeros) {
        int[] exponent = new int[1];
        return mantissa(digits(v, precision + 1, exponent), alternate, zeros) + exponent(exponent[0]);
    }

    private static String general(double v, int precision, boolean alternate) {
        int[] exponent = new int[1];
        String digits = digits(v, precision, exponent);
        int x = exponent[0];
        if (x < -4 || x >= precision) {
            return mantissa(digits, alternate, alternate) + exponent(x);
        }
        String text = x < 0 ? "0." + "0".repeat(-x - 1) + digits
            : digits.substring(0, x + 1) + "." + digits.substring(x + 1);
        return alternate ? text : stripZeros(text);
    }

    private static String mantissa(String digits, boolean alternate, boolean zeros) {
        String text = digits.charAt(0) + "." + digits.substring(1);
        if (!zeros) {
            return stripZeros(text);
        }
        return digits.length() == 1 && !alternate ? digits : text;
    }

    private static String stripZeros(String text) {
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }

    private static String exponent(int x) {
        byte[] buffer = new byte[8];
        return new String(buffer, 0, NumberText.writeExponent(x, buffer, 0), StandardCharsets.ISO_8859_1);
    }

    /** The first n significant digits, correctly rounded. */
    private static String digits(double v, int n, int[] exponent) {
        if (v == 0) {
            exponent[0] = 0;
            return "0".repeat(n);
        }
        if (n <= DecimalDigits.DIGITS_MAX) {
            byte[] out = new byte[n];
            exponent[0] = DecimalDigits.round(v, n, out);
            return new String(out, StandardCharsets.ISO_8859_1);
        }
        BigDecimal rounded = new BigDecimal(v).round(new MathContext(n, RoundingMode.HALF_EVEN));
        String text = rounded.unscaledValue().toString();
        exponent[0] = text.length() - 1 - rounded.scale();
        return text + "0".repeat(n - text.length());
    }
}
