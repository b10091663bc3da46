package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class KeyCommandsTest {
    private static final String SAME = "-ERR source and destination objects are the same";
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldRemoveAndCountKeys() {
        redis.run("MSET", "a", "1", "b", "2", "c", "3");
        assertEquals(":3", redis.run("EXISTS", "a", "b", "a", "none"));
        assertEquals(":2", redis.run("TOUCH", "a", "b", "none"));
        assertEquals(":2", redis.run("DEL", "a", "b", "a", "none"));
        assertEquals(":1", redis.run("UNLINK", "c"));
        assertEquals(0, redis.keyspace().size(0));
    }

    @Test
    void shouldTellTypes() {
        redis.run("CL.THROTTLE", "cell", "1", "1", "1");
        redis.run("GCRA", "gcra", "1", "1", "1");
        redis.run("RL.BUCKET", "bucket", "1", "1", "1");
        assertEquals("+string", redis.run("TYPE", "cell"));
        assertEquals("+gcra", redis.run("TYPE", "gcra"));
        assertEquals("+bucket", redis.run("TYPE", "bucket"));
        assertEquals("+none", redis.run("TYPE", "none"));
    }

    @Test
    void shouldRenameWithValueAndExpiry() {
        redis.run("SET", "a", "v", "EX", "60");
        redis.run("SET", "b", "w");
        assertEquals(":0", redis.run("RENAMENX", "a", "b"));
        assertEquals("+OK", redis.run("RENAME", "a", "b"));
        assertEquals("$1 v", redis.run("GET", "b"));
        assertEquals(":60", redis.run("TTL", "b"));
        assertEquals(":0", redis.run("EXISTS", "a"));
        assertEquals(":1", redis.run("RENAMENX", "b", "c"));
        assertEquals("+OK", redis.run("RENAME", "c", "c"));
        assertEquals(":0", redis.run("RENAMENX", "c", "c"));
        assertEquals("$1 v", redis.run("GET", "c"));
        assertEquals("-ERR no such key", redis.run("RENAME", "none", "none"));
        assertEquals("-ERR no such key", redis.run("RENAMENX", "none", "c"));
    }

    @Test
    void shouldCopyWithinAndAcrossDatabases() {
        redis.run("RL.LOG", "a", "5", "60", "3");
        redis.run("SET", "b", "w");
        assertEquals(":0", redis.run("COPY", "a", "b"));
        assertEquals(":1", redis.run("COPY", "a", "b", "REPLACE"));
        assertEquals("*5 :0 :5 :2 :-1 :60", redis.run("RL.LOG", "b", "5", "60", "0"));
        assertEquals(":1", redis.run("COPY", "a", "a", "DB", "1"));
        assertEquals(":0", redis.run("COPY", "none", "c"));
        assertEquals(SAME, redis.run("COPY", "a", "a"));
        assertEquals(SAME, redis.run("COPY", "a", "a", "DB", "0"));
        assertEquals("-ERR DB index is out of range", redis.run("COPY", "a", "b", "DB", "16"));
        assertEquals("-ERR value is not an integer or out of range", redis.run("COPY", "a", "b", "DB", "x"));
        assertEquals("-ERR value is out of range, value must between -2147483648 and 2147483647",
            redis.run("COPY", "a", "b", "DB", "4294967296"));
        assertEquals("-ERR syntax error", redis.run("COPY", "a", "b", "DB"));
        redis.run("SELECT", "1");
        assertEquals("*5 :0 :5 :2 :-1 :60", redis.run("RL.LOG", "a", "5", "60", "0"));
    }

    @Test
    void shouldMoveBetweenDatabases() {
        redis.run("SET", "a", "v", "EX", "60");
        assertEquals(":1", redis.run("MOVE", "a", "1"));
        assertEquals(":0", redis.run("MOVE", "a", "1"));
        redis.run("SET", "a", "w");
        assertEquals(":0", redis.run("MOVE", "a", "1"));
        assertEquals(SAME, redis.run("MOVE", "a", "0"));
        assertEquals("-ERR DB index is out of range", redis.run("MOVE", "a", "-1"));
        redis.run("SELECT", "1");
        assertEquals("$1 v", redis.run("GET", "a"));
        assertEquals(":60", redis.run("TTL", "a"));
    }

    @Test
    void shouldSwapAndFlushDatabases() {
        redis.run("SET", "a", "v");
        assertEquals("+OK", redis.run("SWAPDB", "0", "1"));
        assertEquals(":0", redis.run("EXISTS", "a"));
        assertEquals("+OK", redis.run("FLUSHDB", "ASYNC"));
        redis.run("SELECT", "1");
        assertEquals(":1", redis.run("EXISTS", "a"));
        assertEquals("-ERR syntax error", redis.run("FLUSHALL", "ASYNC", "SYNC"));
        assertEquals("-ERR syntax error", redis.run("FLUSHDB", "NOW"));
        assertEquals(":1", redis.run("EXISTS", "a"));
        assertEquals("+OK", redis.run("FLUSHALL", "sync"));
        assertEquals(":0", redis.run("EXISTS", "a"));
        assertEquals("-ERR invalid first DB index", redis.run("SWAPDB", "a", "b"));
        assertEquals("-ERR invalid second DB index", redis.run("SWAPDB", "0", "99999999999"));
        assertEquals("-ERR DB index is out of range", redis.run("SWAPDB", "0", "16"));
    }

    @Test
    void shouldTellHowValuesAreHeld() {
        redis.run("SET", "int", "12");
        redis.run("SET", "short", "x".repeat(44));
        redis.run("SET", "long", "x".repeat(45));
        assertEquals("$3 int", redis.run("OBJECT", "ENCODING", "int"));
        assertEquals("$6 embstr", redis.run("OBJECT", "ENCODING", "short"));
        assertEquals("$3 raw", redis.run("OBJECT", "ENCODING", "long"));
        assertEquals(":1", redis.run("OBJECT", "REFCOUNT", "int"));
        assertEquals(":0", redis.run("OBJECT", "IDLETIME", "int"));
        assertEquals("-ERR An LFU maxmemory policy", redis.run("OBJECT", "FREQ", "int").substring(0, 28));
        assertEquals("$-1", redis.run("OBJECT", "ENCODING", "none"));
        assertEquals("*11 +OBJECT", redis.run("OBJECT", "HELP").substring(0, 11));
        assertEquals("-ERR unknown subcommand 'foo'. Try OBJECT HELP.", redis.run("OBJECT", "foo"));
        assertEquals("-ERR wrong number of arguments for 'object|encoding' command", redis.run("OBJECT", "ENCODING"));
    }

    @Test
    void shouldRefuseKeysThatAreTooLong() {
        String longest = "k".repeat(65_535);
        assertEquals("+OK", redis.run("SET", longest, "v"));
        assertEquals("$1 v", redis.run("GET", longest));
        assertEquals("-ERR key is too long", redis.run("SET", longest + "k", "v"));
        assertEquals("-ERR key is too long", redis.run("CL.THROTTLE", longest + "k", "1", "1", "1"));
        assertEquals("-ERR key is too long", redis.run("WATCH", longest + "k"));
    }
}
