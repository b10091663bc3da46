package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LeakyMeterTest extends WordAlgorithmContract {
    private static final long SECOND_NS = 1_000_000_000L;
    private final WordKey key = newKey();

    @Override
    Algorithm newAlgorithm() {
        return new LeakyMeter();
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

    private static Limit rate(final long capacity, final long leak, final long periodNs) {
        final Limit limit = new Limit();
        assertEquals(LimitError.NONE, limit.setRate(capacity, leak, periodNs));
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
    void shouldKeepTheLevelExactlyThroughAnyChangeOfParameters(@ForAll("steps") final List<Step> steps,
        @ForAll("parameters") final Parameters one, @ForAll("parameters") final Parameters other) {
        Ratio level = Ratio.ZERO;
        long lastNs = START_NS;
        long nowNs = START_NS;
        final WordKey modelled = newKey();
        for (final Step step : steps) {
            nowNs += step.gapNs();
            final Parameters now = step.gapNs() % 3 == 0 ? one : other;
            final Ratio perNs = Ratio.of(now.amount(), now.periodNs());
            final Ratio capacity = Ratio.of(now.limit());
            final Ratio before = level.minus(perNs.times(Ratio.of(nowNs - lastNs))).max(Ratio.ZERO);
            final Ratio filled = before.plus(Ratio.of(step.quantity()));
            final boolean limited = filled.compareTo(capacity) > 0;
            final Ratio after = limited ? before : filled;
            final long retryNs = limited && step.quantity() <= now.limit()
                ? filled.minus(capacity).dividedBy(perNs).ceil() : Decision.NO_RETRY;
            final Answer expected = new Answer(limited, now.limit(), Math.max(0, capacity.minus(after).floor()),
                retryNs, after.dividedBy(perNs).ceil());
            assertEquals(expected, Answer.of(modelled.ask(limitOf(now), step.quantity(), nowNs)));
            if (!limited && step.quantity() > 0) {
                level = after;
                lastNs = nowNs;
            }
        }
    }

    @Property
    void shouldAnswerAsATokenBucketWhileParametersStay(@ForAll("parameters") final Parameters parameters,
        @ForAll("stepsAlsoBack") final List<Step> steps) {
        final WordKey meter = newKey();
        final WordKey bucket = new WordKey(new TokenBucket());
        final Limit limit = limitOf(parameters);
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            assertEquals(Answer.of(bucket.ask(limit, step.quantity(), nowNs)),
                Answer.of(meter.ask(limit, step.quantity(), nowNs)));
        }
    }

    @Test
    void shouldDrainContinuously() {
        final Limit limit = rate(4, 2, SECOND_NS);
        assertEquals("0 4 0 -1 2000", ask(limit, 4, 0));
        assertEquals("1 4 0 250 1750", ask(limit, 1, 250_000_000));
        assertEquals("0 4 0 -1 2000", ask(limit, 1, 500_000_000));
    }

    @Test
    void shouldNotForgiveTheLevelWhenTheCapacityIsLowered() {
        assertEquals("0 10 2 -1 8000", ask(rate(10, 1, SECOND_NS), 8, 0));
        assertEquals("1 4 0 5000 8000", ask(rate(4, 1, SECOND_NS), 1, 0));
        assertEquals("1 4 0 4000 8000", ask(rate(4, 1, SECOND_NS), 0, 0));
        assertEquals("0 4 0 -1 4000", ask(rate(4, 1, SECOND_NS), 1, 5 * SECOND_NS));
    }

    @Test
    void shouldReportAWaitThatDoesNotFitAndChangeNothing() {
        assertEquals("0 1000000 0 -1 1000", ask(rate(1_000_000, 1_000_000, SECOND_NS), 1_000_000, 0));
        final long[] before = key.stored();
        assertEquals(LimitError.OUT_OF_RANGE, key.tryAsk(rate(1, 1, Limit.PERIOD_NS_MAX), 1, START_NS));
        assertArrayEquals(before, key.stored());
    }

    @Test
    void shouldRoundAFractionOnlyIfNoCommonDenominatorFitsAndThenUp() {
        assertEquals(0, newKey().holding(START_NS, 0, 1, 999_999_999_999_999_989L)
            .ask(rate(1, 1, 999_999_999_999_999_967L), 0, START_NS).remaining());
        assertEquals(1, newKey().holding(START_NS, 0, 999_999_999_999_999_988L, 999_999_999_999_999_989L)
            .ask(rate(1, 1, 2), 0, START_NS + 2).remaining());
    }
}
