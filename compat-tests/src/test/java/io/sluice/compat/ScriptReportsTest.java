package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users and makers of rate limiting libraries reported as wrong with scripts, here as it should be. */
final class ScriptReportsTest {
    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--enable-debug-command", "yes");

    private RespClient client;

    @BeforeEach
    void connect() {
        client = SERVER.connect();
        client.call("FLUSHALL");
        client.call("SCRIPT", "FLUSH");
    }

    @AfterEach
    void disconnect() {
        client.line("DEBUG CLOCK REAL");
        client.close();
    }

    private Object eval(String script, String... keysAndArgs) {
        String[] words = {"EVAL", script, Integer.toString(keysAndArgs.length == 0 ? 0 : 1)};
        String[] all = Arrays.copyOf(words, words.length + keysAndArgs.length);
        System.arraycopy(keysAndArgs, 0, all, words.length, keysAndArgs.length);
        return client.call(all);
    }

    // PyrateLimiter 182, rate-limit-redis 144 and 71, upstash 122, effect-smol 2328: libraries look for this beginning
    @Test
    void shouldSayThatAScriptIsGoneInTheWordsThatLibrariesLookFor() {
        String sha = (String) client.call("SCRIPT", "LOAD", "return redis.call('INCR', KEYS[1])");
        assertEquals(1L, client.call("EVALSHA", sha, "1", "k"));
        assertEquals("OK", client.call("SCRIPT", "FLUSH"));
        assertEquals("-NOSCRIPT No matching script. Please use EVAL.\r\n", client.raw("EVALSHA", sha, "1", "k"));
        assertEquals(2L, eval("return redis.call('INCR', KEYS[1])", "k"));
        assertEquals(3L, client.call("EVALSHA", sha.toUpperCase(java.util.Locale.ROOT), "1", "k"));
    }

    // KVRocks PR 1568: a number of keys that cannot be crashed it
    @ParameterizedTest
    @ValueSource(strings = {"-1", "999", "9223372036854775808", "9223372036854775807", "x", "1.0", ""})
    void shouldRefuseANumberOfKeysThatCannotBe(String count) {
        for (String command : List.of("EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL")) {
            String script = command.startsWith("EVALSHA") ? "f".repeat(40) : "return 1";
            assertTrue(client.raw(command, script, count, "k").startsWith("-ERR "), command);
            assertEquals("PONG", client.call("PING"));
        }
    }

    // Redisson asks with these whether scripts may use several keys, and with how few arguments it is told off
    @Test
    void shouldAnswerRedissonsProbes() {
        assertEquals("$-1\r\n", client.raw("EVAL", "redis.call('get', KEYS[1]) redis.call('get', KEYS[2])", "2",
            "test1", "test2"));
        String reply = client.raw("EVAL", "return redis.call('get', KEYS[1], 'x')", "1", "test1");
        assertTrue(reply.startsWith("-ERR Wrong number of args calling Redis command from script"), reply);
    }

    // Symfony's lock finds out with this whether a script may write after TIME
    @Test
    void shouldWriteAfterTheTimeWasTaken() {
        assertEquals("OK", eval("redis.replicate_commands() local t = redis.call('TIME') "
            + "return redis.call('SET', KEYS[1], t[1])", "k"));
    }

    // One moment per script: throttled, redis_rate and Spring's limiter take the time more than once
    @Test
    void shouldStandStillInTimeWhileAScriptRuns() {
        assertEquals(1L, eval("local a = redis.call('TIME') local n = 0 for i = 1, 200000 do n = n + i end "
            + "local b = redis.call('TIME') return a[1] == b[1] and a[2] == b[2]"));
    }

