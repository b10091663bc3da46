package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Snapshot files go from Redis to Sluice and back: the way to move over, and the way home. */
final class SnapshotExchangeTest {
    /** In the year 2100. */
    private static final String TAT_NS = "4102444800000000000";
    private static final String EXPIRY_MS = "4102444800000";

    @Test
    void shouldTakeOverWhatARedisSaved() throws IOException {
        try (RedisServer redis = new RedisServer(); SluiceServer sluice = new SluiceServer()) {
            redis.start();
            try (RespClient client = redis.connect()) {
                client.call("SET", "limit", TAT_NS, "PXAT", EXPIRY_MS);
                client.call("SET", "text", "a\0\r\n\u00ff");
                client.call("RPUSH", "list", "a");
                client.call("HSET", "hash", "field", "value", "n", "1");
                client.call("SADD", "set", "3", "1", "2");
                client.call("XADD", "stream", "*", "a", "b");
                client.call("SELECT", "3");
                client.call("SET", "n", "-5");
                assertEquals("OK", client.call("SAVE"));
            }
            Files.copy(redis.dir().resolve("dump.rdb"), sluice.dir().resolve("dump.rdb"));
            sluice.start();
            try (RespClient client = sluice.connect()) {
                assertEquals(TAT_NS, client.line("GET limit"));
                assertEquals(Long.valueOf(EXPIRY_MS), client.line("PEXPIRETIME limit"));
                assertEquals(1L, ((List<?>) client.line("CL.THROTTLE limit 0 1 60")).get(0));
                assertEquals("a\0\r\n\u00ff", client.line("GET text"));
                assertEquals("list", client.line("TYPE list"));
                assertEquals(List.of("field", "value", "n", "1"), client.line("HGETALL hash"));
                assertEquals(List.of("1", "2", "3"), client.line("SMEMBERS set"));
                assertEquals("none", client.line("TYPE stream"));
                client.line("SELECT 3");
                assertEquals("-5", client.line("GET n"));
            }
        }
    }

    @Test
    void shouldExchangeDumpsOfEveryType() throws IOException {
        try (RedisServer redis = new RedisServer(); SluiceServer sluice = new SluiceServer()) {
            redis.start();
            sluice.start();
            try (RespClient theirs = redis.connect(); RespClient ours = sluice.connect()) {
                theirs.call("RPUSH", "list", "a", "-7", "x".repeat(10_000));
                theirs.call("SADD", "set", "a");
                theirs.call("SADD", "numbers", "3", "1", "-70000");
                theirs.call("ZADD", "zset", "1.5", "a", "-inf", "b");
                theirs.call("HSET", "hash", "field", "v".repeat(50), "n", "1");
                theirs.call("SET", "string", "text");
                for (String key : List.of("list", "set", "numbers", "zset", "hash", "string")) {
                    assertEquals("OK", ours.call("RESTORE", key, "0", (String) theirs.call("DUMP", key)), key);
                    assertEquals(theirs.call("TYPE", key), ours.call("TYPE", key));
                    String back = (String) ours.call("DUMP", key);
                    assertEquals("OK", theirs.call("RESTORE", key, "0", back, "REPLACE"), key);
                    assertEquals("OK", ours.call("RESTORE", key, "0", (String) theirs.call("DUMP", key), "REPLACE"));
                    assertEquals(back, ours.call("DUMP", key), key);
                }
                assertEquals(List.of("field", "v".repeat(50), "n", "1"), ours.line("HGETALL hash"));
                assertEquals(List.of("-70000", "1", "3"), ours.line("SMEMBERS numbers"));
            }
        }
    }

    @Test
    void shouldTakeOverManyKeys() throws IOException {
        int keys = 250_000;
        try (RedisServer redis = new RedisServer("--enable-debug-command", "yes"); SluiceServer sluice =
                 new SluiceServer()) {
            redis.start();
            try (RespClient client = redis.connect()) {
                client.call("DEBUG", "POPULATE", Integer.toString(keys));
                assertEquals("OK", client.call("SAVE"));
            }
            Files.copy(redis.dir().resolve("dump.rdb"), sluice.dir().resolve("dump.rdb"));
            sluice.start();
            try (RespClient client = sluice.connect()) {
                assertEquals((long) keys, client.line("DBSIZE"));
                assertEquals("value:" + (keys - 1), client.line("GET key:" + (keys - 1)));
            }
        }
    }

    @Test
    void shouldSaveWhatARedisTakesOver() throws IOException {
        try (SluiceServer sluice = new SluiceServer(); RedisServer redis = new RedisServer()) {
            sluice.start();
            Object tat;
            Object expiry;
            try (RespClient client = sluice.connect()) {
                client.line("CL.THROTTLE limit 9 1 1000000 5");
                tat = client.line("GET limit");
                expiry = client.line("PEXPIRETIME limit");
                client.call("SET", "text", "a\0\r\n\u00ff");
                client.line("HSET hash field value n 1");
                client.line("SADD set 3 1 2");
                client.line("SELECT 3");
                client.line("SET n -5");
                assertEquals("OK", client.line("SAVE"));
            }
            Files.copy(sluice.dir().resolve("dump.rdb"), redis.dir().resolve("dump.rdb"));
            redis.start();
            try (RespClient client = redis.connect()) {
                assertEquals(tat, client.line("GET limit"));
                assertEquals(expiry, client.line("PEXPIRETIME limit"));
                assertEquals("a\0\r\n\u00ff", client.line("GET text"));
                assertEquals(List.of("field", "value", "n", "1"), client.line("HGETALL hash"));
                assertEquals(List.of("1", "2", "3"), client.line("SMEMBERS set"));
                client.line("SELECT 3");
                assertEquals("-5", client.line("GET n"));
            }
        }
    }
}
