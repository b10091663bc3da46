package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DumpCommandsTest {
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String dump(String key) {
        String reply = redis.client().rawReply("DUMP", key);
        int bodyStart = reply.indexOf("\r\n") + 2;
        return reply.substring(bodyStart, reply.length() - 2);
    }

    @Test
    void shouldRestoreWhatItDumped() {
        redis.run("SET", "string", "text");
        redis.run("SET", "number", "-12");
        redis.run("HSET", "hash", "a", "1", "b", "x".repeat(700));
        redis.run("SADD", "set", "1", "2", "three");
        redis.run("RL.BUCKET", "bucket", "10", "1", "1");
        redis.run("RL.LOG", "log", "10", "60");
        for (String key : new String[] {"string", "number", "hash", "set", "bucket", "log"}) {
            String payload = dump(key);
            assertEquals("+OK", redis.run("RESTORE", "copy", "0", payload, "REPLACE"), key);
            assertEquals(payload, dump("copy"), key);
            assertEquals(redis.run("TYPE", key), redis.run("TYPE", "copy"));
        }
        assertEquals("*4 $1 a $1 1 $1 b $700 " + "x".repeat(700), redis.run("HGETALL", "hash"));
        assertEquals("$-1", redis.run("DUMP", "absent"));
    }

    @Test
    void shouldGiveWhatIsRestoredItsExpiry() {
        redis.run("SET", "k", "v");
        String payload = dump("k");
        assertEquals("+OK", redis.run("RESTORE", "a", "500", payload));
        assertEquals(":500", redis.run("PTTL", "a"));
        assertEquals("+OK", redis.run("RESTORE", "b", "4102444800000", payload, "ABSTTL"));
        assertEquals(":4102444800000", redis.run("PEXPIRETIME", "b"));
        assertEquals("+OK", redis.run("RESTORE", "b", "1", payload, "ABSTTL", "REPLACE"));
        assertEquals(":0", redis.run("EXISTS", "b"));
        assertEquals("+OK", redis.run("RESTORE", "c", "0", payload, "IDLETIME", "7"));
        assertEquals("+OK", redis.run("RESTORE", "d", "0", payload, "freq", "255"));
        assertEquals(":-1", redis.run("TTL", "d"));
    }

    @Test
    void shouldRefuseOddArgumentsAndChangeNothing() {
        redis.run("SET", "k", "v");
        String payload = dump("k");
        assertEquals("-BUSYKEY Target key name already exists.", redis.run("RESTORE", "k", "0", payload));
        assertEquals("-ERR Invalid TTL value, must be >= 0", redis.run("RESTORE", "x", "-1", payload));
        assertEquals("-ERR Invalid TTL value, must be >= 0",
            redis.run("RESTORE", "x", "9223372036854775807", payload));
        assertEquals("-ERR value is not an integer or out of range", redis.run("RESTORE", "x", "abc", payload));
        assertEquals("-ERR DUMP payload version or checksum are wrong", redis.run("RESTORE", "x", "0", "junk"));
        assertEquals("-ERR DUMP payload version or checksum are wrong",
            redis.run("RESTORE", "k", "0", payload + "x", "REPLACE"));
        assertEquals("-ERR syntax error", redis.run("RESTORE", "x", "0", payload, "NOSUCH"));
        assertEquals("-ERR syntax error", redis.run("RESTORE", "x", "0", payload, "IDLETIME"));
        assertEquals("-ERR syntax error", redis.run("RESTORE", "x", "0", payload, "IDLETIME", "1", "FREQ", "1"));
        assertEquals("-ERR Invalid IDLETIME value, must be >= 0",
            redis.run("RESTORE", "x", "0", payload, "IDLETIME", "-1"));
        assertEquals("-ERR Invalid FREQ value, must be >= 0 and <= 255",
            redis.run("RESTORE", "x", "0", payload, "FREQ", "256"));
        assertEquals("$1 v", redis.run("GET", "k"));
        assertEquals(":0", redis.run("EXISTS", "x"));
    }

    @Test
    void shouldStayUsableWhateverIsRestored() {
        redis.run("SET", "k", "v");
        redis.run("RL.BUCKET", "bucket", "10", "1", "1");
        redis.run("RL.LOG", "log", "10", "60");
        redis.run("GCRA", "gcra", "10", "1", "1");
        String[] payloads = {dump("bucket"), dump("log"), dump("gcra")};
        Random random = new Random(4);
        for (int i = 0; i < 3_000; i++) {
            StringBuilder damaged = new StringBuilder(payloads[i % payloads.length]);
            damaged.setLength(damaged.length() - 10);
            damaged.setCharAt(random.nextInt(damaged.length()), (char) random.nextInt(256));
            redis.run("RESTORE", "x", "0", DumpChecksum.added(damaged.toString()), "REPLACE");
            for (String[] command : new String[][] {{"RL.INSPECT", "x"}, {"RL.BUCKET", "x", "10", "1", "1"},
                {"RL.LOG", "x", "10", "60"}, {"RL.FIXED", "x", "10", "60"}, {"GCRA", "x", "10", "1", "1"}}) {
                String reply = redis.run(command);
                assertTrue(reply.startsWith("*") || reply.startsWith("-"), reply);
            }
        }
        assertEquals("$1 v", redis.run("GET", "k"));
    }

    /** A state of four words is cut to one; in front of the words is their length, behind them a zero. */
    @Test
    void shouldNotLookForStateThatARestoredLimiterLacks() {
        redis.run("RL.BUCKET", "bucket", "10", "1", "1");
        String whole = dump("bucket");
        int length = whole.length() - 10 - 2 - 4 * Long.BYTES;
        String cut = whole.substring(0, length) + (char) Long.BYTES
            + whole.substring(length + 1, length + 1 + Long.BYTES) + (char) 0;
        assertEquals("+OK", redis.run("RESTORE", "x", "0", DumpChecksum.added(cut)));
        String wrongType = "-WRONGTYPE Operation against a key holding the wrong kind of value";
        assertEquals(wrongType, redis.run("RL.INSPECT", "x"));
        assertEquals(wrongType, redis.run("RL.BUCKET", "x", "10", "1", "1"));
    }
}
