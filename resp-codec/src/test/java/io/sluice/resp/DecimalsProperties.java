package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class DecimalsProperties {
    private static final Pattern GRAMMAR = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    private static final BigInteger LARGE = BigInteger.valueOf(Long.MAX_VALUE);

    @Property
    void shouldReadExactly(@ForAll("decimals") String text) {
        DecimalValue value = parse(text);
        BigDecimal expected = new BigDecimal(text);
        assertEquals(0, expected.compareTo(value.toBigDecimal()), text);
        assertEquals(expected.signum(), value.signum());
    }

    @Property
    void shouldAcceptTheGrammarOnly(@ForAll("scraps") String text) {
        assertEquals(GRAMMAR.matcher(text).matches() && isInRange(new BigDecimal(text)), parse(text) != null, text);
    }

    @Property
    void shouldCompareWithWholeNumbers(@ForAll("decimals") String text, @ForAll("wholes") long whole) {
        BigDecimal exact = new BigDecimal(text);
        DecimalValue value = parse(text);
        assertEquals(exact.compareTo(BigDecimal.valueOf(whole)), Integer.signum(value.compareTo(whole)), text);
        BigInteger near = exact.toBigInteger();
        if (near.bitLength() < 63) {
            for (long neighbour = near.longValue() - 1; neighbour <= near.longValue() + 1; neighbour++) {
                assertEquals(exact.compareTo(BigDecimal.valueOf(neighbour)),
                    Integer.signum(value.compareTo(neighbour)), text);
            }
        }
    }

    @Property
    void shouldGiveWholeNanosecondsExactly(@ForAll("decimals") String text) {
        BigDecimal ns = new BigDecimal(text).movePointRight(9);
        boolean whole = ns.signum() == 0 || ns.stripTrailingZeros().scale() <= 0;
        assertEquals(whole ? bounded(ns.toBigInteger()) : DecimalValue.NOT_WHOLE, parse(text).wholeNs(), text);
    }

    @Property
    void shouldRoundToTheNearestNanosecond(@ForAll("decimals") String text) {
        BigInteger ns = new BigDecimal(text).movePointRight(9).setScale(0, RoundingMode.HALF_UP).toBigInteger();
        DecimalValue value = parse(text);
        assertEquals(bounded(ns), value.nearestNs(), text);
        assertEquals(ns, value.nearestNsBig(), text);
    }

    @Test
    void shouldRefuseWhatIsNoDecimal() {
        for (String text : List.of("", " ", "1 ", " 1", ".", "-", "+", "-.", "e1", ".e1", "1e", "1e+", "1e1.5", "1..2",
            "1.2.3", "--1", "0x10", "nan", "inf", "-inf", "1_000", "1,5", "\u0661", "1\0")) {
            assertEquals(null, parse(text), text);
        }
    }

    @Test
    void shouldRefuseWhatRedisCannotHold() {
        for (String text : List.of("1e4933", "-1e4933", "1e-4952", "1e99999999999999999999", "1e-99999999999999999999",
            "0." + "0".repeat(4951) + "1", "1".repeat(4934), "1".repeat(Decimals.TEXT_BYTES_MAX + 1))) {
            assertEquals(null, parse(text), text);
        }
        for (String text : List.of("1e4932", "1e-4951", "0e99999999999999999999", "0." + "0".repeat(5000),
            "1".repeat(4933), "0".repeat(Decimals.TEXT_BYTES_MAX - 1) + "1", "1e000000000000000000005")) {
            assertEquals(0, new BigDecimal(text.replace("e99999999999999999999", "")).compareTo(
                parse(text).toBigDecimal()), text);
        }
    }

    @Test
    void shouldForgetTheLastNumber() {
        DecimalValue value = new DecimalValue();
        assertTrue(parse("123456789012345678901234567890", value));
        assertTrue(parse("5", value));
        assertEquals(5_000_000_000L, value.wholeNs());
    }

    @Test
    void shouldRoundHalvesAwayFromZero() {
        assertEquals(1, parse("0.0000000005").nearestNs());
        assertEquals(0, parse("0.00000000049999999").nearestNs());
        assertEquals(-1, parse("-0.0000000005").nearestNs());
        assertEquals(DecimalValue.TOO_LARGE, parse("1e12").nearestNs());
        assertEquals(new BigInteger("1000000000000000000000"), parse("1e12").nearestNsBig());
    }

    @Test
    void shouldKnowInfinity() {
        for (String text : List.of("inf", "INF", "+inf", "infinity", "Infinity")) {
            assertEquals(1, infinitySign(text), text);
            assertEquals(-1, infinitySign("-" + text.replace("+", "")), text);
        }
        for (String text : List.of("", "-", "in", "infi", "infinit", "infinityx", " inf", "--inf", "nan", "I.F")) {
            assertEquals(0, infinitySign(text), text);
        }
    }

    @Test
    void shouldLeaveTheResultAloneWhenThereIsNone() {
        DecimalValue value = new DecimalValue();
        assertTrue(parse("5", value));
        assertFalse(parse("x", value));
        assertEquals(5_000_000_000L, value.wholeNs());
    }

    @Provide
    Arbitrary<String> decimals() {
        Arbitrary<String> digits = Arbitraries.strings().withChars("0123456789").ofMinLength(1).ofMaxLength(24);
        Arbitrary<String> shortDigits = Arbitraries.strings().withChars("0015").ofMinLength(1).ofMaxLength(11);
        Arbitrary<String> run = Arbitraries.oneOf(digits, shortDigits);
        Arbitrary<String> mantissa = Arbitraries.oneOf(
            run,
            Combinators.combine(run, run).as((a, b) -> a + "." + b),
            run.map(a -> a + "."),
            run.map(a -> "." + a));
        Arbitrary<String> exponent = Arbitraries.oneOf(
            Arbitraries.just(""),
            Arbitraries.integers().between(-40, 40).map(e -> "e" + e),
            Arbitraries.integers().between(0, 300).map(e -> "E+" + e));
        return Combinators.combine(Arbitraries.of("", "", "-", "+"), mantissa, exponent).as((s, m, e) -> s + m + e);
    }

    @Provide
    Arbitrary<String> scraps() {
        return Arbitraries.strings().withChars("0159+-.eE x").ofMaxLength(7);
    }

    @Provide
    Arbitrary<Long> wholes() {
        return Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.of(0L, 1L, -1L, 1_000_000_000L, 1_000_000_000_000L));
    }

    private static long bounded(BigInteger value) {
        return value.abs().compareTo(LARGE) < 0 || value.equals(LARGE) ? value.longValue() : DecimalValue.TOO_LARGE;
    }

    private static boolean isInRange(BigDecimal value) {
        int powerOfTen = value.precision() - value.scale() - 1;
        return value.signum() == 0 || powerOfTen >= Decimals.EXPONENT_MIN && powerOfTen <= Decimals.EXPONENT_MAX;
    }

    /** Null for what is no number. */
    private static DecimalValue parse(String text) {
        DecimalValue value = new DecimalValue();
        return parse(text, value) ? value : null;
    }

    private static boolean parse(String text, DecimalValue value) {
        ByteBuf buffer = buffer(text);
        try {
            return Decimals.parse(buffer, 1, buffer.readableBytes() - 2, value);
        } finally {
            buffer.release();
        }
    }

    private static int infinitySign(String text) {
        ByteBuf buffer = buffer(text);
        try {
            return Decimals.infinitySign(buffer, 1, buffer.readableBytes() - 2);
        } finally {
            buffer.release();
        }
    }

    /** With digits on both sides that are none of the parser's business. */
    private static ByteBuf buffer(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return Unpooled.directBuffer(bytes.length + 2).writeByte('1').writeBytes(bytes).writeByte('1');
    }
}
