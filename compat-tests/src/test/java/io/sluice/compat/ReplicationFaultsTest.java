package io.sluice.compat;

import org.junit.jupiter.api.Test;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.sluice.compat.Replicating.PATIENCE;
import static io.sluice.compat.Replicating.assertSame;
import static io.sluice.compat.Replicating.awaitLink;
import static io.sluice.compat.Replicating.follow;
import static io.sluice.compat.Replicating.info;
import static io.sluice.compat.Replicating.number;
import static io.sluice.compat.Replicating.server;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Replication where the network, the replica or its age is the difficulty. */
final class ReplicationFaultsTest {
    private static final String SCRIPT =
        "redis.call('SET', 'c', ARGV[1]) redis.call('LPUSH', 'l', ARGV[1]) redis.call('SET', 'd', ARGV[1])";

    /** Writes units of commands that belong together until it is closed. */
    private static final class Writer implements AutoCloseable {
        private final AtomicBoolean ended = new AtomicBoolean();
        private final Thread thread;

        Writer(ServerProcess server) {
            thread = new Thread(() -> {
                try (RespClient client = server.connect()) {
                    for (int i = 0; !ended.get(); i++) {
                        write(client, Integer.toString(i));
                    }
                }
            });
        }

        void start() {
            thread.start();
        }

        private static void write(RespClient client, String value) {
            client.raw("MULTI");
            client.raw("SET", "a", value);
            client.raw("INCR", "count");
            client.raw("SET", "b", value);
            client.raw("EXEC");
            client.raw("EVAL", SCRIPT, "0", value);
            client.raw("LTRIM", "l", "0", "9");
        }

        @Override
        public void close() {
            ended.set(true);
            try {
                thread.join(PATIENCE.toMillis());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void assertWhole(ServerProcess replica) {
        try (RespClient client = replica.connect()) {
            List<?> all = (List<?>) client.call("MGET", "a", "b", "c", "d");
            assertEquals(all.get(0), all.get(1), "a transaction");
            assertEquals(all.get(2), all.get(3), "a script");
        }
    }

    @Test
    void shouldApplyTransactionsAndScriptsAsAWholeWhereverTheLinkIsCut() {
        Random random = new Random(11);
        try (SluiceServer primary = server("--repl-backlog-size", "64mb");
                SluiceServer replica = server("--repl-timeout", "20"); TcpProxy proxy = new TcpProxy()) {
            primary.start();
            replica.start();
            proxy.to(primary.port());
            try (Writer writer = new Writer(primary)) {
                writer.start();
                follow(replica, proxy.port());
                for (int round = 0; round < 12; round++) {
                    long before = number(replica, "master_repl_offset");
                    long further = before + random.nextInt(20_000);
                    Await.until("more of the stream", PATIENCE,
                        () -> number(replica, "master_repl_offset") >= further);
                    long partialSyncs = number(primary, "sync_partial_ok");
                    proxy.reset();
                    // The link may be up again, or still, when it is asked for: what tells is that it was continued.
                    Await.until("a continued link", PATIENCE, () -> {
                        assertWhole(replica);
                        return number(primary, "sync_partial_ok") > partialSyncs;
                    });
                    awaitLink(replica);
                }
            }
            assertSame(replica, primary);
            assertEquals(1, number(primary, "sync_full"));
            assertTrue(number(primary, "sync_partial_ok") >= 12);
        }
    }

    @Test
    void shouldGoOnWhenANetworkThatWasSilentIsBack() {
        try (SluiceServer primary = server("--repl-ping-replica-period", "1");
                SluiceServer replica = server("--repl-timeout", "3"); TcpProxy proxy = new TcpProxy()) {
            primary.start();
            replica.start();
            proxy.to(primary.port());
            Replicating.loadAllTypes(primary, 1_000, 1);
            follow(replica, proxy.port());
            // One that was slow may have begun again.
            long fullSyncs = number(primary, "sync_full");
            proxy.cut();
            Replicating.loadAllTypes(primary, 1_000, 2);
            Await.until("the replica's notice", PATIENCE, () -> "down".equals(info(replica, "master_link_status")));
            Replicating.loadAllTypes(primary, 1_000, 3);
            proxy.mend();
            awaitLink(replica);
            assertSame(replica, primary);
            assertEquals(fullSyncs, number(primary, "sync_full"));
            assertTrue(number(primary, "sync_partial_ok") >= 1);
        }
    }

    @Test
    void shouldDropAReplicaThatDoesNotKeepUpAndSyncItAgain() {
        String value = "x".repeat(500_000);
        try (SluiceServer primary = server("--client-output-buffer-limit", "replica", "8mb", "0", "0");
                SluiceServer replica = server()) {
            primary.start();
            replica.start();
            follow(replica, primary);
            Programs.run(replica.dir(), "kill", "-STOP", Long.toString(replica.pid()));
            try (RespClient client = primary.connect()) {
                for (int i = 0; i < 100; i++) {
                    assertEquals("OK", client.call("SET", "k" + i, value));
                }
                Await.until("its end", PATIENCE, () -> "0".equals(info(primary, "connected_slaves")));
                assertEquals(0L, client.call("WAIT", "1", "1"));
            } finally {
                Programs.run(replica.dir(), "kill", "-CONT", Long.toString(replica.pid()));
            }
            Await.until("a second full sync", PATIENCE, () -> number(primary, "sync_full") == 2);
            awaitLink(replica);
            assertSame(replica, primary);
        }
    }

    @Test
    void shouldGiveTwoReplicasOneSnapshot() {
        try (SluiceServer primary = server("--repl-diskless-sync-delay", "3600");
                SluiceServer one = server("--replicaof", "127.0.0.1 " + primary.port());
                SluiceServer other = server("--replicaof", "127.0.0.1 " + primary.port())) {
            one.start();
            other.start();
            primary.start();
            Replicating.loadAllTypes(primary, 1_000, 4);
            try (RespClient client = primary.connect()) {
                for (String replica : List.of("slave0", "slave1")) {
                    Await.until(replica + " to wait", PATIENCE,
                        () -> String.valueOf(info(client, replica)).contains("state=wait_bgsave"));
                }
                client.call("CONFIG", "SET", "repl-diskless-sync-delay", "0");
            }
            awaitLink(one);
            awaitLink(other);
            assertSame(one, primary);
            assertSame(other, primary);
            assertEquals(2, number(primary, "sync_full"));
            // Noted when all of it is sent; the replicas may be faster.
            Await.until("the end of the sync", PATIENCE, () -> snapshotsSent(primary) > 0);
            assertEquals(1, snapshotsSent(primary));
        }
    }

    private static long snapshotsSent(ServerProcess primary) {
        return primary.stdout().lines().filter(line -> line.contains("Full sync: a snapshot of")).count();
    }

    @Test
    void shouldTellAReplicaOfOldTheLengthOfItsSnapshot() throws IOException {
        try (SluiceServer primary = server(); Socket socket = new Socket()) {
            primary.start();
            Replicating.loadAllTypes(primary, 3_000, 5);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), primary.port()));
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write("SYNC\r\n".getBytes(StandardCharsets.US_ASCII));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            String line = line(in);
            while (line.isEmpty()) {
                line = line(in);
            }
            assertTrue(line.matches("[$][0-9]+"), line);
            byte[] snapshot = new byte[Integer.parseInt(line.substring(1))];
            in.readFully(snapshot);
            Path file = primary.dir().resolve("sent.rdb");
            Files.write(file, snapshot);
            assertTrue(Programs.run(primary.dir(), "redis-check-rdb", file.toString()).contains("RDB looks OK"));
            try (RespClient client = primary.connect()) {
                client.call("SET", "k", "v");
            }
            assertEquals("*2 $6 SELECT", firstWordAfterPings(in));
            assertFalse(Files.exists(primary.dir().resolve("temp-replica.rdb")));
        }
    }

