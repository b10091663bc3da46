package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SlidingWindowLogTest extends AlgorithmContract {
    private static final long SECOND_NS = 1_000_000_000L;
    private final LogKey key = newKey();

    @Override
    LogKey newKey() {
        return new LogKey(true);
    }

    @Override
    LimitError trySet(final Limit limit, final Parameters parameters, final long quantity) {
        return limit.setWindow(parameters.limit(), parameters.periodNs());
    }

    @Override
    BigInteger bound(final Parameters parameters, final long fromNs, final long toNs) {
        return BigInteger.valueOf(parameters.limit())
            .multiply(BigInteger.valueOf((toNs - fromNs) / parameters.periodNs()).add(BigInteger.ONE));
    }

    private static Limit window(final long units, final long windowNs) {
        final Limit limit = new Limit();
        assertEquals(LimitError.NONE, limit.setWindow(units, windowNs));
        return limit;
    }

    private String ask(final Limit limit, final long quantity, final long afterNs) {
        return Answer.ms(key.ask(limit, quantity, START_NS + afterNs));
    }

    @Property
    void shouldDecideAsTheModelThatKeepsAllUnits(@ForAll("steps") final List<Step> steps,
        @ForAll("parameters") final Parameters one, @ForAll("parameters") final Parameters other) {
        final List<Long> units = new ArrayList<>();
        final LogKey modelled = newKey();
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            final long instantNs = nowNs;
            final Parameters now = step.gapNs() % 3 == 0 ? one : other;
            final List<Long> live =
                new ArrayList<>(units.stream().filter(timeNs -> instantNs - timeNs < now.periodNs()).toList());
            final long over = live.size() + step.quantity() - now.limit();
            final boolean limited = step.quantity() > 0 && over > 0;
            final long retryNs = limited && step.quantity() <= now.limit()
                ? live.get((int) over - 1) + now.periodNs() - nowNs : Decision.NO_RETRY;
            if (!limited && step.quantity() > 0) {
                for (long unit = 0; unit < step.quantity(); unit++) {
                    live.add(nowNs);
                }
                units.clear();
                units.addAll(live);
            }
            final long resetNs = live.isEmpty() ? 0 : live.get(live.size() - 1) + now.periodNs() - nowNs;
            final Answer expected = new Answer(limited, now.limit(), Math.max(0, now.limit() - live.size()), retryNs,
                resetNs);
            assertEquals(expected, Answer.of(modelled.ask(limitOf(now), step.quantity(), nowNs)));
        }
    }

    @Property
    void shouldDecideTheSameWhetherDeadEntriesAreDroppedOrKeptAndWhereverTotalsBegin(
        @ForAll("parameters") final Parameters parameters, @ForAll("stepsAlsoBack") final List<Step> steps) {
        final LogKey dropping = new LogKey(true);
        final LogKey keeping = new LogKey(false);
        keeping.log.startingAt(Long.MAX_VALUE - 3);
        final Limit limit = limitOf(parameters);
        long nowNs = START_NS;
        for (final Step step : steps) {
            nowNs += step.gapNs();
            assertEquals(Answer.of(dropping.ask(limit, step.quantity(), nowNs)),
                Answer.of(keeping.ask(limit, step.quantity(), nowNs)));
        }
    }

    @Test
    void shouldReadOnlyLogarithmicallyManyEntries() {
        final Limit limit = window(100_000, 1_000 * SECOND_NS);
        for (int call = 0; call < 100_000; call++) {
            assertFalse(key.ask(limit, 1, START_NS + call).limited());
        }
        final int before = key.log.reads();
        assertTrue(key.ask(limit, 50_000, START_NS + 100_000).limited());
        assertTrue(key.log.reads() - before < 60);
    }

    @Test
    void shouldFreeAUnitExactlyOneWindowAfterItWasTaken() {
        final Limit limit = window(3, 10 * SECOND_NS);
        assertEquals("0 3 2 -1 10000", ask(limit, 1, 0));
        assertEquals("0 3 1 -1 10000", ask(limit, 1, 2 * SECOND_NS));
        assertEquals("0 3 0 -1 10000", ask(limit, 1, 4 * SECOND_NS));
        assertEquals("1 3 0 5000 9000", ask(limit, 1, 5 * SECOND_NS));
        assertEquals("1 3 0 1 4001", ask(limit, 1, 10 * SECOND_NS - 1));
        assertEquals("0 3 0 -1 10000", ask(limit, 1, 10 * SECOND_NS));
    }

    @Test
    void shouldCountUnitsOfOneInstantApartAndKeepOneEntryForThem() {
        final Limit limit = window(1_000, SECOND_NS);
        for (int call = 0; call < 1_000; call++) {
            assertFalse(key.ask(limit, 1, START_NS).limited());
        }
        assertTrue(key.ask(limit, 1, START_NS).limited());
        assertEquals(1, key.log.size());
    }

    @Test
    void shouldCountQuantitiesInFull() {
        final Limit limit = window(10, 60 * SECOND_NS);
        assertEquals("0 10 2 -1 60000", ask(limit, 8, 0));
        assertEquals("1 10 2 60000 60000", ask(limit, 3, 0));
        assertEquals("0 10 0 -1 60000", ask(limit, 2, SECOND_NS));
        assertEquals("1 10 0 59000 60000", ask(limit, 8, SECOND_NS));
        assertEquals("1 10 0 60000 60000", ask(limit, 9, SECOND_NS));
    }

    @Test
    void shouldRefuseForEverWhatExceedsTheLimitAndStoreNothing() {
        assertEquals("1 5 5 -1 0", ask(window(5, 60 * SECOND_NS), 6, 0));
        assertEquals(0, key.log.size());
    }

    @Test
    void shouldApplyAnotherWindowAndAnotherLimitAtOnce() {
        assertEquals("0 5 0 -1 60000", ask(window(5, 60 * SECOND_NS), 5, 0));
        assertEquals("1 4 0 58000 58000", ask(window(4, 60 * SECOND_NS), 1, 2 * SECOND_NS));
        assertEquals("0 4 0 -1 58000", ask(window(4, 60 * SECOND_NS), 0, 2 * SECOND_NS));
        assertEquals("0 4 3 -1 10000", ask(window(4, 10 * SECOND_NS), 1, 20 * SECOND_NS));
    }

    @Test
    void shouldNotForgetForAClockThatWentBack() {
        final Limit limit = window(1, 10 * SECOND_NS);
        assertEquals("0 1 0 -1 10000", ask(limit, 1, 10 * SECOND_NS));
        assertEquals("1 1 0 10000 10000", ask(limit, 1, 3 * SECOND_NS));
        assertEquals("0 1 0 -1 10000", ask(limit, 1, 20 * SECOND_NS));
    }
}
