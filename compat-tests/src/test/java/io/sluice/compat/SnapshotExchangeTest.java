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
                client.line("SELECT 3");
                assertEquals("-5", client.line("GET n"));
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
                client.line("SELECT 3");
                assertEquals("-5", client.line("GET n"));
            }
        }
    }
}
