package io.sluice.compat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static io.sluice.compat.Replicating.PATIENCE;
import static io.sluice.compat.Replicating.awaitLink;
import static io.sluice.compat.Replicating.awaitOffset;
import static io.sluice.compat.Replicating.follow;
import static io.sluice.compat.Replicating.info;
import static io.sluice.compat.Replicating.server;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sluice and a stock Redis follow each other, and Redis's tools follow Sluice. */
final class StockReplicationTest {
    /** In the year 2100. */
    private static final String TAT_NS = "4102444800000000000";

    private static void load(ServerProcess server, long seed, boolean limits) {
        Random random = new Random(seed);
        try (RespClient client = server.connect()) {
            for (int i = 0; i < 2_000; i++) {
                String key = "k" + random.nextInt(150);
                String number = Integer.toString(1 + random.nextInt(100_000));
                client.raw("SELECT", random.nextInt(10) == 0 ? "3" : "0");
                switch (random.nextInt(9)) {
                    case 0 -> client.raw("SET", key, number);
                    case 1 -> client.raw("SET", key, "x".repeat(random.nextInt(5_000)), "EX", "1000");
                    case 2 -> client.raw("INCRBY", "n" + key, number);
                    case 3 -> client.raw("APPEND", "t" + key, number);
                    case 4 -> client.raw("DEL", key);
                    case 5 -> client.raw("PEXPIRE", key, number + "00");
                    case 6 -> client.raw("RENAME", key, "k" + random.nextInt(150));
                    case 7 -> {
                        client.raw("MULTI");
                        client.raw("SETRANGE", "r" + key, "5", number);
                        client.raw("PERSIST", key);
                        client.raw("EXEC");
                    }
                    default -> {
                        if (limits) {
                            client.raw("CL.THROTTLE", "limit" + key, "15", "30", "6000");
                            client.raw("RL.BUCKET", "own" + key, "10", "5", "1");
                        }
                    }
                }
            }
        }
    }

    /** Every key of one server is the same on the other one, and there are as many. */
    private static void assertSameKeys(ServerProcess primary, ServerProcess replica, String pattern) {
        try (RespClient one = primary.connect(); RespClient other = replica.connect()) {
            for (String db : List.of("0", "3")) {
                one.raw("SELECT", db);
                other.raw("SELECT", db);
                List<?> keys = (List<?>) one.call("KEYS", pattern);
                assertEquals(keys.size(), ((List<?>) other.call("KEYS", pattern)).size(), "keys of database " + db);
                for (Object key : keys) {
                    String name = key.toString();
                    assertEquals(one.call("GET", name), other.call("GET", name), name);
                    assertEquals(one.call("PEXPIRETIME", name), other.call("PEXPIRETIME", name), name);
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
            }
            follow(sluice, redis);
            load(redis, 2, false);
            awaitOffset(sluice, redis);
            assertSameKeys(redis, sluice, "[knrt]*");
            assertTrue(sluice.stdout().contains("stream"), "what is not held is named in the log");
            assertTrue(Replicating.number(sluice, "replica_not_held") > 0);
            try (RespClient client = sluice.connect()) {
                assertEquals("OK", client.call("REPLICAOF", "NO", "ONE"));
                assertEquals(TAT_NS, client.call("GET", "limit"));
                assertEquals(1L, ((List<?>) client.line("CL.THROTTLE limit 0 1 60")).get(0));
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
            assertSameKeys(redis, sluice, "*");
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
            assertSameKeys(sluice, redis, "[klnrt]*");
            Replicating.assertSame(own, sluice);
            try (RespClient client = redis.connect()) {
                assertEquals(List.of(), client.call("KEYS", "own*"));
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
        try (SluiceServer sluice = server(); RedisServer redis = new RedisServer()) {
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
            assertSameKeys(sluice, redis, "[klnrt]*");
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
