package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** A decision must leave nothing for the garbage collector. */
class AllocationTest {
    private static final int CALLS = 50_000;
    private static final long START_NS = 1_699_920_000_000_000_000L;

    private final LimiterState state = new LimiterState();
    private final Limit limit = new Limit();
    private final Decision decision = new Decision();
    private final LogChange change = new LogChange();
    private final HeapLog log = new HeapLog();
    private final SlidingWindowLog windowLog = new SlidingWindowLog();
    private final Algorithm gcra = new Gcra();
    private final Algorithm[] rates = {new TokenBucket(), new LeakyMeter()};
    private final Algorithm[] windows = {new FixedWindow(), new SlidingWindow()};

    @Test
    void shouldAllocateNothingPerDecision() {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        decideAll();
        final long before = threads.getThreadAllocatedBytes(thread);
        final int decided = decideAll();
        final long allocated = threads.getThreadAllocatedBytes(thread) - before;
        assertEquals(6 * CALLS, decided);
        assertTrue(allocated < CALLS, allocated + " bytes for " + decided + " decisions");
    }

    private int decideAll() {
        int decided = 0;
        for (int call = 0; call < CALLS; call++) {
            final long nowNs = START_NS + call * 1_000L;
            final long quantity = call % 5;
            final long periodNs = 1_000_003L + call % 2;
            assertEquals(LimitError.NONE, limit.setGcra(100, 1_000_000, 1, call, 1));
            decided += decide(gcra, quantity, nowNs);
            assertEquals(LimitError.NONE, limit.setRate(100, 999, periodNs));
            for (final Algorithm algorithm : rates) {
                decided += decide(algorithm, quantity, nowNs);
            }
            assertEquals(LimitError.NONE, limit.setWindow(100, periodNs));
            for (final Algorithm algorithm : windows) {
                decided += decide(algorithm, quantity, nowNs);
            }
            windowLog.decide(log, limit, quantity, nowNs, decision, change);
            decided++;
        }
        return decided;
    }

    private int decide(final Algorithm algorithm, final long quantity, final long nowNs) {
        state.exists(true);
        return algorithm.decide(state, limit, quantity, nowNs, decision) == LimitError.NONE ? 1 : 0;
    }
}
