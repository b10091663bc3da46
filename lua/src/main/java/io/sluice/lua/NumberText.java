package io.sluice.lua;

import java.util.Arrays;

/**
 * Number to text: {@code %.14g} for {@code tostring} and {@code ..}, {@code %.17g} for numbers that become command
 * arguments.
 */
final class NumberText {

    static final int TOSTRING_DIGITS = 14;
    static final int ARGUMENT_DIGITS = 17;

    /** Sign, digits, point, exponent of any %.17g text. */
    private static final int TEXT_MAX = 32;

    private static final LuaString[] SMALL = new LuaString[256];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = LuaString.of(Integer.toString(i));
        }
    }

    private NumberText() {
    }

    static LuaString toLuaString(double d) {
        int i = (int) d;
        if (i == d && i >= 0 && i < SMALL.length && (i != 0 || 1 / d > 0)) {
            return SMALL[i];
        }
        return LuaString.of(general(d, TOSTRING_DIGITS));
    }

    /** C's {@code %.<precision>g}, precision 1 to 17. */
    static byte[] general(double d, int precision) {
        byte[] buffer = new byte[TEXT_MAX];
        int length = writeGeneral(d, precision, buffer);
        return Arrays.copyOf(buffer, length);
    }

    private static int writeGeneral(double d, int precision, byte[] out) {
        if (d != d || Double.isInfinite(d)) {
            return writeSpecial(d, out);
        }
        int at = 0;
        if (Double.doubleToRawLongBits(d) < 0) {
            out[at++] = '-';
        }
        double v = Math.abs(d);
        if (v == 0) {
            out[at++] = '0';
            return at;
        }
        byte[] digits = new byte[DecimalDigits.DIGITS_MAX];
        int exponent;
        long whole = (long) v;
        if (whole == v && whole < 1_000_000_000_000_000_000L) {
            int count = countDigits(whole);
            if (count <= precision) {
                return writeWhole(whole, count, out, at);
            }
        }
        exponent = DecimalDigits.round(v, precision, digits);
        int count = precision;
        while (count > 1 && digits[count - 1] == '0') {
            count--;
        }
        if (exponent < -4 || exponent >= precision) {
            return writeScientific(digits, count, exponent, out, at);
        }
        return writeFixed(digits, count, exponent, out, at);
    }

    static int writeSpecial(double d, byte[] out) {
        int at = 0;
        if (Double.doubleToRawLongBits(d) < 0) {
            out[at++] = '-';
        }
        String word = d != d ? "nan" : "inf";
        for (int i = 0; i < 3; i++) {
            out[at++] = (byte) word.charAt(i);
        }
        return at;
    }

    private static int countDigits(long whole) {
        int count = 1;
        for (long rest = whole; rest >= 10; rest /= 10) {
            count++;
        }
        return count;
    }

    private static int writeWhole(long whole, int count, byte[] out, int from) {
        long rest = whole;
        for (int i = from + count - 1; i >= from; i--) {
            long q = rest / 10;
            out[i] = (byte) ('0' + (rest - q * 10));
            rest = q;
        }
        return from + count;
    }

    private static int writeFixed(byte[] digits, int count, int exponent, byte[] out, int from) {
        int at = from;
        if (exponent < 0) {
            out[at++] = '0';
            out[at++] = '.';
            for (int i = -1; i > exponent; i--) {
                out[at++] = '0';
            }
            for (int i = 0; i < count; i++) {
                out[at++] = digits[i];
            }
            return at;
        }
        for (int i = 0; i < Math.max(count, exponent + 1); i++) {
            if (i == exponent + 1) {
                out[at++] = '.';
            }
            out[at++] = i < count ? digits[i] : (byte) '0';
        }
        return at;
    }

    private static int writeScientific(byte[] digits, int count, int exponent, byte[] out, int from) {
        int at = from;
        out[at++] = digits[0];
        if (count > 1) {
            out[at++] = '.';
            for (int i = 1; i < count; i++) {
                out[at++] = digits[i];
            }
        }
        return writeExponent(exponent, out, at);
    }

    static int writeExponent(int exponent, byte[] out, int from) {
        int at = from;
        int e = Math.abs(exponent);
        out[at++] = 'e';
        out[at++] = (byte) (exponent < 0 ? '-' : '+');
        if (e >= 100) {
            out[at++] = (byte) ('0' + e / 100);
        }
        out[at++] = (byte) ('0' + e / 10 % 10);
        out[at++] = (byte) ('0' + e % 10);
        return at;
    }
}
