package io.sluice.compat;

import static io.sluice.compat.Replicating.PATIENCE;
import static io.sluice.compat.Replicating.assertSame;
import static io.sluice.compat.Replicating.awaitLink;
import static io.sluice.compat.Replicating.awaitOffset;
import static io.sluice.compat.Replicating.follow;
import static io.sluice.compat.Replicating.info;
import static io.sluice.compat.Replicating.number;
import static io.sluice.compat.Replicating.server;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.compat.Spenders.Limit;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A primary that hands over in good order, and how it refuses to. */
final class TakeoverTest {
    private static final String OK = "+OK\r\n";
    private static final int LOOKS = 1_000;
    private static final List<String> COMMANDS = List.of("FAILOVER", "FAILOVER ABORT", "FAILOVER NOW", "FAILOVER TO",
        "FAILOVER TO h", "FAILOVER TO h x", "FAILOVER TO h 1", "FAILOVER TO h 1 TO h 1", "FAILOVER TIMEOUT",
        "FAILOVER TIMEOUT x", "FAILOVER TIMEOUT 0", "FAILOVER TIMEOUT -1", "FAILOVER TIMEOUT 5 TIMEOUT 5",
        "FAILOVER FORCE", "FAILOVER FORCE FORCE", "FAILOVER ABORT TIMEOUT 5", "FAILOVER TIMEOUT 5 ABORT",
        "FAILOVER TO h 1 FORCE", "FAILOVER TIMEOUT 5 FORCE", "FAILOVER TO h 1 TIMEOUT 5 FORCE");

    @RegisterExtension
    static final SluiceServer ONE = server();
    @RegisterExtension
    static final SluiceServer TWO = server();

    @BeforeEach
    void pair() {
        ask(ONE, "FAILOVER", "ABORT");
        ask(ONE, "REPLICAOF", "NO", "ONE");
        follow(TWO, ONE);
        awaitReplica(ONE);
    }

    /** A replica may not have noticed yet that its link has ended, but the primary knows. */
    private static void awaitReplica(ServerProcess primary) {
        Await.until("a replica of " + primary.port(), PATIENCE,
            () -> String.valueOf(info(primary, "slave0")).contains("state=online"));
    }

    private static String ask(ServerProcess server, String... words) {
        try (RespClient client = server.connect()) {
            return client.raw(words);
        }
    }

    private static void handOver(SluiceServer from, SluiceServer to, String... more) {
        List<String> words = new ArrayList<>(List.of("FAILOVER", "TO", "127.0.0.1", Integer.toString(to.port())));
        words.addAll(List.of(more));
        awaitReplica(from);
        assertEquals(OK, ask(from, words.toArray(String[]::new)));
        awaitHandedOver(from, to);
    }

    private static void awaitHandedOver(SluiceServer from, SluiceServer to) {
        Await.until("the new primary", PATIENCE, () -> "master".equals(info(to, "role")));
        Await.until("the old primary's link", PATIENCE, () -> isFollowing(from));
        assertEquals("no-failover", info(from, "master_failover_state"));
    }

