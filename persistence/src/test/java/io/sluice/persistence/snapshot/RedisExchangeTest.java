package io.sluice.persistence.snapshot;

import static io.sluice.persistence.Entry.NO_EXPIRY;
import static io.sluice.persistence.KeyspaceDriver.START_MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.KeyspaceDriver.Held;
import io.sluice.persistence.ValueType;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Snapshots and dumps are exchanged with the real Redis. */
class RedisExchangeTest {

    /** Beyond anything that the machine's clock may say. */
    private static final long LATER_MS = START_MS + 100L * 365 * 24 * 3_600_000;

    @TempDir
    Path directory;

    private final SnapshotRig rig = new SnapshotRig();
    private final KeyspaceDriver driver = rig.driver;

    @AfterEach
    void close() {
        rig.close();
    }

    private Path file() {
        return directory.resolve("dump.rdb");
    }

    private void save() throws IOException {
        driver.unit(() -> null);
        rig.snapshots.saveNow(new SnapshotFile(file()), Map.of(), driver.nowNs());
    }

    private SnapshotLoader.Report load() throws IOException {
        try (FileChannel channel = FileChannel.open(file());
             SnapshotLoader loader = new SnapshotLoader(channel, driver.keyspace, driver.nowNs())) {
            while (!loader.loadSome(10)) {
                Thread.onSpinWait();
            }
            return loader.report();
        }
    }

    private void putStrings() {
        final Random random = new Random(9);
        for (int i = 0; i < 500; i++) {
            final long value = random.nextLong() >> random.nextInt(64);
            driver.putInt(i % 16, "int" + i, value, i % 3 == 0 ? LATER_MS + i : NO_EXPIRY);
            driver.put(i % 16, "text" + i, "t" + "\0\r\n\u00ff".repeat(random.nextInt(i + 1)));
        }
        driver.put(0, "", "empty key");
        driver.put(0, "empty", "");
        driver.put(0, "large", "x".repeat(3_000_000));
    }

    @Test
    void shouldWriteWhatRedisChecksAndLoads() throws IOException, InterruptedException {
        putStrings();
        save();
        final String checked = RedisProcess.run("redis-check-rdb", file().toString());
        assertTrue(checked.startsWith("0\n"), checked);
        assertTrue(checked.contains("Checksum OK") && checked.contains("RDB looks OK"), checked);
        try (RedisProcess redis = new RedisProcess(directory)) {
            for (int db = 0; db < 16; db++) {
                redis.call("SELECT", Integer.toString(db));
                final Map<String, Held> expected = driver.all(db);
                assertEquals(Integer.toString(expected.size()), redis.call("DBSIZE"));
                for (final Map.Entry<String, Held> e : expected.entrySet()) {
                    assertEquals(e.getValue().payload(), redis.call("GET", e.getKey()));
                    final long expireAtMs = e.getValue().expireAtMs();
                    assertEquals(
                        expireAtMs == NO_EXPIRY ? "-1" : Long.toString(expireAtMs),
                        redis.call("PEXPIRETIME", e.getKey()));
                }
            }
        }
    }

    @Test
    void shouldWriteOwnTypesSoThatRedisRefusesThemByName() throws IOException, InterruptedException {
        driver.putWords(0, "bucket", ValueType.BUCKET, LATER_MS, 1, -2, Long.MAX_VALUE);
        driver.putBlob(0, "log", ValueType.LOG, "blob".repeat(100), LATER_MS);
        save();
        final String checked = RedisProcess.run("redis-check-rdb", file().toString());
        assertTrue(checked.startsWith("0\n"), checked);
        assertTrue(checked.contains("RDB looks OK"), checked);
        final String log = RedisProcess.run(
            "redis-server", "--port", Integer.toString(RedisProcess.freePort()), "--bind", "127.0.0.1",
            "--save", "", "--dir", directory.toString());
        assertTrue(log.contains("no matching module type 'sluice-rl'"), log);
    }

    @Test
    void shouldLoadWhatRedisSaved() throws IOException {
        try (RedisProcess redis = new RedisProcess(directory)) {
            putStrings();
            for (int db = 0; db < 16; db++) {
                redis.call("SELECT", Integer.toString(db));
                for (final Map.Entry<String, Held> e : driver.all(db).entrySet()) {
                    redis.call("SET", e.getKey(), e.getValue().payload());
                    if (e.getValue().expireAtMs() != NO_EXPIRY) {
                        redis.call("PEXPIREAT", e.getKey(), Long.toString(e.getValue().expireAtMs()));
                    }
                }
            }
            final List<Map<String, Held>> expected = SnapshotRig.contentOf(driver);
            assertEquals("OK", redis.call("SAVE"));
            driver.flushAll();
            assertEquals(Map.of(), load().skipped());
            assertEquals(expected, SnapshotRig.contentOf(driver));
        }
    }

    @Test
    void shouldPassOverTheOtherTypesOfRedis() throws IOException {
        try (RedisProcess redis = new RedisProcess(directory)) {
            for (final int size : new int[] {3, 2_000}) {
                for (int i = 0; i < size; i++) {
                    redis.call("XADD", "stream" + size, "*", "field", "value" + i);
                }
                redis.call("XGROUP", "CREATE", "stream" + size, "group", "0");
                redis.call("XREADGROUP", "GROUP", "group", "consumer", "COUNT", "2", "STREAMS", "stream" + size, ">");
            }
            redis.call("FUNCTION", "LOAD",
                "#!lua name=lib\nredis.register_function('f', function() return 1 end)");
            redis.call("SET", "string", "value");
            assertEquals("OK", redis.call("SAVE"));
        }
        final SnapshotLoader.Report report = load();
        assertEquals(Map.of("stream", 2L), report.skipped());
        assertEquals(1, report.functions().size());
        assertTrue(new String(report.functions().get(0), StandardCharsets.US_ASCII).startsWith("#!lua name=lib\n"));
        assertEquals(1, report.loaded());
        assertEquals("7.0.15", report.aux().get("redis-ver"));
        assertEquals("value", driver.get(0, "string").payload());
    }

