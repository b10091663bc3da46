package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What clients send when they connect, in their order and in one write, as it was recorded of each of them. */
final class HandshakeReportsTest {
    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer();

    private static final String REFUSED = "CLIENT MAINT_NOTIFICATIONS on moving-endpoint-type internal-ip";

    static Stream<Arguments> handshakes() {
        return Stream.of(
            Arguments.of("ioredis 6", "hello 3; select 3; client setname x; client SETINFO LIB-VER 6.0.0;"
                + "client SETINFO LIB-NAME ioredis; info; quit"),
            Arguments.of("ioredis 4", "select 3; info; client setname x; quit"),
            Arguments.of("node-redis 6", "HELLO 3 SETNAME x; SELECT 2; CLIENT SETINFO LIB-VER 6; "
                + "CLIENT SETINFO LIB-NAME node-redis;" + REFUSED),
            Arguments.of("node-redis 3", "info; quit"),
            Arguments.of("Valkey GLIDE", "HELLO 3; CLIENT SETNAME x; CLIENT SETINFO LIB-NAME GlideJS; "
                + "CLIENT SETINFO LIB-VER 2.5; INFO REPLICATION"),
            Arguments.of("Jedis", "HELLO 3; CLIENT SETNAME x; CLIENT SETINFO LIB-NAME jedis; "
                + "CLIENT SETINFO LIB-VER 8.0.2; SELECT 1"),
            Arguments.of("Lettuce", "HELLO 3 SETNAME x; SELECT 1; CLIENT SETINFO lib-name Lettuce; "
                + "CLIENT SETINFO lib-ver 7.7.0;" + REFUSED),
            Arguments.of("Redisson", "HELLO 3; CLIENT SETNAME x; PING; PING"),
            Arguments.of("go-redis", "HELLO 3 SETNAME x; SELECT 1; CLIENT SETNAME x; CLIENT TRACKING OFF; " + REFUSED
                + "; CLIENT SETINFO LIB-NAME go-redis; CLIENT SETINFO LIB-VER 9"),
            Arguments.of("rueidis", "HELLO 3; CLIENT TRACKING ON OPTIN; SELECT 1; CLIENT SETINFO LIB-NAME rueidis; "
                + "CLIENT SETINFO LIB-VER 1"),
            Arguments.of("StackExchange.Redis", "HELLO 2; CLIENT SETNAME x; CLIENT SETINFO lib-name SE.Redis; "
                + "CLIENT SETINFO lib-ver 3; CLIENT ID; CONFIG GET timeout; CONFIG GET slave-read-only; "
                + "CONFIG GET databases; INFO replication; INFO server; GET __Booksleeve_TieBreak; "
                + "ECHO 0123456789abcdef; "
                + "SUBSCRIBE __Booksleeve_MasterChanged"),
            Arguments.of("redis-cli -3", "HELLO 3; COMMAND DOCS; COMMAND"),
            Arguments.of("redis-benchmark", "CONFIG GET save; CONFIG GET appendonly"),
            Arguments.of("kumomta", "COMMAND INFO CL.THROTTLE; PING"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("handshakes")
    void shouldGreetAClient(String name, String lines) {
        List<String> commands = Arrays.stream(lines.split(";")).map(String::strip).toList();
        try (RespClient client = SERVER.connect()) {
            List<String> replies = new ArrayList<>();
            client.send(String.join("", commands.stream().map(line -> RespClient.command(line.split(" "))).toList()));
            commands.forEach(line -> replies.add(client.read()));
            for (int i = 0; i < replies.size(); i++) {
                assertEquals(commands.get(i).equals(REFUSED), replies.get(i).startsWith("-"),
                    commands.get(i) + " answers " + replies.get(i));
            }
        }
    }

    // lettuce 2817 and go-redis 3536: what is not known must be refused as Redis refuses it, and nothing else
    @Test
    void shouldRefuseAnUnknownSubcommandInAWayThatClientsFallBackOn() {
        try (RespClient client = SERVER.connect()) {
            assertEquals("-ERR unknown subcommand 'MAINT_NOTIFICATIONS'. Try CLIENT HELP.\r\n",
                client.raw(REFUSED.split(" ")));
            assertEquals("PONG", client.call("PING"));
        }
    }

    // rueidis takes an error to this for the end
    @Test
    void shouldTellACachingClientOfChanges() {
        try (RespClient reader = SERVER.connect(); RespClient writer = SERVER.connect()) {
            reader.call("HELLO", "3");
            assertEquals("OK", reader.line("CLIENT TRACKING ON OPTIN"));
            reader.send(RespClient.command("CLIENT", "CACHING", "YES") + RespClient.command("MULTI")
                + RespClient.command("PTTL", "cached") + RespClient.command("GET", "cached")
                + RespClient.command("EXEC"));
            for (String expected : List.of("+OK\r\n", "+OK\r\n", "+QUEUED\r\n", "+QUEUED\r\n", "*2\r\n:-2\r\n_\r\n")) {
                assertEquals(expected.replace("\r\n", "\n"), reader.read().replace("\r\n", "\n"));
            }
            assertEquals("OK", writer.line("SET cached 1"));
            assertEquals(List.of("invalidate", List.of("cached")), RespValue.parse(reader.read()));
        }
    }

    // lettuce 2170 and 2011, Garnet 811, Dragonfly 126
    @Test
    void shouldDescribeItselfInTheGreeting() {
        try (RespClient client = SERVER.connect()) {
            Map<?, ?> greeting = assertInstanceOf(Map.class, client.line("HELLO 3"));
            assertEquals(List.of("server", "version", "proto", "id", "mode", "role", "modules"),
                List.copyOf(greeting.keySet()));
            assertEquals(3L, greeting.get("proto"));
            assertInstanceOf(Long.class, greeting.get("id"));
            assertTrue(greeting.get("version").toString().startsWith("7."), greeting.toString());
        }
    }

    // Rails chooses EXPIRE NX by this, GLIDE and StackExchange.Redis the role
    @Test
    void shouldNameAVersionARoleAndAModeInInfo() {
        try (RespClient client = SERVER.connect()) {
            String info = (String) client.call("INFO");
            for (String field : List.of("redis_version:7\\.[0-9.]+", "redis_mode:standalone", "loading:0",
                    "role:master", "connected_slaves:0", "master_replid:[0-9a-f]{40}")) {
                assertTrue(info.matches("(?s).*\r\n" + field + "\r\n.*"), field);
            }
        }
    }

    // kumomta sends the command itself only where this says that it exists
    @Test
    void shouldDescribeTheLimiterCommand() {
        try (RespClient client = SERVER.connect()) {
            List<?> described = (List<?>) ((List<?>) client.line("COMMAND INFO CL.THROTTLE")).get(0);
            assertNotNull(described);
            assertEquals(List.of("cl.throttle", -5L), described.subList(0, 2));
            assertEquals(List.of(1L, 1L, 1L), described.subList(3, 6));
        }
    }

    // StackExchange.Redis, go-redis and others ask for a cluster and must hear that there is none
    @Test
    void shouldSayThatThereIsNoCluster() {
        try (RespClient client = SERVER.connect()) {
            for (String line : List.of("CLUSTER NODES", "CLUSTER SLOTS", "CLUSTER INFO", "READONLY", "ASKING")) {
                assertEquals("-ERR This instance has cluster support disabled\r\n", client.raw(line.split(" ")));
            }
            assertFalse(client.raw("PING").startsWith("-"));
        }
    }
}
