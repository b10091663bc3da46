package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Other people's clients over TLS, with certificates that are made here. */
final class TlsClientsTest {
    private static final String PASSWORD = "secret";
    private static final Duration SOON = Duration.ofSeconds(60);

    private static Path dir;
    private static int tlsPort;
    private static SluiceServer server;

    @BeforeAll
    static void start() throws IOException {
        dir = Files.createTempDirectory(Files.createDirectories(Path.of("target").toAbsolutePath()), "tls");
        authority("ca");
        authority("strangers");
        sign("ca", "server");
        sign("ca", "client");
        sign("strangers", "stranger");
        tlsPort = ServerProcess.freePort();
        server = new SluiceServer("--tls-port", Integer.toString(tlsPort), "--tls-cert-file", file("server.crt"),
            "--tls-key-file", file("server.key"), "--tls-ca-cert-file", file("ca.crt"));
        server.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void authority(String name) {
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=" + name, "-keyout",
            name + ".key", "-out", name + ".crt");
    }

    /** A certificate, and for Java clients the same with its authority in key stores. */
    private static void sign(String authority, String name) throws IOException {
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=" + name, "-keyout", name + ".key", "-out",
            name + ".csr");
        Files.writeString(dir.resolve("names.txt"), "subjectAltName=IP:127.0.0.1,DNS:localhost");
        openssl("x509", "-req", "-days", "2", "-in", name + ".csr", "-CA", authority + ".crt", "-CAkey",
            authority + ".key", "-CAcreateserial", "-extfile", "names.txt", "-out", name + ".crt");
        openssl("pkcs12", "-export", "-in", name + ".crt", "-inkey", name + ".key", "-passout", "pass:" + PASSWORD,
            "-out", name + ".p12");
    }

    private static void openssl(String... args) {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(args));
        Programs.run(dir, command.toArray(new String[0]));
    }

    private static String file(String name) {
        return dir.resolve(name).toString();
    }

    private static Programs.Result cli(String identity, String authority, String... command) {
        List<String> words = new ArrayList<>(List.of("redis-cli", "-h", "127.0.0.1", "-p", Integer.toString(tlsPort),
            "--tls", "--cacert", file(authority + ".crt")));
        if (identity != null) {
            words.addAll(List.of("--cert", file(identity + ".crt"), "--key", file(identity + ".key")));
        }
        words.addAll(List.of(command));
        return Programs.tryRun(dir, new byte[0], words.toArray(new String[0]));
    }

    @Test
    void shouldServeRedisCli() {
        assertEquals("PONG\n", cli("client", "ca", "PING").output());
        assertEquals("0\n16\n15\n-1\n2\n", cli("client", "ca", "CL.THROTTLE", "cli", "15", "30", "60").output());
        String value = "x".repeat(100_000);
        assertEquals("OK\n", cli("client", "ca", "SET", "long", value).output());
        assertEquals(value + "\n", cli("client", "ca", "GET", "long").output());
    }

    @Test
    void shouldTurnAwayClientsThatAreUnknownOrDoNotTrustIt() {
        for (Programs.Result result : List.of(cli(null, "ca", "PING"), cli("stranger", "ca", "PING"),
                cli("client", "strangers", "PING"))) {
            assertNotEquals("PONG\n", result.output());
        }
        assertEquals("PONG\n", cli("client", "ca", "PING").output());
    }

    private static DefaultJedisClientConfig jedis(String identity) {
        return DefaultJedisClientConfig.builder()
            .sslOptions(redis.clients.jedis.SslOptions.builder()
                .keystore(dir.resolve(identity + ".p12").toFile(), PASSWORD.toCharArray())
                .keyStoreType("PKCS12")
                .truststore(trusted(), PASSWORD.toCharArray()).trustStoreType("PKCS12")
                .sslVerifyMode(SslVerifyMode.FULL).build())
            .timeoutMillis((int) SOON.toMillis()).build();
    }

    /** The authority as Java's clients want it. */
    private static java.io.File trusted() {
        Path store = dir.resolve("trusted.p12");
        if (!Files.exists(store)) {
            Programs.run(dir, Path.of(System.getProperty("java.home"), "bin/keytool").toString(), "-importcert",
                "-noprompt", "-alias", "ca", "-file", "ca.crt", "-keystore", "trusted.p12", "-storetype", "PKCS12",
                "-storepass", PASSWORD);
        }
        return store.toFile();
    }

    @Test
    void shouldServeJedis() {
        HostAndPort address = new HostAndPort("127.0.0.1", tlsPort);
        try (Jedis client = new Jedis(address, jedis("client"))) {
            assertEquals("OK", client.set("jedis", "1"));
            assertEquals(2L, client.incr("jedis"));
        }
        assertThrows(JedisConnectionException.class, () -> {
            try (Jedis stranger = new Jedis(address, jedis("stranger"))) {
                stranger.ping();
            }
        });
    }

    @Test
    void shouldServeLettuce() {
        RedisURI uri = RedisURI.builder().withHost("127.0.0.1").withPort(tlsPort).withSsl(true).build();
        io.lettuce.core.RedisClient client = io.lettuce.core.RedisClient.create(uri);
        try {
            client.setOptions(ClientOptions.builder()
                .socketOptions(SocketOptions.builder().connectTimeout(SOON).build()).sslOptions(SslOptions.builder()
                .keyManager(dir.resolve("client.crt").toFile(), dir.resolve("client.key").toFile(), null)
                .trustManager(dir.resolve("ca.crt").toFile()).build()).build());
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                assertEquals("OK", connection.sync().set("lettuce", "1"));
                assertEquals(2L, connection.sync().incr("lettuce"));
            }
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    @Test
    void shouldEndAHandshakeThatStalls() {
        try (RespClient half = new RespClient(tlsPort)) {
            half.patience(SOON);
            half.send("\u0016\u0003\u0001\u0002\u0000\u0001");
            // It may say in a record why, and then ends the connection; or the wait for a byte fails.
            assertTrue(half.readToEnd().length() < 100);
        }
        assertEquals("PONG\n", cli("client", "ca", "PING").output());
    }

    @Test
    void shouldTakeACertificateThatWasReplaced() throws IOException {
        Path cert = Files.copy(dir.resolve("server.crt"), dir.resolve("live.crt"));
        Path key = Files.copy(dir.resolve("server.key"), dir.resolve("live.key"));
        try (RespClient plain = server.connect()) {
            assertEquals("OK", plain.call("CONFIG", "SET", "tls-cert-file", cert.toString(), "tls-key-file",
                key.toString()));
        }
        sign("ca", "renewed");
        Files.write(key, Files.readAllBytes(dir.resolve("renewed.key")));
        Files.write(cert, Files.readAllBytes(dir.resolve("renewed.crt")));
        Await.until("the new certificate", SOON, () -> Programs.tryRun(dir, new byte[0], "openssl", "s_client",
            "-connect", "127.0.0.1:" + tlsPort, "-CAfile", "ca.crt", "-cert", "client.crt", "-key", "client.key")
            .output().contains("CN = renewed"));
    }

    @Test
    void shouldStartWithoutAnOpenPort() {
        String port = Integer.toString(ServerProcess.freePort());
        try (SluiceServer closed = new SluiceServer("--port", "0", "--tls-port", port,
                "--tls-cert-file", file("server.crt"), "--tls-key-file", file("server.key"), "--tls-auth-clients",
                "no")) {
            closed.launch();
            Await.until("TLS without an open port", SOON, () -> Programs.tryRun(dir, new byte[0], "redis-cli", "-p",
                port, "--tls", "--cacert", file("ca.crt"), "PING").output().equals("PONG\n"));
            assertThrows(UncheckedIOException.class, () -> new RespClient(closed.port()));
        }
    }
}
