package io.sluice.lua;

import java.nio.charset.StandardCharsets;

/**
 * Text to number as C's {@code strtod} reads it for Lua: surrounding white space, sign, decimal or hexadecimal with
 * fraction and exponent, {@code inf} and {@code nan}. A NUL byte ends the text, as it does for C.
 */
final class NumberParser {

    /** A NaN that no parse returns; compare with {@link #isFailure}. */
    private static final long FAILURE_BITS = 0x7ff8_dead_beef_0001L;
    private static final double FAILURE = Double.longBitsToDouble(FAILURE_BITS);

    private static final double[] EXACT_POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    private final byte[] s;
    private final int end;
    private int at;

    private NumberParser(byte[] s, int from, int end) {
        this.s = s;
        this.at = from;
        this.end = end;
    }

    static boolean isFailure(double value) {
        return value != value && Double.doubleToRawLongBits(value) == FAILURE_BITS;
    }

    /** The number that the whole text spells, or a value for which {@link #isFailure} is true. */
    static double parse(byte[] s) {
        double quick = plainDecimal(s);
        return quick >= 0 ? quick : parseAny(s);
    }

    /** The usual case: up to 18 digits with at most one point and nothing else; -1 for any other text. */
    private static double plainDecimal(byte[] s) {
        int length = s.length;
        if (length == 0 || length > 18) {
            return -1;
        }
        long mantissa = 0;
        int point = -1;
        for (int i = 0; i < length; i++) {
            int digit = s[i] - '0';
            if (digit >= 0 && digit <= 9) {
                mantissa = mantissa * 10 + digit;
            } else if (s[i] == '.' && point < 0 && length > 1) {
                point = i;
            } else {
                return -1;
            }
        }
        if (point < 0) {
            return mantissa;
        }
        return mantissa <= 1L << 53 ? mantissa / EXACT_POWERS[length - 1 - point] : -1;
    }

    private static double parseAny(byte[] s) {
        int end = 0;
        while (end < s.length && s[end] != 0) {
            end++;
        }
        NumberParser parser = new NumberParser(s, 0, end);
        parser.skipSpace();
        double value = parser.number();
        if (isFailure(value)) {
            return value;
        }
        parser.skipSpace();
        return parser.at == end ? value : FAILURE;
    }

    /** Reads the longest number at {@code from}, as strtod does; {@code endAt[0]} becomes the index behind it. */
    static double parsePrefix(byte[] s, int from, int[] endAt) {
        NumberParser parser = new NumberParser(s, from, s.length);
        double value = parser.number();
        endAt[0] = parser.at;
        return value;
    }

    /**
     * {@code strtoul} for {@code tonumber(text, base)}: white space, sign (wraps), digits; -1 for what is no
     * number.
     */
    static double parseInteger(byte[] s, int base) {
        int end = 0;
        while (end < s.length && s[end] != 0) {
            end++;
        }
        NumberParser parser = new NumberParser(s, 0, end);
        parser.skipSpace();
        boolean negative = parser.sign();
        if (base == 16 && parser.hexPrefix() && Character.digit(parser.peek(2), 16) >= 0) {
            parser.at += 2;
        }
        int start = parser.at;
        long value = 0;
        boolean overflow = false;
        int digit = Character.digit(parser.peek(0), base);
        while (digit >= 0) {
            overflow |= Long.compareUnsigned(value, Long.divideUnsigned(-1L - digit, base)) > 0;
            value = value * base + digit;
            parser.at++;
            digit = Character.digit(parser.peek(0), base);
        }
        if (parser.at == start) {
            return FAILURE;
        }
        parser.skipSpace();
        if (parser.at != end) {
            return FAILURE;
        }
        return Numbers.unsignedToDouble(overflow ? -1L : negative ? -value : value);
    }

    private char peek(int ahead) {
        return at + ahead < end ? (char) (s[at + ahead] & 0xff) : 0;
    }

    private void skipSpace() {
        while (at < end && CharClass.isSpace(s[at])) {
            at++;
        }
    }

    private boolean sign() {
        char c = peek(0);
        if (c == '-' || c == '+') {
            at++;
        }
        return c == '-';
    }

    private boolean hexPrefix() {
        return peek(0) == '0' && (peek(1) | 0x20) == 'x';
    }

    private double number() {
        int start = at;
        boolean negative = sign();
        double value;
        if (hexPrefix() && (isHex(peek(2)) || peek(2) == '.' && isHex(peek(3)))) {
            value = hexadecimal();
        } else if (isDigit(peek(0)) || peek(0) == '.' && isDigit(peek(1))) {
            value = decimal();
        } else if (word("infinity") || word("inf")) {
            value = Double.POSITIVE_INFINITY;
        } else if (word("nan")) {
            skipNanPayload();
            value = Numbers.POSITIVE_NAN;
        } else {
            at = start;
            return FAILURE;
        }
        return negative ? Numbers.negate(value) : value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isHex(char c) {
        return Character.digit(c, 16) >= 0;
    }

    private double decimal() {
        int start = at;
        long mantissa = 0;
        int digits = 0;
        int scale = 0;
        boolean fraction = false;
        while (true) {
            char c = peek(0);
            if (isDigit(c)) {
                if (mantissa != 0 || c != '0') {
                    digits++;
                    mantissa = digits <= 18 ? mantissa * 10 + (c - '0') : mantissa;
                }
                scale -= fraction ? 1 : 0;
            } else if (c == '.' && !fraction) {
                fraction = true;
            } else {
                break;
            }
            at++;
        }
        int exponent = exponent('e') + scale;
        if (digits <= 18 && mantissa <= 1L << 53 && exponent >= -22 && exponent <= 22) {
            return exponent < 0 ? mantissa / EXACT_POWERS[-exponent] : mantissa * EXACT_POWERS[exponent];
        }
        return Double.parseDouble(new String(s, start, at - start, StandardCharsets.ISO_8859_1));
    }

    /** Reads an exponent if a complete one is there; clamped, far outside what a double holds. */
    private int exponent(char letter) {
        if ((peek(0) | 0x20) != letter) {
            return 0;
        }
        char sign = peek(1);
        int skip = sign == '+' || sign == '-' ? 2 : 1;
        if (!isDigit(peek(skip))) {
            return 0;
        }
        at += skip;
        int value = 0;
        while (isDigit(peek(0))) {
            value = Math.min(value * 10 + (peek(0) - '0'), 1_000_000);
            at++;
        }
        return sign == '-' ? -value : value;
    }

    private double hexadecimal() {
        int start = at;
        at += 2;
        boolean fraction = false;
        while (isHex(peek(0)) || peek(0) == '.' && !fraction) {
            fraction |= peek(0) == '.';
            at++;
        }
        int mantissaEnd = at;
        exponent('p');
        String text = new String(s, start, at - start, StandardCharsets.ISO_8859_1);
        return Double.parseDouble(at == mantissaEnd ? text + "p0" : text);
    }

    private boolean word(String lowerCase) {
        for (int i = 0; i < lowerCase.length(); i++) {
            if ((peek(i) | 0x20) != lowerCase.charAt(i)) {
                return false;
            }
        }
        at += lowerCase.length();
        return true;
    }

    private void skipNanPayload() {
        if (peek(0) != '(') {
            return;
        }
        int i = 1;
        while (CharClass.isAlnum((byte) peek(i)) || peek(i) == '_') {
            i++;
        }
        if (peek(i) == ')') {
            at += i + 1;
        }
    }
}
