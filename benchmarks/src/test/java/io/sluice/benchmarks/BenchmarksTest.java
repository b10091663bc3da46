package io.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs every benchmark once, so that none rots. */
class BenchmarksTest {

    @ParameterizedTest
    @ValueSource(strings = {"GET k", "CL.THROTTLE user:1 15 30 60 1"})
    void shouldParse(String command) {
        ParseBenchmark benchmark = new ParseBenchmark();
        benchmark.command = command;
        benchmark.fill();
        try {
            assertTrue(benchmark.array() > 0);
            assertTrue(benchmark.inline() > 0);
            long numbers = command.startsWith("GET") ? 0 : 15 + 30 + 60 + 1;
            assertEquals(ParseBenchmark.PIPELINE * numbers, benchmark.arrayWithNumbers());
        } finally {
            benchmark.release();
        }
    }

    @Test
    void shouldReply() {
        ReplyBenchmark benchmark = new ReplyBenchmark();
        benchmark.open();
        try {
            assertEquals("+OK\r\n".length(), benchmark.ok());
            assertEquals("*5\r\n:0\r\n:16\r\n:15\r\n:-1\r\n:2\r\n".length(), benchmark.throttle());
            assertEquals("$30\r\n".length() + 30 + 2, benchmark.bulk());
            assertEquals("$19\r\n".length() + 19 + 2, benchmark.bulkOfLong());
        } finally {
            benchmark.release();
        }
    }
}