    /** Redis's own digest of everything, before and after it went through our hands. */
    @ParameterizedTest
    @ValueSource(strings = {"", "hash-max-listpack-entries 0 zset-max-listpack-entries 0 set-max-intset-entries 0",
        "list-max-listpack-size -5 hash-max-listpack-value 5000 zset-max-listpack-value 5000 list-compress-depth 1",
        "list-max-listpack-size 1 rdbcompression no", "hash-max-listpack-entries 5000 zset-max-listpack-entries 5000"})
    void shouldTakeOverCollectionsAndGiveThemBack(final String settings) throws IOException, InterruptedException {
        final String digest;
        try (RedisProcess redis = new RedisProcess(directory)) {
            final String[] words = settings.split(" ");
            for (int i = 0; i + 1 < words.length; i += 2) {
                assertEquals("OK", redis.call("CONFIG", "SET", words[i], words[i + 1]));
            }
            putCollections(redis);
            digest = redis.call("DEBUG", "DIGEST");
            assertEquals("OK", redis.call("SAVE"));
        }
        assertEquals(Map.of(), load().skipped());
        save();
        final String checked = RedisProcess.run("redis-check-rdb", file().toString());
        assertTrue(checked.startsWith("0\n") && checked.contains("RDB looks OK"), checked);
        try (RedisProcess redis = new RedisProcess(directory)) {
            assertEquals(digest, redis.call("DEBUG", "DIGEST"));
        }
    }

    private static void putCollections(final RedisProcess redis) throws IOException {
        for (final int size : new int[] {1, 3, 100, 2_000}) {
            for (int i = 0; i < size; i++) {
                final String text = "x".repeat(i % 300) + i;
                redis.call("RPUSH", "list" + size, text, Integer.toString(i - 50));
                redis.call("SADD", "set" + size, text);
                redis.call("SADD", "numbers" + size, Long.toString((long) i * i * i - 50));
                redis.call("ZADD", "zset" + size, i + ".1", text, i % 2 == 0 ? "-inf" : "1e300", "other" + i);
                redis.call("HSET", "hash" + size, text, Integer.toString(i), Integer.toString(i), text);
            }
            redis.call("PEXPIREAT", "hash" + size, Long.toString(LATER_MS));
        }
        redis.call("SELECT", "5");
        redis.call("DEBUG", "QUICKLIST-PACKED-THRESHOLD", "10K");
        redis.call("RPUSH", "large", "a", "b".repeat(100_000), "", "c");
        redis.call("HSET", "odd", "", "", "\0\r\n", "\u00ff", "-0", "01");
        redis.call("ZADD", "odd scores", "0", "a", "4.9e-324", "b", "3.0000000000000004", "c");
    }

    @Test
    void shouldExchangeDumpsOfCollections() throws IOException {
        try (RedisProcess redis = new RedisProcess(directory); DumpPayload payload = new DumpPayload()) {
            putCollections(redis);
            redis.call("SELECT", "0");
            for (final String type : new String[] {"list", "set", "numbers", "zset", "hash"}) {
                for (final int size : new int[] {1, 3, 100, 2_000}) {
                    final String key = type + size;
                    // Redis takes an expiry into the digest.
                    redis.call("PERSIST", key);
                    restore(payload, redis.call("DUMP", key));
                    payload.encode(driver.at(1, "k"));
                    final String ours = KeyspaceDriver.text(payload.address(), payload.length());
                    assertEquals("OK", redis.call("RESTORE", "copy", "0", ours, "REPLACE"));
                    assertEquals(redis.call("DEBUG", "DIGEST-VALUE", key), redis.call("DEBUG", "DIGEST-VALUE", "copy"));
                }
            }
        }
    }

    private void restore(final DumpPayload payload, final String dump) {
        final byte[] theirs = dump.getBytes(StandardCharsets.ISO_8859_1);
        final long address = UnsafeApi.allocateMemory(theirs.length);
        for (int i = 0; i < theirs.length; i++) {
            UnsafeApi.putByte(address + i, theirs[i]);
        }
        assertTrue(DumpPayload.isIntact(address, theirs.length));
        assertTrue(driver.unit(() -> payload.restore(
            driver.keyspace, driver.at(1, "k"), address, theirs.length, NO_EXPIRY)));
        UnsafeApi.freeMemory(address);
    }

    @Test
    void shouldExchangeDumps() throws IOException {
        try (RedisProcess redis = new RedisProcess(directory); DumpPayload payload = new DumpPayload()) {
            for (final String text : new String[] {"", "5", "-70000", "12345678901", "hello", "z".repeat(10_000)}) {
                driver.put(0, "k", text);
                payload.encode(driver.at(0, "k"));
                final String ours = KeyspaceDriver.text(payload.address(), payload.length());
                assertEquals("OK", redis.call("RESTORE", "k", "0", ours, "REPLACE"));
                assertEquals(text, redis.call("GET", "k"));
                restore(payload, redis.call("DUMP", "k"));
                assertEquals(text, driver.get(1, "k").payload());
            }
            driver.putWords(0, "k", ValueType.BUCKET, NO_EXPIRY, 1, 2);
            payload.encode(driver.at(0, "k"));
            assertEquals("-ERR Bad data format", redis.call(
                "RESTORE", "own", "0", KeyspaceDriver.text(payload.address(), payload.length())));
        }
        assertFalse(Files.exists(file()));
    }
}
