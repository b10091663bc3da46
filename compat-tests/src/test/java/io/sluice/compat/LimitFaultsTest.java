package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What the machine refuses: clients, file descriptors, room on the disk; and signals at a bad moment. */
final class LimitFaultsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void shouldTurnAwayClientsBeyondMaxclientsAndTakeThemWhenOthersGo() {
        try (SluiceServer server = new SluiceServer("--maxclients", "20")) {
            server.start();
            List<RespClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(server.connect());
                assertEquals("PONG", clients.get(i).line("PING"));
            }
            try (RespClient oneTooMany = server.connect()) {
                assertEquals("-ERR max number of clients reached\r\n", oneTooMany.readToEnd());
            }
            clients.get(0).close();
            Await.until("a place for a client", SOON, () -> answers(server));
            assertTrue(ServerStatus.info(clients.get(1), "rejected_connections") >= 1);
            clients.forEach(RespClient::close);
        }
    }

    @Test
    void shouldLetTheOperatorInOnTheUnixSocketWhenAllPlacesAreTaken() throws IOException {
        // The name of a unix socket may not be long.
        Path socket = Files.createTempDirectory("sluice").resolve("socket");
        try (SluiceServer server = new SluiceServer("--maxclients", "20", "--unixsocket", socket.toString())) {
            server.start();
            List<RespClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(server.connect());
                assertEquals("PONG", clients.get(i).line("PING"));
            }
            assertEquals("PONG\n", Programs.run(server.dir(), "redis-cli", "-s", socket.toString(), "PING"));
            clients.forEach(RespClient::close);
        } finally {
            Files.deleteIfExists(socket);
            Files.delete(socket.getParent());
        }
    }

    private static boolean answers(ServerProcess server) {
        try (RespClient client = server.connect()) {
            return "PONG".equals(client.line("PING"));
        } catch (UncheckedIOException | IllegalArgumentException e) {
            return false;
        }
    }

    // CVE-2025-48367
    @Test
    void shouldGoOnAcceptingAfterFileDescriptorsRanOut() throws IOException {
        try (WrappedServer server = new WrappedServer("ulimit -n 220")) {
            server.start();
            try (RespClient early = server.connect()) {
                assertEquals("PONG", early.line("PING"));
                List<Socket> many = new ArrayList<>();
                for (int i = 0; i < 400; i++) {
                    many.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
                }
                // Before they go: those that are over when they are accepted take no place.
                Await.until("clients to be turned away", SOON, () -> ServerStatus.info(early, "rejected_connections")
                    + ServerStatus.info(early, "accept_errors") > 0);
                assertEquals("PONG", early.line("PING"));
                for (Socket socket : many) {
                    socket.close();
                }
                Await.until("a client to be accepted again", SOON, () -> answers(server));
                assertEquals("OK", early.line("SET k 1"));
            }
        }
    }

    @Test
    void shouldReportASnapshotThatDoesNotFitOnTheDiskAndGoOn() throws IOException {
        try (SluiceServer server = new SluiceServer()) {
            Files.createDirectories(server.dir());
            server.start();
            // The disk that the next snapshot is written to is full.
            Files.createSymbolicLink(server.dir().resolve("temp-dump.rdb"), Path.of("/dev/full"));
            try (RespClient client = server.connect()) {
                client.line("SET k 1");
                client.line("BGSAVE");
                Await.until("the snapshot to fail", SOON,
                    () -> ((String) client.line("INFO persistence")).contains("rdb_last_bgsave_status:err"));
                assertEquals("OK", client.line("SET k 2"));
                assertEquals(List.of(0L, 16L, 15L, -1L, 2L), client.line("CL.THROTTLE t 15 30 60"));
                assertTrue(!Files.exists(server.dir().resolve("dump.rdb")));
                client.line("BGSAVE");
                Await.until("the next snapshot", SOON,
                    () -> ((String) client.line("INFO persistence")).contains("rdb_last_bgsave_status:ok")
                        && Files.exists(server.dir().resolve("dump.rdb")));
            }
        }
    }

    @Test
    void shouldReportASnapshotThatTheDiskDoesNotKeep() throws IOException {
        try (SluiceServer server = new SluiceServer()) {
            Files.createDirectories(server.dir());
            server.start();
            // Takes all bytes, and says at the end that it cannot keep them.
            Files.createSymbolicLink(server.dir().resolve("temp-dump.rdb"), Path.of("/dev/null"));
            try (RespClient client = server.connect()) {
                client.line("SET k 1");
                client.line("BGSAVE");
                Await.until("the snapshot to fail", SOON,
                    () -> ((String) client.line("INFO persistence")).contains("rdb_last_bgsave_status:err"));
                assertTrue(!Files.exists(server.dir().resolve("dump.rdb")));
                assertEquals("OK", client.line("SET k 2"));
            }
        }
    }

    @Test
    void shouldReportASnapshotThatHasNoFolderToGoTo() throws IOException {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            // What the snapshot is written to cannot be opened.
            Files.createDirectory(server.dir().resolve("temp-dump.rdb"));
            try (RespClient client = server.connect()) {
                client.line("SET k 1");
                client.line("BGSAVE");
                Await.until("the snapshot to fail", SOON,
                    () -> ((String) client.line("INFO persistence")).contains("rdb_last_bgsave_status:err"));
                assertEquals("1", client.line("GET k"));
            }
        }
    }

    @Test
    void shouldGiveBackTheRoomOfKeysThatAreOver() throws IOException {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            try (RespClient client = server.connect()) {
                long before = ServerStatus.info(client, "used_memory");
                for (int i = 0; i < 100; i++) {
                    StringBuilder commands = new StringBuilder();
                    for (int j = 0; j < 1_000; j++) {
                        commands.append(RespClient.command("SET", "key:" + i + ":" + j, "v", "PX", "500"));
                    }
                    client.send(commands.toString());
                    for (int j = 0; j < 1_000; j++) {
                        assertEquals("+OK\r\n", client.read());
                    }
                }
                Await.until("all to be removed", SOON, () -> client.line("DBSIZE").equals(0L));
                assertEquals(before, ServerStatus.info(client, "used_memory"));
                assertEquals(100_000, ServerStatus.info(client, "expired_keys"));
            }
        }
    }

    @Test
    void shouldKeepAllThatItAcknowledgedWhenToldToStopUnderLoad() throws InterruptedException, ExecutionException {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<Future<Integer>> acknowledged = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    String key = "counter" + i;
                    acknowledged.add(threads.submit(() -> countUntilTheEnd(server, key)));
                }
                try (RespClient watcher = server.connect()) {
                    for (int i = 0; i < 4; i++) {
                        String key = "counter" + i;
                        Await.until("load", SOON, () -> watcher.call("GET", key) instanceof String s
                            && Integer.parseInt(s) > 100);
                    }
                }
                assertEquals(0, server.stop());
                List<Integer> counts = new ArrayList<>();
                for (Future<Integer> each : acknowledged) {
                    counts.add(each.get());
                }
                server.start();
                try (RespClient client = server.connect()) {
                    for (int i = 0; i < 4; i++) {
                        int kept = Integer.parseInt((String) client.call("GET", "counter" + i));
                        assertTrue(kept >= counts.get(i), kept + " kept of " + counts.get(i));
                        assertTrue(kept <= counts.get(i) + 1, kept + " kept of " + counts.get(i));
                    }
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** Counts up until the connection ends, with no reply cut short. */
    private static int countUntilTheEnd(SluiceServer server, String key) {
        int count = 0;
        try (RespClient client = server.connect()) {
            while (true) {
                count = ((Long) client.call("INCR", key)).intValue();
            }
        } catch (UncheckedIOException e) {
            return count;
        }
    }

    @Test
    void shouldTakeUpWhereItWasAfterBeingHalted() {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            try (RespClient client = server.connect()) {
                for (int i = 0; i < 16; i++) {
                    client.line("CL.THROTTLE t 15 1 3600");
                }
                Programs.run(server.dir(), "kill", "-STOP", Long.toString(server.pid()));
                client.send(RespClient.command("CL.THROTTLE", "t", "15", "1", "3600"));
                Programs.run(server.dir(), "sh", "-c", "sleep 2; kill -CONT " + server.pid());
                List<?> answer = (List<?>) RespValue.parse(client.read());
                assertEquals(1L, answer.get(0));
                assertEquals(0L, answer.get(2));
            }
        }
    }
}