    // fastify-rate-limit's back-off and go-redisstore's nanoseconds: numbers go to commands with 17 digits
    @Test
    void shouldHandNumbersToCommandsWithoutLoss() {
        eval("redis.call('SET', KEYS[1], 2^53 - 1)", "k");
        assertEquals("9007199254740991", client.call("GET", "k"));
        eval("redis.call('SET', KEYS[1], 1700000000.123456)", "k");
        assertEquals("1700000000.123456", client.call("GET", "k"));
        assertEquals("9.007199254741e+15", eval("return tostring(2^53 - 1)"));
        assertEquals("0.33333333333333", eval("return tostring(1/3)"));
    }

    // redis_rate and every GCRA script: what is returned as a number is cut, what is returned as text is not
    @Test
    void shouldCutNumbersThatAreReturned() {
        assertEquals(List.of(3L, -3L, "3.99", 1L), eval("return {3.99, -3.99, tostring(3.99), true}"));
        assertEquals(List.of(1L), eval("return {1, nil, 3}"));
        assertEquals(Arrays.asList(1L, null, 3L), eval("return {1, false, 3}"));
    }

    // bucket4j compares its state byte by byte
    @Test
    void shouldCompareBinaryStateInScripts() {
        String state = "\0\1\r\n\u00ff\0";
        assertEquals("OK", client.call("SET", "k", state));
        String script = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('psetex', KEYS[1], ARGV[3], ARGV[2]) "
            + "return 1 else return 0 end";
        assertEquals(1L, eval(script, "k", state, state + "x", "100000"));
        assertEquals(0L, eval(script, "k", state, "y", "100000"));
        assertEquals(state + "x", client.call("GET", "k"));
        assertTrue((Long) client.call("PTTL", "k") > 0);
    }

    // express-rate-limit PR 209, litellm 14204: the window neither loses its end nor moves it
    @Test
    void shouldKeepTheEndOfTheWindowThroughIncrements() {
        String script = "local n = redis.call('INCR', KEYS[1]) "
            + "if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end return {n, redis.call('PTTL', KEYS[1])}";
        client.line("DEBUG CLOCK 1700000000000000000");
        assertEquals(List.of(1L, 60_000L), eval(script, "k", "60000"));
        client.line("DEBUG CLOCK 1700000059999000000");
        assertEquals(List.of(2L, 1L), eval(script, "k", "60000"));
        client.line("DEBUG CLOCK 1700000060001000000");
        assertEquals(List.of(1L, 60_000L), eval(script, "k", "60000"));
    }

    // spring-cloud-gateway PR 2453: a time to live that rounds to nothing is an error, not a key for ever
    @Test
    void shouldRefuseATimeToLiveOfNothing() {
        Object reply = eval("return redis.pcall('SETEX', KEYS[1], math.floor(1 / 3), 1)", "k");
        assertEquals(RespValue.failure("ERR invalid expire time in 'setex' command"), reply);
        assertEquals(0L, client.line("EXISTS k"));
    }

    // kumomta, Redisson: the native limiters are commands of scripts too
    @Test
    void shouldDecideNativelyInsideAScript() {
        assertEquals(List.of(0L, 16L, 15L, -1L, 2L),
            eval("return redis.call('CL.THROTTLE', KEYS[1], 15, 30, 60, 1)", "k"));
        assertEquals(5L, eval("return #redis.call('GCRA', KEYS[1], 2, 4, '0.25')", "g"));
    }

    // iovalkey, GLIDE, @upstash/ratelimit 2.1
    @Test
    void shouldRunScriptsThatWereWrittenForOthers() {
        assertEquals("OK", eval("return server.call('SET', KEYS[1], 1)", "k"));
        assertEquals(1L, eval("#!lua flags=allow-key-locking\nreturn 1"));
    }

    // limits, pyrate-limiter: thousands of values in one call
    @Test
    void shouldUnpackThousandsOfValues() {
        assertEquals(5_000L, eval("local t = {} for i = 1, 5000 do t[i] = i end return redis.call('RPUSH', KEYS[1], "
            + "unpack(t))", "k"));
    }
}
