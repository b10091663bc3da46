package io.sluice.compat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static io.sluice.compat.Replicating.PATIENCE;
import static io.sluice.compat.Replicating.assertSameContents;
import static io.sluice.compat.Replicating.awaitLink;
import static io.sluice.compat.Replicating.awaitOffset;
import static io.sluice.compat.Replicating.follow;
import static io.sluice.compat.Replicating.info;
import static io.sluice.compat.Replicating.server;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sluice and a stock Redis follow each other, and Redis's tools follow Sluice. */
final class StockReplicationTest {
    /** In the year 2100. */
    private static final String TAT_NS = "4102444800000000000";
    /** Keys of types that Redis has. */
    private static final String OF_REDIS = "[^o]*";

    private static void load(ServerProcess server, long seed, boolean limits) {
        Replicating.loadAllTypes(server, 3_000, seed);
        Random random = new Random(seed);
        try (RespClient client = server.connect()) {
            for (int i = 0; i < 1_000; i++) {
                String key = "k" + random.nextInt(150);
                client.raw("SELECT", random.nextInt(10) == 0 ? "3" : "0");
                client.raw("RPUSH", "l" + key, Integer.toString(i), "x".repeat(random.nextInt(300)));
                client.raw("HSET", "h" + key, "f" + random.nextInt(700), Integer.toString(i));
                client.raw("ZADD", "z" + key, Integer.toString(random.nextInt()), "m" + random.nextInt(300));
                client.raw("SADD", "s" + key, Integer.toString(random.nextInt(2_000)));
                client.raw("EVAL", "redis.call('SET', KEYS[1], ARGV[1]) redis.call('INCR', KEYS[2])", "2", "e" + key,
                    "n" + key, Integer.toString(i));
                if (limits) {
                    client.raw("CL.THROTTLE", "limit" + key, "15", "30", "6000");
                    client.raw("RL.BUCKET", "own" + key, "10", "5", "1");
                    client.raw("RL.LOG", "ownlog" + random.nextInt(3), "100000", "1000");
                }
            }
        }
    }

    @Test
    void shouldMoveOverFromARedis() {
        try (RedisServer redis = new RedisServer("--repl-diskless-sync-delay", "0"); SluiceServer sluice = server()) {
            redis.start();
            sluice.start();
            load(redis, 1, false);
            try (RespClient client = redis.connect()) {
                client.call("SET", "limit", TAT_NS, "PXAT", "4102444800000");
                client.call("XADD", "stream", "*", "field", "value");
                client.call("XADD", "stream two", "*", "field", "value");
            }
            follow(sluice, redis);
            load(redis, 2, false);
            try (RespClient client = redis.connect()) {
                client.call("SET", "limit", TAT_NS, "PXAT", "4102444800000");
                client.call("XADD", "stream three", "*", "field", "value");
                client.call("DEL", "stream", "stream two", "stream three");
            }
            awaitOffset(sluice, redis);
            assertSameContents(redis, sluice, "*");
            assertTrue(sluice.stdout().contains("{stream=2}"), "what is not held is named in the log");
            assertEquals("2", info(sluice, "replica_not_held_stream"));
            assertEquals("1", info(sluice, "replica_not_held_command_xadd"));
            assertEquals("3", info(sluice, "replica_not_held"));
            try (RespClient client = sluice.connect()) {
                assertEquals("OK", client.call("REPLICAOF", "NO", "ONE"));
                assertEquals(TAT_NS, client.call("GET", "limit"));
                assertEquals(1L, ((List<?>) client.line("CL.THROTTLE limit 0 1 60")).get(0));
            }
        }
    }

