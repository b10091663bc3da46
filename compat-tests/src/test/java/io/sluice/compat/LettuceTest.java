package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.SetArgs;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.support.ConnectionPoolSupport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lettuce in either protocol. */
final class LettuceTest {
    private static final ProtocolKeyword THROTTLE = new ProtocolKeyword() {
        @Override
        public byte[] getBytes() {
            return toString().getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public String toString() {
            return "CL.THROTTLE";
        }
    };

    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--enable-debug-command", "yes");

    @BeforeAll
    static void stopClock() {
        SERVER.stopClock();
    }

    @ParameterizedTest
    @EnumSource
    void shouldLimitByCustomCommand(ProtocolVersion protocol) {
        withCommands(protocol, commands -> {
            assertEquals(List.of(0L, 3L, 2L, -1L, 1200L), throttle(commands, "user", 1));
            assertEquals(List.of(0L, 3L, 0L, -1L, 3600L), throttle(commands, "user", 2));
            assertEquals(1L, throttle(commands, "user", 1).get(0));
        });
    }

    /** Three an hour, in a burst of three. */
    private static List<Object> throttle(RedisCommands<String, String> commands, String key, long quantity) {
        return commands.dispatch(THROTTLE, new ArrayOutput<>(StringCodec.UTF8), throttleArguments(key, quantity));
    }

    private static CommandArgs<String, String> throttleArguments(String key, long quantity) {
        return new CommandArgs<>(StringCodec.UTF8).addKey(key).add(2).add(3).add(3600).add(quantity);
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeStringsAndExpiries(ProtocolVersion protocol) {
        withCommands(protocol, commands -> {
            assertEquals("PONG", commands.ping());
            assertEquals("OK", commands.set("a", "1", SetArgs.Builder.nx().ex(1000)));
            assertNull(commands.set("a", "2", SetArgs.Builder.nx()));
            assertEquals(1000, commands.ttl("a"));
            assertEquals(4, commands.incrby("a", 3));
            assertEquals(4.5, commands.incrbyfloat("a", 0.5));
            assertEquals("4.5", commands.getdel("a"));
            assertEquals(-2, commands.ttl("a"));
            commands.set("b", "x");
            assertEquals(Set.of("b"), Set.copyOf(commands.scan(ScanArgs.Builder.limit(100)).getKeys()));
            assertEquals("string", commands.type("b"));
            assertEquals(1, commands.dbsize());
            assertTrue(commands.info("server").contains("redis_version:"));
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerPipelinesInOrder(ProtocolVersion protocol) {
        withConnection(protocol, connection -> {
            RedisAsyncCommands<String, String> commands = connection.async();
            connection.setAutoFlushCommands(false);
            List<RedisFuture<Long>> replies = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                replies.add(commands.incr("n"));
            }
            connection.flushCommands();
            for (int i = 0; i < replies.size(); i++) {
                assertEquals(i + 1, replies.get(i).toCompletableFuture().join());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldRunTransactions(ProtocolVersion protocol) {
        withCommands(protocol, commands -> {
            commands.multi();
            commands.incr("n");
            commands.expire("n", 100);
            commands.dispatch(THROTTLE, new ArrayOutput<>(StringCodec.UTF8), throttleArguments("user", 3));
            TransactionResult result = commands.exec();
            assertEquals(List.of(1L, true, List.of(0L, 3L, 0L, -1L, 3600L)), result.stream().toList());
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseATransactionWhoseWatchedKeyChanged(ProtocolVersion protocol) {
        withCommands(protocol, watcher -> withConnection(protocol, other -> {
            watcher.watch("w");
            other.sync().set("w", "theirs");
            watcher.multi();
            watcher.set("w", "mine");
            assertTrue(watcher.exec().wasDiscarded());
            assertEquals("theirs", watcher.get("w"));
        }));
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeAPoolOfConnections(ProtocolVersion protocol) {
        withClient(protocol, client -> {
            GenericObjectPoolConfig<StatefulRedisConnection<String, String>> config = new GenericObjectPoolConfig<>();
            config.setMaxTotal(4);
            try (GenericObjectPool<StatefulRedisConnection<String, String>> pool =
                     ConnectionPoolSupport.createGenericObjectPool(client::connect, config)) {
                for (int i = 0; i < 4; i++) {
                    try (StatefulRedisConnection<String, String> connection = pool.borrowObject()) {
                        assertEquals(i < 3 ? 0L : 1L, throttle(connection.sync(), "pool", 1).get(0));
                    }
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldRaiseErrorsAndGoOn(ProtocolVersion protocol) {
        withCommands(protocol, commands -> {
            commands.set("text", "abc");
            assertTrue(assertThrows(RedisCommandExecutionException.class, () -> commands.incr("text")).getMessage()
                .startsWith("ERR value is not an integer"));
            assertEquals("abc", commands.get("text"));
        });
    }

    /** Runs the test on a connection to an empty server. */
    private static void withCommands(ProtocolVersion protocol, Consumer<RedisCommands<String, String>> test) {
        withConnection(protocol, connection -> {
            connection.sync().flushall();
            test.accept(connection.sync());
        });
    }

    private static void withConnection(ProtocolVersion protocol,
                                       Consumer<StatefulRedisConnection<String, String>> test) {
        withClient(protocol, client -> {
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                test.accept(connection);
            }
        });
    }

    private static void withClient(ProtocolVersion protocol, Consumer<RedisClient> test) {
        RedisURI uri = RedisURI.builder().withHost("127.0.0.1").withPort(SERVER.port()).withClientName("lettuce")
            .build();
        try (RedisClient client = RedisClient.create(uri)) {
            client.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
            client.connect().sync().flushall();
            test.accept(client);
        }
    }
}
