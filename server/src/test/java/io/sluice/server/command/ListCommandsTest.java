package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ListCommandsTest {
    private static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value";

    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String all(String key) {
        return redis.run("LRANGE", key, "0", "-1");
    }

    @Test
    void shouldPushAndPopAtBothEnds() {
        assertEquals(":3", redis.run("RPUSH", "l", "a", "b", "c"));
        assertEquals(":5", redis.run("LPUSH", "l", "x", "y"));
        assertEquals("*5 $1 y $1 x $1 a $1 b $1 c", all("l"));
        assertEquals("$1 y", redis.run("LPOP", "l"));
        assertEquals("*2 $1 c $1 b", redis.run("RPOP", "l", "2"));
        assertEquals("*0", redis.run("LPOP", "l", "0"));
        assertEquals(":2", redis.run("LLEN", "l"));
        assertEquals("*2 $1 x $1 a", redis.run("LPOP", "l", "10"));
        assertEquals(":0", redis.run("EXISTS", "l"));
        assertEquals("$-1", redis.run("LPOP", "l"));
        assertEquals("*-1", redis.run("LPOP", "l", "1"));
        assertEquals("-ERR value is out of range, must be positive", redis.run("LPOP", "l", "-1"));
        assertEquals("-ERR wrong number of arguments for 'lpop' command", redis.run("LPOP", "l", "x", "y"));
        assertEquals(":0", redis.run("RPUSHX", "l", "a"));
    }

    @Test
    void shouldReadAndChangeByPosition() {
        redis.run("RPUSH", "l", "a", "b", "c", "b", "d");
        assertEquals("$1 d", redis.run("LINDEX", "l", "-1"));
        assertEquals("$-1", redis.run("LINDEX", "l", "5"));
        assertEquals("+OK", redis.run("LSET", "l", "-1", "e"));
        assertEquals("-ERR index out of range", redis.run("LSET", "l", "9", "e"));
        assertEquals("-ERR no such key", redis.run("LSET", "none", "0", "e"));
        assertEquals(":6", redis.run("LINSERT", "l", "BEFORE", "b", "x"));
        assertEquals(":7", redis.run("LINSERT", "l", "after", "b", "y"));
        assertEquals(":-1", redis.run("LINSERT", "l", "AFTER", "none", "y"));
        assertEquals("*7 $1 a $1 x $1 b $1 y $1 c $1 b $1 e", all("l"));
        assertEquals(":1", redis.run("LREM", "l", "-1", "b"));
        assertEquals("+OK", redis.run("LTRIM", "l", "1", "-2"));
        assertEquals("*4 $1 x $1 b $1 y $1 c", all("l"));
        assertEquals("+OK", redis.run("LTRIM", "l", "5", "9"));
        assertEquals(":0", redis.run("EXISTS", "l"));
    }

    @Test
    void shouldFindElements() {
        redis.run("RPUSH", "l", "a", "b", "c", "1", "2", "3", "c", "c");
        assertEquals(":2", redis.run("LPOS", "l", "c"));
        assertEquals(":6", redis.run("LPOS", "l", "c", "RANK", "2"));
        assertEquals(":7", redis.run("LPOS", "l", "c", "RANK", "-1"));
        assertEquals("*2 :2 :6", redis.run("LPOS", "l", "c", "COUNT", "2"));
        assertEquals("*3 :7 :6 :2", redis.run("LPOS", "l", "c", "COUNT", "0", "RANK", "-1"));
        assertEquals("*0", redis.run("LPOS", "l", "c", "COUNT", "0", "MAXLEN", "2"));
        assertEquals("$-1", redis.run("LPOS", "l", "none"));
        assertEquals("-ERR COUNT can't be negative", redis.run("LPOS", "l", "c", "COUNT", "-1"));
    }

    @Test
    void shouldMoveElementsBetweenLists() {
        redis.run("RPUSH", "a", "1", "2", "3");
        assertEquals("$1 3", redis.run("RPOPLPUSH", "a", "b"));
        assertEquals("$1 1", redis.run("LMOVE", "a", "b", "LEFT", "RIGHT"));
        assertEquals("*2 $1 3 $1 1", all("b"));
        assertEquals("$1 1", redis.run("LMOVE", "b", "b", "RIGHT", "LEFT"));
        assertEquals("*2 $1 1 $1 3", all("b"));
        assertEquals("$1 1", redis.run("LMOVE", "b", "b", "LEFT", "LEFT"));
        assertEquals("*2 $1 1 $1 3", all("b"));
        assertEquals("$1 2", redis.run("RPOPLPUSH", "a", "b"));
        assertEquals(":0", redis.run("EXISTS", "a"));
        assertEquals("*2 $1 b *2 $1 2 $1 1", redis.run("LMPOP", "2", "a", "b", "LEFT", "COUNT", "2"));
        assertEquals("*-1", redis.run("LMPOP", "1", "a", "LEFT"));
        assertEquals("-ERR numkeys should be greater than 0", redis.run("LMPOP", "0", "a", "LEFT"));
    }

    @Test
    void shouldMoveALongElement() {
        String element = "e".repeat(10_000);
        redis.run("RPUSH", "a", element);
        assertEquals("$10000 " + element, redis.run("LMOVE", "a", "b", "LEFT", "RIGHT"));
        assertEquals("*1 $10000 " + element, all("b"));
    }

    @Test
    void shouldRefuseOtherTypesAndKeepThem() {
        redis.run("SET", "s", "v");
        redis.run("RPUSH", "l", "a");
        for (String[] command : new String[][] {{"LPUSH", "s", "a"}, {"LPUSHX", "s", "a"}, {"LPOP", "s"},
            {"LLEN", "s"}, {"LINDEX", "s", "0"}, {"LRANGE", "s", "0", "1"}, {"LTRIM", "s", "0", "1"},
            {"LSET", "s", "0", "a"}, {"LREM", "s", "0", "a"}, {"LINSERT", "s", "BEFORE", "a", "b"},
            {"LPOS", "s", "a"}, {"RPOPLPUSH", "l", "s"}, {"RPOPLPUSH", "s", "l"}, {"LMPOP", "1", "s", "LEFT"},
            {"GET", "l"}, {"INCR", "l"}, {"APPEND", "l", "x"}, {"ZADD", "l", "1", "a"}}) {
            assertEquals(WRONG_TYPE, redis.run(command), String.join(" ", command));
        }
        assertEquals("*1 $1 a", all("l"));
        assertEquals("$1 v", redis.run("GET", "s"));
    }

    @Test
    void shouldKeepTheExpiryOfAListThatChanges() {
        redis.run("RPUSH", "l", "a");
        redis.run("EXPIRE", "l", "60");
        redis.run("RPUSH", "l", "b".repeat(100));
        redis.run("LPOP", "l");
        assertEquals(":60", redis.run("TTL", "l"));
        redis.clock().advanceMs(61_000);
        assertEquals(":1", redis.run("RPUSH", "l", "c"));
        assertEquals(":-1", redis.run("TTL", "l"));
    }
}
