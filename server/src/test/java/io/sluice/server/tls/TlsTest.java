package io.sluice.server.tls;

import io.netty.handler.ssl.OpenSsl;
import io.sluice.server.RespClient;
import io.sluice.server.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class TlsTest {
    @TempDir
    private static Path dir;

    private static Certificates certificates;
    private static SSLContext known;
    private static SSLContext stranger;

    private TestServer server;
    private int tlsPort;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificates = new Certificates(dir, "ca").sign("server").sign("other").sign("client");
        known = certificates.client("client");
        stranger = new Certificates(dir, "ca2").sign("client2").client("client2");
    }

    /** Those that work on this machine: Java's own at least. */
    static List<String> engines() {
        return OpenSsl.isAvailable() ? List.of("auto", "jdk") : List.of("jdk");
    }

    private void start(String... options) throws IOException {
        tlsPort = TestServer.freePort();
        List<String> all = new ArrayList<>(List.of("--tls-port", Integer.toString(tlsPort), "--tls-cert-file",
                certificates.path("server.crt"), "--tls-key-file", certificates.path("server.key"),
                "--tls-ca-cert-file", certificates.path("ca.crt")));
        all.addAll(List.of(options));
        server = new TestServer(all.toArray(new String[0])).open();
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    private SSLSocket connect(SSLContext context) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", tlsPort);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void send(Socket socket, String commands) throws IOException {
        socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    private String ping(SSLContext context) throws IOException {
        try (SSLSocket socket = connect(context)) {
            send(socket, "PING\r\n");
            return reader(socket).readLine();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void shouldServeOverTlsAsWithout(String engine) throws IOException {
        start("--tls-engine", engine);
        try (SSLSocket socket = connect(known)) {
            BufferedReader replies = reader(socket);
            String value = "x".repeat(100_000);
            send(socket, "SET k y\r\n*3\r\n$3\r\nSET\r\n$1\r\nb\r\n$100000\r\n" + value
                    + "\r\nGET b\r\nGET k\r\n");
            assertEquals("+OK", replies.readLine());
            assertEquals("+OK", replies.readLine());
            assertEquals("$100000", replies.readLine());
            assertEquals(value, replies.readLine());
            assertEquals("$1", replies.readLine());
            assertEquals("y", replies.readLine());
            send(socket, "*1\r\n+x\r\n" + "x".repeat(30_000));
            assertEquals("-ERR Protocol error: expected '$', got '+'", replies.readLine());
            assertEquals(null, replies.readLine());
        }
        try (RespClient plain = server.client()) {
            assertEquals("y", plain.run("GET k"));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void shouldTurnAwayThoseWithoutTheRightCertificate(String engine) throws Exception {
        start("--tls-engine", engine);
        assertThrows(IOException.class, () -> ping(stranger));
        assertThrows(IOException.class, () -> ping(certificates.client(null)));
        assertEquals("+PONG", ping(known));
        try (RespClient plain = server.client()) {
            assertTrue(plain.run("INFO stats").contains("tls_handshakes_failed:2"));
            assertEquals("+OK", plain.run("CONFIG SET tls-auth-clients optional"));
            assertEquals("+PONG", ping(certificates.client(null)));
            assertThrows(IOException.class, () -> ping(stranger));
            assertEquals("+OK", plain.run("CONFIG SET tls-auth-clients no"));
            assertEquals("+PONG", ping(certificates.client(null)));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void shouldEndAPlainConnectionToTheTlsPort(String engine) throws IOException {
        start("--tls-engine", engine);
        try (Socket socket = new Socket("127.0.0.1", tlsPort)) {
            socket.setSoTimeout(20_000);
            send(socket, "PING\r\nPING\r\n");
            String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertTrue(reply.indexOf('+') < 0, reply);
        } catch (java.net.SocketException e) {
            assertTrue(e.getMessage().contains("reset"), e.getMessage());
        }
        assertEquals("+PONG", ping(known));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void shouldTakeNoMoreThanAHandshakeNeeds(String engine) throws IOException {
        start("--tls-engine", engine);
        try (Socket socket = new Socket("127.0.0.1", tlsPort)) {
            socket.setSoTimeout(20_000);
            // Records of a handshake message that announces 16 MB.
            byte[] record = new byte[5 + 16_000];
            record[0] = 22;
            record[1] = 3;
            record[2] = 1;
            record[3] = (byte) (16_000 >> 8);
            record[4] = (byte) 16_000;
            record[5] = 1;
            record[6] = (byte) 0xff;
            assertThrows(IOException.class, () -> {
                for (int i = 0; i < 1000; i++) {
                    socket.getOutputStream().write(record);
                }
                throw new AssertionError("16 MB of a handshake were taken");
            });
        }
        assertEquals("+PONG", ping(known));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldSpeakOnlyTheVersionsItIsToldTo(String version) throws IOException {
        start("--tls-protocols", version);
        try (SSLSocket socket = connect(known)) {
            assertEquals(version, socket.getSession().getProtocol());
        }
        try (SSLSocket socket = connect(known)) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2".equals(version) ? "TLSv1.3" : "TLSv1.2"});
            assertThrows(SSLException.class, socket::startHandshake);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void shouldUseOnlyTheSuitesItIsToldTo(String engine) throws IOException {
        start("--tls-engine", engine, "--tls-protocols", "TLSv1.2", "--tls-ciphers", "ECDHE-RSA-AES256-GCM-SHA384");
        try (SSLSocket socket = connect(known)) {
            assertEquals("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", socket.getSession().getCipherSuite());
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void shouldTakeNewCertificatesForNewConnectionsAndKeepTheOldOnes(String engine) throws Exception {
        start("--tls-engine", engine);
        try (SSLSocket before = connect(known); RespClient plain = server.client()) {
            BufferedReader replies = reader(before);
            assertEquals("CN=server", subject(before));
            assertEquals("+OK", plain.run("CONFIG SET tls-cert-file " + certificates.path("other.crt")
                    + " tls-key-file " + certificates.path("other.key")));
            send(before, "PING\r\n");
            assertEquals("+PONG", replies.readLine());
            try (SSLSocket after = connect(known)) {
                assertEquals("CN=other", subject(after));
            }
            assertEquals("-ERR CONFIG SET failed (possibly related to argument 'tls-cert-file') - Unable to update TLS "
                    + "configuration. Check server logs.",
                    plain.run("CONFIG SET tls-cert-file " + certificates.path("server.crt")));
            try (SSLSocket after = connect(known)) {
                assertEquals("CN=other", subject(after));
            }
        }
    }

    private static String subject(SSLSocket socket) throws SSLException {
        return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSubjectX500Principal().getName();
    }

    @Test
    void shouldTakeFilesThatWereReplaced() throws Exception {
        Path cert = Files.copy(dir.resolve("server.crt"), dir.resolve("live.crt"), StandardCopyOption.REPLACE_EXISTING);
        Path key = Files.copy(dir.resolve("server.key"), dir.resolve("live.key"), StandardCopyOption.REPLACE_EXISTING);
        start("--tls-cert-file", cert.toString(), "--tls-key-file", key.toString());
        Files.copy(dir.resolve("other.crt"), cert, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(cert, FileTime.fromMillis(1_000_000_000_000L));
        reload();
        try (SSLSocket socket = connect(known)) {
            assertEquals("CN=server", subject(socket), "a certificate without its key was taken");
        }
        Files.copy(dir.resolve("other.key"), key, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(key, FileTime.fromMillis(1_000_000_000_000L));
        reload();
        try (SSLSocket socket = connect(known)) {
            assertEquals("CN=other", subject(socket));
        }
    }

    /** Lets the time pass after which files are looked at, and waits for the round of duties that does. */
    private void reload() throws IOException {
        server.clock().advanceNs(11_000_000_000L);
        try (RespClient plain = server.client()) {
            long before = cycles(plain);
            while (cycles(plain) < before + 3) {
                Thread.onSpinWait();
            }
        }
    }

    private static long cycles(RespClient client) throws IOException {
        String stats = client.run("INFO stats");
        String field = "eventloop_cycles:";
        int at = stats.indexOf(field) + field.length();
        return Long.parseLong(stats.substring(at, stats.indexOf('\r', at)));
    }

    @Test
    void shouldReadKeysInTheUsualForms() throws Exception {
        certificates.openssl("rsa", "-in", "server.key", "-traditional", "-out", "pkcs1.key");
        certificates.openssl("pkcs8", "-topk8", "-in", "server.key", "-passout", "pass:secret", "-out", "locked.key");
        certificates.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "ec.key");
        var expected = PrivateKeys.read(dir.resolve("server.key"), "");
        assertEquals(expected, PrivateKeys.read(dir.resolve("pkcs1.key"), ""));
        assertEquals(expected, PrivateKeys.read(dir.resolve("locked.key"), "secret"));
        assertEquals("EC", PrivateKeys.read(dir.resolve("ec.key"), "").getAlgorithm());
        assertTrue(assertThrows(java.security.GeneralSecurityException.class,
                () -> PrivateKeys.read(dir.resolve("locked.key"), "wrong")).getMessage().contains("password"));
        assertTrue(assertThrows(java.security.GeneralSecurityException.class,
                () -> PrivateKeys.read(dir.resolve("server.crt"), "")).getMessage().contains("PKCS#8"));
    }

    @Test
    void shouldRefuseToStartWithSettingsThatAreWrong() {
        assertTrue(refusal("--tls-ca-cert-file", "").contains("tls-ca-cert-file or tls-ca-cert-dir must be specified"));
        assertTrue(refusal("--tls-key-file", certificates.path("other.key")).contains("does not belong"));
        assertTrue(refusal("--tls-ciphers", "NOPE").contains("unknown cipher suite NOPE"));
        assertTrue(refusal("--tls-cert-file", "").contains("No tls-cert-file"));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void shouldRefuseToStartWithNothingToAgreeOn(String engine) {
        assertEquals("Failed to configure TLS: Invalid tls-protocols specified. Use a combination of 'TLSv1', "
                + "'TLSv1.1', 'TLSv1.2' and 'TLSv1.3'.", refusal("--tls-engine", engine, "--tls-protocols", "TLSv9"));
        String refusal = refusal("--tls-engine", engine, "--tls-protocols", "TLSv1.2", "--tls-ciphers",
                "ECDHE-ECDSA-AES128-GCM-SHA256");
        assertTrue(refusal.startsWith("Failed to configure TLS: "), refusal);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void shouldKeepWhatItHasIfItIsGivenNothingToAgreeOn(String engine) throws IOException {
        start("--tls-engine", engine, "--tls-protocols", "tlsv1.2");
        String refused = "-ERR CONFIG SET failed (possibly related to argument '%s') - Unable to update TLS "
                + "configuration. Check server logs.";
        try (RespClient plain = server.client()) {
            assertEquals(refused.formatted("tls-protocols"), plain.run("CONFIG SET tls-protocols TLSv9"));
            assertEquals(refused.formatted("tls-protocols"), plain.run("CONFIG SET tls-protocols \"TLSv1.2 SSLv3\""));
            assertEquals(refused.formatted("tls-ciphers"),
                    plain.run("CONFIG SET tls-ciphers ECDHE-ECDSA-AES128-GCM-SHA256"));
            assertEquals(refused.formatted("tls-ciphersuites"), plain.run("CONFIG SET tls-ciphersuites nope"));
            assertEquals("+PONG", ping(known));
            assertEquals("+OK", plain.run("CONFIG SET tls-protocols \"TLSv1.3 TLSv1.2\""));
            assertEquals("+OK", plain.run("CONFIG SET tls-ciphersuites TLS_AES_128_GCM_SHA256"));
            assertEquals("+PONG", ping(known));
        }
    }

    @Test
    void shouldTellAStrangerThatItsAuthorityIsUnknown() throws IOException {
        assumeTrue(OpenSsl.isAvailable());
        start("--tls-protocols", "TLSv1.2");
        // Java's client would show nothing to a server that does not know the authority.
        String told = assertThrows(IOException.class, () -> certificates.openssl("s_client", "-connect",
                "127.0.0.1:" + tlsPort, "-cert", "client2.crt", "-key", "client2.key", "-CAfile", "ca.crt"))
                .getMessage();
        assertTrue(told.contains("alert unknown ca"), told);
    }

    private String refusal(String... options) {
        return assertThrows(IllegalArgumentException.class, () -> start(options)).getMessage();
    }
}
