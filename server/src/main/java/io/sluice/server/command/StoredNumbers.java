package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.persistence.DecimalText;
import io.sluice.persistence.Entry;
import io.sluice.resp.DecimalValue;
import io.sluice.resp.Decimals;
import io.sluice.resp.LongValue;
import org.agrona.UnsafeApi;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers that strings hold: exact, since an integer is a {@code long} and anything else a decimal. */
final class StoredNumbers {
    /** The greatest magnitude of a decimal: that of a 64-bit float, which every client can read. */
    static final BigDecimal DECIMAL_MAX = new BigDecimal("1.7976931348623157e308");

    /** Longest text of a decimal: sign, the digits of {@link #DECIMAL_MAX}, point, fraction. */
    static final int DECIMAL_TEXT_BYTES_MAX = 512;

    private static final int FRACTION_DIGITS_MAX = 17;

    private StoredNumbers() {
    }

    /** Reads the integer of a string that is there. False if it holds none. */
    static boolean integer(Entry entry, LongValue result) {
        if (entry.isInt()) {
            result.value = entry.intValue();
            return true;
        }
        if (!DecimalText.isCanonical(entry.payloadAddress(), entry.payloadLength())) {
            return false;
        }
        result.value = DecimalText.parse(entry.payloadAddress(), entry.payloadLength());
        return true;
    }

    /** Reads the decimal number of a string that is there; null if it holds none. */
    static BigDecimal decimal(Entry entry, DecimalValue scratch) {
        return entry.isInt() ? BigDecimal.valueOf(entry.intValue())
            : decimal(entry.payloadAddress(), entry.payloadLength(), scratch);
    }

    /** Reads the decimal number of a text in native memory; null if it holds none. */
    static BigDecimal decimal(long address, int length, DecimalValue scratch) {
        ByteBuf text = text(address, length);
        return Decimals.parse(text, 0, text.readableBytes(), scratch) ? scratch.toBigDecimal() : null;
    }

    /** Whether a string that is there holds an infinity. */
    static boolean isInfinite(Entry entry) {
        return isInfinite(entry.payloadAddress(), entry.payloadLength());
    }

    /** Whether a text in native memory is an infinity. */
    static boolean isInfinite(long address, int length) {
        ByteBuf text = text(address, length);
        return Decimals.infinitySign(text, 0, text.readableBytes()) != 0;
    }

    private static ByteBuf text(long address, int length) {
        byte[] bytes = new byte[Math.min(length, Decimals.TEXT_BYTES_MAX + 1)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return Unpooled.wrappedBuffer(bytes);
    }

    /** Plain decimal text with at most 17 fractional digits, half even, without trailing zeros. */
    static String text(BigDecimal value) {
        BigDecimal rounded = value.scale() > FRACTION_DIGITS_MAX
            ? value.setScale(FRACTION_DIGITS_MAX, RoundingMode.HALF_EVEN) : value;
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
