package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * What every algorithm must do, whatever its formula. Periods are a few ns long, so that random times hit boundaries.
 */
abstract class AlgorithmContract {
    /** An instant that is a multiple of nothing in particular. */
    static final long START_NS = 1_699_920_000_123_456_789L;

    /** A limit of {@code limit} units, of which {@code amount} come back per {@code periodNs}. */
    record Parameters(long limit, long amount, long periodNs) {
    }

    /** A request {@code gapNs} after the one before. */
    record Step(long gapNs, long quantity) {
    }

    private record Grant(long timeNs, long quantity) {
    }

    /** A key that does not exist yet. */
    abstract Key newKey();

    /** Sets the limit, with the error that this may give. */
    abstract LimitError trySet(Limit limit, Parameters parameters, long quantity);

    /** The most units that may be granted from one instant to another, both included. */
    abstract BigInteger bound(Parameters parameters, long fromNs, long toNs);

    final Limit limitOf(final Parameters parameters) {
        final Limit limit = new Limit();
        assertEquals(LimitError.NONE, trySet(limit, parameters, 1));
        return limit;
    }

    static BigInteger flow(final long elapsedNs, final long amount, final long periodNs) {
        return BigInteger.valueOf(elapsedNs).multiply(BigInteger.valueOf(amount)).divide(BigInteger.valueOf(periodNs));
    }

    /** Whole windows that an interval touches. */
    static BigInteger windows(final Parameters parameters, final long fromNs, final long toNs) {
        return BigInteger.valueOf(toNs / parameters.periodNs() - fromNs / parameters.periodNs()).add(BigInteger.ONE);
    }

    @Provide
    Arbitrary<Parameters> parameters() {
        return Combinators.combine(
            Arbitraries.longs().between(1, 12),
            Arbitraries.longs().between(1, 9),
            Arbitraries.longs().between(9, 120)).as(Parameters::new);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return stepsOf(Arbitraries.longs().between(0, 160));
    }

    @Provide
    Arbitrary<List<Step>> stepsAlsoBack() {
        return stepsOf(Arbitraries.longs().between(-60, 100));
    }

    private static Arbitrary<List<Step>> stepsOf(final Arbitrary<Long> gaps) {
        final Arbitrary<Long> often = Arbitraries.frequencyOf(
            Tuple.of(2, Arbitraries.just(0L)),
            Tuple.of(3, gaps),
            Tuple.of(3, Arbitraries.longs().between(0, 20)));
        return Combinators.combine(often, Arbitraries.longs().between(0, 13)).as(Step::new).list().ofMinSize(1)
            .ofMaxSize(40);
    }

