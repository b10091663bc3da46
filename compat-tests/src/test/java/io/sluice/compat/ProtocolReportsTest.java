package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What users of Redis, Dragonfly, Garnet, KVRocks, Lettuce, go-redis and others reported as wrong with the protocol
 * and with handshakes, here as it should be.
 */
final class ProtocolReportsTest {
    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer();

    @RegisterExtension
    static final SluiceServer LOCKED = new SluiceServer("--requirepass", "pw");

    private RespClient client;

    @BeforeEach
    void connect() {
        client = SERVER.connect();
        client.call("FLUSHALL");
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    // Dragonfly 126, Lettuce 2170 and 2011, Garnet 811
    @Test
    void shouldAnswerHelloWithAMapWhoseNumbersAreIntegers() {
        Map<?, ?> hello = assertInstanceOf(Map.class, client.line("HELLO 3"));
        assertEquals(3L, hello.get("proto"));
        assertInstanceOf(Long.class, hello.get("id"));
        assertEquals(List.of(), hello.get("modules"));
        assertTrue(client.raw("HELLO", "4").startsWith("-NOPROTO "));
        Map<?, ?> again = assertInstanceOf(Map.class, client.line("HELLO"));
        assertEquals(hello, again);
        client.line("HELLO 2");
        List<?> flat = assertInstanceOf(List.class, client.line("HELLO"));
        assertEquals(List.of("proto", 2L), flat.subList(4, 6));
    }

    // The same
    @Test
    void shouldTakePasswordAndNameWithHello() {
        try (RespClient locked = LOCKED.connect()) {
            assertEquals(RespValue.failure("NOAUTH Authentication required."), locked.line("PING"));
            assertTrue(locked.raw("HELLO", "3", "AUTH", "default", "wrong").startsWith("-WRONGPASS "));
            assertInstanceOf(Map.class, locked.line("HELLO 3 AUTH default pw SETNAME x"));
            assertEquals("x", locked.line("CLIENT GETNAME"));
        }
    }

    // Lettuce 2817 and 2914, go-redis 2910, Spring Data Redis 3071
    @Test
    void shouldTakeTheNameOfTheLibrary() {
        assertEquals("OK", client.line("CLIENT SETINFO LIB-NAME x"));
        assertEquals("OK", client.line("CLIENT SETINFO LIB-VER 1"));
        assertTrue(client.raw("CLIENT", "SETINFO", "FOO", "y").startsWith("-ERR "));
        assertEquals("PONG", client.line("PING"));
    }

    // go-redis 3536
    @Test
    void shouldRefuseUnknownSubcommandsAndGoOn() {
        assertTrue(client.raw("CLIENT", "MAINT_NOTIFICATIONS", "ON").startsWith("-ERR unknown subcommand "));
        assertEquals("PONG", client.line("PING"));
    }

    // Dragonfly 8243 and 4458
    @Test
    void shouldSkipEmptyLinesBeforeACommand() {
        String bytes = "\r\n*1\r\n$4\r\nPING\r\n";
        for (int cut = 0; cut <= bytes.length(); cut++) {
            client.send(bytes.substring(0, cut));
            client.send(bytes.substring(cut));
            client.send("ECHO " + cut + "\r\n");
            assertEquals("+PONG\r\n", client.read());
            assertEquals(Integer.toString(cut), RespValue.parse(client.read()));
        }
    }

    // resp-server 175, ArcadeDB 5911, rudis 62
    @ParameterizedTest
    @ValueSource(strings = {"", "*1\r\n$4", "a\r\nb", "\0", "-ERR no\r\n"})
    void shouldReturnTheSameBytes(String text) {
        assertEquals("$" + text.length() + "\r\n" + text + "\r\n", client.raw("ECHO", text));
    }

    // Bun 34040, eredis 2, Dragonfly 5177
    @Test
    void shouldReplyAlikeHoweverAPipelineIsCut() {
        String bytes = "PING\r\n" + RespClient.command("SET", "a", "x\r\ny") + RespClient.command("GET", "a")
            + "*0\r\n" + RespClient.command("STRLEN", "a") + "*1\r\n$6\r\nDBSIZE\r\n" + RespClient.command("ECHO", "")
            + "SET \"b c\" 'd e'\r\n" + RespClient.command("GET", "b c") + RespClient.command("NOSUCH", "x")
            + RespClient.command("MULTI") + RespClient.command("INCR", "n") + RespClient.command("EXEC")
            + RespClient.command("CL.THROTTLE", "t", "5", "1", "1000000", "0") + "ECHO done\r\n"
            + RespClient.command("FLUSHALL");
        int replies = 15;
        String expected = replies(bytes, bytes.length(), replies);
        assertTrue(expected.endsWith("$4\r\ndone\r\n+OK\r\n"), expected);
        for (int cut = 1; cut < bytes.length(); cut++) {
            assertEquals(expected, replies(bytes, cut, replies), "cut at " + cut);
        }
        bytes.chars().forEach(b -> client.send(String.valueOf((char) b)));
        assertEquals(expected, replies("", 0, replies), "byte by byte");
    }

    private String replies(String bytes, int cut, int count) {
        client.send(bytes.substring(0, cut));
        client.send(bytes.substring(cut));
        StringBuilder replies = new StringBuilder();
        for (int i = 0; i < count; i++) {
            replies.append(client.read());
        }
        return replies.toString();
    }

    // CVE-2021-32675
    @ParameterizedTest
    @ValueSource(strings = {"*11\r\n", "*1\r\n$16385\r\n"})
    void shouldBoundWhatAnUnknownClientMaySend(String bytes) {
        try (RespClient locked = LOCKED.connect()) {
            locked.send(bytes);
            assertEquals("-ERR Protocol error: unauthenticated " + (bytes.startsWith("*11") ? "multibulk" : "bulk")
                + " length\r\n", locked.readToEnd());
        }
    }

    // hiredis 1357, CVE-2025-46686
    @Test
    void shouldNotSetMemoryAsideForWhatIsOnlyAnnounced() throws IOException {
        long beforeKb = residentKb();
        List<RespClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 500; i++) {
                RespClient silent = SERVER.connect();
                clients.add(silent);
                assertEquals("PONG", silent.line("PING"));
                silent.send("*1000000\r\n$1000000\r\n");
            }
            assertEquals("PONG", client.line("PING"));
            long perClientKb = (residentKb() - beforeKb) / clients.size();
            assertTrue(perClientKb < 64, perClientKb + " KB for each client");
        } finally {
            clients.forEach(RespClient::close);
        }
    }

    private static long residentKb() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + SERVER.pid() + "/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).findAny().orElseThrow();
    }

    // The same
    @ParameterizedTest
    @ValueSource(strings = {"*1048577\r\n", "*9999999999999999999\r\n", "*abc\r\n", "*1\r\n$-1\r\n", "*1\r\n$abc\r\n",
        "*1\r\n$999999999999\r\n", "*1\r\nPING\r\n"})
    void shouldEndAConnectionWhoseProtocolBroke(String bytes) {
        client.send(bytes);
        String reply = client.readToEnd();
        assertTrue(reply.matches("-ERR Protocol error: .*\r\n"), reply);
    }

    // Dragonfly 1327
    @Test
    void shouldLetTheErrorBeReadWhenMoreWasSent() {
        client.send("*1\r\n$abc\r\n" + "x".repeat(50_000));
        assertEquals("-ERR Protocol error: invalid bulk length\r\n", client.readToEnd());
    }

    // Garnet 216
    @Test
    void shouldIgnoreTheCaseOfNames() {
        assertEquals(client.line("CL.THROTTLE a 5 1 100000"), client.line("cl.throttle b 5 1 100000"));
        assertEquals(client.line("Cl.Throttle c 5 1 100000"), client.line("cL.tHROTTLE d 5 1 100000"));
        assertInstanceOf(Map.class, client.line("hello 3"));
        assertEquals("OK", client.line("client setname x"));
        assertEquals("x", client.line("Client GetName"));
    }

    // Dragonfly 2242
    @Test
    void shouldSendInfoVerbatimInTheThirdProtocol() {
        client.line("HELLO 3");
        String reply = client.raw("INFO", "server");
        assertTrue(reply.matches("(?s)=[0-9]+\r\ntxt:# Server\r\n.*"), reply);
    }

    // Dragonfly 8006
    @Test
    void shouldReplyInTheProtocolSetJustBefore() {
        client.send("HELLO 3\r\nINFO server\r\nHELLO 2\r\nINFO server\r\n");
        assertEquals('%', client.read().charAt(0));
        assertEquals('=', client.read().charAt(0));
        assertEquals('*', client.read().charAt(0));
        assertEquals('$', client.read().charAt(0));
    }

    // CVE-2025-67733, Dragonfly 7328, KVRocks 3493
    @Test
    void shouldNotLetAClientForgeReplies() {
        String forged = "FOO\r\n+OK\r\n:1\r\n";
        List<String[]> commands = List.of(new String[] {forged}, new String[] {"NOSUCH", forged},
            new String[] {"CLIENT", forged}, new String[] {"CONFIG", forged, "x"},
            new String[] {"SET", "k", "v", forged},
            new String[] {"CL.THROTTLE", "k", forged, "1", "1"}, new String[] {"HELLO", forged},
            new String[] {"HELLO", "3", forged}, new String[] {"OBJECT", forged, "k"}, new String[] {"SELECT", forged},
            new String[] {"CONFIG", "SET", forged, "x"}, new String[] {"CONFIG", "SET", "maxclients", forged},
            new String[] {"CLIENT", "SETNAME", forged}, new String[] {"DEBUG", forged}, new String[] {"AUTH", forged});
        for (String[] command : commands) {
            assertTrue(client.raw(command).matches("-[^\r\n]+\r\n"), () -> String.join(" ", command));
            assertEquals("+PONG\r\n", client.raw("PING"), () -> String.join(" ", command));
        }
    }

    // Redis 3807, 3500 and 4299: a browser that is made to talk to the server
    @ParameterizedTest
    @ValueSource(strings = {"POST / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"})
    void shouldHangUpOnABrowser(String request) {
        try (RespClient browser = SERVER.connect()) {
            browser.send(request + "CL.THROTTLE k 0 1 60\r\n");
            browser.readToEnd();
        }
        assertEquals(0L, client.line("EXISTS k"));
        assertTrue(SERVER.stdout().contains("it speaks HTTP"), SERVER.stdout());
    }

    // PyrateLimiter 182, rate-limit-redis 144 and 71
    @Test
    void shouldAnswerAScriptThatIsNotThere() {
        String reply = client.raw("EVALSHA", "f".repeat(40), "0");
        assertTrue(reply.startsWith("-NOSCRIPT No matching script") || reply.startsWith("-ERR unknown command"), reply);
        assertNotEquals("", reply);
    }
}
