package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class GcraTest extends WordAlgorithmContract {
    private static final long SECOND_NS = 1_000_000_000L;
    private final WordKey key = newKey();

    @Override
    Algorithm newAlgorithm() {
        return new Gcra();
    }

    @Override
    LimitError trySet(final Limit limit, final Parameters parameters, final long quantity) {
        return limit.setGcra(parameters.limit() - 1, parameters.amount(), 0, parameters.periodNs(), quantity);
    }

    private static long intervalNs(final Parameters parameters) {
        return Math.max(1, parameters.periodNs() / parameters.amount());
    }

    @Override
    BigInteger bound(final Parameters parameters, final long fromNs, final long toNs) {
        return BigInteger.valueOf(parameters.limit()).add(flow(toNs - fromNs, 1, intervalNs(parameters)));
    }

    private static Limit throttle(final long maxBurst, final long count, final long periodSeconds) {
        final Limit limit = new Limit();
        assertEquals(LimitError.NONE, limit.setClThrottle(maxBurst, count, periodSeconds));
        return limit;
    }

    private String ask(final Limit limit, final long quantity, final long afterNs) {
        return Answer.seconds(key.ask(limit, quantity, START_NS + afterNs));
    }

    @Property
    void shouldDecideAsTheModelThatLooksAtAllPastGrants(@ForAll("parameters") final Parameters parameters,
        @ForAll("steps") final List<Step> steps) {
        final FlowModel model = new FlowModel(parameters.limit(), Ratio.of(1, intervalNs(parameters)));
        final Limit limit = limitOf(parameters);
        final WordKey modelled = newKey();
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            assertEquals(model.ask(step.quantity(), nowNs),
                Answer.of(modelled.ask(limit, step.quantity(), nowNs)));
        }
    }

    @Property
    void shouldKeepTheDebtAsTimeThroughAnyChangeOfParametersAndRefunds(
        @ForAll @Size(min = 1, max = 30) final List<@LongRange(min = 0, max = 1_000_000) Long> seeds) {
        BigInteger debt = BigInteger.ZERO;
        long nowNs = START_NS;
        final WordKey modelled = newKey();
        for (final long seed : seeds) {
            final long intervalNs = 1 + seed % 7;
            final long units = 1 + seed / 7 % 11;
            final long quantity = seed / 77 % 16 - 4;
            final long gapNs = seed / 1232 % 30;
            final Limit limit = new Limit();
            assertEquals(LimitError.NONE, limit.setGcra(units - 1, 1, 0, intervalNs, 1));
            nowNs += gapNs;
            debt = debt.subtract(BigInteger.valueOf(gapNs)).max(BigInteger.ZERO);
            final BigInteger cost = BigInteger.valueOf(quantity * intervalNs);
            final BigInteger excess = debt.add(cost).subtract(BigInteger.valueOf(intervalNs * units));
            final boolean limited = quantity > units || quantity >= 0 && excess.signum() > 0;
            final Decision decision = modelled.ask(limit, quantity, nowNs);
            debt = limited ? debt : debt.add(cost).max(BigInteger.ZERO);
            final long remaining = Math.max(0, (intervalNs * units - debt.longValueExact()) / intervalNs);
            final long retryNs = limited && quantity <= units ? excess.longValueExact() : Decision.NO_RETRY;
            assertEquals(new Answer(limited, units, remaining, retryNs, debt.longValueExact()), Answer.of(decision));
        }
    }

    @Test
    void shouldDrainTheBurstOfAnEmptyKeyAndSayWhenToRetry() {
        final Limit limit = throttle(4, 1, 1);
        assertEquals("0 5 2 -1 3", ask(limit, 3, 0));
        assertEquals("1 5 2 1 3", ask(limit, 3, 0));
        assertEquals("0 5 0 -1 5", ask(limit, 2, 0));
        assertEquals("1 5 0 1 5", ask(limit, 1, 0));
        assertEquals("0 5 0 -1 5", ask(limit, 1, SECOND_NS));
    }

    @Test
    void shouldAllowAtTheBoundaryAndDenyOneNanosecondBeforeIt() {
        final Limit limit = throttle(0, 3, 1);
        assertEquals("0 1 0 -1 1", ask(limit, 1, 0));
        assertEquals("1 1 0 1 1", ask(limit, 1, 333_333_332));
        assertEquals("0 1 0 -1 1", ask(limit, 1, 333_333_333));
    }

    @Test
    void shouldRefuseForEverWhatExceedsTheLimitWithoutMultiplying() {
        final Limit limit = throttle(15, 30, 60);
        assertEquals("1 16 16 -1 0", ask(limit, 18_014_398_509_481_984L, 0));
        assertEquals("1 16 16 -1 0", ask(limit, Long.MAX_VALUE, 0));
        assertEquals(0, key.stored().length);
    }

    @Test
    void shouldGiveBackAtMostWhatIsOwedAndDeleteTheFullKey() {
        final Limit limit = throttle(4, 5, 10);
        assertEquals("0 5 2 -1 6", ask(limit, 3, 0));
        assertEquals("0 5 4 -1 2", ask(limit, -2, 0));
        assertFalse(key.decision().deleted());
        assertEquals("0 5 5 -1 0", ask(limit, -3, 0));
        assertTrue(key.decision().deleted());
        assertEquals("0 5 5 -1 0", ask(limit, Long.MIN_VALUE, 0));
        assertFalse(key.decision().changed());
    }

    @Test
    void shouldLimitEvenALookWhileTheDebtExceedsALoweredBurst() {
        assertEquals("0 10 0 -1 100", ask(throttle(9, 1, 10), 10, 0));
        assertEquals("1 3 0 70 100", ask(throttle(2, 1, 10), 0, 0));
        assertEquals("1 3 0 80 100", ask(throttle(2, 1, 10), 1, 0));
        assertEquals("0 3 0 -1 30", ask(throttle(2, 1, 10), 0, 70 * SECOND_NS));
    }

    @Test
    void shouldLoseNothingBetweenMillisecondTicksAtHighRates() {
        final Limit limit = throttle(98, 100_000, 1);
        int admitted = 0;
        for (int call = 0; call < 1_000_000; call++) {
            admitted += key.ask(limit, 1, START_NS + call * 1000L).limited() ? 0 : 1;
        }
        assertEquals(99 + 99_999, admitted);
        assertEquals(99, key.decision().limit());
    }

    @Test
    void shouldReportAnArrivalTimePastTheEndOfTimeAndChangeNothing() {
        final Limit limit = throttle(1, 1, 9_000_000_000L / 2);
        final WordKey late = newKey();
        assertEquals(LimitError.OUT_OF_RANGE, late.tryAsk(limit, 2, START_NS));
        assertEquals(0, late.stored().length);
        assertEquals(LimitError.NONE, late.tryAsk(limit, 1, START_NS));
    }

    @Test
    void shouldTakeAnOldOrNegativeStoredTimeForAFullKey() {
        final Limit limit = throttle(4, 1, 1);
        for (final long stored : new long[] {0, -1, Long.MIN_VALUE, START_NS}) {
            assertEquals("0 5 4 -1 1", Answer.seconds(newKey().holding(stored).ask(limit, 1, START_NS)));
        }
    }

    @Test
    void shouldTellOverCapacityFromWaiting() {
        final Limit limit = throttle(5, 1, 60);
        assertEquals("1 6 6 -1 0", ask(limit, 10, 0));
        assertArrayEquals(new long[0], key.stored());
    }

    @Test
    void shouldWaitLongerByTheStepOfAClockThatWentBack() {
        final Limit limit = throttle(0, 1, 10);
        assertEquals("0 1 0 -1 10", ask(limit, 1, 0));
        assertEquals("1 1 0 3610 3610", ask(limit, 1, -3600 * SECOND_NS));
    }
}
