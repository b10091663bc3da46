package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class LimitTest {
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
    private final Limit limit = new Limit();

    @Provide
    Arbitrary<Long> anyMagnitude() {
        return Arbitraries.oneOf(
            Arbitraries.integers().between(0, 62).flatMap(bits ->
                Arbitraries.longs().between(1L << bits, (1L << bits) * 2 - 1)),
            Arbitraries.of(1L, 2L, Long.MAX_VALUE - 1, Long.MAX_VALUE));
    }

    @Test
    void shouldCheckThrottleParametersInOrder() {
        assertEquals(LimitError.OUT_OF_RANGE, limit.setClThrottle(-1, 0, 0));
        assertEquals(LimitError.ZERO_RATE, limit.setClThrottle(0, 0, -1));
        assertEquals(LimitError.ZERO_RATE, limit.setClThrottle(0, -1, 0));
        assertEquals(LimitError.OUT_OF_RANGE, limit.setClThrottle(0, -1, 1));
        assertEquals(LimitError.OUT_OF_RANGE, limit.setClThrottle(0, 1, -1));
        assertEquals(LimitError.ZERO_RATE, limit.setClThrottle(Long.MAX_VALUE, 1_000_000_001, 1));
        assertEquals(LimitError.OUT_OF_RANGE, limit.setClThrottle(Long.MAX_VALUE, 1, 1));
        assertEquals(LimitError.OUT_OF_RANGE, limit.setClThrottle(0, 1, Long.MAX_VALUE));
        assertEquals(LimitError.NONE, limit.setClThrottle(0, 1_000_000_000, 1));
    }

    @Test
    void shouldTakeTheBurstItselfAsTheLimitOfThrottle() {
        assertEquals(LimitError.NONE, limit.setThrottle(10, 100, 60));
        assertEquals(10, limit.units());
        assertEquals(LimitError.OUT_OF_RANGE, limit.setThrottle(0, 100, 60));
        assertEquals(LimitError.OUT_OF_RANGE, limit.setThrottle(Long.MIN_VALUE, 100, 60));
        assertEquals(LimitError.OUT_OF_RANGE, limit.setThrottle(10, 0, 60));
        assertEquals(LimitError.OUT_OF_RANGE, limit.setThrottle(10, 2_000_000_000, 1));
    }

    @Test
    void shouldKeepWhatItHeldAfterAnError() {
        assertEquals(LimitError.NONE, limit.setClThrottle(4, 2, 1));
        assertEquals(LimitError.ZERO_RATE, limit.setClThrottle(9, 0, 1));
        assertEquals(5, limit.units());
        assertEquals(500_000_000, limit.intervalNs());
    }

    @Test
    void shouldNotTakeOneCommandsParametersForAnothers() {
        assertEquals(LimitError.NONE, limit.setClThrottle(4, 2, 1));
        assertEquals(LimitError.NONE, limit.setGcra(4, 4, 0, 1_000_000_000, 1));
        assertEquals(LimitError.ZERO_RATE, limit.setClThrottle(4, 0, 1));
        assertEquals(LimitError.NONE, limit.setClThrottle(4, 2, 1));
        assertEquals(500_000_000, limit.intervalNs());
        assertEquals(LimitError.NONE, limit.setRate(5, 2, 1));
        assertEquals(LimitError.NONE, limit.setClThrottle(4, 2, 1));
        assertEquals(500_000_000, limit.intervalNs());
    }

    @Test
    void shouldCheckGcraParameters() {
        final long endHigh = new BigInteger("1000000000000000000000").shiftRight(64).longValue();
        final long endLow = new BigInteger("1000000000000000000000").longValue();
        assertEquals(LimitError.NOT_POSITIVE, limit.setGcra(-1, 1, 0, 1, 1));
        assertEquals(LimitError.NOT_POSITIVE, limit.setGcra(0, 0, 0, 1, 1));
        assertEquals(LimitError.NOT_POSITIVE, limit.setGcra(0, 1, 0, 1, 0));
        assertEquals(LimitError.PERIOD_OUT_OF_RANGE, limit.setGcra(0, 1, 0, 0, 1));
        assertEquals(LimitError.PERIOD_OUT_OF_RANGE, limit.setGcra(0, 1, -1, 5, 1));
        assertEquals(LimitError.PERIOD_OUT_OF_RANGE, limit.setGcra(0, 1, endHigh, endLow + 1, 1));
        assertEquals(LimitError.NONE, limit.setGcra(0, 1_000, endHigh, endLow, 1));
        assertEquals(LimitError.BURST_OVERFLOW, limit.setGcra(0, 1, endHigh, endLow - 1, 9));
        assertEquals(LimitError.QUANTITY_OVERFLOW, limit.setGcra(0, 1, endHigh, endLow - 1, 10));
        assertEquals(LimitError.BURST_OVERFLOW, limit.setGcra(Long.MAX_VALUE, 1, 0, 1, 1));
    }

    @Property
    void shouldFindTheIntervalOfGcraExactly(@ForAll("anyMagnitude") final long units,
        @ForAll("anyMagnitude") final long tokens, @ForAll("anyMagnitude") final long periodLow,
        @ForAll("anyMagnitude") final long quantity) {
        final BigInteger period =
            BigInteger.valueOf(periodLow % 54).shiftLeft(64).add(BigInteger.valueOf(periodLow)).max(BigInteger.ONE);
        final BigInteger interval = period.divide(BigInteger.valueOf(tokens)).max(BigInteger.ONE);
        final BigInteger quantityBound = MOST.multiply(BigInteger.valueOf(1_000));
        final LimitError expected = interval.multiply(BigInteger.valueOf(quantity)).compareTo(quantityBound) > 0
            ? LimitError.QUANTITY_OVERFLOW
            : interval.multiply(BigInteger.valueOf(units)).compareTo(MOST) > 0
            ? LimitError.BURST_OVERFLOW : LimitError.NONE;
        assertEquals(expected, limit.setGcra(units - 1, tokens, period.shiftRight(64).longValue(),
            period.longValue(), quantity));
        if (expected == LimitError.NONE) {
            assertEquals(interval, BigInteger.valueOf(limit.intervalNs()));
            assertEquals(units, limit.units());
        }
    }

    @Property
    void shouldFindTheIntervalOfThrottleExactly(@ForAll("anyMagnitude") final long units,
        @ForAll("anyMagnitude") final long count, @ForAll("anyMagnitude") final long periodSeconds) {
        final BigInteger interval = BigInteger.valueOf(periodSeconds).multiply(BigInteger.valueOf(1_000_000_000))
            .divide(BigInteger.valueOf(count));
        final LimitError expected = interval.signum() == 0 ? LimitError.ZERO_RATE
            : interval.multiply(BigInteger.valueOf(units)).compareTo(MOST) > 0
            ? LimitError.OUT_OF_RANGE : LimitError.NONE;
        assertEquals(expected, limit.setClThrottle(units - 1, count, periodSeconds));
        if (expected == LimitError.NONE) {
            assertEquals(interval, BigInteger.valueOf(limit.intervalNs()));
        }
    }

    @Test
    void shouldCheckRatesAndWindows() {
        assertEquals(LimitError.NOT_POSITIVE, limit.setRate(0, 1, 1));
        assertEquals(LimitError.NOT_POSITIVE, limit.setRate(1, 0, 1));
        assertEquals(LimitError.PERIOD_OUT_OF_RANGE, limit.setRate(1, 1, 0));
        assertEquals(LimitError.PERIOD_OUT_OF_RANGE, limit.setRate(1, 1, Limit.PERIOD_NS_MAX + 1));
        assertEquals(LimitError.NONE, limit.setRate(9, 1, Limit.PERIOD_NS_MAX));
        assertEquals(LimitError.OUT_OF_RANGE, limit.setRate(10, 1, Limit.PERIOD_NS_MAX));
        assertEquals(LimitError.NONE, limit.setRate(Long.MAX_VALUE, Long.MAX_VALUE, Limit.PERIOD_NS_MAX));
        assertEquals(LimitError.NOT_POSITIVE, limit.setWindow(0, 1));
        assertEquals(LimitError.PERIOD_OUT_OF_RANGE, limit.setWindow(1, 0));
        assertEquals(LimitError.NONE, limit.setWindow(Long.MAX_VALUE, Limit.PERIOD_NS_MAX));
    }
}