    @Test
    void shouldHoldNothingOutdatedOfWhatARedisHasChanged() {
        String large = "x".repeat(5_000_000);
        List<List<String>> changes = List.of(
            List.of("SET", "k0", large), List.of("APPEND", "k1", large), List.of("RENAME", "moved stream", "k2"),
            List.of("COPY", "stream", "k3", "REPLACE"), List.of("SUNIONSTORE", "k4", "large set", "set"),
            List.of("GEOSEARCHSTORE", "k5", "geo", "FROMLONLAT", "1", "2", "BYRADIUS", "10", "km"),
            List.of("GEORADIUS", "geo", "1", "2", "10", "km", "STORE", "k6"), List.of("BITOP", "OR", "k7", "k0"),
            List.of("MSET", "k8", "new", "k", large), List.of("SORT", "large set", "ALPHA", "STORE", "k9"),
            List.of("EVAL", "redis.call('DEL', KEYS[1]) redis.call('XADD', KEYS[1], '*', 'a', '1')", "1", "k10"));
        try (RedisServer redis = new RedisServer("--repl-diskless-sync-delay", "0")) {
            redis.start();
            try (SluiceServer sluice = server("--replicaof", "127.0.0.1 " + redis.port());
                    RespClient client = redis.connect()) {
                client.call("XADD", "stream", "*", "field", "value");
                client.call("XADD", "moved stream", "*", "field", "value");
                client.call("SADD", "set", "1");
                client.call("SADD", "large set", large, "1");
                client.call("GEOADD", "geo", "1", "2", "a");
                sluice.start();
                awaitLink(sluice);
                client.call("PFADD", "hll", "a");
                for (int i = 0; i < changes.size(); i++) {
                    client.call("SET", "k" + i, "1");
                    client.call(changes.get(i).toArray(String[]::new));
                }
                assertMissing(redis, sluice, changes.size() + 1);
                client.call("APPEND", "k0", "more");
                client.call("APPEND", "k", "more");
                assertMissing(redis, sluice, changes.size() + 1);
                sluice.kill();
                sluice.start();
                awaitLink(sluice);
                client.call("APPEND", "k0", "more");
                client.call("ZADD", "k6", "1", "b");
                awaitOffset(sluice, redis);
                assertEquals(List.of(), ask(sluice, "KEYS", "k0"));
                client.call("SET", "k0", "small");
                client.call("APPEND", "k0", "er");
                awaitOffset(sluice, redis);
                assertEquals("smaller", ask(sluice, "GET", "k0"));
            }
        }
    }

    private static Object ask(ServerProcess server, String... words) {
        try (RespClient client = server.connect()) {
            return client.call(words);
        }
    }

    private static void assertMissing(ServerProcess redis, ServerProcess sluice, int keys) {
        awaitOffset(sluice, redis);
        assertEquals(keys, ((List<?>) ask(redis, "KEYS", "k*")).size());
        assertEquals(List.of(), ask(sluice, "KEYS", "k*"));
        // Beside them one stream, one set, and the hyperloglog.
        assertEquals(keys + 3, Replicating.number(sluice, "replica_missing_keys"));
    }

    /** Every form that Redis 7.0 writes; the lines tell which. */
    private static void saveEveryForm(RespClient redis) {
        for (String number : List.of("1", "-129", "70000", "1099511627776", "-9223372036854775808")) {
            redis.call("SET", "int" + number, number);
            redis.call("SADD", "intset" + number, number, "5");
        }
        redis.call("SET", "compressed", "ab".repeat(5_000));
        redis.call("SET", "plain", "a\0\r\n\u00ff");
        redis.call("RPUSH", "listpack", "a", "-7", "x".repeat(100));
        redis.call("RPUSH", "plain node", "y".repeat(20_000), "small", "12345");
        for (int i = 0; i < 700; i++) {
            redis.send(RespClient.command("RPUSH", "quicklist", "element" + i, Integer.toString(i)));
            redis.send(RespClient.command("SADD", "hashtable", "member" + i));
            redis.send(RespClient.command("HSET", "large hash", "field" + i, "v".repeat(i % 90)));
            redis.send(RespClient.command("ZADD", "skiplist", (i - 350) + ".25", "member" + i));
            for (int replies = 0; replies < 4; replies++) {
                redis.read();
            }
        }
        redis.call("HSET", "small hash", "field", "value", "n", "-1");
        redis.call("ZADD", "small zset", "1.5", "a", "-inf", "b", "inf", "c", "3.0000000000000004", "d", "-0", "e");
        for (Object key : (List<?>) redis.call("KEYS", "*")) {
            redis.call("COPY", key.toString(), key + " that expires", "DB", "3");
        }
        redis.call("SELECT", "3");
        for (Object key : (List<?>) redis.call("KEYS", "*")) {
            redis.call("PEXPIREAT", key.toString(), "4102444800123");
        }
        redis.call("SELECT", "15");
        redis.call("SET", "in the last database", "1");
    }

