package io.sluice.compat;

import static io.sluice.compat.Replicating.assertSame;
import static io.sluice.compat.Replicating.awaitOffset;
import static io.sluice.compat.Replicating.info;
import static io.sluice.compat.Replicating.number;
import static io.sluice.compat.SentinelCluster.FAILOVER_MAX;
import static io.sluice.compat.SentinelCluster.awaitFollowing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.sluice.compat.SentinelCluster.Node;
import io.sluice.compat.Spenders.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSentinelPool;
import redis.clients.jedis.exceptions.JedisException;

/** Three of Redis's own Sentinels watch a primary and two replicas of Sluice; clients ask them who is the primary. */
@SuppressWarnings("deprecation")
final class SentinelTest {
    private static final String HELLO = "__sentinel__:hello";

    @RegisterExtension
    static final SentinelCluster CLUSTER = new SentinelCluster();

    @Test
    void shouldCarryWhatSentinelsTellEachOther() {
        Node primary = CLUSTER.settled();
        Set<String> heard = new HashSet<>();
        Set<String> expected = CLUSTER.sentinelPorts().stream().map(String::valueOf).collect(Collectors.toSet());
        try (RespClient client = primary.server().connect()) {
            client.raw("SUBSCRIBE", HELLO);
            while (!heard.containsAll(expected)) {
                List<?> message = (List<?>) RespValue.parse(client.read());
                String[] fields = message.get(2).toString().split(",");
                assertEquals(8, fields.length, message.toString());
                assertEquals(Integer.toString(primary.port()), fields[6]);
                heard.add(fields[1]);
            }
        }
        assertEquals(expected, heard);
    }

    @Test
    void shouldReplaceAKilledPrimaryUnderJedis() {
        Node old = CLUSTER.settled();
        Set<HostAndPort> addresses = CLUSTER.sentinelPorts().stream().map(port -> new HostAndPort("127.0.0.1", port))
            .collect(Collectors.toSet());
        JedisClientConfig patient = DefaultJedisClientConfig.builder().timeoutMillis(20_000).build();
        try (JedisSentinelPool pool = new JedisSentinelPool(RedisSentinel.MASTER, addresses, patient, patient)) {
            assertTrue(writes(pool, "before"));
            CLUSTER.except(old).forEach(node -> awaitOffset(node.server(), old.server()));
            List<Long> fullSyncs = fullSyncs(CLUSTER.except(old));
            String runId = info(old.server(), "run_id");
            long killedNs = System.nanoTime();
            old.server().kill();
            Await.until("a write through the pool", FAILOVER_MAX, () -> writes(pool, "after"));
            System.out.printf("Kill to first write through JedisSentinelPool: %d ms, %d of which Sentinel waits%n",
                (System.nanoTime() - killedNs) / 1_000_000, RedisSentinel.DOWN_AFTER_MS);
            Node primary = CLUSTER.awaitFailover(old);
            assertEquals(fullSyncs, fullSyncs(CLUSTER.except(old)), "the other replica goes on from where it was");
            try (Jedis jedis = pool.getResource()) {
                assertEquals("1", jedis.get("before"));
            }
            old.server().start();
            awaitFollowing(old, primary);
            assertNotEquals(runId, info(old.server(), "run_id"));
            CLUSTER.except(primary).forEach(node -> assertSame(node.server(), primary.server()));
        }
    }

    private static List<Long> fullSyncs(List<Node> nodes) {
        return nodes.stream().map(node -> number(node.server(), "sync_full")).toList();
    }

    private static boolean writes(JedisSentinelPool pool, String key) {
        try (Jedis jedis = pool.getResource()) {
            return "OK".equals(jedis.set(key, "1"));
        } catch (JedisException e) {
            return false;
        }
    }

