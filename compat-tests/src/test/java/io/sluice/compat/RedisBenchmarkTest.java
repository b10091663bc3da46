package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** redis-benchmark starts without a warning and ends without an error. */
final class RedisBenchmarkTest {
    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer();

    @Test
    void shouldRunItsOwnTests() {
        String output = benchmark("-t", "ping,set,get,incr,mset", "-P", "16", "-r", "1000");
        for (String test : List.of("PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "MSET (10 keys)")) {
            assertTrue(output.contains(test + ": "), output);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "16", "200"})
    void shouldLimitRandomKeys(String pipeline) {
        try (RespClient client = SERVER.connect()) {
            client.call("CONFIG", "RESETSTAT");
            benchmark("-P", pipeline, "-r", "1000", "CL.THROTTLE", "k:__rand_int__", "100", "1000", "60", "1");
            String statistics = client.call("INFO", "commandstats").toString();
            assertTrue(statistics.contains("cmdstat_cl.throttle:calls=20000,"), statistics);
        }
    }

    @Test
    void shouldServeSeveralThreads() {
        benchmark("--threads", "2", "-3", "CL.THROTTLE", "hot", "100", "1000", "60", "1");
    }

    private static String benchmark(String... arguments) {
        List<String> command = new ArrayList<>(List.of("redis-benchmark", "-p", Integer.toString(SERVER.port()), "-q",
            "-n", "20000", "-c", "50"));
        command.addAll(List.of(arguments));
        String output = Programs.run(Path.of("."), command.toArray(String[]::new));
        assertFalse(output.toLowerCase().matches("(?s).*(warn|error).*"), output);
        assertTrue(output.contains(" requests per second"), output);
        return output;
    }
}
