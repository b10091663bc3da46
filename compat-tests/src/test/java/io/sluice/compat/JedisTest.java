package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;

/** Jedis, in each protocol that it can be told to speak, and in the one that it chooses itself. */
final class JedisTest {
    private static final ProtocolCommand THROTTLE = () -> "CL.THROTTLE".getBytes(StandardCharsets.US_ASCII);

    /** By itself it waits for two seconds, which a busy machine may take. */
    private static final int PATIENCE_MS = 30_000;

    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--enable-debug-command", "yes");

    @BeforeAll
    static void stopClock() {
        SERVER.stopClock();
    }

    @ParameterizedTest
    @EnumSource
    void shouldLimitByCustomCommand(RedisProtocol protocol) {
        try (RedisClient client = client(protocol, 1)) {
            client.del("user");
            assertEquals(List.of(0L, 3L, 2L, -1L, 1200L), throttle(client, "user", "2"));
            assertEquals(List.of(0L, 3L, 0L, -1L, 3600L), throttle(client, "user", "2", "2"));
            assertEquals(1L, throttle(client, "user", "2").get(0));
        }
    }

    private static List<?> throttle(RedisClient client, String key, String burst, String... quantity) {
        return (List<?>) client.executeCommand(threeAnHour(key, burst, quantity));
    }

    private static CommandArguments threeAnHour(String key, String burst, String... quantity) {
        return new CommandArguments(THROTTLE).key(key).addObjects(burst, "3", "3600").addObjects((Object[]) quantity);
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeStringsAndExpiries(RedisProtocol protocol) {
        try (RedisClient client = client(protocol, 1)) {
            client.flushAll();
            assertEquals("PONG", client.ping());
            assertEquals("OK", client.set("a", "1", SetParams.setParams().nx().ex(1000)));
            assertNull(client.set("a", "2", SetParams.setParams().nx()));
            assertEquals("1", client.setGet("a", "5", SetParams.setParams().keepTtl()));
            assertEquals(1000, client.ttl("a"));
            assertEquals(8, client.incrBy("a", 3));
            assertEquals(8.5, client.incrByFloat("a", 0.5));
            assertEquals(List.of("8.5", "x"), client.mget("a", set(client, "b", "x")));
            assertEquals(1, client.persist("a"));
            assertEquals(-1, client.ttl("a"));
            assertEquals(Set.of("a", "b"), Set.copyOf(client.scan("0", new ScanParams().count(100)).getResult()));
            assertEquals("string", client.type("a"));
            assertEquals("int", client.objectEncoding(set(client, "n", "12")));
            assertEquals(3, client.del("a", "b", "n", "none"));
        }
    }

    private static String set(RedisClient client, String key, String value) {
        client.set(key, value);
        return key;
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepEveryByte(RedisProtocol protocol) {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        try (RedisClient client = client(protocol, 1)) {
            client.set(bytes, bytes);
            assertArrayEquals(bytes, client.get(bytes));
            assertEquals(256, client.strlen(bytes));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerPipelinesInOrder(RedisProtocol protocol) {
        try (RedisClient client = client(protocol, 1)) {
            client.del("n");
            List<Response<Long>> replies = new ArrayList<>();
            try (AbstractPipeline pipeline = client.pipelined()) {
                for (int i = 0; i < 10_000; i++) {
                    replies.add(pipeline.incr("n"));
                }
                pipeline.sync();
            }
            for (int i = 0; i < replies.size(); i++) {
                assertEquals(i + 1, replies.get(i).get());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRunTransactions(RedisProtocol protocol) {
        try (RedisClient client = client(protocol, 1)) {
            client.flushAll();
            try (AbstractTransaction transaction = client.multi()) {
                Response<Long> n = transaction.incr("n");
                Response<Long> expiry = transaction.expire("n", 100);
                Response<Object> limited = transaction.sendCommand(threeAnHour("user", "0"));
                assertEquals(3, transaction.exec().size());
                assertEquals(1, n.get());
                assertEquals(1, expiry.get());
                assertEquals(List.of(0L, 1L, 0L, -1L, 1200L), limited.get());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseATransactionWhoseWatchedKeyChanged(RedisProtocol protocol) {
        try (Jedis watcher = connection(protocol); Jedis other = connection(protocol)) {
            watcher.del("w");
            watcher.watch("w");
            Transaction transaction = watcher.multi();
            transaction.set("w", "mine");
            other.set("w", "theirs");
            assertNull(transaction.exec());
            assertEquals("theirs", watcher.get("w"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeAPoolOfConnections(RedisProtocol protocol) throws InterruptedException, ExecutionException {
        int threads = 8;
        int spendsEach = 100;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (RedisClient client = client(protocol, threads)) {
            client.del("pool");
            List<Future<Integer>> allowed = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                allowed.add(executor.submit(() -> {
                    int count = 0;
                    for (int spend = 0; spend < spendsEach; spend++) {
                        count += throttle(client, "pool", "99").get(0).equals(0L) ? 1 : 0;
                    }
                    return count;
                }));
            }
            int sum = 0;
            for (Future<Integer> count : allowed) {
                sum += count.get();
            }
            assertEquals(100, sum);
        } finally {
            executor.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRaiseErrorsAndGoOn(RedisProtocol protocol) {
        try (RedisClient client = client(protocol, 1)) {
            client.set("text", "abc");
            assertTrue(assertThrows(JedisDataException.class, () -> client.incr("text")).getMessage()
                .startsWith("ERR value is not an integer"));
            assertEquals("ERR value is not an integer or out of range", assertThrows(JedisDataException.class,
                () -> throttle(client, "user", "many")).getMessage());
            assertEquals("abc", client.get("text"));
        }
    }

    private static RedisClient client(RedisProtocol protocol, int connections) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        return RedisClient.builder().hostAndPort(address()).clientConfig(config(protocol)).poolConfig(pool).build();
    }

    private static Jedis connection(RedisProtocol protocol) {
        return new Jedis(address(), config(protocol));
    }

    private static HostAndPort address() {
        return new HostAndPort("127.0.0.1", SERVER.port());
    }

    private static DefaultJedisClientConfig config(RedisProtocol protocol) {
        return DefaultJedisClientConfig.builder().protocol(protocol).clientName("jedis").database(3)
            .timeoutMillis(PATIENCE_MS).build();
    }
}
