package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SlidingWindowTest extends WordAlgorithmContract {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MIDNIGHT_NS = 19_675 * 86_400 * SECOND_NS;
    private final WordKey key = newKey();

    @Override
    Algorithm newAlgorithm() {
        return new SlidingWindow();
    }

    @Override
    LimitError trySet(final Limit limit, final Parameters parameters, final long quantity) {
        return limit.setWindow(parameters.limit(), parameters.periodNs());
    }

    @Override
    BigInteger bound(final Parameters parameters, final long fromNs, final long toNs) {
        return BigInteger.valueOf(parameters.limit()).multiply(windows(parameters, fromNs, toNs));
    }

    private static Limit window(final long units, final long windowNs) {
        final Limit limit = new Limit();
        assertEquals(LimitError.NONE, limit.setWindow(units, windowNs));
        return limit;
    }

    private String ask(final Limit limit, final long quantity, final long afterNs) {
        return Answer.ms(key.ask(limit, quantity, MIDNIGHT_NS + afterNs));
    }

    @Property
    void shouldDecideAsTheModelThatKeepsAllUnits(@ForAll("steps") final List<Step> steps,
        @ForAll("parameters") final Parameters one, @ForAll("parameters") final Parameters other) {
        final WindowModel model = new WindowModel();
        final WordKey modelled = newKey();
        long windowNs = 0;
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            final Parameters now = step.gapNs() % 3 == 0 ? one : other;
            final long startNs = nowNs / now.periodNs() * now.periodNs();
            final long leftNs = startNs + now.periodNs() - nowNs;
            final boolean known = windowNs == now.periodNs();
            final long previous = known ? model.count(startNs - windowNs, startNs) : 0;
            final long current = known ? model.count(startNs, startNs + windowNs) : 0;
            final Ratio estimate = estimate(previous, current, leftNs, now.periodNs());
            final boolean limited = step.quantity() > 0
                && estimate.plus(Ratio.of(step.quantity())).compareTo(Ratio.of(now.limit())) > 0;
            final long taken = limited ? 0 : step.quantity();
            if (taken > 0) {
                if (!known) {
                    model.startOver();
                }
                windowNs = now.periodNs();
                model.add(taken, nowNs);
            }
            final Decision decision = modelled.ask(limitOf(now), step.quantity(), nowNs);
            final long remaining =
                Math.max(0, Ratio.of(now.limit() - taken).minus(estimate).floor());
            final long resetNs = current + taken > 0 ? now.periodNs() + leftNs : previous > 0 ? leftNs : 0;
            final Answer expected =
                new Answer(limited, now.limit(), remaining, decision.retryAfterNs(), resetNs);
            assertEquals(expected, Answer.of(decision));
        }
    }

    private static Ratio estimate(final long previous, final long current, final long leftNs, final long windowNs) {
        return Ratio.of(previous).times(Ratio.of(leftNs, windowNs)).plus(Ratio.of(current));
    }

    @Test
    void shouldLetInCloudflaresEighteenthRequestAndRefuseTheNineteenth() {
        final Limit limit = window(50, 60 * SECOND_NS);
        assertEquals("0 50 8 -1 90000", ask(limit, 42, 30 * SECOND_NS));
        assertEquals("0 50 1 -1 105000", ask(limit, 17, 75 * SECOND_NS));
        assertEquals("0 50 0 -1 105000", ask(limit, 1, 75 * SECOND_NS));
        assertEquals("1 50 0 715 105000", ask(limit, 1, 75 * SECOND_NS));
        assertEquals("1 50 0 1 104286", ask(limit, 1, 75_714_000_000L));
        assertEquals("0 50 0 -1 104285", ask(limit, 1, 75_715_000_000L));
    }

    @Test
    void shouldReportWhatIsLeftOfTheLimitAndNotTwiceThat() {
        final Limit limit = window(100, 60 * SECOND_NS);
        ask(limit, 50, 0);
        ask(limit, 10, 66 * SECOND_NS);
        assertEquals("0 100 45 -1 114000", ask(limit, 0, 66 * SECOND_NS));
    }

    @Test
    void shouldRetryInTheNextWindowWhenThisOneIsFull() {
        final Limit limit = window(10, 10 * SECOND_NS);
        assertEquals("0 10 2 -1 20000", ask(limit, 8, 0));
        assertEquals("1 10 2 11750 18000", ask(limit, 5, 2 * SECOND_NS));
        assertEquals("0 10 0 -1 16250", ask(limit, 5, 13_750_000_000L));
    }

    @Test
    void shouldPreventTheBurstAroundAnEdge() {
        final Limit limit = window(10, 60 * SECOND_NS);
        assertEquals("0 10 0 -1 61000", ask(limit, 10, 59 * SECOND_NS));
        assertEquals("1 10 0 60000 60000", ask(limit, 10, 60 * SECOND_NS));
    }

    @Test
    void shouldLetALimitOfOnePassAgain() {
        final Limit limit = window(1, 10 * SECOND_NS);
        final StringBuilder passed = new StringBuilder();
        for (long second = 0; second <= 30; second++) {
            passed.append(key.ask(limit, 1, MIDNIGHT_NS + second * SECOND_NS).limited() ? "" : second + " ");
        }
        assertEquals("0 20 ", passed.toString());
    }

    @Test
    void shouldApplyAnotherLimitAtOnceAndStartOverWithAnotherWindow() {
        assertEquals("0 20 5 -1 20000", ask(window(20, 10 * SECOND_NS), 15, 0));
        assertEquals("1 5 0 17334 20000", ask(window(5, 10 * SECOND_NS), 1, 0));
        assertEquals("0 5 0 -1 20000", ask(window(5, 10 * SECOND_NS), 0, 0));
        assertEquals("0 10 0 -1 120000", ask(window(10, 60 * SECOND_NS), 10, 0));
    }

    @Test
    void shouldNeverReopenAnOlderWindow() {
        final Limit limit = window(4, 10 * SECOND_NS);
        assertEquals("0 4 1 -1 20000", ask(limit, 3, 10 * SECOND_NS));
        assertEquals("0 4 0 -1 20000", ask(limit, 1, 5 * SECOND_NS));
        assertEquals("1 4 0 12500 20000", ask(limit, 1, 5 * SECOND_NS));
    }
}
