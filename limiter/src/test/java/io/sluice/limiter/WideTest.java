package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class WideTest {
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    @Provide
    Arbitrary<Long> anyMagnitude() {
        return Arbitraries.oneOf(
            Arbitraries.integers().between(0, 62).flatMap(bits ->
                Arbitraries.longs().between(1L << bits, (1L << bits) * 2 - 1)),
            Arbitraries.of(0L, 1L, 2L, 0xFFFF_FFFFL, 0x1_0000_0000L, Long.MAX_VALUE - 1, Long.MAX_VALUE));
    }

    private static BigInteger big(final long value) {
        return BigInteger.valueOf(value);
    }

    private static BigInteger unsigned(final long high, final long low) {
        return big(high).shiftLeft(64).add(new BigInteger(Long.toUnsignedString(low)));
    }

    @Property(tries = 5_000)
    void shouldDivideProductsExactlyOrSaturate(@ForAll("anyMagnitude") final long a,
        @ForAll("anyMagnitude") final long b, @ForAll("anyMagnitude") final long c) {
        final long divisor = Math.max(1, c);
        final BigInteger product = big(a).multiply(big(b));
        final BigInteger[] parts = product.divideAndRemainder(big(divisor));
        assertEquals(parts[0].min(MOST).longValueExact(), Wide.mulDivFloor(a, b, divisor));
        assertEquals(parts[0].add(big(parts[1].signum())).min(MOST).longValueExact(),
            Wide.mulAddDivCeil(a, b, 0, divisor));
        assertEquals(product.compareTo(MOST) <= 0, Wide.productFits(a, b));
    }

    @Property(tries = 5_000)
    void shouldAddBeforeDividing(@ForAll("anyMagnitude") final long a, @ForAll("anyMagnitude") final long b,
        @ForAll final long addend, @ForAll("anyMagnitude") final long c) {
        final long divisor = Math.max(1, c);
        final BigInteger sum = big(a).multiply(big(b)).add(big(addend));
        if (sum.signum() < 0) {
            return;
        }
        final BigInteger[] parts = sum.divideAndRemainder(big(divisor));
        assertEquals(parts[0].add(big(parts[1].signum())).min(MOST).longValueExact(),
            Wide.mulAddDivCeil(a, b, addend, divisor));
    }

    @Property(tries = 5_000)
    void shouldDivideNumbersOf128Bits(@ForAll("anyMagnitude") final long high, @ForAll final long low,
        @ForAll("anyMagnitude") final long c) {
        final long divisor = Math.max(1, c);
        final BigInteger quotient = unsigned(high, low).divide(big(divisor));
        assertEquals(quotient, unsigned(high / divisor, Wide.divideLow(high, low, divisor)));
    }

    @Property
    void shouldCompareNumbersOf128Bits(@ForAll("anyMagnitude") final long high, @ForAll final long low,
        @ForAll("anyMagnitude") final long otherHigh, @ForAll final long otherLow) {
        assertEquals(unsigned(high, low).compareTo(unsigned(otherHigh, otherLow)),
            Integer.signum(Wide.compare(high, low, otherHigh, otherLow)));
        assertEquals(Long.compareUnsigned(low, otherLow), Wide.compare(high, low, high, otherLow));
    }
}
