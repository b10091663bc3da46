package io.sluice.server.command;

import io.sluice.persistence.EvictionPolicy;
import io.sluice.persistence.KeyspaceLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DispatcherTest {
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String stats(String command) {
        String info = redis.client().rawReply("INFO", "commandstats");
        int at = info.indexOf("cmdstat_" + command + ":");
        return at < 0 ? "" : info.substring(info.indexOf(':', at) + 1, info.indexOf('\r', at));
    }

    @Test
    void shouldNameUnknownCommandsWithTheBeginningOfTheirArguments() {
        assertEquals("-ERR unknown command 'foo', with args beginning with: 'a' 'b' ", redis.client()
                .rawReply("foo", "a", "b").replace("\r\n", ""));
        assertEquals("-ERR unknown command 'foo', with args beginning with: ", redis.client().rawReply("foo")
                .replace("\r\n", ""));
    }

    @Test
    void shouldAnswerOneLineWhateverAnUnknownNameHolds() {
        String reply = redis.client().rawReply("FOO\r\n+OK\r\n:1", "a\r\nb");
        assertEquals(reply.length() - 2, reply.indexOf("\r\n"));
        reply = redis.client().rawReply("CLIENT", "x\r\n+OK");
        assertEquals(reply.length() - 2, reply.indexOf("\r\n"));
    }

    @Test
    void shouldNameUnknownSubcommands() {
        assertEquals("-ERR unknown subcommand 'MAINT_NOTIFICATIONS'. Try CLIENT HELP.",
                redis.run("CLIENT", "MAINT_NOTIFICATIONS", "ON"));
        assertEquals("-ERR wrong number of arguments for 'client' command", redis.run("CLIENT"));
        assertEquals("-ERR wrong number of arguments for 'client|kill' command", redis.run("CLIENT", "KILL"));
    }

    @Test
    void shouldEndTheUnitOfACommandThatBreaksAnInvariant() {
        try (CommandTester broken = CommandTester.with(CommandSpec.named("break", 1, ctx -> {
            throw new AssertionError();
        }).group("server").since("1.0.0").summary("Breaks.").complexity("O(1)").build())) {
            assertThrows(AssertionError.class, () -> broken.run("BREAK"));
            broken.client().taken();
            assertTrue(broken.run("SET", "k", "v").endsWith("+OK"));
        }
    }

    @Test
    void shouldIgnoreTheCaseOfNames() {
        assertEquals("+OK", redis.run("cLiEnT", "sEtNaMe", "x"));
        assertEquals("$1 x", redis.run("client", "getname"));
    }

    @Test
    void shouldRefuseExecAfterAMistakeInTheQueue() {
        assertEquals("+OK", redis.run("MULTI"));
        assertEquals("+QUEUED", redis.run("PING"));
        assertEquals("-ERR wrong number of arguments for 'get' command", redis.run("GET"));
        assertEquals("-EXECABORT Transaction discarded because of previous errors.", redis.run("EXEC"));
        assertEquals("-ERR EXEC without MULTI", redis.run("EXEC"));
    }

    @Test
    void shouldDiscardTheTransactionIfExecItselfIsWrong() {
        redis.run("MULTI");
        redis.run("PING");
        assertEquals("-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command",
                redis.run("EXEC", "now"));
        assertEquals("-ERR EXEC without MULTI", redis.run("EXEC"));
    }

    @Test
    void shouldRefuseInsideATransactionWhatCannotBeQueued() {
        redis.run("MULTI");
        assertEquals("-ERR Command not allowed inside a transaction", redis.run("SAVE"));
        assertEquals("-EXECABORT Transaction discarded because of previous errors.", redis.run("EXEC"));
    }

    @Test
    void shouldBoundWhatAClientQueues() {
        try (CommandTester small = new CommandTester("--client-query-buffer-limit", "1mb")) {
            small.run("MULTI");
            String value = "x".repeat(600_000);
            assertEquals("+QUEUED", small.run("SET", "k", value));
            assertEquals("-ERR transaction is too large", small.run("SET", "k", value));
            assertEquals("-EXECABORT Transaction discarded because of previous errors.", small.run("EXEC"));
        }
    }

    @Test
    void shouldNameTheLimitThatIsReached() {
        try (CommandTester small = new CommandTester(new KeyspaceLimits(0, 1_000, EvictionPolicy.NOEVICTION))) {
            assertEquals("-OOM command not allowed when used memory > 'maxmemory'.",
                small.run("SET", "b", "x".repeat(2_000)));
        }
        try (CommandTester small = new CommandTester(new KeyspaceLimits(1, 1_000, EvictionPolicy.NOEVICTION))) {
            assertEquals("+OK", small.run("SET", "a", "1"));
            assertEquals("-OOM command not allowed when the number of keys has reached 'maxkeys'.",
                small.run("SET", "b", "1"));
            assertEquals("-OOM command not allowed when used memory > 'maxmemory'.",
                small.run("SET", "a", "x".repeat(2_000)));
        }
    }

    @Test
    void shouldAnswerThatMemoryIsFullAndLeaveNothingHalfDone() {
        try (CommandTester small = new CommandTester(new KeyspaceLimits(1, 0, EvictionPolicy.NOEVICTION))) {
            assertEquals("+OK", small.run("SET", "a", "1"));
            assertEquals("-OOM command not allowed when the number of keys has reached 'maxkeys'.",
                small.run("SET", "b", "1"));
            assertEquals("+OK", small.run("SET", "a", "2"));
            small.run("MULTI");
            small.run("SET", "a", "3");
            small.run("SET", "b", "1");
            small.run("GET", "a");
            assertEquals("*3 +OK -OOM command not allowed when the number of keys has reached 'maxkeys'. $1 3",
                small.run("EXEC"));
        }
    }

    @Test
    void shouldRefuseWritesOfClientsOnAReplica() {
        redis.parts().state().readOnly(true);
        assertEquals("-READONLY You can't write against a read only replica.", redis.run("SET", "k", "v"));
        assertEquals("$-1", redis.run("GET", "k"));
    }

    @Test
    void shouldKeepDebugToThoseWhoMayUseIt() {
        String refusal = "-ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", "
                + "you can "
                + "run it from a local connection, otherwise you need to set this option in the configuration file, "
                + "and "
                + "then restart the server.";
        assertEquals(refusal, redis.run("DEBUG", "SLEEP", "0"));
        try (CommandTester open = new CommandTester("--enable-debug-command", "local")) {
            assertEquals("+OK", open.run("DEBUG", "SLEEP", "0"));
        }
    }

    @Test
    void shouldTakeOnlyAFewCommandsOfASubscriber() {
        redis.client().connection().subscriptions(1, 0, 0);
        assertEquals("-ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are "
                + "allowed "
                + "in this context", redis.run("GET", "k"));
        assertEquals("*2 $4 pong $0", redis.run("PING"));
        redis.client().connection().reply().protocol(3);
        assertEquals("_", redis.run("GET", "k"));
    }

    @Test
    void shouldCountCallsFailuresAndRejections() {
        redis.run("SET", "k", "v");
        redis.run("INCR", "k");
        redis.run("INCR", "k");
        redis.run("INCR", "n");
        redis.run("INCR");
        assertTrue(stats("incr").startsWith("calls=3,"), stats("incr"));
        assertTrue(stats("incr").endsWith(",rejected_calls=1,failed_calls=2"), stats("incr"));
        assertTrue(redis.run("INFO", "errorstats").contains("errorstat_ERR:count=3"));
        redis.run("CONFIG", "RESETSTAT");
        assertEquals("", stats("incr"));
        assertFalse(redis.run("INFO", "errorstats").contains("errorstat_ERR"));
    }

    @Test
    void shouldCountWhatATransactionRan() {
        redis.run("MULTI");
        redis.run("INCR", "k");
        redis.run("INCR", "k");
        redis.run("EXEC");
        assertTrue(stats("incr").startsWith("calls=2,"), stats("incr"));
        assertTrue(stats("exec").startsWith("calls=1,"), stats("exec"));
    }

    @Test
    void shouldBoundTheKindsOfErrorsThatItCounts() {
        for (int i = 0; i < 300; i++) {
            redis.run("AUTH", "u", "x");
            redis.run("GET");
        }
        assertTrue(redis.run("INFO", "errorstats").contains("errorstat_WRONGPASS:count=300"));
        assertEquals(600, redis.parts().errors().total());
    }

    @Test
    void shouldChargeACommandWithItsOwnDuration() {
        redis.run("CONFIG", "SET", "slowlog-log-slower-than", "1000");
        redis.run("PING");
        assertEquals(":0", redis.run("SLOWLOG", "LEN"));
        redis.run("CONFIG", "SET", "slowlog-log-slower-than", "0");
        redis.run("ECHO", "x".repeat(200));
        String log = redis.run("SLOWLOG", "GET", "1");
        assertTrue(log.contains("$4 ECHO") && log.contains("x".repeat(128) + "... (72 more bytes)"), log);
    }

    @Test
    void shouldKeepPasswordsOutOfTheSlowLog() {
        redis.run("CONFIG", "SET", "slowlog-log-slower-than", "0");
        redis.run("AUTH", "default", "secret");
        redis.run("HELLO", "2", "AUTH", "default", "secret");
        redis.run("CONFIG", "SET", "requirepass", "secret");
        String log = redis.run("SLOWLOG", "GET");
        assertTrue(log.contains("$4 AUTH $10 (redacted) $10 (redacted)"), log);
        assertTrue(log.contains("$5 HELLO $1 2 $4 AUTH $10 (redacted) $10 (redacted)"), log);
        assertTrue(log.contains("$6 CONFIG $3 SET $10 (redacted) $10 (redacted)"), log);
        assertTrue(!log.contains("secret"), log);
    }

    @Test
    void shouldFindKeysBehindTheirCount() {
        CommandSpec many = CommandSpec.named("many", -3, ctx -> ctx.reply().ok()).countedKeys(2, "RO")
                .group("g").since("1").summary("s").build();
        try (CommandTester server = CommandTester.with(many)) {
            assertEquals("*2 $1 a $1 b", server.run("COMMAND", "GETKEYS", "MANY", "x", "2", "a", "b", "c"));
            for (String count : new String[] {"-1", "0", "4", "999", "9223372036854775808", "x", ""}) {
                assertEquals("-ERR Invalid arguments specified for command",
                        server.run("COMMAND", "GETKEYS", "MANY", "x", count, "a", "b", "c"), count);
            }
        }
    }

    @Test
    void shouldSurviveAFaultOfAHandler() {
        CommandSpec broken = CommandSpec.named("broken", 1, ctx -> {
            ctx.reply().array(3);
            throw new IllegalStateException("for the test");
        }).group("g").since("1").summary("s").build();
        try (CommandTester server = CommandTester.with(broken)) {
            assertEquals("-ERR internal error, see the server's log", server.run("BROKEN"));
            assertEquals("+PONG", server.run("PING"));
            assertEquals(1, server.dispatcher().account().unexpectedErrors());
        }
    }

    @Test
    void shouldLetScriptsThatSayTheyOnlyReadGoOnWhileWritesArePaused() {
        String reads = "#!lua flags=no-writes\nreturn redis.call('EXISTS', 'k')";
        String sha = redis.run("SCRIPT", "LOAD", reads).substring("$40 ".length());
        redis.run("FUNCTION", "LOAD", "#!lua name=l\nredis.register_function{function_name='r', flags={'no-writes'}, "
                + "callback=function() return 7 end} redis.register_function('w', function() return 8 end)");
        assertEquals("+OK", redis.run("CLIENT", "PAUSE", "100", "WRITE"));
        assertEquals(":0", redis.run("EVAL", reads, "0"));
        assertEquals(":0", redis.run("EVALSHA", sha, "0"));
        assertEquals(":7", redis.run("FCALL", "r", "0"));
        redis.run("MULTI");
        redis.run("EVAL", reads, "0");
        redis.run("EVALSHA", sha, "0");
        redis.run("FCALL", "r", "0");
        assertEquals("*3 :0 :0 :7", redis.run("EXEC"));
        CommandTester.Client other = redis.newClient();
        for (String[] held : new String[][] {{"EVAL", "return 1", "0"}, {"EVAL", "#!lua\nreturn 1", "0"},
                {"EVALSHA", "f".repeat(40), "0"}, {"FCALL", "w", "0"}, {"FCALL", "nosuch", "0"}}) {
            assertEquals("", other.run(held), held[1]);
        }
        redis.run("CLIENT", "UNPAUSE");
    }

    @Test
    void shouldRefuseAReplyThatIsLargerThanAClientMayLeaveUntaken() {
        try (CommandTester server = new CommandTester("--client-output-buffer-limit", "normal", "1mb", "0", "0")) {
            String refused = "-ERR the reply would be larger than client-output-buffer-limit";
            server.run("SET", "k", "x".repeat(300_000));
            server.run("HSET", "h", "f", "y".repeat(300_000));
            assertEquals(900_000, server.run("MGET", "k", "k", "k").replaceAll("[^x]", "").length());
            assertEquals(refused, server.run("MGET", "k", "k", "k", "k"));
            assertEquals(refused, server.run("HMGET", "h", "f", "f", "f", "f"));
            assertEquals(refused, server.run("EVAL", "local s = redis.call('GET', 'k') return {s, s, s, s}", "0"));
            String[] info = new String[5000];
            java.util.Arrays.fill(info, "set");
            info[0] = "COMMAND";
            info[1] = "INFO";
            assertEquals(refused, server.run(info));
            server.run("MULTI");
            server.run("MGET", "k", "k", "k");
            server.run("MGET", "k", "k");
            server.run("SET", "k", "short", "GET");
            server.run("SET", "k", "more");
            String replies = server.run("EXEC");
            assertTrue(replies.endsWith("x " + refused + " $300000 " + "x".repeat(300_000) + " " + refused),
                    replies.replaceAll("x+", "x"));
            assertEquals("$5 short", server.run("GET", "k"));
            assertEquals("+OK", server.run("CONFIG", "SET", "client-output-buffer-limit", "normal 0 0 0"));
            assertTrue(server.run("HMGET", "h", "f", "f", "f", "f").startsWith("*4 $300000 yyy"));
        }
    }

    @Test
    void shouldEndOrExtendNoPauseThatServesAnotherPurpose() {
        ClientPause pause = redis.dispatcher().pause();
        long nowNs = redis.parts().clock().monotonicNs();
        pause.begin(ClientPause.Purpose.FAILOVER, true, nowNs + 1_000_000_000);
        CommandTester.Client other = redis.newClient();
        assertEquals("+OK", redis.run("CLIENT", "PAUSE", "100", "ALL"));
        assertEquals("", other.run("PING"));
        pause.expire(nowNs + 100_000_000);
        assertEquals("+PONG", other.run("PING"));
        assertEquals("+OK", redis.run("CLIENT", "UNPAUSE"));
        assertEquals("", other.run("SET", "k", "v"));
        pause.end(ClientPause.Purpose.FAILOVER);
        assertEquals("+OK", other.run("SET", "k", "v"));
    }

    @Test
    void shouldHoldClientsBackWhilePaused() {
        CommandTester.Client other = redis.newClient();
        assertEquals("+OK", redis.run("CLIENT", "PAUSE", "100", "WRITE"));
        assertEquals("", other.run("SET", "k", "v"));
        assertTrue(other.connection().isSuspended());
        assertEquals("$-1", redis.run("GET", "k"));
        redis.dispatcher().pause().expire(redis.parts().clock().monotonicNs() + 99_000_000);
        assertTrue(other.connection().isSuspended());
        redis.dispatcher().pause().expire(redis.parts().clock().monotonicNs() + 100_000_000);
        assertFalse(other.connection().isSuspended());
        assertEquals("+OK", other.run("SET", "k", "v"));
    }
}