    private static void restoreOldForms(RespClient redis) {
        redis.call("SELECT", "0");
        for (Map.Entry<String, String> old : oldForms().entrySet()) {
            String value = old.getValue();
            assertEquals("OK", redis.call("RESTORE", "old " + old.getKey(), "0",
                OldPayloads.payload(value.charAt(0), value.substring(1))), old.getKey());
        }
    }

    /** By name: type and value as in a file. */
    private static Map<String, String> oldForms() {
        String pairs = OldPayloads.string(OldPayloads.ziplist(List.of("a", "1", "b", "2.5", "long", "1".repeat(15))));
        String list = OldPayloads.string(OldPayloads.ziplist(List.of("x", "", "-7", "z".repeat(63))));
        return Map.of(
            "list", (char) OldPayloads.LIST_ZIPLIST + list,
            "quicklist", (char) OldPayloads.LIST_QUICKLIST + "\2" + list + list,
            "zset", (char) OldPayloads.ZSET_ZIPLIST + pairs,
            "hash", (char) OldPayloads.HASH_ZIPLIST + pairs,
            "zipmap", (char) OldPayloads.HASH_ZIPMAP + OldPayloads.string(OldPayloads.zipmap("field", "value")),
            "set", (char) OldPayloads.SET_INTSET + OldPayloads.string(OldPayloads.intset(-3, 4, 500)));
    }

    @Test
    void shouldTakeEveryFormThatARedisSends() {
        try (RedisServer redis = new RedisServer("--repl-diskless-sync-delay", "0", "--list-compress-depth", "1");
                SluiceServer synced = server(); SluiceServer streamed = server()) {
            List.of(redis, synced, streamed).forEach(ServerProcess::start);
            try (RespClient client = redis.connect()) {
                follow(streamed, redis);
                saveEveryForm(client);
                restoreOldForms(client);
                follow(synced, redis);
                client.call("SET", "last", "1");
            }
            awaitOffset(streamed, redis);
            awaitOffset(synced, redis);
            assertSameContents(redis, streamed, "*");
            assertSameContents(redis, synced, "*");
            assertEquals("0", info(streamed, "replica_not_held"));
            assertEquals("0", info(synced, "replica_not_held"));
        }
    }

    @Test
    void shouldTakeTheFormsOfAnOldFile() throws IOException {
        StringBuilder file = new StringBuilder("REDIS0009\u00fe\0");
        oldForms().forEach((name, value) -> file.append(value.charAt(0)).append(OldPayloads.string(name))
            .append(value.substring(1)));
        file.append("\u00ff\0\0\0\0\0\0\0\0");
        try (RedisServer redis = new RedisServer(); SluiceServer sluice = server()) {
            for (ServerProcess server : List.of(redis, sluice)) {
                Files.createDirectories(server.dir());
                Files.writeString(server.dir().resolve("dump.rdb"), file, StandardCharsets.ISO_8859_1);
                server.start();
            }
            assertSameContents(redis, sluice, "*");
        }
    }

