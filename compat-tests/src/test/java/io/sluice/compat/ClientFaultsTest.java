package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that are slow, greedy, rude or gone: what they cost the server and the others. */
final class ClientFaultsTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int FILES_FOR_OTHERS = 200;
    private static final String KB_64 = "x".repeat(64 * 1024);

    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer();

    @RegisterExtension
    static final SluiceServer LOCKED = new SluiceServer("--requirepass", "secret");

    private RespClient client;

    @BeforeEach
    void connect() {
        client = SERVER.connect();
        client.line("FLUSHALL");
        client.line("CONFIG RESETSTAT");
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void shouldStopReadingFromAClientThatTakesNoReplies() throws IOException {
        client.call("SET", "big", KB_64);
        String gets = RespClient.command("GET", "big").repeat(1000);
        long beforeMb = ServerStatus.privateMb(SERVER);
        List<Socket> deaf = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), SERVER.port());
                deaf.add(socket);
                // 64 MB of replies each; less than a socket buffer of commands.
                socket.getOutputStream().write(gets.getBytes(StandardCharsets.US_ASCII));
            }
            for (int i = 0; i < 1000; i++) {
                assertEquals("PONG", client.line("PING"));
            }
            long perClientMb = (ServerStatus.privateMb(SERVER) - beforeMb) / deaf.size();
            assertTrue(perClientMb < 4, perClientMb + " MB for each client that does not read");
            awaitClients(21);
        } finally {
            for (Socket socket : deaf) {
                socket.close();
            }
        }
        awaitClients(1);
    }

    private void awaitClients(long count) {
        Await.until(count + " clients", SOON, () -> ServerStatus.info(client, "connected_clients") == count);
    }

    @Test
    void shouldServeOthersWhileOneClientsPipelineNeverEnds() throws InterruptedException, IOException {
        AtomicBoolean stop = new AtomicBoolean();
        Socket greedy = new Socket(InetAddress.getLoopbackAddress(), SERVER.port());
        Thread reader = new Thread(() -> discardAll(greedy));
        Thread writer = new Thread(() -> {
            byte[] commands = RespClient.command("INCR", "counter").repeat(10_000)
                .getBytes(StandardCharsets.US_ASCII);
            while (!stop.get()) {
                send(greedy, commands);
            }
        });
        reader.start();
        writer.start();
        Await.until("the pipeline to begin", SOON, () -> client.call("GET", "counter") != null);
        for (int i = 0; i < 100; i++) {
            try (RespClient normal = SERVER.connect()) {
                assertEquals("PONG", normal.line("PING"));
            }
        }
        assertTrue(writer.isAlive(), "the pipeline has ended");
        Await.until("a turn to be cut", SOON, () -> ServerStatus.info(client, "turns_cut") > 0);
        stop.set(true);
        writer.join();
        greedy.close();
        reader.join();
    }

    /** As many as 10,000 unless the limit of open files is lower. */
    private long maxClients() {
        return Long.parseLong((String) ((List<?>) client.call("CONFIG", "GET", "maxclients")).get(1));
    }

    private static long ownFilesMax() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getMaxFileDescriptorCount();
    }

    private static void discardAll(Socket socket) {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            return;
        }
    }

    private static void send(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readAll(RespClient from) {
        try {
            from.readToEnd();
        } catch (UncheckedIOException e) {
            return;
        }
    }

    // CVE-2021-32675, CVE-2025-46686
    @Test
    void shouldNotGrowForTenThousandClientsThatOnlyAnnounce() throws IOException {
        int count = (int) Math.min(ownFilesMax(), maxClients()) - FILES_FOR_OTHERS;
        long beforeMb = ServerStatus.privateMb(SERVER);
        byte[] announcement = "*1000000\r\n$1000000\r\n".getBytes(StandardCharsets.US_ASCII);
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), SERVER.port()));
                send(silent.get(i), announcement);
            }
            awaitClients(count + 1);
            assertEquals("PONG", client.line("PING"));
            long perClientKb = (ServerStatus.privateMb(SERVER) - beforeMb) * 1024 / count;
            assertTrue(perClientKb < 32, perClientKb + " KB for each client");
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
        awaitClients(1);
    }

    // CVE-2025-21605
    @Test
    void shouldBoundTheRepliesOfAClientThatHasNotAuthenticated() throws IOException {
        try (RespClient known = LOCKED.connect(); Socket flood = new Socket(InetAddress.getLoopbackAddress(),
                LOCKED.port())) {
            known.line("AUTH secret");
            byte[] commands = "GET k\r\n".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
            assertThrows(IOException.class, () -> {
                for (int i = 0; i < 10_000; i++) {
                    flood.getOutputStream().write(commands);
                }
            });
            assertEquals("PONG", known.line("PING"));
        }
    }

    @Test
    void shouldEndAClientThatDoesNotAuthenticateInTime() {
        try (RespClient known = LOCKED.connect()) {
            known.line("AUTH secret");
            // Only now, or this client might not be in time itself.
            assertEquals("OK", known.line("CONFIG SET auth-timeout 1"));
            try (RespClient silent = LOCKED.connect()) {
                assertTrue(silent.isClosedByServer());
            }
            assertEquals("PONG", known.line("PING"));
            assertEquals("OK", known.line("CONFIG SET auth-timeout 10"));
        }
    }

    @Test
    void shouldEndAClientThatIsSilentTooLongIfToldTo() {
        try (RespClient silent = SERVER.connect()) {
            client.line("CONFIG SET timeout 1");
            assertTrue(silent.isClosedByServer());
        } finally {
            Await.until("clients to be let be", SOON, () -> {
                try (RespClient other = SERVER.connect()) {
                    return "OK".equals(other.line("CONFIG SET timeout 0"));
                } catch (UncheckedIOException e) {
                    // So was this one, before it got to say anything.
                    return false;
                }
            });
        }
    }

    // Netty CVE-2026-42577
    @Test
    void shouldForgetClientsThatResetAfterAHalfClose() throws IOException {
        for (int i = 0; i < 200; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), SERVER.port())) {
                socket.getOutputStream().write("*1\r\n$-5\r\n".getBytes(StandardCharsets.US_ASCII));
                socket.getInputStream().readAllBytes();
                socket.setSoLinger(true, 0);
            }
        }
        awaitClients(1);
        // Not at once: it may still be compiling what it has done just now.
        Await.until("a server that rests", SOON, () -> ticksOfTwoSeconds() < 150);
    }

    /** Hundredths of a second of CPU that the server uses in two seconds. */
    private static long ticksOfTwoSeconds() {
        long before = ServerStatus.cpuTicks(SERVER);
        long endNs = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        Await.until("two seconds", SOON, () -> System.nanoTime() - endNs > 0);
        return ServerStatus.cpuTicks(SERVER) - before;
    }

    // CVE-2022-36021
    @ParameterizedTest
    @ValueSource(strings = {"KEYS %s", "SCAN 0 MATCH %s COUNT 10", "CONFIG GET %s", "COMMAND LIST FILTERBY PATTERN %s"})
    void shouldMatchAnyPatternInLinearTime(String command) {
        client.call("SET", "a".repeat(60_000), "1");
        String bomb = "a*".repeat(30_000) + "b";
        assertFalse(client.line(String.format(command, bomb)) instanceof RespValue.Failure);
        client.call("ACL", "SETUSER", "bomber", "on", "nopass", "+get", "~" + bomb);
        try (RespClient bomber = SERVER.connect()) {
            bomber.line("AUTH bomber x");
            assertEquals(RespValue.failure("NOPERM No permissions to access a key"),
                bomber.call("GET", "a".repeat(60_000)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"})
    void shouldExecuteNothingOfAnHttpRequest(String request) {
        try (RespClient browser = SERVER.connect()) {
            browser.send(request + "SET stolen 1\r\n");
            readAll(browser);
        }
        assertEquals(0L, client.line("EXISTS stolen"));
    }

    @Test
    void shouldStayUsableAfterACommandWithAMillionArguments() {
        List<String> words = new ArrayList<>(List.of("DEL"));
        for (int i = 1; i < 1_000_000; i++) {
            words.add("k");
        }
        assertEquals(0L, client.call(words.toArray(new String[0])));
        assertEquals("PONG", client.line("PING"));
    }
}
