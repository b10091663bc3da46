package io.sluice.lua;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class NumberTextProperties {

    private static String text(double d, int precision) {
        return new String(NumberText.general(d, precision), StandardCharsets.ISO_8859_1);
    }

    @Property
    void seventeenDigitsBringEveryNumberBack(@ForAll long bits) {
        double d = Double.longBitsToDouble(bits);
        if (Double.isFinite(d)) {
            double back = NumberParser.parse(NumberText.general(d, NumberText.ARGUMENT_DIGITS));
            assertEquals(Double.doubleToRawLongBits(d), Double.doubleToRawLongBits(back));
        }
    }

    @Property
    void digitsAreRoundedToTheNearest(@ForAll long bits, @ForAll @IntRange(min = 1, max = 17) int n) {
        check(Double.longBitsToDouble(bits & Long.MAX_VALUE), n);
    }

    @Property
    void digitsOfEverydayNumbersAreRoundedToTheNearest(@ForAll @IntRange(min = 1) int whole,
        @ForAll @IntRange(min = 1, max = 1 << 30) int divisor, @ForAll @IntRange(min = 1, max = 17) int n) {
        check(whole / (double) divisor, n);
        check(whole / 1024.0, n);
        check(whole * 1e6 + divisor / 1e3, n);
    }

    /** There the logarithm cannot tell how many digits there are. */
    @Test
    void digitsAroundPowersOfTenAreRoundedToTheNearest() {
        for (int exponent = -307; exponent <= 308; exponent++) {
            double power = Double.parseDouble("1e" + exponent);
            for (int n = 1; n <= DecimalDigits.DIGITS_MAX; n++) {
                check(Math.nextDown(power), n);
                check(power, n);
                check(Math.nextUp(power), n);
            }
        }
        assertEquals("9.9999999999999995e-07", text(1e-6, NumberText.ARGUMENT_DIGITS));
        assertEquals("1e-05", text(0.00001, 14));
    }

    private static void check(double d, int n) {
        if (d == 0 || !Double.isFinite(d)) {
            return;
        }
        byte[] digits = new byte[DecimalDigits.DIGITS_MAX];
        int exponent = DecimalDigits.round(d, n, digits);
        BigDecimal expected = new BigDecimal(d).round(new MathContext(n, RoundingMode.HALF_EVEN));
        String shown = new String(Arrays.copyOf(digits, n), StandardCharsets.ISO_8859_1);
        assertEquals(0, expected.compareTo(new BigDecimal(shown).scaleByPowerOfTen(exponent - n + 1)), d + " " + shown);
        assertNotEquals('0', shown.charAt(0));
    }

    @Property
    void decimalTextParsesAsJavaParsesIt(@ForAll long mantissa, @ForAll @IntRange(min = -330, max = 330) int exponent) {
        String text = mantissa + "e" + exponent;
        assertEquals(Double.parseDouble(text), NumberParser.parse(Lua.bytes(text)));
    }

    @Property
    void plainDecimalTextParsesAsJavaParsesIt(@ForAll @IntRange(min = 0) int whole,
        @ForAll @IntRange(min = 0, max = 999_999_999) int fraction, @ForAll @IntRange(min = 0, max = 9) int zeros) {
        for (String text : new String[] {whole + "", whole + "." + fraction, "0".repeat(zeros) + whole + ".",
            "." + "0".repeat(zeros) + fraction, whole + "." + "0".repeat(zeros) + fraction}) {
            assertEquals(Double.parseDouble(text), NumberParser.parse(Lua.bytes(text)), text);
        }
    }

    @Property
    void wholeNumbersPrintWhole(@ForAll @IntRange(min = -1_000_000_000, max = 1_000_000_000) int n) {
        assertEquals(Integer.toString(n), text(n, NumberText.TOSTRING_DIGITS));
        assertEquals(Integer.toString(n), NumberText.toLuaString(n).toString());
    }
}
