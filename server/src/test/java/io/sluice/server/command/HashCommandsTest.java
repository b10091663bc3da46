package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HashCommandsTest {
    private static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value";
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldSetAndGetFields() {
        assertEquals(":2", redis.run("HSET", "h", "a", "1", "b", ""));
        assertEquals(":1", redis.run("HSET", "h", "b", "two", "c", "\u0000\u00ff"));
        assertEquals("$3 two", redis.run("HGET", "h", "b"));
        assertEquals("$-1", redis.run("HGET", "h", "x"));
        assertEquals("*3 $1 1 $-1 $3 two", redis.run("HMGET", "h", "a", "x", "b"));
        assertEquals("*6 $1 a $1 1 $1 b $3 two $1 c $2 \u0000\u00ff", redis.run("HGETALL", "h"));
        assertEquals("*3 $1 a $1 b $1 c", redis.run("HKEYS", "h"));
        assertEquals("*3 $1 1 $3 two $2 \u0000\u00ff", redis.run("HVALS", "h"));
        assertEquals(":3", redis.run("HLEN", "h"));
        assertEquals(":1", redis.run("HEXISTS", "h", "a"));
        assertEquals(":0", redis.run("HEXISTS", "h", "A"));
        assertEquals(":3", redis.run("HSTRLEN", "h", "b"));
        assertEquals("+OK", redis.run("HMSET", "h", "a", "2"));
        assertEquals(":0", redis.run("HSETNX", "h", "a", "3"));
        assertEquals(":1", redis.run("HSETNX", "h", "d", "4"));
        assertEquals("+hash", redis.run("TYPE", "h"));
    }

    @Test
    void shouldAnswerForAKeyThatIsNotThere() {
        assertEquals("$-1", redis.run("HGET", "h", "a"));
        assertEquals("*2 $-1 $-1", redis.run("HMGET", "h", "a", "b"));
        assertEquals("*0", redis.run("HGETALL", "h"));
        assertEquals("*0", redis.run("HKEYS", "h"));
        assertEquals(":0", redis.run("HLEN", "h"));
        assertEquals(":0", redis.run("HDEL", "h", "a"));
        assertEquals(":0", redis.run("HSTRLEN", "h", "a"));
        assertEquals("$-1", redis.run("HRANDFIELD", "h"));
        assertEquals("*0", redis.run("HRANDFIELD", "h", "-3", "WITHVALUES"));
        assertEquals("*2 $1 0 *0", redis.run("HSCAN", "h", "17", "NOSUCH"));
    }

    @Test
    void shouldAnswerWithMapsAndPairsInProtocolThree() {
        redis.run("HSET", "h", "a", "1");
        redis.run("HELLO", "3");
        assertEquals("%1 $1 a $1 1", redis.run("HGETALL", "h"));
        assertEquals("*1 *2 $1 a $1 1", redis.run("HRANDFIELD", "h", "9", "WITHVALUES"));
        assertEquals("*2 $1 0 *2 $1 a $1 1", redis.run("HSCAN", "h", "0"));
        assertEquals("_", redis.run("HGET", "h", "x"));
    }

    @Test
    void shouldRemoveTheKeyWithItsLastField() {
        redis.run("HSET", "h", "a", "1", "b", "2", "c", "3");
        assertEquals(":2", redis.run("HDEL", "h", "a", "x", "b"));
        assertEquals(":1", redis.run("HDEL", "h", "c", "a"));
        assertEquals(":0", redis.run("EXISTS", "h"));
        assertEquals(0, redis.keyspace().size(0));
    }

    @Test
    void shouldKeepTheExpiryOfAHashThatChanges() {
        redis.run("HSET", "h", "a", "1");
        redis.run("PEXPIRE", "h", "500");
        redis.run("HSET", "h", "b", "x".repeat(1_000));
        redis.run("HINCRBY", "h", "a", "1");
        redis.run("HDEL", "h", "b");
        assertEquals(":500", redis.run("PTTL", "h"));
        redis.clock().advanceNs(501_000_000);
        assertEquals(":1", redis.run("HINCRBY", "h", "a", "1"));
        assertEquals(":-1", redis.run("TTL", "h"));
    }

    @Test
    void shouldRefuseKeysOfOtherTypesAndOddArguments() {
        redis.run("SET", "s", "x");
        for (String[] command : new String[][] {{"HSET", "s", "a", "1"}, {"HGET", "s", "a"}, {"HGETALL", "s"},
            {"HMGET", "s", "a"}, {"HINCRBY", "s", "a", "1"}, {"HINCRBYFLOAT", "s", "a", "1"}, {"HDEL", "s", "a"},
            {"HSETNX", "s", "a", "1"}, {"HSCAN", "s", "0", "NOSUCH"}, {"HRANDFIELD", "s", "1"}}) {
            assertEquals(WRONG_TYPE, redis.run(command), command[0]);
        }
        redis.run("HSET", "h", "a", "1");
        assertEquals(WRONG_TYPE, redis.run("GET", "h"));
        assertEquals(WRONG_TYPE, redis.run("INCR", "h"));
        assertEquals("+OK", redis.run("SET", "h", "x"));
        assertEquals("-ERR wrong number of arguments for 'hset' command", redis.run("HSET", "k", "a", "1", "b"));
        assertEquals("-ERR wrong number of arguments for 'hmset' command", redis.run("HMSET", "k", "a", "1", "b"));
        assertEquals("-ERR invalid cursor", redis.run("HSCAN", "k", "x"));
    }

    @Test
    void shouldAddToNumbersInFields() {
        assertEquals(":5", redis.run("HINCRBY", "h", "n", "5"));
        assertEquals(":-2", redis.run("HINCRBY", "h", "n", "-7"));
        assertEquals("$2 -2", redis.run("HGET", "h", "n"));
        assertEquals("-ERR value is not an integer or out of range", redis.run("HINCRBY", "h", "n", "1.5"));
        redis.run("HSET", "h", "t", "text", "m", "9223372036854775807", "z", "01");
        assertEquals("-ERR hash value is not an integer", redis.run("HINCRBY", "h", "t", "1"));
        assertEquals("-ERR hash value is not an integer", redis.run("HINCRBY", "h", "z", "1"));
        assertEquals("-ERR increment or decrement would overflow", redis.run("HINCRBY", "h", "m", "1"));
        assertEquals(":9223372036854775806", redis.run("HINCRBY", "h", "m", "-1"));
        assertEquals("$3 3.5", redis.run("HINCRBYFLOAT", "h", "f", "3.5"));
        assertEquals("$1 4", redis.run("HINCRBYFLOAT", "h", "f", "5e-1"));
        assertEquals("-ERR hash value is not a float", redis.run("HINCRBYFLOAT", "h", "t", "1"));
        assertEquals("-ERR value is not a valid float", redis.run("HINCRBYFLOAT", "h", "f", "abc"));
        assertEquals("-ERR value is NaN or Infinity", redis.run("HINCRBYFLOAT", "h", "f", "inf"));
    }

    @Test
    void shouldHoldWhatAModelHolds() {
        Random random = new Random(3);
        Map<String, String> model = new HashMap<>();
        for (int i = 0; i < 30_000; i++) {
            String field = "f" + random.nextInt(i < 10_000 ? 40 : 1_500);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    String value = "v".repeat(random.nextInt(20)) + i;
                    assertEquals(model.put(field, value) == null ? ":1" : ":0", redis.run("HSET", "h", field, value));
                }
                case 2 -> assertEquals(model.remove(field) == null ? ":0" : ":1", redis.run("HDEL", "h", field));
                case 3 -> assertEquals(bulk(model.get(field)), redis.run("HGET", "h", field));
                default -> assertEquals(":" + model.size(), redis.run("HLEN", "h"));
            }
        }
        assertEquals(model, new HashMap<>(pairs(redis.run("HGETALL", "h"))));
        assertEquals("$9 hashtable", redis.run("OBJECT", "ENCODING", "h"));
    }

    @Test
    void shouldBeCopiedRenamedAndMovedAsAnyValue() {
        for (int i = 0; i < 600; i++) {
            redis.run("HSET", "h", "f" + i, "v" + i);
        }
        Map<String, String> fields = pairs(redis.run("HGETALL", "h"));
        assertEquals(":1", redis.run("COPY", "h", "copy"));
        redis.run("HDEL", "copy", "f0");
        assertEquals(":1", redis.run("HEXISTS", "h", "f0"));
        assertEquals("+OK", redis.run("RENAME", "h", "r"));
        assertEquals(":1", redis.run("MOVE", "r", "1"));
        redis.run("SELECT", "1");
        assertEquals(fields, pairs(redis.run("HGETALL", "r")));
        assertEquals("*2 $1 0 *1 $1 r", redis.run("SCAN", "0", "TYPE", "hash"));
        assertEquals("*2 $1 0 *0", redis.run("SCAN", "0", "TYPE", "set"));
    }

    private static String bulk(String text) {
        return text == null ? "$-1" : "$" + text.length() + " " + text;
    }

    private static Map<String, String> pairs(String reply) {
        String[] words = reply.split(" ");
        Map<String, String> pairs = new HashMap<>();
        for (int i = 2; i < words.length; i += 4) {
            pairs.put(words[i], words[i + 2]);
        }
        return pairs;
    }

    @Test
    void shouldScanAllFieldsOfALargeHashAtLeastOnceWhileItChanges() {
        for (int i = 0; i < 3_000; i++) {
            redis.run("HSET", "h", "field" + i, "v");
        }
        List<String> seen = new ArrayList<>();
        String cursor = "0";
        int step = 0;
        do {
            String[] words = redis.run("HSCAN", "h", cursor, "COUNT", "50", "MATCH", "field*").split(" ");
            cursor = words[2];
            for (int i = 5; i < words.length; i += 4) {
                seen.add(words[i]);
            }
            redis.run("HSET", "h", "new" + step, "v");
            redis.run("HDEL", "h", "new" + (step++ - 3));
        } while (!"0".equals(cursor));
        for (int i = 0; i < 3_000; i++) {
            assertTrue(seen.contains("field" + i), "field" + i);
        }
    }

    @Test
    void shouldAnswerWithDifferentFieldsAtRandomOrRepeatThem() {
        for (int i = 0; i < 100; i++) {
            redis.run("HSET", "h", "f" + i, "v" + i);
        }
        for (String count : new String[] {"5", "60", "100"}) {
            String[] words = redis.run("HRANDFIELD", "h", count).split(" ");
            assertEquals(Integer.parseInt(count), List.of(words).stream().filter(w -> w.startsWith("f")).distinct()
                .count());
        }
        assertTrue(redis.run("HRANDFIELD", "h", "-300").startsWith("*300 "));
        assertTrue(redis.run("HRANDFIELD", "h", "500", "withvalues").startsWith("*200 "));
        assertEquals("*0", redis.run("HRANDFIELD", "h", "0"));
        assertEquals("-ERR syntax error", redis.run("HRANDFIELD", "h", "1", "NOSUCH"));
        assertEquals("-ERR value is out of range", redis.run("HRANDFIELD", "h", "-9000000000000000000"));
        assertEquals("-ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807",
            redis.run("HRANDFIELD", "h", "-9223372036854775808"));
    }

    @Test
    void shouldBoundAReplyThatRepeatsALargeField() {
        redis.run("HSET", "h", "f", "v".repeat(1 << 20));
        assertEquals("-ERR the reply would be larger than client-output-buffer-limit",
                redis.run("HRANDFIELD", "h", "-1000", "WITHVALUES"));
    }

    @Test
    void shouldSetAllFieldsOrNoneAtTheSizeLimit() {
        String large = "x".repeat(1 << 20);
        assertEquals(":3", redis.run("HSET", "h", "a", large, "b", large, "c", large));
        assertEquals("-ERR value exceeds the maximum allowed size",
            redis.run("HSET", "h", "small", "1", "a", "2", "d", large, "e", large));
        assertEquals(":3", redis.run("HLEN", "h"));
        assertEquals(":0", redis.run("HEXISTS", "h", "small"));
        assertEquals(":1048576", redis.run("HSTRLEN", "h", "a"));
    }
}
