package io.sluice.server.command;

import io.sluice.persistence.EvictionPolicy;
import io.sluice.persistence.KeyspaceLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class StringCommandsTest {
    private static final String OUT_OF_MEMORY = "-OOM command not allowed when used memory > 'maxmemory'.";
    private static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value";
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldSetAndGetAnyBytes() {
        assertEquals("+OK", redis.run("SET", "", "a\u0000\r\n\u00ff"));
        assertEquals("$5\r\na\u0000\r\n\u00ff\r\n", redis.client().rawReply("GET", ""));
        assertEquals("$-1", redis.run("GET", "absent"));
    }

    @Test
    void shouldSetOnlyUnderItsCondition() {
        assertEquals("$-1", redis.run("SET", "k", "v", "XX"));
        assertEquals("+OK", redis.run("SET", "k", "v", "nx"));
        assertEquals("$-1", redis.run("SET", "k", "w", "NX"));
        assertEquals("$1 v", redis.run("SET", "k", "w", "XX", "GET"));
        assertEquals("$1 w", redis.run("SET", "k", "x", "NX", "GET"));
        assertEquals("$1 w", redis.run("GET", "k"));
        assertEquals("$-1", redis.run("SET", "fresh", "v", "NX", "GET"));
        assertEquals("$1 v", redis.run("GET", "fresh"));
    }

    @Test
    void shouldSetWithEveryKindOfExpiry() {
        redis.run("SET", "k", "v", "EX", "10");
        assertEquals(":10000", redis.run("PTTL", "k"));
        redis.run("SET", "k", "v", "PX", "1500");
        assertEquals(":1500", redis.run("PTTL", "k"));
        redis.run("SET", "k", "v", "EXAT", "1700000020");
        assertEquals(":20000", redis.run("PTTL", "k"));
        redis.run("SET", "k", "v", "PXAT", "1700000000007");
        assertEquals(":7", redis.run("PTTL", "k"));
        redis.run("SET", "k", "w", "KEEPTTL");
        assertEquals(":7", redis.run("PTTL", "k"));
        redis.run("SET", "k", "w");
        assertEquals(":-1", redis.run("PTTL", "k"));
    }

    @Test
    void shouldLeaveNoKeyWhenTheExpiryIsOver() {
        redis.run("SET", "k", "v");
        assertEquals("+OK", redis.run("SET", "k", "v", "EXAT", "1"));
        assertEquals(":0", redis.run("EXISTS", "k"));
        assertEquals(0, redis.keyspace().size(0));
    }

    @Test
    void shouldRefuseWrongOptions() {
        redis.run("SET", "k", "v");
        for (String options : new String[] {"NX XX", "EX", "EX 1 PX 1", "KEEPTTL EX 1", "PERSIST", "EX x FOO"}) {
            assertEquals("-ERR syntax error", redis.run(("SET k w " + options).split(" ")), options);
        }
        assertEquals("-ERR value is not an integer or out of range", redis.run("SET", "k", "w", "EX", "x"));
        for (String time : new String[] {"0", "-1", "9223372036854775807"}) {
            assertEquals("-ERR invalid expire time in 'set' command", redis.run("SET", "k", "w", "EX", time));
            assertEquals("-ERR invalid expire time in 'setex' command", redis.run("SETEX", "k", time, "w"));
        }
        assertEquals("-ERR invalid expire time in 'psetex' command", redis.run("PSETEX", "k", "0", "w"));
        assertEquals("$1 v", redis.run("GET", "k"));
    }

    @Test
    void shouldSetOnceOrForAWhile() {
        assertEquals(":1", redis.run("SETNX", "k", "v"));
        assertEquals(":0", redis.run("SETNX", "k", "w"));
        assertEquals("+OK", redis.run("SETEX", "e", "10", "v"));
        assertEquals("+OK", redis.run("PSETEX", "p", "10", "v"));
        assertEquals(":10000", redis.run("PTTL", "e"));
        redis.clock().advanceMs(11);
        assertEquals("$-1", redis.run("GET", "p"));
    }

    @Test
    void shouldGetAndChangeAtOnce() {
        assertEquals("$-1", redis.run("GETSET", "k", "v"));
        assertEquals("$1 v", redis.run("GETSET", "k", "w"));
        assertEquals("$1 w", redis.run("GETEX", "k", "EX", "5"));
        assertEquals(":5", redis.run("TTL", "k"));
        assertEquals("$1 w", redis.run("GETEX", "k"));
        assertEquals(":5", redis.run("TTL", "k"));
        assertEquals("$1 w", redis.run("GETEX", "k", "PERSIST"));
        assertEquals(":-1", redis.run("TTL", "k"));
        assertEquals("$1 w", redis.run("GETEX", "k", "PXAT", "1"));
        assertEquals("$-1", redis.run("GETDEL", "k"));
        redis.run("SET", "k", "v");
        assertEquals("$1 v", redis.run("GETDEL", "k"));
        assertEquals(":0", redis.run("EXISTS", "k"));
        assertEquals("-ERR syntax error", redis.run("GETEX", "k", "EX", "5", "PERSIST"));
    }

    @Test
    void shouldGetAndSetSeveral() {
        assertEquals("+OK", redis.run("MSET", "a", "1", "b", "2", "a", "3"));
        assertEquals("*3 $1 3 $-1 $1 2", redis.run("MGET", "a", "none", "b"));
        assertEquals(":0", redis.run("MSETNX", "c", "1", "b", "2"));
        assertEquals(":0", redis.run("EXISTS", "c"));
        assertEquals(":1", redis.run("MSETNX", "c", "1", "d", "2"));
        assertEquals("-ERR wrong number of arguments for 'mset' command", redis.run("MSET", "a", "1", "b"));
        redis.run("RL.FIXED", "limit", "1", "1");
        assertEquals("*1 $-1", redis.run("MGET", "limit"));
    }

    @Test
    void shouldSetAllOrNothingWhenThereIsNoRoom() {
        KeyspaceLimits twoKeys = new KeyspaceLimits(2, 0, EvictionPolicy.NOEVICTION);
        try (CommandTester full = new CommandTester(twoKeys)) {
            full.run("SET", "a", "1");
            String outOfMemory = "-OOM command not allowed when the number of keys has reached 'maxkeys'.";
            assertEquals(outOfMemory, full.run("MSET", "a", "2", "b", "2", "c", "2"));
            assertEquals("*3 $1 1 $-1 $-1", full.run("MGET", "a", "b", "c"));
            assertEquals("+OK", full.run("MSET", "a", "2", "b", "2"));
            assertEquals(outOfMemory, full.run("SET", "c", "2", "GET"));
            assertEquals("+OK", full.run("SET", "a", "3"));
        }
    }

    @Test
    void shouldSetAllOrNothingWhereNumbersBecomeTexts() {
        try (CommandTester full = new CommandTester()) {
            full.run("MSET", "a", "1", "b", "2");
            limit(full, 8, EvictionPolicy.NOEVICTION);
            assertEquals(OUT_OF_MEMORY, full.run("MSET", "a", "ten bytes.", "b", "ten bytes."));
            assertEquals("*2 $1 1 $1 2", full.run("MGET", "a", "b"));
            limit(full, 12 + 8, EvictionPolicy.NOEVICTION);
            assertEquals("+OK", full.run("MSET", "a", "1234567890123456", "b", "1234567890123456"));
        }
    }

    @Test
    void shouldSetAllOrNothingWhereNewNumbersAreLongerThanTheirText() {
        try (CommandTester full = new CommandTester()) {
            limit(full, 2 * 27, EvictionPolicy.NOEVICTION);
            assertEquals(OUT_OF_MEMORY, full.run("MSET", "a", "1", "b", "2"));
            assertEquals("*2 $-1 $-1", full.run("MGET", "a", "b"));
            limit(full, 2 * 29, EvictionPolicy.NOEVICTION);
            assertEquals("+OK", full.run("MSET", "a", "1", "b", "2"));
        }
    }

    @Test
    void shouldSetAllOrNothingWhereOneOfThemIsEvictedForTheOthers() {
        String text = "x".repeat(1_000);
        try (CommandTester full = new CommandTester()) {
            full.run("SET", "a", text, "EX", "100");
            limit(full, 0, EvictionPolicy.VOLATILE_TTL);
            assertEquals(OUT_OF_MEMORY, full.run("MSET", "n", text.substring(500), "a", text));
            assertEquals(":0", full.run("EXISTS", "n"));
        }
    }

    private static void limit(CommandTester tester, int bytesLeft, EvictionPolicy policy) {
        tester.keyspace().limits(new KeyspaceLimits(0, tester.keyspace().memoryUsed() + bytesLeft, policy));
    }

    @Test
    void shouldRefuseWhatIsNoString() {
        redis.run("RL.FIXED", "limit", "1", "1");
        for (String command : new String[] {"GET limit", "GETSET limit v", "GETDEL limit", "GETEX limit",
            "SET limit v GET", "APPEND limit v", "STRLEN limit", "GETRANGE limit 0 1", "SETRANGE limit 0 v",
            "INCR limit", "INCRBYFLOAT limit 1", "INCREX limit"}) {
            assertEquals(WRONG_TYPE, redis.run(command.split(" ")), command);
        }
        assertEquals("+OK", redis.run("SET", "limit", "v"));
        assertEquals("+string", redis.run("TYPE", "limit"));
    }

    @Test
    void shouldAppendAndMeasure() {
        assertEquals(":3", redis.run("APPEND", "k", "abc"));
        assertEquals(":6", redis.run("APPEND", "k", "def"));
        assertEquals(":6", redis.run("STRLEN", "k"));
        assertEquals(":0", redis.run("STRLEN", "absent"));
        redis.run("SET", "n", "-12", "EX", "10");
        assertEquals(":3", redis.run("STRLEN", "n"));
        assertEquals(":4", redis.run("APPEND", "n", "3"));
        assertEquals(":-122", redis.run("INCR", "n"));
        assertEquals(":10", redis.run("TTL", "n"));
        assertEquals(":0", redis.run("APPEND", "empty", ""));
        assertEquals(":1", redis.run("EXISTS", "empty"));
    }

    @Test
    void shouldCutOutAndOverwriteRanges() {
        redis.run("SET", "k", "hello world");
        assertEquals("$5 world", redis.run("GETRANGE", "k", "-5", "-1"));
        assertEquals("$5 hello", redis.run("SUBSTR", "k", "0", "4"));
        assertEquals("$0", redis.run("GETRANGE", "k", "5", "3"));
        assertEquals("$0", redis.run("GETRANGE", "k", "-3", "-5"));
        assertEquals("$1 h", redis.run("GETRANGE", "k", "-100", "-50"));
        assertEquals("$11 hello world", redis.run("GETRANGE", "k", "-9223372036854775808", "9223372036854775807"));
        redis.run("SET", "n", "-1234");
        assertEquals("$3 234", redis.run("GETRANGE", "n", "2", "10"));
        assertEquals("$0", redis.run("GETRANGE", "absent", "0", "-1"));
        assertEquals(":11", redis.run("SETRANGE", "k", "6", "redis"));
        assertEquals("$11 hello redis", redis.run("GET", "k"));
        assertEquals(":3", redis.run("SETRANGE", "padded", "2", "x"));
        assertEquals("$3 \u0000\u0000x", redis.run("GET", "padded"));
        assertEquals(":0", redis.run("SETRANGE", "absent", "5", ""));
        assertEquals("-ERR offset is out of range", redis.run("SETRANGE", "k", "-1", "x"));
        assertEquals("-ERR value exceeds the maximum allowed size",
            redis.run("SETRANGE", "k", "9223372036854775807", "x"));
        assertEquals("$11 hello redis", redis.run("GET", "k"));
    }
}
