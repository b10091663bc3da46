package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ScriptCommandsTest {
    private static final String RETURN_ONE = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";

    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String eval(String script, String... keysAndArgs) {
        String[] words = new String[3 + keysAndArgs.length];
        words[0] = "EVAL";
        words[1] = script;
        words[2] = Integer.toString(keysAndArgs.length);
        System.arraycopy(keysAndArgs, 0, words, 3, keysAndArgs.length);
        return redis.run(words);
    }

    /** The error text in front of the name and position of the script. */
    private static String error(String reply) {
        int end = reply.indexOf(" script: ");
        return end < 0 ? reply : reply.substring(0, end);
    }

    @Test
    void shouldRunAScript() {
        assertEquals(":1", redis.run("EVAL", "return 1", "0"));
        assertEquals("*3 $1 k $1 a $1 b", redis.run("EVAL", "return {KEYS[1], ARGV[1], ARGV[2]}", "1", "k", "a", "b"));
    }

    @Test
    void shouldCheckTheNumberOfKeys() {
        assertEquals("-ERR value is not an integer or out of range", redis.run("EVAL", "return 1", "x"));
        assertEquals("-ERR Number of keys can't be greater than number of args", redis.run("EVAL", "return 1", "1"));
        assertEquals("-ERR Number of keys can't be negative", redis.run("EVAL", "return 1", "-1"));
    }

    @Test
    void shouldRunAScriptThatIsKept() {
        String noScript = "-NOSCRIPT No matching script. Please use EVAL.";
        assertEquals(noScript, redis.run("EVALSHA", RETURN_ONE, "0"));
        assertEquals("$40 " + RETURN_ONE, redis.run("SCRIPT", "LOAD", "return 1"));
        assertEquals(":1", redis.run("EVALSHA", RETURN_ONE, "0"));
        assertEquals(":1", redis.run("EVALSHA", RETURN_ONE.toUpperCase(java.util.Locale.ROOT), "0"));
        assertEquals("*2 :1 :0", redis.run("SCRIPT", "EXISTS", RETURN_ONE, "f".repeat(40)));
        assertEquals("+OK", redis.run("SCRIPT", "FLUSH"));
        assertEquals(noScript, redis.run("EVALSHA", RETURN_ONE, "0"));
        for (String odd : new String[] {"", "x", "z".repeat(40), RETURN_ONE + "0"}) {
            assertEquals(noScript, redis.run("EVALSHA", odd, "0"), odd);
        }
    }

    @Test
    void shouldKeepWhatEvalRan() {
        redis.run("EVAL", "return 1", "0");
        assertEquals(":1", redis.run("EVALSHA", RETURN_ONE, "0"));
    }

    @Test
    void shouldForgetEvaluatedScriptsBeforeTheyFillTheHeapButNotLoadedOnes() {
        redis.run("SCRIPT", "LOAD", "return 1");
        redis.run("EVAL", "return 'first'", "0");
        for (int i = 0; i < 600; i++) {
            redis.run("EVAL", "return " + i + " + 0", "0");
        }
        assertEquals("*2 :1 :0", redis.run("SCRIPT", "EXISTS", RETURN_ONE,
            "32e6d0f8ae1b1a0c2ae1f9b2d4b2a1c3d4e5f607"));
        assertEquals(501, redis.parts().scripts().cache().size());
    }

    @Test
    void shouldTurnRepliesIntoValues() {
        redis.run("SET", "n", "5");
        assertEquals("*3 $6 number $5 table $7 boolean",
            eval("return {type(redis.call('incr', 'n')), type(redis.call('set', 's', 'v')), "
                + "type(redis.call('get', 'none'))}"));
        assertEquals("+OK", eval("return redis.call('set', 's', 'v')"));
        assertEquals("$-1", eval("return redis.call('get', 'none')"));
        assertEquals("$6 string", eval("return redis.call('type', 's').ok"));
        assertEquals("*2 $1 6 $-1", eval("return redis.call('mget', 'n', 'none')"));
    }

    @Test
    void shouldTurnValuesIntoReplies() {
        assertEquals(":3", eval("return 3.99"));
        assertEquals(":-3", eval("return -3.99"));
        assertEquals("$-1", eval("return false"));
        assertEquals(":1", eval("return true"));
        assertEquals("*2 :1 :2", eval("return {1, 2, nil, 3}"));
        assertEquals("+fine", eval("return {ok = 'fine'}"));
        assertEquals("-X", eval("return {err = 'X'}"));
        assertEquals("$-1", eval("return"));
    }

    @Test
    void shouldAnswerTheTypesOfTheThirdProtocol() {
        assertEquals("%1 $1 a :1", resp3("return {map = {a = 1}}"));
        assertEquals("~1 $1 a", resp3("return {set = {a = true}}"));
        assertEquals(",3.5", resp3("return {double = 3.5}"));
        assertEquals("(123", resp3("return {big_number = '123'}"));
        assertEquals("=6 txt:hi", resp3("return {verbatim_string = {format = 'txt', string = 'hi'}}"));
        assertEquals("#t", resp3("redis.setresp(3) return true"));
        assertEquals(":1", resp3("return true"));
        assertEquals("_", resp3("return redis.call('get', 'none')"));
    }

    private String resp3(String script) {
        redis.client().connection().reply().protocol(3);
        return redis.run("EVAL", script, "0");
    }

    @Test
    void shouldPassNumbersToCommandsWithoutLosingDigits() {
        eval("redis.call('set', 'a', 2^53 - 1) redis.call('set', 'b', 0.1) redis.call('set', 'c', -0.0) "
            + "redis.call('set', 'd', 1e17) redis.call('set', 'e', 1700000000.123456)");
        assertEquals("$16 9007199254740991", redis.run("GET", "a"));
        assertEquals("$19 0.10000000000000001", redis.run("GET", "b"));
        assertEquals("$2 -0", redis.run("GET", "c"));
        assertEquals("$5 1e+17", redis.run("GET", "d"));
        assertEquals("$17 1700000000.123456", redis.run("GET", "e"));
    }

    @Test
    void shouldEndWithTheErrorOfACommand() {
        redis.run("SET", "s", "v");
        assertEquals("-ERR value is not an integer or out of range script: "
            + redis.run("SCRIPT", "LOAD", "return redis.call('incr', 's')").substring(4)
            + ", on @user_script:1.", eval("return redis.call('incr', 's')"));
        assertEquals("$44 ERR value is not an integer or out of range?",
            eval("return redis.pcall('incr', 's').err .. '?'"));
        assertEquals("-ERR Unknown Redis command called from script", error(eval("redis.call('nope')")));
        assertEquals("-ERR Wrong number of args calling Redis command from script",
            error(eval("redis.call('get')")));
        assertEquals("-ERR This Redis command is not allowed from script", error(eval("redis.call('multi')")));
    }

    @Test
    void shouldRunTheFirstHalfOfAScriptThatFails() {
        eval("redis.call('set', 'a', '1') error('no')");
        assertEquals("$1 1", redis.run("GET", "a"));
    }

    @Test
    void shouldNotWriteWhereItMayOnlyRead() {
        String refusal = "-ERR Write commands are not allowed from read-only scripts.";
        assertEquals(refusal, error(redis.run("EVAL_RO", "return redis.call('set', 'a', '1')", "0")));
        assertEquals(refusal, error(eval("#!lua flags=no-writes\nreturn redis.call('set', 'a', '1')")));
        assertEquals("-ERR Can not execute a script with write flag using *_ro command.",
            redis.run("EVAL_RO", "#!lua\nreturn 1", "0"));
        assertEquals(":5", redis.run("EVAL_RO", "#!lua flags=no-writes\nreturn 5", "0"));
        assertEquals(":0", redis.run("EXISTS", "a"));
    }

    @Test
    void shouldRunScriptsThatDeclareWhatAnotherServerKnows() {
        assertEquals(":7", eval("#!lua flags=allow-key-locking\nreturn 7"));
        assertEquals("-ERR Unexpected engine in script shebang: #!js", eval("#!js\nreturn 7"));
        assertEquals("-ERR Invalid script shebang", eval("#!lua"));
        assertEquals("-ERR Unknown lua shebang option: x=1", eval("#!lua x=1\nreturn 1"));
    }

    @Test
    void shouldCallLimitersFromScripts() {
        assertEquals(redis.run("CL.THROTTLE", "x", "15", "30", "60"),
            eval("return redis.call('CL.THROTTLE', 'y', 15, 30, 60)"));
        assertTrue(eval("return redis.call('GCRA', 'z', 10, 5, 1)").startsWith("*5 :0 :11 "));
    }

    @Test
    void shouldCallTheTableServerToo() {
        assertEquals("+OK", eval("return server.call('set', 'a', '1')"));
    }

    @Test
    void shouldHaveOneTimeForAllOfAScript() {
        assertEquals(":1", eval("local a, b = redis.call('time'), redis.call('time') "
            + "return a[1] == b[1] and a[2] == b[2]"));
    }

    @Test
    void shouldNotSelectADatabaseForItsCaller() {
        eval("redis.call('select', 3) redis.call('set', 'k', '1')");
        assertEquals(":0", redis.run("EXISTS", "k"));
        redis.run("SELECT", "3");
        assertEquals(":1", redis.run("EXISTS", "k"));
    }

    @Test
    void shouldTouchKeysThatAreWatched() {
        CommandTester.Client other = redis.newClient();
        redis.run("WATCH", "k");
        other.run("EVAL", "return redis.call('set', KEYS[1], 'v')", "1", "k");
        redis.run("MULTI");
        redis.run("PING");
        assertEquals("*-1", redis.run("EXEC"));
    }

    @Test
    void shouldRunInsideATransaction() {
        redis.run("MULTI");
        redis.run("EVAL", "return redis.call('incr', KEYS[1])", "1", "n");
        redis.run("INCR", "n");
        assertEquals("*2 :1 :2", redis.run("EXEC"));
    }

    @Test
    void shouldLeaveNothingBehindForTheNextScript() {
        assertTrue(error(eval("x = 1")).startsWith("-ERR user_script:1: Attempt to modify a readonly table"));
        assertTrue(error(eval("return y")).endsWith("nonexistent global variable 'y'"));
        eval("local t = KEYS t.z = 1", "k");
        assertEquals("$3 nil", eval("return tostring(KEYS.z)", "k"));
    }

    @Test
    void shouldMakeErrorsOfTexts() {
        assertEquals("-ERR UNKNOWN_CLIENT", eval("return redis.error_reply('UNKNOWN_CLIENT')"));
        assertEquals("-My Err", eval("return redis.error_reply('My Err')"));
        assertEquals("-My Err", eval("return redis.error_reply('-My Err')"));
        redis.run("CONFIG", "SET", "script-error-code", "bare");
        assertEquals("-UNKNOWN_CLIENT", eval("return redis.error_reply('UNKNOWN_CLIENT')"));
        assertEquals("-My Err", eval("return redis.error_reply('My Err')"));
    }

    @Test
    void shouldCountWhatScriptsCallOnce() {
        redis.run("CONFIG", "RESETSTAT");
        redis.run("SET", "s", "v");
        eval("return redis.call('incr', 's')");
        String errors = redis.run("INFO", "errorstats");
        assertTrue(errors.contains("errorstat_ERR:count=1"), errors);
        String commands = redis.run("INFO", "commandstats");
        assertTrue(commands.contains("cmdstat_incr:calls=1,"), commands);
        assertTrue(commands.contains("cmdstat_eval:calls=1,"), commands);
    }

    @Test
    void shouldEndAScriptThatRunsAwayByItself() {
        redis.run("CONFIG", "SET", "busy-reply-threshold", "1", "script-stop-threshold", "2");
        assertEquals("-ERR Script stopped: it ran for longer than script-stop-threshold.",
            error(eval("while true do end")));
        assertEquals("-ERR Script stopped: it ran for longer than script-stop-threshold.",
            error(eval("while true do pcall(error) end")));
        assertFalse(redis.parts().scripts().run().isRunning());
        assertEquals("-NOTBUSY No scripts in execution right now.", redis.run("SCRIPT", "KILL"));
    }

    @Test
    void shouldTellItsErrorsAsSubcommandsDo() {
        assertEquals("-ERR SCRIPT FLUSH only support SYNC|ASYNC option", redis.run("SCRIPT", "FLUSH", "x"));
        assertTrue(redis.run("SCRIPT", "LOAD", "return (").startsWith("-ERR Error compiling script (new function): "
            + "user_script:1: "));
    }

    @Test
    void shouldRefuseAReplyThatShowsOneTableTooOften() {
        assertEquals("-ERR the reply would be larger than client-output-buffer-limit",
            redis.run("EVAL", "local t = {1} for i = 1, 40 do t = {t, t} end return t", "0"));
        assertEquals("-ERR the reply would be larger than client-output-buffer-limit",
            redis.run("EVAL", "local s, t = ('x'):rep(1000000), {} for i = 1, 100 do t[i] = s end return t", "0"));
        assertEquals("-ERR the reply would be larger than client-output-buffer-limit",
            redis.run("EVAL", "local t = {} t[1] = t t[2] = t return t", "0"));
        assertEquals(":1", redis.run("EVAL", "return 1", "0"));
    }

    @Test
    void shouldNotLetABigNumberEndItsLine() {
        assertEquals("$6 12  +3", redis.run("EVAL", "return {big_number = '12\\r\\n+3'}", "0"));
    }

    @Test
    void shouldSayThatScriptsCannotBeDebugged() {
        assertEquals("+OK", redis.run("SCRIPT", "DEBUG", "no"));
        assertEquals("-ERR scripts cannot be debugged here", redis.run("SCRIPT", "DEBUG", "YES"));
        assertEquals("-ERR scripts cannot be debugged here", redis.run("SCRIPT", "DEBUG", "SYNC"));
        assertEquals("-ERR Use SCRIPT DEBUG YES/SYNC/NO", redis.run("SCRIPT", "DEBUG", "maybe"));
    }
}
