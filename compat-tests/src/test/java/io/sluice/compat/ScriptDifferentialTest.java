package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the same random scripts on Redis and on Sluice and wants the same bytes back: from EVAL, and from EVALSHA of
 * the same script. {@code -Dsluice.seed=n} and {@code -Dsluice.scripts=n} make another or a longer run.
 */
final class ScriptDifferentialTest {
    private static final long SEED = Long.getLong("sluice.seed", 1);
    private static final int SCRIPTS = Integer.getInteger("sluice.scripts", 2_000);
    private static final int SHOWN_MAX = 20;
    private static final Path ENGINE_SCRIPTS =
        Path.of(System.getProperty("sluice.root"), "lua/src/test/resources/redis");

    @RegisterExtension
    static final RedisServer REDIS = new RedisServer();

    @RegisterExtension
    static final SluiceServer SLUICE = new SluiceServer();

    private final ReplyComparison comparison = new ReplyComparison();

    @ParameterizedTest(name = "RESP{0}")
    @ValueSource(strings = {"2", "3"})
    void shouldAnswerScriptsAsRedisDoes(String protocol) {
        List<String> different = new ArrayList<>();
        try (RespClient redis = REDIS.connect(); RespClient sluice = SLUICE.connect()) {
            boolean collections = !sluice.raw("COMMAND", "INFO", "hset").equals("*1\r\n$-1\r\n");
            ScriptGenerator generator = new ScriptGenerator(SEED, collections);
            redis.call("HELLO", protocol);
            sluice.call("HELLO", protocol);
            redis.call("FLUSHALL");
            sluice.call("FLUSHALL");
            for (int i = 0; i < SCRIPTS; i++) {
                String script = generator.next();
                List<String> command = i % 5 == 0
                    ? List.of("EVAL_RO", script, "2", "a", "k", "x", "12")
                    : List.of("EVAL", script, "2", "a", "k", "x", "12");
                redis.send(RespClient.command(command));
                sluice.send(RespClient.command(command));
                String expected = redis.read();
                String actual = sluice.read();
                if (!comparison.same(command, expected, actual)) {
                    different.add("script " + i + ": " + script + "\nRedis:  " + ReplyComparison.shown(expected)
                        + "\nSluice: " + ReplyComparison.shown(actual));
                }
                if (i % 50 == 0) {
                    redis.call("FLUSHALL");
                    sluice.call("FLUSHALL");
                }
            }
        }
        assertTrue(different.isEmpty(), () -> different.size() + " differ with seed " + SEED + ", RESP" + protocol
            + "\n" + String.join("\n\n", different.subList(0, Math.min(SHOWN_MAX, different.size()))));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"snippets", "errors", "libraries"})
    void shouldAnswerTheScriptsOfTheEnginesTestsAsRedisDoes(String file) throws IOException {
        List<String> different = new ArrayList<>();
        try (RespClient redis = REDIS.connect(); RespClient sluice = SLUICE.connect()) {
            for (String script : Files.readAllLines(ENGINE_SCRIPTS.resolve(file + ".txt"))) {
                String expected = redis.raw("EVAL", script, "0");
                String actual = sluice.raw("EVAL", script, "0");
                if (!comparison.same(List.of("EVAL"), expected, actual) && !script.contains("random")) {
                    different.add(script + "\nRedis:  " + ReplyComparison.shown(expected) + "\nSluice: "
                        + ReplyComparison.shown(actual));
                }
            }
        }
        assertTrue(different.isEmpty(), () -> String.join("\n\n", different));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"return 1", "return redis.call('get', KEYS[1])", "return {KEYS[1], ARGV[1]}"})
    void shouldGiveAScriptTheNameThatRedisGivesIt(String script) {
        try (RespClient redis = REDIS.connect(); RespClient sluice = SLUICE.connect()) {
            String sha = (String) sluice.call("SCRIPT", "LOAD", script);
            assertEquals(redis.call("SCRIPT", "LOAD", script), sha);
            assertEquals(redis.raw("EVALSHA", sha, "1", "k", "a"), sluice.raw("EVALSHA", sha, "1", "k", "a"));
        }
    }

    @Test
    void shouldExchangeFunctionsWithRedis() {
        String library = "#!lua name=lib\nredis.register_function('f', function(keys, args) return args[1] end)\n"
            + "-- " + "what Redis compresses ".repeat(50);
        try (RespClient redis = REDIS.connect(); RespClient sluice = SLUICE.connect()) {
            redis.call("FUNCTION", "LOAD", "REPLACE", library);
            assertEquals("OK", sluice.call("FUNCTION", "RESTORE", (String) redis.call("FUNCTION", "DUMP"), "FLUSH"));
            assertEquals("x", sluice.call("FCALL", "f", "0", "x"));
            assertEquals("OK", redis.call("FUNCTION", "RESTORE", (String) sluice.call("FUNCTION", "DUMP"), "FLUSH"));
            assertEquals("x", redis.call("FCALL", "f", "0", "x"));
            assertEquals(redis.raw("FUNCTION", "LIST", "WITHCODE"), sluice.raw("FUNCTION", "LIST", "WITHCODE"));
        }
    }
}