    /** The beginning of the stream's first command but for PINGs, which come when they are due. */
    private static String firstWordAfterPings(DataInputStream in) throws IOException {
        String word;
        do {
            word = line(in) + " " + line(in) + " " + line(in);
        } while (word.equals("*1 $4 PING"));
        return word;
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.readUnsignedByte(); b != '\n'; b = in.readUnsignedByte()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }

    @Test
    void shouldReplicateOverTls() throws IOException {
        Path dir = Files.createTempDirectory(Files.createDirectories(Path.of("target").toAbsolutePath()), "repltls");
        Programs.run(dir, "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
            "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem");
        int port = ServerProcess.freePort();
        String[] tls = {"--tls-replication", "yes", "--tls-cert-file", dir.resolve("cert.pem").toString(),
            "--tls-key-file", dir.resolve("key.pem").toString(), "--tls-ca-cert-file",
            dir.resolve("cert.pem").toString()};
        try (SluiceServer primary = server(with(tls, "--tls-port", Integer.toString(port)));
                SluiceServer replica = server(with(tls, "--tls-port", Integer.toString(ServerProcess.freePort())));
                SluiceServer plain = server()) {
            List.of(primary, replica, plain).forEach(ServerProcess::start);
            Replicating.loadAllTypes(primary, 2_000, 6);
            follow(replica, port);
            Replicating.loadAllTypes(primary, 2_000, 7);
            assertSame(replica, primary);
            try (RespClient client = plain.connect()) {
                client.call("REPLICAOF", "127.0.0.1", Integer.toString(port));
                Await.until("a refusal", PATIENCE, () -> plain.stdout().contains("Not following"));
                assertEquals("down", info(plain, "master_link_status"));
            }
        }
    }

    private static String[] with(String[] options, String... more) {
        String[] all = Arrays.copyOf(options, options.length + more.length);
        System.arraycopy(more, 0, all, options.length, more.length);
        return all;
    }
}