    /** The connection to a primary that was stopped and goes on is alive, so only its end tells the client anything. */
    @Test
    void shouldReplaceAStoppedPrimaryThatClosesItsClientsWhenItComesBackUnderLettuce() {
        Node old = CLUSTER.settled();
        RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(RedisSentinel.MASTER)
            .withTimeout(Duration.ofSeconds(20));
        CLUSTER.sentinelPorts().forEach(port -> uri.withSentinel("127.0.0.1", port));
        RedisClient client = RedisClient.create();
        try (StatefulRedisConnection<String, String> toAll =
                 MasterReplica.connect(client, StringCodec.UTF8, uri.build());
             StatefulRedisConnection<String, String> toPrimary = client.connect(uri.build());
             RespClient plain = old.server().connect()) {
            assertEquals("PONG", plain.call("PING"));
            assertEquals("OK", toAll.sync().set("before", "1"));
            assertEquals("OK", toPrimary.sync().set("before", "2"));
            old.server().freeze();
            Node primary = CLUSTER.awaitFailover(old);
            old.server().thaw();
            awaitFollowing(old, primary);
            assertTrue(plain.isClosedByServer());
            Await.until("a write by the one", FAILOVER_MAX, () -> writes(toAll, "all"));
            Await.until("a write by the other", FAILOVER_MAX, () -> writes(toPrimary, "primary"));
            assertSame(old.server(), primary.server());
            try (RespClient direct = old.server().connect()) {
                assertEquals("1", direct.call("GET", "all"));
                assertEquals("1", direct.call("GET", "primary"));
            }
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    private static boolean writes(StatefulRedisConnection<String, String> connection, String key) {
        try {
            return "OK".equals(connection.sync().set(key, "1"));
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Test
    void shouldReplaceAPrimaryWhoseNetworkIsCutUnderRedisPy() throws IOException {
        Node old = CLUSTER.settled();
        Process python = sentinelClient(old.server().dir());
        Node primary;
        try (var output = python.inputReader()) {
            assertEquals("ready", output.readLine());
            old.network().cut();
            python.outputWriter().append('\n').close();
            assertEquals("written", output.readLine());
            primary = CLUSTER.awaitFailover(old);
        } finally {
            python.destroyForcibly();
        }
        try (RespClient behindTheCut = old.server().connect()) {
            assertEquals("OK", behindTheCut.call("SET", "beyond", "1"));
            old.network().mend();
            awaitFollowing(old, primary);
            assertTrue(behindTheCut.isClosedByServer());
        }
        assertSame(old.server(), primary.server());
        try (RespClient client = old.server().connect()) {
            assertEquals("1", client.call("GET", "after"));
            assertNull(client.call("GET", "beyond"), "written where it could not be known");
        }
        assertTrue(noted(old).contains("replicaof 127.0.0.1 " + primary.port()), "the file of the old primary");
        assertTrue(noted(primary).stream().noneMatch(line -> line.startsWith("replicaof 127")), "that of the new one");
    }

    /** Sentinel does not wait for anything; a pause of the writes beforehand lets the replicas have everything. */
    @Test
    void shouldHandOverWithoutALossWhenSentinelIsAskedTo() throws ExecutionException, InterruptedException {
        Node old = CLUSTER.settled();
        try (Spenders spenders = new Spenders(old.server().port(), List.of(new Limit("slow", 50, 20),
                new Limit("fast", 50, 1_000)));
             RespClient operator = old.server().connect();
             RespClient held = old.server().connect();
             RespClient sentinel = new RespClient(CLUSTER.sentinelPorts().get(0))) {
            spenders.awaitMore(10);
            assertEquals("OK", operator.call("CLIENT", "PAUSE", "120000", "WRITE"));
            held.send(RespClient.command("SET", "held", "1"));
            CLUSTER.except(old).forEach(node -> awaitOffset(node.server(), old.server()));
            Await.until("the failover to begin", FAILOVER_MAX,
                () -> "OK".equals(sentinel.call("SENTINEL", "FAILOVER", RedisSentinel.MASTER)));
            Node primary = CLUSTER.awaitFailover(old);
            awaitFollowing(old, primary);
            assertTrue(held.isClosedByServer(), "granted by nobody");
            spenders.moveTo(primary.server());
            spenders.awaitMore(10);
            for (Map.Entry<Limit, Double> one : spenders.stop().entrySet()) {
                assertTrue(one.getValue() <= 1, one + " admitted beyond what one server would have");
            }
        }
    }

    private static Process sentinelClient(Path directory) throws IOException {
        Path script = directory.resolve("sentinel.py");
        Files.writeString(script, """
            import sys, time
            from redis.sentinel import Sentinel
            from redis.exceptions import RedisError
            sentinel = Sentinel([('127.0.0.1', int(port)) for port in sys.argv[1:]], socket_timeout=2)
            master = sentinel.master_for('mymaster', socket_timeout=2)

            def write(key):
                deadline = time.time() + 120
                while time.time() < deadline:
                    try:
                        return master.set(key, '1')
                    except RedisError:
                        time.sleep(0.05)
                sys.exit('no write of ' + key)

            write('before')
            print('ready', flush=True)
            sys.stdin.readline()
            write('after')
            print('written')
            """);
        List<String> command = new ArrayList<>(List.of("/usr/bin/python3", script.toString()));
        CLUSTER.sentinelPorts().forEach(port -> command.add(port.toString()));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** The lines of the server's configuration file, which Sentinel has it rewrite. */
    private static List<String> noted(Node node) throws IOException {
        return Files.readAllLines(Path.of(info(node.server(), "config_file")));
    }
}
