package io.sluice.server;

import io.sluice.server.command.CommandTester;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CollectorPausesTest {

    @Test
    void shouldKeepPausesAsLatencyEvents() {
        try (CommandTester redis = new CommandTester("--latency-monitor-threshold", "10")) {
            CollectorPauses pauses = new CollectorPauses(new LoopQueue(Runnable::run), redis.parts());
            pauses.paused(3);
            pauses.paused(25);
            assertEquals("*1 *4 $8 gc-pause :1700000000 :25 :25", redis.run("LATENCY", "LATEST"));
            assertEquals(2, redis.parts().stats().collectorPauses);
            assertEquals(28, redis.parts().stats().collectorPauseMs);
            String doctor = redis.run("LATENCY", "DOCTOR");
            assertTrue(doctor.contains("gc-pause: 1 times, mean 25 ms, worst 25 ms."), doctor);
            assertTrue(redis.run("LATENCY", "GRAPH", "gc-pause").contains("0s ago       25 ms ####"));
            assertEquals("-ERR No samples available for event 'command'", redis.run("LATENCY", "GRAPH", "command"));
        }
    }

    @Test
    void shouldTellPausesFromCyclesThatRunBesideTheThreads() {
        assertTrue(CollectorPauses.stopsThreads("ZGC Pauses"));
        assertTrue(CollectorPauses.stopsThreads("ZGC Minor Pauses"));
        assertTrue(CollectorPauses.stopsThreads("G1 Young Generation"));
        assertFalse(CollectorPauses.stopsThreads("ZGC Cycles"));
        assertFalse(CollectorPauses.stopsThreads("G1 Concurrent GC"));
    }
}