    @Test
    void shouldTakeTheFunctionsOfARedisFileAndGiveThemBack() throws IOException {
        String library = "#!lua name=lib\nredis.register_function('f', function() return 7 end)";
        try (RedisServer redis = new RedisServer(); SluiceServer sluice = server();
                RedisServer next = new RedisServer()) {
            redis.start();
            try (RespClient client = redis.connect()) {
                client.call("FUNCTION", "LOAD", library);
                client.call("SAVE");
            }
            Files.createDirectories(sluice.dir());
            Files.copy(redis.dir().resolve("dump.rdb"), sluice.dir().resolve("dump.rdb"));
            sluice.start();
            try (RespClient client = sluice.connect()) {
                assertEquals(7L, client.call("FCALL", "f", "0"));
                client.call("SAVE");
            }
            Files.createDirectories(next.dir());
            Files.copy(sluice.dir().resolve("dump.rdb"), next.dir().resolve("dump.rdb"));
            sluice.kill();
            Files.delete(sluice.dir().resolve("dump.rdb"));
            for (ServerProcess server : List.of(sluice, next)) {
                server.start();
                try (RespClient client = server.connect()) {
                    assertEquals(7L, client.call("FCALL", "f", "0"));
                }
            }
        }
    }

    @Test
    void shouldShareFunctionsAndMessagesWithARedis() {
        String library = "#!lua name=%s\nredis.register_function('%s', function() return 7 end)";
        try (RedisServer redis = new RedisServer("--repl-diskless-sync-delay", "0"); SluiceServer sluice = server();
                RedisServer last = new RedisServer()) {
            List.of(redis, sluice, last).forEach(ServerProcess::start);
            try (RespClient demoted = sluice.connect()) {
                demoted.call("FUNCTION", "LOAD", String.format(library, "gone", "f"));
            }
            try (RespClient client = redis.connect()) {
                client.call("FUNCTION", "LOAD", String.format(library, "one", "f1"));
            }
            follow(sluice, redis);
            follow(last, sluice);
            try (RespClient client = redis.connect(); RespClient middle = sluice.connect();
                    RespClient end = last.connect()) {
                client.call("FUNCTION", "LOAD", String.format(library, "two", "f2"));
                awaitOffset(sluice, redis);
                awaitOffset(last, redis);
                Object expected = client.call("FUNCTION", "LIST", "WITHCODE");
                assertEquals(Set.copyOf((List<?>) expected),
                    Set.copyOf((List<?>) middle.call("FUNCTION", "LIST", "WITHCODE")));
                assertEquals(Set.copyOf((List<?>) expected),
                    Set.copyOf((List<?>) end.call("FUNCTION", "LIST", "WITHCODE")));
                end.call("SUBSCRIBE", "news");
                client.call("PUBLISH", "news", "hello");
                assertEquals(List.of("message", "news", "hello"), RespValue.parse(end.read()));
            }
            try (RespClient middle = sluice.connect(); RespClient end = last.connect()) {
                assertEquals("OK", middle.call("REPLICAOF", "NO", "ONE"));
                awaitLink(last);
                middle.call("FUNCTION", "DELETE", "one");
                middle.call("FUNCTION", "LOAD", "REPLACE", String.format(library, "two", "f3"));
                awaitOffset(last, sluice);
                assertEquals(middle.call("FUNCTION", "LIST", "WITHCODE"), end.call("FUNCTION", "LIST", "WITHCODE"));
                middle.call("FUNCTION", "FLUSH");
                awaitOffset(last, sluice);
                assertEquals(List.of(), end.call("FUNCTION", "LIST"));
            }
        }
    }

    @Test
    void shouldTakeASnapshotOfKnownLength() {
        try (RedisServer redis = new RedisServer("--repl-diskless-sync", "no"); SluiceServer sluice = server()) {
            redis.start();
            sluice.start();
            load(redis, 3, false);
            follow(sluice, redis);
            load(redis, 4, false);
            awaitOffset(sluice, redis);
            assertSameContents(redis, sluice, "*");
        }
    }