    /** The demotion closes all clients: also one that just asks. */
    private static boolean isFollowing(ServerProcess server) {
        try {
            return "up".equals(info(server, "master_link_status"));
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    @Test
    void shouldLoseNothingUnderLoadHoweverOftenItHandsOver() throws ExecutionException, InterruptedException {
        long fullSyncs = number(ONE, "sync_full") + number(TWO, "sync_full");
        List<Limit> limits = List.of(new Limit("slow", 50, 20), new Limit("fast", 50, 1_000));
        SluiceServer primary = ONE;
        SluiceServer replica = TWO;
        try (Spenders spenders = new Spenders(primary.port(), limits)) {
            for (int i = 0; i < 6; i++) {
                spenders.awaitMore(10);
                handOver(primary, replica, "TIMEOUT", "20000");
                spenders.moveTo(replica);
                SluiceServer next = replica;
                replica = primary;
                primary = next;
            }
            spenders.awaitMore(10);
            for (Map.Entry<Limit, Double> one : spenders.stop().entrySet()) {
                assertTrue(one.getValue() <= 1, one + " admitted beyond what one server would have");
            }
        }
        assertSame(replica, primary);
        assertEquals(fullSyncs, number(ONE, "sync_full") + number(TWO, "sync_full"));
    }

    /** Whoever has just taken over does not know yet whether the other one follows. */
    @Test
    void shouldHandBackAsSoonAsItHasTakenOver() {
        for (int i = 0; i < 10; i++) {
            assertEquals(OK, ask(ONE, "SET", "k" + i, "v"));
            handOverAtOnce(ONE, TWO);
            handOverAtOnce(TWO, ONE);
            awaitHandedOver(TWO, ONE);
            assertSame(TWO, ONE);
        }
    }

    private static void handOverAtOnce(SluiceServer from, SluiceServer to) {
        Await.until("the failover of " + from.port(), PATIENCE, () -> OK.equals(
            ask(from, "FAILOVER", "TO", "127.0.0.1", Integer.toString(to.port()), "TIMEOUT", "20000")));
        Await.until("the new primary", PATIENCE, () -> watchUntilPrimary(to));
    }

    /** Looks as often as it can. False also where the server is still being demoted, which closes its clients. */
    private static boolean watchUntilPrimary(ServerProcess server) {
        try (RespClient client = server.connect()) {
            boolean primary = false;
            for (int look = 0; look < LOOKS && !primary; look++) {
                primary = "master".equals(info(client, "role"));
            }
            return primary;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    @Test
    void shouldRefuseInTheWordsOfRedisWhatCannotBe() {
        try (RedisServer redis = new RedisServer("--repl-diskless-sync-delay", "0");
             RedisServer redisReplica = new RedisServer()) {
            redis.start();
            redisReplica.start();
            ask(TWO, "REPLICAOF", "NO", "ONE");
            Await.until("the end of the link", PATIENCE, () -> number(ONE, "connected_slaves") == 0);
            assertSameAnswers(redis, ONE, "without replicas");
            follow(TWO, ONE);
            follow(redisReplica, redis);
            // Without a target the replica would take over.
            List<String> refused = COMMANDS.stream().filter(command -> !command.equals("FAILOVER")).toList();
            assertSameAnswers(redis, ONE, "with a replica", refused);
            assertSameAnswers(redisReplica, TWO, "of a replica");
            redisReplica.freeze();
            TWO.freeze();
            for (ServerProcess server : List.of(redis, ONE)) {
                ask(server, "SET", "k", "v");
                assertEquals(OK, ask(server, "FAILOVER", "TIMEOUT", "100000"));
            }
            assertSameAnswers(redis, ONE, "while one is running",
                List.of("FAILOVER", "FAILOVER TO h 1", "REPLICAOF h 1", "REPLICAOF NO ONE", "FAILOVER ABORT"));
            redisReplica.thaw();
            TWO.thaw();
        }
    }

    private static void assertSameAnswers(ServerProcess redis, ServerProcess sluice, String when) {
        assertSameAnswers(redis, sluice, when, COMMANDS);
    }

    private static void assertSameAnswers(ServerProcess redis, ServerProcess sluice, String when,
            List<String> commands) {
        for (String command : commands) {
            String[] words = command.split(" ");
            assertEquals(ask(redis, words), ask(sluice, words), command + " " + when);
        }
    }

    /** While the replica is stopped the primary waits; then it goes on as if nothing had been. */
    @Test
    void shouldGoOnAsThePrimaryWhenTheReplicaDoesNotCatchUp() {
        TWO.freeze();
        try (RespClient writer = ONE.connect()) {
            assertEquals(OK, writer.raw("SET", "k", "1"));
            assertEquals(OK, ask(ONE, "FAILOVER", "TIMEOUT", "300"));
            assertEquals(OK, writer.raw("SET", "k", "2"), "held back until it is given up");
            assertEquals("no-failover", info(ONE, "master_failover_state"));
            assertEquals("master", info(ONE, "role"));
            assertEquals(OK, ask(ONE, "FAILOVER"));
            assertEquals("waiting-for-sync", info(ONE, "master_failover_state"));
            writer.send(RespClient.command("SET", "k", "3"));
            assertEquals("$1\r\n2\r\n", ask(ONE, "GET", "k"));
            assertEquals(OK, ask(ONE, "FAILOVER", "ABORT"));
            assertEquals(OK, writer.read());
        } finally {
            TWO.thaw();
        }
        assertSame(TWO, ONE);
    }

    @Test
    void shouldHandOverByForceToAReplicaThatLacksSomething() {
        try (TcpProxy network = new TcpProxy().to(ONE.port())) {
            ask(TWO, "REPLICAOF", "127.0.0.1", Integer.toString(network.port()));
            awaitLink(TWO);
            assertEquals(OK, ask(ONE, "SET", "known", "1"));
            awaitOffset(TWO, ONE);
            network.cut();
            assertEquals(OK, ask(ONE, "SET", "unknown", "1"));
            handOver(ONE, TWO, "TIMEOUT", "300", "FORCE");
            assertSame(ONE, TWO);
            try (RespClient client = ONE.connect()) {
                assertEquals("1", client.call("GET", "known"));
                assertNull(client.call("GET", "unknown"));
            }
        }
    }

    /** Redis hands over to Sluice as it would to a Redis, and follows it from then on. */
    @Test
    void shouldTakeOverFromARedis() {
        try (RedisServer redis = new RedisServer("--repl-diskless-sync-delay", "0")) {
            redis.start();
            follow(TWO, redis);
            long fullSyncs = number(TWO, "sync_full");
            ask(redis, "SET", "k", "from Redis");
            // Redis notes the end of a full sync some time after the replica.
            awaitReplica(redis);
            assertEquals(OK, ask(redis, "FAILOVER", "TO", "127.0.0.1", Integer.toString(TWO.port())));
            Await.until("the new primary", PATIENCE, () -> "master".equals(info(TWO, "role")));
            awaitLink(redis);
            assertEquals("$10\r\nfrom Redis\r\n", ask(TWO, "GET", "k"));
            ask(TWO, "CL.THROTTLE", "limit", "15", "30", "3600");
            awaitOffset(redis, TWO);
            assertEquals(ask(TWO, "GET", "limit"), ask(redis, "GET", "limit"));
            assertEquals(fullSyncs, number(TWO, "sync_full"), "Redis goes on from where it was");
        }
    }

    @Test
    void shouldCloseItsClientsWhenItIsDemoted() {
        try (RespClient idle = ONE.connect();
             RespClient subscribed = ONE.connect();
             RespClient caller = ONE.connect()) {
            idle.call("PING");
            subscribed.call("SUBSCRIBE", "news");
            assertEquals(OK, caller.raw("REPLICAOF", "127.0.0.1", "1"));
            assertTrue(idle.isClosedByServer());
            assertTrue(subscribed.isClosedByServer());
            assertEquals("-READONLY You can't write against a read only replica.\r\n", caller.raw("SET", "k", "v"));
        }
    }

    /** As Sentinel sends it to a server that is to follow another. */
    @Test
    void shouldObeyTheTransactionThatSentinelSends() {
        try (RespClient sentinel = ONE.connect(); RespClient idle = ONE.connect()) {
            idle.call("PING");
            sentinel.call("CLIENT", "SETNAME", "sentinel-12345678-cmd");
            assertEquals(OK, sentinel.raw("MULTI"));
            for (String command : List.of("SLAVEOF 127.0.0.1 1", "CONFIG REWRITE", "CLIENT KILL TYPE normal",
                "CLIENT KILL TYPE pubsub")) {
                assertEquals("+QUEUED\r\n", sentinel.raw(command.split(" ")));
            }
            List<?> replies = (List<?>) sentinel.call("EXEC");
            assertEquals("OK", replies.get(0));
            assertEquals(RespValue.failure("ERR The server is running without a config file"), replies.get(1));
            assertEquals(4, replies.size());
            assertTrue(idle.isClosedByServer());
            assertEquals(OK, sentinel.raw("SLAVEOF", "NO", "ONE"));
            assertEquals("master", info(ONE, "role"));
        }
    }

    @Test
    void shouldRefuseWritesWhileTooFewReplicasAnswer() {
        String refusal = "-NOREPLICAS Not enough good replicas to write.\r\n";
        ask(ONE, "CONFIG", "SET", "min-replicas-max-lag", "2", "min-replicas-to-write", "1");
        try (RespClient client = ONE.connect()) {
            Await.until("writes with a replica", PATIENCE, () -> client.raw("SET", "k", "v").equals(OK));
            TWO.freeze();
            // What it acknowledged before may be read late, and then counts for a while.
            Await.until("no writes without", PATIENCE, () -> client.raw("SET", "k", "v").equals(refusal)
                && client.raw("CL.THROTTLE", "limit", "1", "1", "1").equals(refusal)
                && "0".equals(info(client, "min_slaves_good_slaves")));
            assertEquals("*5\r\n", client.raw("CL.PROBE", "limit", "1", "1", "1").substring(0, 4));
        } finally {
            TWO.thaw();
            ask(ONE, "CONFIG", "SET", "min-replicas-to-write", "0");
        }
    }

    /** The stream ends in the midst of writes, and is another one when somebody follows again. */
    @Test
    void shouldGoOnWhenItHasBeenWithoutReplicasForLong() {
        ask(ONE, "CONFIG", "SET", "repl-backlog-ttl", "1");
        ask(TWO, "REPLICAOF", "NO", "ONE");
        String writes = RespClient.command("INCR", "writes").repeat(500);
        try (RespClient client = ONE.connect()) {
            client.call("DEL", "writes");
            int batches = 0;
            do {
                batches++;
                client.send(writes);
                for (int i = 0; i < 500; i++) {
                    assertEquals(':', client.read().charAt(0));
                }
            } while (!"0".equals(info(client, "repl_backlog_active")));
            assertEquals("$" + Integer.toString(500 * batches).length() + "\r\n" + 500 * batches + "\r\n",
                client.raw("GET", "writes"));
            client.send(writes);
            for (int i = 0; i < 500; i++) {
                client.read();
            }
        } finally {
            ask(ONE, "CONFIG", "SET", "repl-backlog-ttl", "3600");
        }
        follow(TWO, ONE);
        assertSame(TWO, ONE);
    }

    @Test
    void shouldLetReplicasCatchUpBeforeItStopsButNotForEver() {
        try (RespClient client = ONE.connect()) {
            client.call("FLUSHALL");
            for (int i = 0; i < 20_000; i++) {
                client.send(RespClient.command("SET", "k" + i, "v"));
            }
            for (int i = 0; i < 20_000; i++) {
                client.read();
            }
        }
        assertEquals(0, ONE.stop());
        try (RespClient client = TWO.connect()) {
            assertEquals(20_000L, client.call("DBSIZE"));
        }
        ONE.start();
        awaitLink(TWO);
        TWO.freeze();
        ask(ONE, "SET", "k", "v");
        ask(ONE, "CONFIG", "SET", "shutdown-timeout", "1");
        assertEquals(0, ONE.stop());
        TWO.thaw();
        ONE.start();
    }
}
