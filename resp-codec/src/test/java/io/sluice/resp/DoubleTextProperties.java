package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoubleTextProperties {

    @ParameterizedTest
    @CsvSource({
        "0, 0", "-0.0, -0", "1, 1", "-1, -1", "3.141, 3.141", "0.1, 0.1", "-0.1, -0.1", "1e15, 1000000000000000",
        "1e17, 100000000000000000", "1e18, 1000000000000000000", "1e19, 1e+19", "-1e19, -1e+19", "1.5e300, 1.5e+300",
        "123456.789, 123456.789", "0.0001, 0.0001", "0.000001, 0.000001", "0.0000001, 1e-7", "1.5e-7, 1.5e-7",
        "3.5e-7, 3.5e-7", "0.001234567890123, 0.001234567890123", "0.0001234567890123, 1.234567890123e-4",
        "5e-324, 5e-324", "1.7976931348623157e308, 1.7976931348623157e+308", "2.2250738585072014e-308, "
            + "2.2250738585072014e-308", "Infinity, inf", "-Infinity, -inf", "NaN, nan",
        "5.684341886080802e-14, 5.684341886080802e-14", "4611686018427387904, 4611686018427387904",
        "1e23, 1e+23", "0.30000000000000004, 0.30000000000000004", "1e100, 1e+100", "9007199254740993.5, "
            + "9007199254740994"})
    void shouldPrintAsRedis(double value, String text) {
        assertEquals(text, DoubleText.of(value));
    }

    @Property
    void shouldReadBackTheSame(@ForAll("doubles") double value) {
        assertEquals(value, Double.parseDouble(DoubleText.of(value)));
    }

    @Property
    void shouldNeverNeedMoreDigitsThanJava(@ForAll("doubles") double value) {
        assertTrue(digits(DoubleText.of(value)) <= Math.max(digits(Double.toString(value)), 19));
        if (Math.abs(value) < 1) {
            assertTrue(digits(DoubleText.of(value)) <= digits(Double.toString(value)));
        }
    }

    @Provide
    Arbitrary<Double> doubles() {
        return Arbitraries.oneOf(
            Arbitraries.longs().map(Double::longBitsToDouble).filter(Double::isFinite),
            Arbitraries.doubles().between(-1e9, 1e9),
            Arbitraries.integers().between(-20, 20).map(e -> Math.pow(10, e)));
    }

    private static int digits(String text) {
        String mantissa = text.toLowerCase().split("e")[0].replaceAll("[^0-9]", "");
        return mantissa.replaceFirst("^0+", "").replaceFirst("0+$", "").length();
    }
}
