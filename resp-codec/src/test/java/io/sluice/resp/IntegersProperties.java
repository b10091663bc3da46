package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class IntegersProperties {
    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final List<String> EDGES = List.of(
        "", "-", "+", "0", "-0", "+0", "00", "-00", "+1", "01", "-01", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "+9223372036854775807", "+9223372036854775808",
        "09223372036854775807", "18446744073709551616", "18446744073709551615", "-18446744073709551615",
        "99999999999999999999", "10000000000000000000", "-10000000000000000000", "000000000000000000000000000007",
        "--1", "+-1", "1-", "1 ", " 1", "1.0", "1e3", "0x1", "1/", "1:", "\u0661", "1\0");

    @Property
    void shouldPrintEveryNumber(@ForAll("numbers") long number) {
        String expected = Long.toString(number);
        ByteBuf buffer = Unpooled.directBuffer(40).writeZero(40);
        byte[] array = new byte[40];
        try {
            assertEquals(expected.length(), Integers.textLength(number));
            assertEquals(expected.length(), Integers.put(buffer, 3, number));
            assertEquals(expected.length(), Integers.put(array, 3, number));
            String padded = "\0\0\0" + expected + "\0".repeat(37 - expected.length());
            assertEquals(padded, buffer.toString(StandardCharsets.ISO_8859_1));
            assertEquals(padded, new String(array, StandardCharsets.ISO_8859_1));
        } finally {
            buffer.release();
        }
    }

    @Property
    void shouldReadWhatItPrints(@ForAll("numbers") long number) {
        assertEquals(number, parse(Long.toString(number), true));
        assertEquals(number, parse(Long.toString(number), false));
    }

    @Property
    void shouldReadCanonicalDecimalStrictly(@ForAll("texts") String text) {
        assertEquals(strictReference(text), parse(text, true), text);
    }

    @Property
    void shouldReadAnyDecimalLeniently(@ForAll("texts") String text) {
        assertEquals(lenientReference(text), parse(text, false), text);
    }

    @Test
    void shouldJudgeEdges() {
        for (String text : EDGES) {
            assertEquals(strictReference(text), parse(text, true), text);
            assertEquals(lenientReference(text), parse(text, false), text);
        }
    }

    @Test
    void shouldPrintEveryPowerOfTenAndItsNeighbours() {
        long power = 1;
        for (int digits = 1; digits <= 19; digits++, power *= 10) {
            for (long number : new long[] {power - 1, power, power + 1, -power, 1 - power, -power - 1}) {
                shouldPrintEveryNumber(number);
            }
        }
    }

    /** Half of them of few digits, as numbers in commands are. */
    @Provide
    Arbitrary<Long> numbers() {
        return Arbitraries.oneOf(
            Arbitraries.longs(),
            Arbitraries.longs().between(-1000, 100_000),
            Arbitraries.integers().between(0, 62).flatMap(bits -> Arbitraries.longs().between(0, 1L << bits)));
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> digits = Arbitraries.strings().withChars("0123456789").ofMinLength(0).ofMaxLength(22);
        Arbitrary<String> signed = Arbitraries.of("", "", "-", "+").flatMap(sign -> digits.map(d -> sign + d));
        return Arbitraries.oneOf(
            signed,
            Arbitraries.strings().withChars("0123456789+- .eE").ofMaxLength(6),
            Arbitraries.bigIntegers().between(MIN.subtract(BigInteger.TEN), MAX.add(BigInteger.TEN))
                .map(BigInteger::toString));
    }

    /** The number, or null for none. */
    private static Long parse(String text, boolean strict) {
        ByteBuf buffer = Unpooled.directBuffer().writeByte('7');
        try {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            buffer.writeBytes(bytes).writeByte('7');
            LongValue result = new LongValue();
            boolean parsed = strict
                ? Integers.parseStrict(buffer, 1, bytes.length, result)
                : Integers.parseLenient(buffer, 1, bytes.length, result);
            return parsed ? Long.valueOf(result.value) : null;
        } finally {
            buffer.release();
        }
    }

    private static Long lenientReference(String text) {
        if (!text.matches("[+-]?[0-9]+")) {
            return null;
        }
        BigInteger value = new BigInteger(text);
        return value.compareTo(MIN) >= 0 && value.compareTo(MAX) <= 0 ? Long.valueOf(value.longValue()) : null;
    }

    private static Long strictReference(String text) {
        Long value = lenientReference(text);
        return value != null && text.equals(Long.toString(value)) ? value : null;
    }
}
