package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FixedWindowTest extends WordAlgorithmContract {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long DAY_NS = 86_400 * SECOND_NS;
    private static final long MIDNIGHT_NS = 19_675 * DAY_NS;
    private final WordKey key = newKey();

    @Override
    Algorithm newAlgorithm() {
        return new FixedWindow();
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
            final long before =
                windowNs == now.periodNs() ? model.count(startNs, startNs + now.periodNs()) : 0;
            final boolean limited = step.quantity() > 0 && before + step.quantity() > now.limit();
            if (!limited && step.quantity() > 0) {
                if (windowNs != now.periodNs()) {
                    model.startOver();
                }
                windowNs = now.periodNs();
                model.add(step.quantity(), nowNs);
            }
            final long after = limited ? before : before + step.quantity();
            final long leftNs = startNs + now.periodNs() - nowNs;
            final Answer expected = new Answer(limited, now.limit(), Math.max(0, now.limit() - after),
                limited && step.quantity() <= now.limit() ? leftNs : Decision.NO_RETRY, after > 0 ? leftNs : 0);
            assertEquals(expected, Answer.of(modelled.ask(limitOf(now), step.quantity(), nowNs)));
        }
    }

    @Test
    void shouldStartEachWindowAtAMultipleOfItsLength() {
        final Limit limit = window(3, 60 * SECOND_NS);
        assertEquals("0 3 2 -1 50000", ask(limit, 1, 10 * SECOND_NS));
        assertEquals("0 3 0 -1 40000", ask(limit, 2, 20 * SECOND_NS));
        assertEquals("1 3 0 1 1", ask(limit, 1, 60 * SECOND_NS - 1));
        assertEquals("0 3 2 -1 60000", ask(limit, 1, 60 * SECOND_NS));
    }

    @Test
    void shouldAllowTwiceTheLimitAroundAnEdge() {
        final Limit limit = window(5, 60 * SECOND_NS);
        assertEquals("0 5 1 -1 1300", ask(limit, 4, 58_700_000_000L));
        assertEquals("0 5 0 -1 59900", ask(limit, 5, 60_100_000_000L));
    }

    @Test
    void shouldApplyAnotherLimitAtOnceAndNeverLimitALook() {
        assertEquals("0 8 0 -1 60000", ask(window(8, 60 * SECOND_NS), 8, 0));
        assertEquals("1 4 0 60000 60000", ask(window(4, 60 * SECOND_NS), 1, 0));
        assertEquals("0 4 0 -1 60000", ask(window(4, 60 * SECOND_NS), 0, 0));
        assertEquals("1 8 0 -1 60000", ask(window(8, 60 * SECOND_NS), 9, 0));
    }

    @Test
    void shouldStartOverWithAnotherWindowLength() {
        assertEquals("0 2 0 -1 55000", ask(window(2, 60 * SECOND_NS), 2, 5 * SECOND_NS));
        assertEquals("0 2 1 -1 5000", ask(window(2, 10 * SECOND_NS), 1, 5 * SECOND_NS));
    }

    @Test
    void shouldNeverReopenAnOlderWindow() {
        final Limit limit = window(2, 60 * SECOND_NS);
        assertEquals("0 2 1 -1 60000", ask(limit, 1, 60 * SECOND_NS));
        assertEquals("0 2 0 -1 60000", ask(limit, 1, 59 * SECOND_NS));
        assertEquals("1 2 0 60000 60000", ask(limit, 1, 59 * SECOND_NS));
    }

    @Test
    void shouldNotMoveTheEndOfTheWindowByDenials() {
        final Limit limit = window(1, 30 * SECOND_NS);
        assertEquals("0 1 0 -1 30000", ask(limit, 1, 0));
        assertEquals("1 1 0 29000 29000", ask(limit, 1, SECOND_NS));
        assertEquals("1 1 0 28000 28000", ask(limit, 1, 2 * SECOND_NS));
    }
}
