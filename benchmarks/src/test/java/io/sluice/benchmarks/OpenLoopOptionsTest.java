package io.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenLoopOptionsTest {

    @Test
    void shouldReadACommandLine() {
        OpenLoopOptions options = OpenLoopOptions.parse("--port", "7000", "--connections", "3", "--rate", "5000",
            "--seconds", "4", "--warmup", "1", "--keys", "10", "--seed", "9",
            "--command", "PING", "--command", "GET k");
        assertEquals(7000, options.address().getPort());
        assertEquals(3, options.connections());
        assertEquals(5000, options.rate());
        assertEquals(TimeUnit.SECONDS.toNanos(4), options.durationNs());
        assertEquals(TimeUnit.SECONDS.toNanos(1), options.warmupNs());
        assertEquals(10, options.keys());
        assertEquals(9, options.seed());
        assertEquals(List.of("PING", "GET k"), options.commands());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "--command", "--command| ", "--rate|0|--command|PING", "--rate|x|--command|PING", "--nope|1",
        "--connections|0|--command|PING", "--keys|0|--command|PING", "--seconds|0|--command|PING"})
    void shouldRefuseWhatCannotBeRun(String arguments) {
        String[] args = arguments.isEmpty() ? new String[0] : arguments.split("\\|");
        assertThrows(IllegalArgumentException.class, () -> OpenLoopOptions.parse(args));
    }

    @Test
    void shouldSpreadRequestsEvenlyWithoutDrift() {
        OpenLoopOptions options = OpenLoopOptions.parse("--rate", "3", "--command", "PING");
        assertEquals(0, options.dueNs(0));
        assertEquals(333_333_333, options.dueNs(1));
        assertEquals(TimeUnit.DAYS.toNanos(1), options.dueNs(3 * TimeUnit.DAYS.toSeconds(1)));
        assertEquals(6, options.requestsUntil(TimeUnit.SECONDS.toNanos(2)));
        assertTrue(options.dueNs(6) >= TimeUnit.SECONDS.toNanos(2));
    }
}
