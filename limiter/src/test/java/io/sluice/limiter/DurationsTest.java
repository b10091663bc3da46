package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DurationsTest {
    @Test
    void shouldRoundUpToWholeUnits() {
        assertEquals(0, Durations.ceilToSeconds(0));
        assertEquals(1, Durations.ceilToSeconds(1));
        assertEquals(1, Durations.ceilToSeconds(1_000_000_000));
        assertEquals(2, Durations.ceilToSeconds(1_000_000_001));
        assertEquals(9_223_372_037L, Durations.ceilToSeconds(Long.MAX_VALUE));
        assertEquals(1, Durations.ceilToMs(1));
        assertEquals(1, Durations.ceilToMs(1_000_000));
        assertEquals(2, Durations.ceilToMs(1_000_001));
        assertEquals(9_223_372_036_855L, Durations.ceilToMs(Long.MAX_VALUE));
    }

    @Test
    void shouldKeepTheMarkOfNoRetry() {
        assertEquals(-1, Durations.ceilToSeconds(Decision.NO_RETRY));
        assertEquals(-1, Durations.ceilToMs(Decision.NO_RETRY));
    }
}
