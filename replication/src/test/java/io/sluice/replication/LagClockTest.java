package io.sluice.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

import java.util.Random;

class LagClockTest {

    private static final int STEPS = 2_000;
    private static final int SAMPLE_MS_MAX = 10;

    private final LagClock clock = new LagClock();
    private final ReplicaPeer peer = new ReplicaPeer(null, "");

    /** Never less than the truth, which is when the first byte was written that is not acknowledged. */
    @Property(tries = 100)
    void shouldSayHowLongThereHasBeenSomethingAtMost(@ForAll final long seed) {
        final Random random = new Random(seed);
        final long[] offsetAt = new long[STEPS];
        final long[] spentAt = new long[STEPS];
        long offset = 1_000;
        long spent = 50;
        clock.sample(offset, 0, spent);
        peer.ackedOffset = offset;
        clock.attach(peer);
        offsetAt[0] = offset;
        spentAt[0] = spent;
        for (int nowMs = 1; nowMs < STEPS; nowMs++) {
            if (random.nextInt(3) == 0) {
                offset += random.nextInt(100);
                spent += random.nextInt(5);
            }
            offsetAt[nowMs] = offset;
            spentAt[nowMs] = offset == offsetAt[nowMs - 1] ? spentAt[nowMs - 1] : spent;
            spent = spentAt[nowMs];
            clock.sample(offset, nowMs, spent);
            if (random.nextInt(20) == 0) {
                peer.ackedOffset = Math.max(peer.ackedOffset, offsetAt[nowMs - random.nextInt(Math.min(nowMs, 300))]);
            }
            clock.cover(peer);
            int coveredMs = nowMs;
            while (offsetAt[coveredMs] > peer.ackedOffset) {
                coveredMs--;
            }
            assertTrue(peer.coveredMs <= coveredMs && peer.coveredMs >= coveredMs - SAMPLE_MS_MAX,
                "at " + nowMs + " covered until " + coveredMs + ", noted " + peer.coveredMs);
            assertTrue(peer.coveredSpent <= spentAt[coveredMs], "spent by then " + spentAt[coveredMs]);
        }
    }

    @Test
    void shouldSayTooMuchRatherThanTooLittleOfWhatIsLongAgo() {
        clock.sample(0, 0, 0);
        clock.attach(peer);
        for (int i = 1; i <= 20_000; i++) {
            clock.sample(i, 10L * i, 3L * i);
        }
        peer.ackedOffset = 5_000;
        clock.cover(peer);
        assertEquals(0, peer.coveredMs);
        assertEquals(0, peer.coveredSpent);
        peer.ackedOffset = 15_000;
        clock.cover(peer);
        assertEquals(150_000, peer.coveredMs);
        assertEquals(45_000, peer.coveredSpent);
    }

    @Test
    void shouldBeginAnewWithAnotherHistory() {
        clock.sample(5_000, 10, 7);
        clock.sample(100, 30, 9);
        peer.ackedOffset = 200;
        clock.attach(peer);
        assertEquals(30, peer.coveredMs);
        assertEquals(9, peer.coveredSpent);
    }
}
