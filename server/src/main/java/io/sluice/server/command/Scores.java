package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.persistence.DecimalText;
import io.sluice.resp.Decimals;
import io.sluice.resp.Integers;
import io.sluice.resp.LongValue;
import io.sluice.resp.Request;
import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;

/** Scores of sorted sets as text: what C's {@code strtod} reads, as Redis takes them. Whole numbers cost nothing. */
final class Scores {
    /** Longer whole numbers may not be doubles. */
    private static final int WHOLE_DIGITS_MAX = 15;
    private static final int TEXT_BYTES_MAX = 512;

    private final LongValue whole = new LongValue();
    private double value;

    /** The number that was parsed last. */
    double value() {
        return value;
    }

    /** Reads a score. False if it is no number, or is finite and beyond the range of a double. */
    boolean parse(Request request, int arg) {
        return parse(request, arg, 0) && !isBeyondRange(request, arg);
    }

    /** Reads a number that begins at a byte of the argument; what is beyond the range becomes an infinity. */
    boolean parse(Request request, int arg, int from) {
        int offset = request.argOffset(arg) + from;
        int length = request.argLength(arg) - from;
        if (length <= WHOLE_DIGITS_MAX && Integers.parseStrict(request.buffer(), offset, length, whole)) {
            value = whole.value;
            return true;
        }
        int sign = Decimals.infinitySign(request.buffer(), offset, length);
        if (sign != 0) {
            value = sign * Double.POSITIVE_INFINITY;
            return true;
        }
        return length <= TEXT_BYTES_MAX && parseText(request.argText(arg).substring(from));
    }

    /**
     * Reads what a list or a string holds, up to the first NUL, as C does. Nothing is 0. False if it is no number, or
     * too far from or too near to 0 for a double.
     */
    boolean parse(long address, int length) {
        if (DecimalText.isCanonical(address, length)) {
            value = DecimalText.parse(address, length);
            return true;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(length, TEXT_BYTES_MAX + 1); i++) {
            char c = (char) (UnsafeApi.getByte(address + i) & 0xff);
            if (c == 0) {
                break;
            }
            if (!text.isEmpty() || c != ' ' && (c < '\t' || c > '\r')) {
                text.append(c);
            }
        }
        if (text.isEmpty()) {
            value = 0;
            return length == 0 || UnsafeApi.getByte(address) == 0;
        }
        ByteBuf bytes = Unpooled.wrappedBuffer(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        int sign = Decimals.infinitySign(bytes, 0, bytes.readableBytes());
        if (sign != 0) {
            value = sign * Double.POSITIVE_INFINITY;
            return true;
        }
        return text.length() <= TEXT_BYTES_MAX && parseText(text.toString()) && !Double.isInfinite(value)
                && (Math.abs(value) >= Double.MIN_NORMAL || value == 0 && hasNoDigitBeforeExponent(text));
    }

    private static boolean hasNoDigitBeforeExponent(CharSequence text) {
        for (int i = 0; i < text.length() && "eEpP".indexOf(text.charAt(i)) < 0; i++) {
            if (text.charAt(i) >= '1' && text.charAt(i) <= '9') {
                return false;
            }
        }
        return true;
    }

    /** Java reads the same decimal numbers; more than those it reads is kept out. */
    private boolean parseText(String text) {
        int signBytes = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        boolean hexadecimal = text.regionMatches(true, signBytes, "0x", 0, 2);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean allowed = c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'
                    || hexadecimal && Character.digit(c, 16) >= 0 || hexadecimal && "xXpP".indexOf(c) >= 0;
            if (!allowed) {
                return false;
            }
        }
        try {
            boolean needsExponent = hexadecimal && text.indexOf('p') < 0 && text.indexOf('P') < 0;
            value = Double.parseDouble(needsExponent ? text + "p0" : text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Whether the text is not one of infinity although the number is, or has digits although the number is zero. */
    private boolean isBeyondRange(Request request, int arg) {
        if (Double.isInfinite(value)) {
            return Decimals.infinitySign(request.buffer(), request.argOffset(arg), request.argLength(arg)) == 0;
        }
        return value == 0 && request.argLength(arg) > 1 && hasDigitBeforeExponent(request, arg);
    }

    private static boolean hasDigitBeforeExponent(Request request, int arg) {
        for (int i = 0; i < request.argLength(arg); i++) {
            byte b = request.argByte(arg, i);
            if (b >= '1' && b <= '9') {
                return true;
            }
            if (b == 'e' || b == 'E' || b == 'p' || b == 'P') {
                return false;
            }
        }
        return false;
    }
}
