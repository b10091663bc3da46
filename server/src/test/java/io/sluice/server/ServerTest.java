package io.sluice.server;

import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigReader;
import io.sluice.server.net.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class ServerTest {

    /** Those that work on this machine: NIO at least. */
    static List<String> transports() {
        List<String> working = new ArrayList<>();
        for (Transport transport : Transport.values()) {
            if (transport.isAvailable()) {
                working.add(transport.settingName());
            }
        }
        return working;
    }

    @ParameterizedTest
    @MethodSource("transports")
    void shouldServeOnEveryTransportThatWorksHere(String transport) throws IOException {
        try (TestServer server = new TestServer("--io-transport", transport).open();
                RespClient client = server.client()) {
            assertEquals("+OK", client.run("SET k v"));
            assertEquals("v", client.run("GET k"));
            assertEquals("-ERR unknown command 'nope', with args beginning with: ", client.run("nope"));
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void shouldLetTheErrorBeReadThoughMoreInputIsOnItsWay(String transport) throws IOException {
        try (TestServer server = new TestServer("--io-transport", transport).open();
                RespClient client = server.client()) {
            client.send("*1\r\n+x\r\n" + "x".repeat(30_000));
            assertEquals("-ERR Protocol error: expected '$', got '+'", client.readLine());
            assertNull(client.readLine());
        }
    }

    /** Those that quit and leave do not pile up, as they would if each were waited for in vain. */
    @ParameterizedTest
    @MethodSource("transports")
    void shouldForgetAClientAsSoonAsBothSidesHaveEnded(String transport) throws IOException {
        int clients = 200;
        try (TestServer server = new TestServer("--io-transport", transport).open();
                RespClient other = server.client()) {
            for (int i = 0; i < clients; i++) {
                try (RespClient client = server.client()) {
                    assertEquals("+OK", client.run("QUIT"));
                    assertNull(client.readLine());
                }
            }
            String connected = other.run("INFO clients").replaceAll("(?s).*connected_clients:(\\d+).*", "$1");
            assertTrue(Integer.parseInt(connected) < clients / 2, connected);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void shouldForgetAClientThatResetsAfterItsError(String transport) throws IOException {
        try (TestServer server = new TestServer("--io-transport", transport).open();
                RespClient other = server.client()) {
            for (int i = 0; i < 20; i++) {
                RespClient client = server.client();
                client.send("*1\r\n+x\r\n");
                assertEquals("-ERR Protocol error: expected '$', got '+'", client.readLine());
                client.socket().setSoLinger(true, 0);
                client.close();
            }
            String clients = other.run("CLIENT LIST");
            while (clients.lines().count() > 1) {
                clients = other.run("CLIENT LIST");
            }
            assertEquals(1, clients.lines().count());
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void shouldAnswerEverythingThatWasSentBeforeTheEnd(String transport) throws IOException {
        int count = 20_000;
        try (TestServer server = new TestServer("--io-transport", transport).open();
                RespClient client = server.client()) {
            Thread sender = new Thread(() -> {
                try {
                    client.send("INCR k\r\n".repeat(count));
                    client.socket().shutdownOutput();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sender.start();
            for (int i = 1; i <= count; i++) {
                assertEquals(":" + i, client.readLine());
            }
            assertNull(client.readLine());
        }
    }

    @Test
    void shouldSayThatItIsLoadingUntilItHasADatabase() throws IOException {
        try (TestServer server = new TestServer(); RespClient client = server.client()) {
            assertEquals("-LOADING Redis is loading the dataset in memory", client.run("PING"));
            assertEquals("-LOADING Redis is loading the dataset in memory", client.run("GET k"));
            assertTrue(client.run("INFO persistence").contains("loading:1"));
            assertTrue(client.run("INFO").contains("redis_mode:standalone"));
            assertEquals("hi", client.run("ECHO hi"));
            server.open();
            assertEquals("+PONG", client.run("PING"));
            assertTrue(client.run("INFO persistence").contains("loading:0"));
        }
    }

    @Test
    void shouldTurnClientsAwayBeyondTheirMaximum() throws IOException {
        try (TestServer server = new TestServer("--maxclients", "2").open(); RespClient first = server.client()) {
            assertEquals("+PONG", first.run("PING"));
            while (!first.run("INFO clients").contains("connected_clients:1")) {
                // The client that waited for the server to open is about to be gone.
                Thread.onSpinWait();
            }
            RespClient second = server.client();
            assertEquals("+PONG", second.run("PING"));
            try (RespClient third = server.client()) {
                assertEquals("-ERR max number of clients reached", third.readLine());
                assertNull(third.readLine());
            }
            assertEquals("+PONG", first.run("PING"));
            assertTrue(first.run("INFO stats").contains("rejected_connections:1"));
            second.close();
        }
    }

    @Test
    void shouldTakeStrangersOnlyWithAPassword() throws IOException {
        Optional<InetAddress> own = ownAddress();
        assumeTrue(own.isPresent(), "this machine has no address but loopback");
        try (TestServer server = new TestServer("--bind", "*").open()) {
            assertTrue(greeting(own.get(), server.port()).startsWith("-DENIED "));
        }
        try (TestServer server = new TestServer("--bind", "*", "--requirepass", "x")) {
            assertEquals("-NOAUTH Authentication required.", greeting(own.get(), server.port()));
        }
    }

    private static String greeting(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket(address, port)) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return new java.io.BufferedReader(new java.io.InputStreamReader(socket.getInputStream(),
                    StandardCharsets.US_ASCII)).readLine();
        }
    }

    private static Optional<InetAddress> ownAddress() throws IOException {
        return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress()).findFirst();
    }

    @Test
    void shouldCloseClientsThatAreSilentForTooLong() throws IOException {
        try (TestServer server = new TestServer("--timeout", "60").open(); RespClient client = server.client()) {
            assertEquals("+PONG", client.run("PING"));
            server.clock().advanceMs(60_000);
            assertEquals("+PONG", client.run("PING"));
            server.clock().advanceMs(60_001);
            assertNull(client.readLine());
        }
    }

    @Test
    void shouldCloseClientsThatDoNotAuthenticateInTime() throws IOException {
        try (TestServer server = new TestServer("--requirepass", "pw");
                RespClient silent = server.client(); RespClient known = server.client()) {
            assertEquals("-NOAUTH Authentication required.", silent.run("PING"));
            assertEquals("+OK", known.run("AUTH pw"));
            server.clock().advanceMs(10_001);
            assertNull(silent.readLine());
            assertEquals("hi", known.run("ECHO hi"));
        }
    }

    @Test
    void shouldKeepServingOthersWhileOneClientTakesNoReplies() throws IOException {
        try (TestServer server = new TestServer().open(); RespClient greedy = server.client();
                RespClient other = server.client()) {
            assertEquals("+OK", other.run("SET k " + "x".repeat(50_000)));
            Thread sender = new Thread(() -> {
                try {
                    greedy.send("GET k\r\n".repeat(5_000));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sender.start();
            for (int i = 0; i < 200; i++) {
                assertEquals("+PONG", other.run("PING"));
            }
            for (int i = 0; i < 5_000; i++) {
                assertEquals(50_000, greedy.readReply().length());
            }
        }
    }

    @Test
    void shouldRefuseAReplyThatIsLargerThanTheOutputLimit() throws IOException {
        try (TestServer server = new TestServer("--client-output-buffer-limit", "normal", "20mb", "0", "0").open();
                RespClient client = server.client()) {
            assertEquals("+OK", client.run("SET k " + "x".repeat(60_000)));
            assertEquals("-ERR the reply would be larger than client-output-buffer-limit",
                client.run("MGET" + " k".repeat(1_000)));
            assertEquals("+PONG", client.run("PING"));
            assertTrue(client.run("INFO stats").contains("client_output_buffer_limit_disconnections:0"));
        }
    }

    @Test
    void shouldListenOnAUnixSocketToo(@TempDir Path dir) throws IOException {
        Path path = dir.resolve("sluice.sock");
        try (TestServer server = new TestServer("--unixsocket", path.toString(), "--unixsocketperm", "700").open();
                SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertTrue(server.port() > 0);
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            client.connect(UnixDomainSocketAddress.of(path));
            client.write(ByteBuffer.wrap("PING\r\n".getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer reply = ByteBuffer.allocate(7);
            while (reply.hasRemaining() && client.read(reply) >= 0) {
                assertTrue(reply.position() > 0);
            }
            assertEquals("+PONG\r\n", new String(reply.array(), StandardCharsets.US_ASCII));
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldSendEveryReplyBeforeItStops() throws IOException {
        TestServer server = new TestServer().open();
        List<RespClient> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            clients.add(server.client());
            assertEquals("+PONG", clients.get(i).run("PING"));
        }
        clients.get(0).send("SHUTDOWN NOSAVE\r\n");
        for (RespClient client : clients) {
            assertNull(client.readLine());
            client.close();
        }
        server.close();
    }

    @Test
    void shouldShowItsFrozenClock() throws IOException {
        try (TestServer server = new TestServer("--enable-debug-command", "local").open();
                RespClient client = server.client()) {
            assertEquals("+OK", client.run("DEBUG CLOCK 5000000000"));
            assertEquals("+OK", client.run("SET k v PX 1000"));
            assertEquals("+OK", client.run("DEBUG CLOCK 6000000000"));
            assertEquals(":1", client.run("DBSIZE"));
            assertEquals("+OK", client.run("DEBUG CLOCK 6001000000"));
            assertEquals(":0", client.run("DBSIZE"));
            assertEquals("+OK", client.run("DEBUG CLOCK REAL"));
            client.send("TIME\r\n");
            assertEquals("*2", client.readLine());
            assertEquals(Long.toString(ManualClock.START_EPOCH_NS / 1_000_000_000), client.readReply());
            assertEquals("0", client.readReply());
        }
    }

    /** What is pushed right behind it must not go to a client that will never read it. */
    @ParameterizedTest
    @MethodSource("transports")
    void shouldGiveNothingToAWaitingClientThatWasKilled(String transport) throws IOException {
        try (TestServer server = new TestServer("--io-transport", transport).open();
                RespClient waiting = server.client(); RespClient client = server.client()) {
            String id = waiting.run("CLIENT ID").substring(1);
            waiting.send("BLPOP l 0\r\n");
            while (!client.run("INFO clients").contains("blocked_clients:1")) {
                Thread.onSpinWait();
            }
            client.send("CLIENT KILL ID " + id + "\r\nRPUSH l a\r\nLLEN l\r\n");
            assertEquals(":1", client.readLine());
            assertEquals(":1", client.readLine());
            assertEquals(":1", client.readLine());
        }
    }

    /** Linux takes no more than 32,767 seconds. */
    @ParameterizedTest
    @MethodSource("transports")
    void shouldTakeClientsWhateverTheKeepAliveIs(String transport) throws IOException {
        try (TestServer server = new TestServer("--io-transport", transport, "--tcp-keepalive", "2147483647").open();
                RespClient client = server.client()) {
            assertEquals("+PONG", client.run("PING"));
        }
    }

    @Test
    void shouldTakeSecondsOfASoftLimitHoweverMany() throws Exception {
        try (TestServer server = new TestServer().open(); RespClient client = server.client()) {
            assertEquals("+OK", client.run("CONFIG SET client-output-buffer-limit 'normal 1mb 1mb 9223372037'"));
            for (int i = 0; i < 10; i++) {
                server.clock().advanceMs(1_000);
                Thread.sleep(30);
                assertEquals("+PONG", client.run("PING"));
            }
        }
    }

    /** However long it would wait: there are no replicas. */
    @ParameterizedTest
    @MethodSource("transports")
    void shouldForgetAClientThatGoesAwayWhileItWaitsForReplicas(String transport) throws Exception {
        try (TestServer server = new TestServer("--io-transport", transport).open();
                RespClient other = server.client()) {
            try (RespClient client = server.client()) {
                client.send("WAIT 1 0\r\n");
                while (!other.run("CLIENT LIST").contains("cmd=wait")) {
                    Thread.onSpinWait();
                }
            }
            for (int i = 0; i < 100 && other.run("CLIENT LIST").contains("cmd=wait"); i++) {
                Thread.sleep(20);
            }
            assertFalse(other.run("CLIENT LIST").contains("cmd=wait"));
        }
    }

    @Test
    void shouldLeaveOutWhatAWaitAnswersAClientThatWantsNoReplies() throws IOException {
        try (TestServer server = new TestServer().open(); RespClient client = server.client();
                RespClient other = server.client()) {
            for (String mode : List.of("OFF", "SKIP")) {
                client.send("CLIENT REPLY " + mode + "\r\nWAIT 1 100\r\nCLIENT REPLY ON\r\n");
                while (!other.run("CLIENT LIST").contains("cmd=wait")) {
                    Thread.onSpinWait();
                }
                server.clock().advanceMs(1_000);
                assertEquals("+OK", client.readLine());
            }
        }
    }

    /** Clients would be told for ever that it is loading. */
    @Test
    void shouldEndIfItCannotTakeItsDatabase() throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Config config = new ConfigReader(InputStream.nullInputStream()).read();
        try (Server server = new Server(config, new ServerClock(), new ProcessExit() {
            @Override
            public void stop() {
                // Nobody asks for it.
            }

            @Override
            public void fail(Throwable cause) {
                failure.complete(cause);
            }
        })) {
            server.open(null);
            assertInstanceOf(NullPointerException.class, failure.get(5, TimeUnit.SECONDS));
        }
    }
}
