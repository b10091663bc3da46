package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose disk is full: its data directory is a small disk of its own, which no other process sees. */
final class DiskFaultsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int BATCH = 1_000;
    /** The first map file holds fewer. */
    private static final int KEYS_MAX = 500_000;
    private static final RespValue.Failure FULL =
        RespValue.failure("OOM command not allowed when used memory > 'maxmemory'.");

    @BeforeEach
    void mayMakeADisk() {
        assumeTrue(Programs.tryRun(Path.of("."), new byte[0], "unshare", "-m", "true").exitCode() == 0,
            "needs the right to make mount namespaces");
    }

    private static WrappedServer serverWithDisk(String size, String... options) {
        return new WrappedServer("exec unshare -m sh -c 'mount -t tmpfs -o size=" + size
            + " none \"$DIR\" && exec \"$@\"' sh \"$@\"", options);
    }

    /** Runs a command where the server's disk can be seen. */
    private static void inside(ServerProcess server, String command) {
        Programs.run(Path.of("."), "nsenter", "-t", Long.toString(server.pid()), "-m", "sh", "-c", command);
    }

    /** Makes keys until all are refused, wherever in the files they would be. Returns how many there are then. */
    private static long fill(RespClient client) {
        for (int first = 0; first < KEYS_MAX; first += BATCH) {
            StringBuilder commands = new StringBuilder();
            for (int i = first; i < first + BATCH; i++) {
                commands.append(RespClient.command("CL.THROTTLE", "key:" + i, "9", "1", "1000000"));
            }
            client.send(commands.toString());
            int refused = 0;
            for (int i = 0; i < BATCH; i++) {
                refused += client.read().startsWith("-OOM ") ? 1 : 0;
            }
            if (refused == BATCH) {
                return (Long) client.line("DBSIZE");
            }
        }
        throw new AssertionError("there was room for all keys");
    }

    @Test
    void shouldRefuseNewKeysWhileThereIsNoRoomForAnotherFile() {
        try (WrappedServer server = serverWithDisk("64m")) {
            server.start();
            try (RespClient client = server.connect()) {
                long keys = fill(client);
                assertEquals(FULL, client.line("SET new 1"));
                assertEquals(FULL, client.call("SET", "large", "x".repeat(100_000)));
                assertEquals(FULL, client.line("RPUSH list a b c"));
                assertEquals(keys, client.line("DBSIZE"));
                assertEquals(List.of(0L, 10L, 8L, -1L, 2_000_000L), rounded(client.line(
                    "CL.THROTTLE key:7 9 1 1000000")));
                assertEquals(1L, client.line("DEL key:8"));
                assertEquals("OK", client.line("SET key:8 1"));
                assertTrue(server.stdout().contains("cannot grow") || awaitLog(server, "cannot grow"));
                inside(server, "mount -o remount,size=256m " + server.dir());
                // Each size of values has files of its own, and another try for them in its own time.
                Await.until("room for new keys", SOON, () -> "OK".equals(client.line("SET new 1")));
                Await.until("room for large values", SOON,
                    () -> "OK".equals(client.call("SET", "large", "x".repeat(100_000))));
                Await.until("room for lists", SOON, () -> client.line("RPUSH list a b c").equals(3L));
            }
            assertEquals(0, server.stop());
        }
    }

    private static boolean awaitLog(ServerProcess server, String text) {
        Await.until("'" + text + "' in the log", SOON, () -> server.stdout().contains(text));
        return true;
    }

    /** A limit's answer with its last number, seconds until it is whole, to the next million. */
    private static List<Object> rounded(Object answer) {
        List<?> numbers = (List<?>) answer;
        long reset = ((Long) numbers.get(4) + 999_999) / 1_000_000 * 1_000_000;
        return List.of(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3), reset);
    }

    @Test
    void shouldFailASnapshotAndNothingElseWhileTheDiskIsFull() {
        try (WrappedServer server = serverWithDisk("128m", "--maxkeys", "1000")) {
            server.start();
            try (RespClient client = server.connect()) {
                client.line("CL.THROTTLE limit 9 1 1000000");
                client.call("SET", "text", "x".repeat(50_000));
                client.line("RPUSH list a b c");
                inside(server, "cat /dev/zero > " + server.dir() + "/filler || true");
                client.line("BGSAVE");
                Await.until("the snapshot to fail", SOON, () -> persistence(client).contains("bgsave_status:err"));
                assertTrue(client.line("SAVE") instanceof RespValue.Failure);
                // What is there goes on, also what is changed in place with an image kept of it.
                assertEquals(List.of(0L, 10L, 8L, -1L, 2_000_000L),
                    rounded(client.line("CL.THROTTLE limit 9 1 1000000")));
                assertEquals("OK", client.call("SET", "text", "y".repeat(50_000)));
                assertEquals(50_010L, client.call("APPEND", "text", "z".repeat(10)));
                assertEquals(4L, client.line("RPUSH list d"));
                assertEquals("OK", client.line("SET another 1"));
                inside(server, "rm " + server.dir() + "/filler");
                client.line("BGSAVE");
                Await.until("the next snapshot", SOON, () -> persistence(client).contains("bgsave_status:ok"));
            }
            assertEquals(0, server.stop());
        }
    }

    private static String persistence(RespClient client) {
        return (String) client.line("INFO persistence");
    }

    @Test
    void shouldNotStartWhereThereIsNoRoomForItsFirstFile() {
        try (WrappedServer server = serverWithDisk("16m")) {
            server.launch();
            assertEquals(74, server.awaitExit());
            assertTrue(server.stdout().contains("no space on the disk of " + server.dir()), server.stdout());
        }
    }
}
