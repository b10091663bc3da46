package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TokenBucketTest extends WordAlgorithmContract {
    private static final long SECOND_NS = 1_000_000_000L;
    private final WordKey key = newKey();

    @Override
    Algorithm newAlgorithm() {
        return new TokenBucket();
    }

    @Override
    LimitError trySet(final Limit limit, final Parameters parameters, final long quantity) {
        return limit.setRate(parameters.limit(), parameters.amount(), parameters.periodNs());
    }

    @Override
    BigInteger bound(final Parameters parameters, final long fromNs, final long toNs) {
        return BigInteger.valueOf(parameters.limit())
            .add(flow(toNs - fromNs, parameters.amount(), parameters.periodNs()));
    }

    private static Limit rate(final long capacity, final long refill, final long periodNs) {
        final Limit limit = new Limit();
        assertEquals(LimitError.NONE, limit.setRate(capacity, refill, periodNs));
        return limit;
    }

    private String ask(final Limit limit, final long quantity, final long afterNs) {
        return Answer.ms(key.ask(limit, quantity, START_NS + afterNs));
    }

    @Property
    void shouldDecideAsTheModelThatLooksAtAllPastGrants(@ForAll("parameters") final Parameters parameters,
        @ForAll("steps") final List<Step> steps) {
        final FlowModel model =
            new FlowModel(parameters.limit(), Ratio.of(parameters.amount(), parameters.periodNs()));
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
    void shouldKeepTokensExactlyThroughAnyChangeOfParameters(@ForAll("steps") final List<Step> steps,
        @ForAll("parameters") final Parameters one, @ForAll("parameters") final Parameters other) {
        Ratio tokens = null;
        long lastNs = 0;
        long nowNs = START_NS;
        final WordKey modelled = newKey();
        for (final Step step : steps) {
            nowNs += step.gapNs();
            final Parameters now = step.gapNs() % 3 == 0 ? one : other;
            final Ratio perNs = Ratio.of(now.amount(), now.periodNs());
            final Ratio capacity = Ratio.of(now.limit());
            final Ratio full = tokens == null
                ? capacity : tokens.plus(perNs.times(Ratio.of(nowNs - lastNs))).min(capacity);
            final Ratio quantity = Ratio.of(step.quantity());
            final boolean limited = quantity.compareTo(full) > 0;
            final Ratio left = limited ? full : full.minus(quantity);
            final long retryNs = limited && step.quantity() <= now.limit()
                ? quantity.minus(full).dividedBy(perNs).ceil() : Decision.NO_RETRY;
            final Answer expected = new Answer(limited, now.limit(), left.floor(), retryNs,
                capacity.minus(left).dividedBy(perNs).ceil());
            assertEquals(expected, Answer.of(modelled.ask(limitOf(now), step.quantity(), nowNs)));
            if (!limited && step.quantity() > 0) {
                tokens = left;
                lastNs = nowNs;
            }
        }
    }

    @Test
    void shouldFollowTheTextbookTrace() {
        final Limit limit = rate(10, 2, SECOND_NS);
        assertEquals("0 10 4 -1 3000", ask(limit, 6, 100 * SECOND_NS));
        assertEquals("1 10 4 300 2800", ask(limit, 5, 100_200_000_000L));
        assertEquals("1 10 4 1 2501", ask(limit, 5, 100_499_000_000L));
        assertEquals("0 10 0 -1 5000", ask(limit, 5, 100_500_000_000L));
    }

    @Test
    void shouldNotDriftWhenSpentAtExactThirds() {
        final Limit limit = rate(2, 3, SECOND_NS);
        assertEquals("0 2 0 -1 667", ask(limit, 2, 0));
        for (long token = 1; token <= 3_000; token++) {
            final long dueNs = (token * SECOND_NS + 2) / 3;
            assertTrue(key.ask(limit, 1, START_NS + dueNs - 1).limited());
            assertTrue(!key.ask(limit, 1, START_NS + dueNs).limited());
        }
    }

    @Test
    void shouldRefillContinuouslyNotAtPeriodEnds() {
        final Limit limit = rate(3, 3, SECOND_NS);
        final StringBuilder first = new StringBuilder();
        int admitted = 0;
        for (int call = 0; call < 100; call++) {
            final boolean passed = !key.ask(limit, 1, START_NS + call * 100_000_000L).limited();
            admitted += passed ? 1 : 0;
            first.append(call < 11 ? passed ? "T" : "F" : "");
        }
        assertEquals(32, admitted);
        assertEquals("TTTFTFFTFFT", first.toString());
    }

    @Test
    void shouldCutTokensToALoweredCapacityAndAddNoneToARaisedOne() {
        assertEquals("0 10 8 -1 2000", ask(rate(10, 1, SECOND_NS), 2, 0));
        assertEquals("0 4 4 -1 0", ask(rate(4, 1, SECOND_NS), 0, 0));
        assertEquals("0 4 0 -1 4000", ask(rate(4, 1, SECOND_NS), 4, 0));
        assertEquals("0 10 0 -1 10000", ask(rate(10, 1, SECOND_NS), 0, 0));
        assertEquals("0 10 8 -1 500", ask(rate(10, 4, SECOND_NS), 0, 2 * SECOND_NS));
    }

    @Test
    void shouldRefillSeveralTokensPerNanosecond() {
        final Limit limit = rate(100, 5_000_000_000L, SECOND_NS);
        assertEquals("0 100 0 -1 1", ask(limit, 100, 0));
        assertEquals("1 100 5 1 1", ask(limit, 6, 1));
        assertEquals("0 100 0 -1 1", ask(limit, 5, 1));
    }

    @Test
    void shouldNotOverdrawNorPayForWhatIsDenied() {
        final Limit limit = rate(10, 1, SECOND_NS);
        assertEquals("0 10 2 -1 8000", ask(limit, 8, 0));
        assertEquals("1 10 2 3000 8000", ask(limit, 5, 0));
        assertEquals("1 10 2 3000 8000", ask(limit, 5, 0));
        assertEquals("0 10 0 -1 10000", ask(limit, 2, 0));
    }

    @Test
    void shouldNotLockOutForAClockThatWentBack() {
        final Limit limit = rate(5, 5, SECOND_NS);
        assertEquals("0 5 0 -1 1000", ask(limit, 5, 0));
        assertEquals("1 5 0 1000 1000", ask(limit, 5, -3600 * SECOND_NS));
        assertEquals("0 5 0 -1 1000", ask(limit, 5, SECOND_NS));
    }

    @Test
    void shouldRoundAFractionOnlyIfNoCommonDenominatorFitsAndThenDown() {
        final Limit first = rate(2, 499_999_999_999_999_979L, 999_999_999_999_999_989L);
        assertEquals(0, newKey().holding(START_NS, 0, 999_999_999_999_999_988L, 999_999_999_999_999_989L)
            .ask(rate(2, 1, 999_999_999_999_999_967L), 0, START_NS).remaining());
        assertEquals(1, newKey().holding(START_NS, 0, 999_999_999_999_999_988L, 999_999_999_999_999_989L)
            .ask(first, 0, START_NS + 1).remaining());
    }
}
