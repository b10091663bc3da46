package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ZSetCommandsTest {
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String all(String key) {
        return redis.run("ZRANGE", key, "0", "-1", "WITHSCORES");
    }

    @Test
    void shouldAddAndUpdateScores() {
        assertEquals(":2", redis.run("ZADD", "z", "1", "a", "2", "b"));
        assertEquals(":1", redis.run("ZADD", "z", "CH", "3", "a", "2", "b"));
        assertEquals(":0", redis.run("ZADD", "z", "NX", "9", "a"));
        assertEquals(":0", redis.run("ZADD", "z", "XX", "9", "none"));
        assertEquals("$1 5", redis.run("ZADD", "z", "INCR", "2", "a"));
        assertEquals("$-1", redis.run("ZADD", "z", "LT", "INCR", "2", "a"));
        assertEquals(":0", redis.run("ZADD", "z", "GT", "CH", "4", "a"));
        assertEquals("*4 $1 b $1 2 $1 a $1 5", all("z"));
        assertEquals("$3 2.5", redis.run("ZINCRBY", "z", "0.5", "b"));
        assertEquals("$3 0.1", redis.run("ZADD", "z", "INCR", "0.1", "c"));
        assertEquals("*3 $3 0.1 $-1 $1 5", redis.run("ZMSCORE", "z", "c", "none", "a"));
    }

    @Test
    void shouldRefuseWhatIsNoScore() {
        assertEquals("-ERR value is not a valid float", redis.run("ZADD", "z", "1", "a", "x", "b"));
        assertEquals("-ERR value is not a valid float", redis.run("ZADD", "z", "nan", "a"));
        assertEquals("-ERR value is not a valid float", redis.run("ZADD", "z", "1e400", "a"));
        assertEquals(":0", redis.run("EXISTS", "z"));
        redis.run("ZADD", "z", "inf", "a");
        assertEquals("-ERR resulting score is not a number (NaN)", redis.run("ZINCRBY", "z", "-inf", "a"));
        assertEquals("-ERR XX and NX options at the same time are not compatible",
            redis.run("ZADD", "z", "NX", "XX", "1", "a"));
        assertEquals("-ERR GT, LT, and/or NX options at the same time are not compatible",
            redis.run("ZADD", "z", "GT", "LT", "1", "a"));
        assertEquals("-ERR INCR option supports a single increment-element pair",
            redis.run("ZADD", "z", "INCR", "1", "a", "2", "b"));
        assertEquals("-ERR syntax error", redis.run("ZADD", "z", "NX", "1"));
    }

    @Test
    void shouldTellRanksWithScores() {
        redis.run("ZADD", "z", "1", "a", "2", "b", "3", "c");
        assertEquals(":1", redis.run("ZRANK", "z", "b"));
        assertEquals("*2 :0 $1 3", redis.run("ZREVRANK", "z", "c", "WITHSCORE"));
        assertEquals("$-1", redis.run("ZRANK", "z", "none"));
        assertEquals("*-1", redis.run("ZRANK", "none", "a", "WITHSCORE"));
        assertEquals("-ERR syntax error", redis.run("ZRANK", "z", "a", "x"));
    }

    @Test
    void shouldGiveRangesByRankScoreAndMember() {
        redis.run("ZADD", "z", "1", "a", "2", "b", "3", "c", "4", "d");
        assertEquals("*2 $1 b $1 c", redis.run("ZRANGE", "z", "1", "2"));
        assertEquals("*2 $1 d $1 c", redis.run("ZRANGE", "z", "0", "1", "REV"));
        assertEquals("*2 $1 b $1 c", redis.run("ZRANGEBYSCORE", "z", "(1", "3"));
        assertEquals("*2 $1 c $1 3", redis.run("ZREVRANGEBYSCORE", "z", "+inf", "-inf", "WITHSCORES", "LIMIT", "1",
            "1"));
        assertEquals("*0", redis.run("ZRANGEBYSCORE", "z", "5", "1"));
        assertEquals(":3", redis.run("ZCOUNT", "z", "(1", "inf"));
        assertEquals("-ERR min or max is not a float", redis.run("ZCOUNT", "z", "x", "1"));
        redis.run("ZADD", "l", "0", "a", "0", "ab", "0", "b");
        assertEquals("*2 $1 a $2 ab", redis.run("ZRANGEBYLEX", "l", "-", "(b"));
        assertEquals("*1 $1 b", redis.run("ZRANGE", "l", "+", "-", "BYLEX", "REV", "LIMIT", "0", "1"));
        assertEquals(":1", redis.run("ZLEXCOUNT", "l", "(a", "[ab"));
        assertEquals("-ERR min or max not valid string range item", redis.run("ZRANGEBYLEX", "l", "a", "b"));
        assertEquals("-ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX",
            redis.run("ZRANGE", "z", "0", "1", "LIMIT", "0", "1"));
    }

    @Test
    void shouldNestScoresInResp3() {
        redis.run("HELLO", "3");
        redis.run("ZADD", "z", "1.5", "a", "inf", "b");
        assertEquals("*2 *2 $1 a ,1.5 *2 $1 b ,inf", all("z"));
        assertEquals("*1 *2 $1 a ,1.5", redis.run("ZPOPMIN", "z", "1"));
        assertEquals("*2 $1 b ,inf", redis.run("ZPOPMIN", "z"));
    }

    @Test
    void shouldRemoveRangesAndTheKeyWithTheLast() {
        redis.run("ZADD", "z", "1", "a", "2", "b", "3", "c", "4", "d", "5", "e");
        assertEquals(":2", redis.run("ZREMRANGEBYSCORE", "z", "-inf", "(3"));
        assertEquals(":1", redis.run("ZREMRANGEBYRANK", "z", "-1", "-1"));
        assertEquals("*4 $1 c $1 3 $1 d $1 4", all("z"));
        assertEquals(":1", redis.run("ZREM", "z", "d", "none"));
        assertEquals("*2 $1 c $1 3", redis.run("ZPOPMAX", "z"));
        assertEquals(":0", redis.run("EXISTS", "z"));
        assertEquals("*0", redis.run("ZPOPMAX", "z"));
        assertEquals("*-1", redis.run("ZMPOP", "1", "z", "MIN"));
    }

    @Test
    void shouldStoreWhatItCombines() {
        redis.run("ZADD", "a", "1", "x", "2", "y");
        redis.run("ZADD", "b", "10", "y", "20", "z");
        redis.run("SET", "to", "text");
        assertEquals(":3", redis.run("ZUNIONSTORE", "to", "2", "a", "b", "WEIGHTS", "2", "1"));
        assertEquals("*6 $1 x $1 2 $1 y $2 14 $1 z $2 20", all("to"));
        assertEquals(":1", redis.run("ZINTERSTORE", "to", "2", "a", "b", "AGGREGATE", "MAX"));
        assertEquals("*2 $1 y $2 10", all("to"));
        assertEquals("*2 $1 x $1 1", redis.run("ZDIFF", "2", "a", "b", "WITHSCORES"));
        assertEquals(":1", redis.run("ZINTERCARD", "2", "a", "b", "LIMIT", "5"));
        assertEquals(":1", redis.run("ZRANGESTORE", "to", "a", "1", "5"));
        assertEquals("*2 $1 y $1 2", all("to"));
        assertEquals(":0", redis.run("ZRANGESTORE", "to", "a", "5", "6"));
        assertEquals(":0", redis.run("EXISTS", "to"));
        assertEquals("-ERR at least 1 input key is needed for 'zunionstore' command",
            redis.run("ZUNIONSTORE", "to", "0", "a"));
    }

    @Test
    void shouldTellTheEncodingAsRedisDoes() {
        redis.run("ZADD", "z", "1", "a");
        assertEquals("$8 listpack", redis.run("OBJECT", "ENCODING", "z"));
        redis.run("ZADD", "z", "1", "a".repeat(65));
        assertEquals("$8 skiplist", redis.run("OBJECT", "ENCODING", "z"));
        redis.run("ZREM", "z", "a".repeat(65));
        assertEquals("$8 skiplist", redis.run("OBJECT", "ENCODING", "z"));
        assertEquals("+zset", redis.run("TYPE", "z"));
    }

    @Test
    void shouldScanMembersWithScores() {
        redis.run("ZADD", "z", "1.5", "a", "2", "b");
        assertEquals("*2 $1 0 *4 $1 a $3 1.5 $1 b $1 2", redis.run("ZSCAN", "z", "0"));
        assertEquals("*2 $1 0 *2 $1 b $1 2", redis.run("ZSCAN", "z", "0", "MATCH", "b*", "COUNT", "5"));
        assertEquals("*2 $1 0 *0", redis.run("ZSCAN", "none", "0"));
        assertEquals("-ERR invalid cursor", redis.run("ZSCAN", "z", "x"));
    }

    @Test
    void shouldAddInfinitiesUpAsRedisDoes() {
        redis.run("ZADD", "z", "inf", "a");
        redis.run("ZADD", "y", "inf", "a", "1", "b");
        assertEquals("*2 $1 a $1 0", redis.run("ZINTER", "2", "z", "z", "WEIGHTS", "-1", "0", "WITHSCORES"));
        assertEquals("*2 $1 a $4 -inf", redis.run("ZUNION", "2", "z", "z", "WEIGHTS", "-1", "0", "WITHSCORES"));
        assertEquals("*2 $1 a $3 inf",
            redis.run("ZINTER", "2", "z", "z", "WEIGHTS", "1", "0", "AGGREGATE", "MIN", "WITHSCORES"));
        assertEquals("*2 $1 a $3 inf", redis.run("ZINTER", "2", "y", "z", "WEIGHTS", "1", "0", "WITHSCORES"));
    }
}
