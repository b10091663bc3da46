package io.sluice.resp;

import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** Reads decimal numbers exactly: {@code [+-]?digits[.digits][e[+-]digits]}, {@code .5} and {@code 5.} included. */
public final class Decimals {
    /** Longest text of a number: Redis's {@code MAX_LONG_DOUBLE_CHARS}, less one. */
    public static final int TEXT_BYTES_MAX = 5 * 1024 - 1;
    /** Power of ten of the greatest number Redis can hold (an 80-bit {@code long double}). */
    public static final int EXPONENT_MAX = 4932;
    /** Power of ten of the smallest one. */
    public static final int EXPONENT_MIN = -4951;

    /** Where exponents stop growing while they are read: outside every bound, far from overflow. */
    private static final int EXPONENT_CAP = 1_000_000;

    private static final byte[] INF = "inf".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] INFINITY = "infinity".getBytes(StandardCharsets.US_ASCII);

    private Decimals() {
    }

    /**
     * Reads a number. Allocates nothing while it has at most 18 significant digits.
     *
     * @return whether it is one (no blanks, no hexadecimal, no {@code nan} or {@code inf}) within the range that
     *     Redis has; {@code result} is then set
     */
    public static boolean parse(ByteBuf buffer, int offset, int length, DecimalValue result) {
        if (length < 1 || length > TEXT_BYTES_MAX) {
            return false;
        }
        int end = offset + length;
        byte sign = buffer.getByte(offset);
        int at = offset + (isSign(sign) ? 1 : 0);
        long significand = 0;
        int significant = 0;
        int digits = 0;
        int scale = 0;
        boolean pointSeen = false;
        for (; at < end; at++) {
            byte b = buffer.getByte(at);
            if (b == '.' && !pointSeen) {
                pointSeen = true;
            } else if (isDigit(b)) {
                digits++;
                scale += pointSeen ? 1 : 0;
                significant += significant > 0 || b != '0' ? 1 : 0;
                significand = significand * 10 + (b - '0');
            } else {
                break;
            }
        }
        if (digits == 0) {
            return false;
        }
        long exponent = at == end ? 0 : parseExponent(buffer, at, end);
        if (exponent == DecimalValue.NOT_WHOLE) {
            return false;
        }
        exponent -= scale;
        if (significant == 0) {
            result.set(0, 0);
            return true;
        }
        long powerOfTen = exponent + significant - 1;
        if (powerOfTen < EXPONENT_MIN || powerOfTen > EXPONENT_MAX) {
            return false;
        }
        if (significant > DecimalValue.DIGITS_MAX) {
            result.set(new BigDecimal(buffer.toString(offset, length, StandardCharsets.US_ASCII)));
        } else {
            result.set(sign == '-' ? -significand : significand, (int) exponent);
        }
        return true;
    }

    /** The number behind the {@code e}, capped, or {@link DecimalValue#NOT_WHOLE}. */
    private static long parseExponent(ByteBuf buffer, int offset, int end) {
        int at = offset;
        if ((buffer.getByte(at++) | 0x20) != 'e' || at == end) {
            return DecimalValue.NOT_WHOLE;
        }
        byte sign = buffer.getByte(at);
        if (isSign(sign) && ++at == end) {
            return DecimalValue.NOT_WHOLE;
        }
        int exponent = 0;
        for (; at < end; at++) {
            byte b = buffer.getByte(at);
            if (!isDigit(b)) {
                return DecimalValue.NOT_WHOLE;
            }
            exponent = Math.min(exponent * 10 + (b - '0'), EXPONENT_CAP);
        }
        return sign == '-' ? -exponent : exponent;
    }

    /** 1 for {@code inf}, {@code +inf}, {@code infinity} in any case, -1 for the negative ones, 0 for all else. */
    public static int infinitySign(ByteBuf buffer, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        byte sign = buffer.getByte(offset);
        int signBytes = isSign(sign) ? 1 : 0;
        if (!isWord(buffer, offset + signBytes, length - signBytes, INF)
            && !isWord(buffer, offset + signBytes, length - signBytes, INFINITY)) {
            return 0;
        }
        return sign == '-' ? -1 : 1;
    }

    private static boolean isWord(ByteBuf buffer, int offset, int length, byte[] lowerCase) {
        if (length != lowerCase.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if ((buffer.getByte(offset + i) | 0x20) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSign(byte b) {
        return b == '-' || b == '+';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