    @Property
    void shouldAdmitNoMoreThanTheBoundOverAnyInterval(@ForAll("parameters") final Parameters parameters,
        @ForAll("steps") final List<Step> steps) {
        final Key key = newKey();
        final Limit limit = limitOf(parameters);
        final List<Grant> grants = new ArrayList<>();
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            if (!key.ask(limit, step.quantity(), nowNs).limited()) {
                grants.add(new Grant(nowNs, step.quantity()));
            }
        }
        for (int from = 0; from < grants.size(); from++) {
            long sum = 0;
            for (int to = from; to < grants.size(); to++) {
                sum += grants.get(to).quantity();
                final BigInteger most = bound(parameters, grants.get(from).timeNs(), grants.get(to).timeNs());
                assertTrue(BigInteger.valueOf(sum).compareTo(most) <= 0, sum + " of " + most);
            }
        }
    }

    @Property
    void shouldAdmitNothingExtraWhenTheClockStepsBack(@ForAll("parameters") final Parameters parameters,
        @ForAll("stepsAlsoBack") final List<Step> steps) {
        final Key key = newKey();
        final Limit limit = limitOf(parameters);
        long nowNs = START_NS;
        long firstNs = -1;
        long latestNs = 0;
        long sum = 0;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            if (step.quantity() > 0 && !key.ask(limit, step.quantity(), nowNs).limited()) {
                firstNs = firstNs < 0 ? nowNs : firstNs;
                latestNs = Math.max(latestNs, nowNs);
                sum += step.quantity();
            }
        }
        if (sum > 0) {
            assertTrue(BigInteger.valueOf(sum).compareTo(bound(parameters, firstNs, latestNs)) <= 0);
        }
    }

    @Property
    void shouldChangeNothingWhenDenyingOrLooking(@ForAll("parameters") final Parameters parameters,
        @ForAll("steps") final List<Step> steps) {
        final Key key = newKey();
        final Limit limit = limitOf(parameters);
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            final long[] before = key.stored();
            final Decision decision = key.ask(limit, step.quantity(), nowNs);
            assertEquals(!decision.limited() && step.quantity() > 0, decision.changed());
            assertFalse(decision.deleted());
            if (!decision.changed()) {
                assertArrayEquals(before, key.stored());
            }
        }
    }

    @Property
    void shouldPassAfterExactlyTheRetryTimeAndNotOneNanosecondSooner(@ForAll("parameters") final Parameters parameters,
        @ForAll("steps") final List<Step> steps) {
        final Key key = newKey();
        final Limit limit = limitOf(parameters);
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            final Decision decision = key.ask(limit, step.quantity(), nowNs);
            final long retryNs = decision.retryAfterNs();
            if (!decision.limited() || step.quantity() > parameters.limit()) {
                assertEquals(Decision.NO_RETRY, retryNs);
                continue;
            }
            assertTrue(retryNs > 0);
            assertTrue(key.ask(limit, step.quantity(), nowNs + retryNs - 1).limited());
            assertFalse(key.ask(limit, step.quantity(), nowNs + retryNs).limited());
            nowNs += retryNs;
        }
    }

    @Property
    void shouldOnlyLookWithQuantityZeroAndSeeWhatCanBeTaken(@ForAll("parameters") final Parameters parameters,
        @ForAll("steps") final List<Step> steps) {
        final Key key = newKey();
        final Limit limit = limitOf(parameters);
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            final Decision look = key.ask(limit, 0, nowNs);
            assertFalse(look.limited());
            final long remaining = look.remaining();
            assertTrue(remaining >= 0 && remaining <= parameters.limit());
            assertTrue(key.ask(limit, remaining + 1, nowNs).limited());
            if (step.quantity() <= remaining) {
                final Decision granted = key.ask(limit, step.quantity(), nowNs);
                assertFalse(granted.limited());
                assertEquals(remaining - step.quantity(), granted.remaining());
            }
        }
    }

    @Property
    void shouldBeAsGoodAsNewAfterTheResetTimeAndNotBefore(@ForAll("parameters") final Parameters parameters,
        @ForAll("steps") final List<Step> steps) {
        final Key key = newKey();
        final Limit limit = limitOf(parameters);
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            final Decision decision = key.ask(limit, step.quantity(), nowNs);
            final long resetNs = decision.resetAfterNs();
            if (decision.changed()) {
                assertEquals(nowNs + resetNs, decision.expireAtNs());
            }
            if (resetNs > 0) {
                assertEquals(1, key.ask(limit, 0, nowNs + resetNs - 1).resetAfterNs());
            }
            final Decision then = key.ask(limit, 0, nowNs + resetNs);
            assertEquals(0, then.resetAfterNs());
            assertEquals(parameters.limit(), then.remaining());
        }
    }

    @Provide
    Arbitrary<Parameters> extremeParameters() {
        return Combinators.combine(anyMagnitude(Long.MAX_VALUE), anyMagnitude(Long.MAX_VALUE),
            anyMagnitude(Limit.PERIOD_NS_MAX)).as(Parameters::new);
    }

    @Provide
    Arbitrary<List<Step>> extremeSteps() {
        return Combinators.combine(anyMagnitude(Long.MAX_VALUE), anyMagnitude(Long.MAX_VALUE)).as(Step::new).list()
            .ofMinSize(1).ofMaxSize(12);
    }

    private static Arbitrary<Long> anyMagnitude(final long most) {
        final Arbitrary<Long> magnitudes = Arbitraries.integers().between(0, 62).flatMap(bits ->
            Arbitraries.longs().between(1L << bits, Math.max(1L << bits, (1L << bits) * 2 - 1)));
        return Arbitraries.oneOf(magnitudes, Arbitraries.of(1L, most)).map(value -> Math.min(value, most));
    }

    @Property
    void shouldNotWrapAtExtremes(@ForAll("extremeParameters") final Parameters parameters,
        @ForAll("extremeSteps") final List<Step> steps) {
        final Limit limit = new Limit();
        final Key key = newKey();
        if (trySet(limit, parameters, 1) != LimitError.NONE) {
            return;
        }
        BigInteger sum = BigInteger.ZERO;
        long nowNs = 0;
        for (final Step step : steps) {
            nowNs = nowNs + step.gapNs() < 0 ? Long.MAX_VALUE : nowNs + step.gapNs();
            if (key instanceof WordKey words && words.tryAsk(limit, 0, nowNs) != LimitError.NONE) {
                continue;
            }
            final long remaining = key.ask(limit, 0, nowNs).remaining();
            assertTrue(remaining >= 0 && remaining <= parameters.limit());
            if (key instanceof WordKey words && words.tryAsk(limit, step.quantity(), nowNs) != LimitError.NONE) {
                continue;
            }
            final Decision decision = key instanceof WordKey words
                ? words.decision() : key.ask(limit, step.quantity(), nowNs);
            assertEquals(step.quantity() > remaining, decision.limited());
            assertTrue(decision.retryAfterNs() >= Decision.NO_RETRY && decision.retryAfterNs() != 0);
            assertTrue(decision.resetAfterNs() >= 0);
            if (!decision.limited()) {
                assertEquals(remaining - step.quantity(), decision.remaining());
                assertTrue(decision.expireAtNs() >= nowNs);
                sum = sum.add(BigInteger.valueOf(step.quantity()));
                assertTrue(sum.compareTo(bound(parameters, 0, nowNs)) <= 0);
            }
        }
    }
}
