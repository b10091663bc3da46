package io.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.store.StoreOpenException;
import io.sluice.server.config.ConfigException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Benchmark;

/** Runs every benchmark once, so that none rots. */
class BenchmarksTest {
    /** Enough to fill a log. */
    private static final int DECISIONS = 3_000;
    private static final String UNSAFE_ACCESS = "--sun-misc-unsafe-memory-access=allow";

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

    @ParameterizedTest
    @MethodSource("decisions")
    void shouldDecide(Method decision) throws ReflectiveOperationException {
        for (int limits = 1; limits <= 2; limits++) {
            DecideBenchmark benchmark = new DecideBenchmark();
            benchmark.limits = limits;
            boolean last = false;
            int denied = 0;
            for (int i = 0; i < DECISIONS; i++) {
                last = (boolean) decision.invoke(benchmark);
                denied += last ? 1 : 0;
            }
            assertEquals(decision.getName().endsWith("Denied"), last);
            assertTrue(last || denied == 0, denied + " were denied");
        }
    }

    static Stream<Method> decisions() {
        return Arrays.stream(DecideBenchmark.class.getMethods())
            .filter(method -> method.isAnnotationPresent(Benchmark.class));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFindAndStore(boolean prefetch) throws IOException, StoreOpenException {
        KeyspaceBenchmark benchmark = new KeyspaceBenchmark();
        benchmark.keyCount = 3;
        benchmark.prefetch = prefetch;
        benchmark.fill();
        try {
            assertEquals(KeyspaceBenchmark.BATCH, benchmark.lookup());
            assertEquals(3 + KeyspaceBenchmark.BATCH, benchmark.putInt());
            assertEquals(3 + 2 * KeyspaceBenchmark.BATCH, benchmark.putWords());
            assertEquals(3, benchmark.size());
        } finally {
            benchmark.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldExecute(CommandBenchmark.Command command)
        throws ConfigException, IOException, StoreOpenException {
        CommandBenchmark benchmark = new CommandBenchmark();
        benchmark.command = command;
        benchmark.keyCount = 3;
        benchmark.trackKeys = "yes";
        benchmark.open();
        try {
            assertTrue(benchmark.pipeline() >= CommandBenchmark.PIPELINE * ":1\r\n".length());
            benchmark.checkReply();
            assertEquals(3, benchmark.keysStored());
        } finally {
            benchmark.close();
        }
    }

    @Test
    void shouldForkWithTheFlagsOfTheServer() throws IOException {
        List<String> flags = Benchmarks.jvmFlags(17);
        assertTrue(flags.contains("--add-opens") && flags.contains("-Dio.netty.buffer.checkBounds=false"));
        assertTrue(flags.stream().allMatch(flag -> flag.startsWith("-") || flag.endsWith("=ALL-UNNAMED")));
        assertFalse(flags.contains(UNSAFE_ACCESS));
        assertTrue(Benchmarks.jvmFlags(24).contains(UNSAFE_ACCESS));
    }
}
