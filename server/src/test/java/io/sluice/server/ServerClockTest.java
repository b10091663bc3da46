package io.sluice.server;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ServerClockTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long HOUR = 3600 * SECOND;
    private static final long START = ManualClock.START_EPOCH_NS;

    private final ManualClock machine = new ManualClock();
    private final ServerClock clock = machine.serverClock();

    @Test
    void shouldStartAtTheWallClockAndAdvanceWithTheMonotonicOne() {
        assertEquals(START, clock.epochNs());
        machine.advanceNs(1);
        assertEquals(START + 1, clock.epochNs());
        machine.advanceNs(HOUR);
        assertEquals(START + 1 + HOUR, clock.epochNs());
    }

    @Test
    void shouldNotStepWhenTheWallClockDoes() {
        machine.stepWallNs(-HOUR);
        assertEquals(START, clock.epochNs());
        clock.resample(10 * SECOND);
        assertEquals(START, clock.epochNs());
        assertEquals(-HOUR, clock.offsetNs());
        assertEquals(1, clock.wallSteps());
        machine.stepWallNs(2 * HOUR);
        clock.resample(10 * SECOND);
        assertEquals(START, clock.epochNs());
        assertEquals(2, clock.wallSteps());
    }

    @Test
    void shouldFollowAWallClockThatWasSetBackByAtMostItsSlew() {
        machine.stepWallNs(-HOUR);
        clock.resample(10 * SECOND);
        machine.advanceNs(10 * SECOND);
        assertEquals(START + 10 * SECOND - 10 * SECOND / 1_000_000 * ServerClock.SLEW_PPM_MAX, clock.epochNs());
    }

    @Test
    void shouldFollowAWallClockThatWasSetForwardByAtMostItsSlew() {
        machine.stepWallNs(HOUR);
        clock.resample(10 * SECOND);
        machine.advanceNs(10 * SECOND);
        assertEquals(START + 10 * SECOND + 10 * SECOND / 1_000_000 * ServerClock.SLEW_PPM_MAX, clock.epochNs());
    }

    @Test
    void shouldMeetTheWallClockAgain() {
        machine.stepWallNs(SECOND);
        for (int i = 0; i < 300; i++) {
            clock.resample(10 * SECOND);
            machine.advanceNs(10 * SECOND);
        }
        assertTrue(Math.abs(machine.wallNs() - clock.epochNs()) < 1_000_000, "off by "
                + (machine.wallNs() - clock.epochNs()));
    }

    /** Its thread may not run for seconds between a look at the one clock and a look at the other. */
    @Test
    void shouldTakeNoPauseBetweenTwoReadingsForTime() {
        AtomicInteger pauses = new AtomicInteger(1);
        ServerClock paused = new ServerClock(machine::monotonicNs, () -> {
            if (pauses.getAndDecrement() > 0) {
                machine.advanceNs(5 * SECOND);
            }
            return machine.wallNs();
        });
        assertEquals(machine.wallNs(), paused.epochNs());
        pauses.set(1);
        paused.resample(10 * SECOND);
        assertEquals(machine.wallNs(), paused.epochNs());
        assertEquals(0, paused.wallSteps());
        assertEquals(0, paused.offsetNs());
    }

    @Property(tries = 200)
    void shouldNeverRunBackwards(@ForAll @Size(max = 50) List<@LongRange(min = -HOUR, max = HOUR) Long> steps) {
        ManualClock anyMachine = new ManualClock();
        ServerClock anyClock = anyMachine.serverClock();
        long before = anyClock.epochNs();
        for (long step : steps) {
            anyMachine.stepWallNs(step);
            anyClock.resample(10 * SECOND);
            anyMachine.advanceNs(Math.abs(step) % (20 * SECOND));
            long now = anyClock.epochNs();
            assertTrue(now >= before, before + " then " + now);
            before = now;
        }
    }

    @Test
    void shouldStandStillWhileFrozenAndThenShowRealTimeAgain() {
        clock.freeze(5 * SECOND);
        machine.advanceNs(HOUR);
        assertEquals(5 * SECOND, clock.epochNs());
        clock.release();
        assertEquals(START + HOUR, clock.epochNs());
    }
}