    @Test
    void shouldBeFollowedByARedis() {
        try (SluiceServer sluice = server(); RedisServer redis = new RedisServer(); SluiceServer own = server()) {
            List.of(sluice, redis, own).forEach(ServerProcess::start);
            load(sluice, 5, true);
            follow(redis, sluice);
            follow(own, sluice);
            load(sluice, 6, true);
            awaitOffset(redis, sluice);
            assertSameContents(sluice, redis, OF_REDIS);
            Replicating.assertSame(own, sluice);
            try (RespClient client = redis.connect()) {
                assertEquals(List.of(), client.call("KEYS", "o*"));
                assertEquals("0", info(client, "unexpected_error_replies"));
            }
            try (RespClient client = sluice.connect()) {
                client.raw("SET", "waited", "1");
                assertEquals(2L, client.call("WAIT", "2", "20000"));
            }
            assertEquals(info(sluice, "master_replid"), info(redis, "master_replid"));
        }
    }

    @Test
    void shouldLetARedisGoOnWithoutAFullSync() {
        // All that is written meanwhile, should Redis be slow to come back.
        try (SluiceServer sluice = server("--repl-backlog-size", "64mb"); RedisServer redis = new RedisServer()) {
            sluice.start();
            redis.start();
            load(sluice, 7, true);
            follow(redis, sluice);
            try (RespClient client = sluice.connect()) {
                client.call("CLIENT", "KILL", "TYPE", "replica");
            }
            load(sluice, 8, true);
            awaitLink(redis);
            awaitOffset(redis, sluice);
            assertSameContents(sluice, redis, OF_REDIS);
            assertEquals("1", info(sluice, "sync_full"));
            assertEquals("1", info(sluice, "sync_partial_ok"));
        }
    }

    @Test
    void shouldGiveRedisCliASnapshot() throws IOException {
        try (SluiceServer sluice = server()) {
            sluice.start();
            load(sluice, 9, true);
            Path file = sluice.dir().resolve("fetched.rdb");
            Programs.run(sluice.dir(), "redis-cli", "-p", Integer.toString(sluice.port()), "--rdb", file.toString());
            assertTrue(Files.size(file) > 1_000);
            assertTrue(Programs.run(sluice.dir(), "redis-check-rdb", file.toString()).contains("RDB looks OK"));
        }
    }

    @Test
    void shouldGiveRedisCliFunctionsAlone() throws IOException {
        try (SluiceServer sluice = server()) {
            sluice.start();
            try (RespClient client = sluice.connect()) {
                client.raw("SET", "some:key", "1");
                client.raw("FUNCTION", "LOAD", "#!lua name=fetched\nredis.register_function('f', function() end)");
            }
            Path file = sluice.dir().resolve("functions.rdb");
            Programs.run(sluice.dir(), "redis-cli", "-p", Integer.toString(sluice.port()), "--functions-rdb",
                file.toString());
            String content = Files.readString(file, StandardCharsets.ISO_8859_1);
            assertTrue(content.contains("name=fetched"));
            assertFalse(content.contains("some:key"));
            assertTrue(Programs.run(sluice.dir(), "redis-check-rdb", file.toString()).contains("RDB looks OK"));
        }
    }

    @Test
    void shouldShowRedisCliTheStream() throws IOException, InterruptedException {
        try (SluiceServer sluice = server()) {
            sluice.start();
            Path output = sluice.dir().resolve("stream.txt");
            Process cli = new ProcessBuilder("redis-cli", "-p", Integer.toString(sluice.port()), "--replica")
                .redirectErrorStream(true).redirectOutput(output.toFile()).start();
            try (RespClient client = sluice.connect()) {
                Await.until("the replica", PATIENCE,
                    () -> String.valueOf(info(client, "slave0")).contains("state=online"));
                client.raw("SET", "shown", "12345");
                Await.until("the stream", PATIENCE, () -> read(output).contains("\"SET\",\"shown\",\"12345\""));
            } finally {
                cli.destroy();
                cli.waitFor(10, TimeUnit.SECONDS);
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
