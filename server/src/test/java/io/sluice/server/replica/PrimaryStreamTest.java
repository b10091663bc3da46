package io.sluice.server.replica;

import io.sluice.server.RespClient;
import io.sluice.server.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A primary sends more than changes of data. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PrimaryStreamTest {
    @TempDir
    Path directory;

    private TestServer server() throws IOException {
        return new TestServer("--dir", directory.toString(), "--save", "", "--enable-debug-command", "yes").open();
    }

    private static void awaitKey(RespClient client, String key, String value) throws IOException {
        while (!value.equals(client.run("GET " + key))) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"REPLICAOF NO ONE", "REPLICAOF 127.0.0.1 1", "SLAVEOF NO ONE", "SHUTDOWN NOSAVE",
        "FAILOVER", "PSYNC ? -1", "SYNC", "MONITOR", "SUBSCRIBE x", "QUIT", "RESET", "DEBUG SLEEP 0", "WATCH a",
        "DISCARD", "EXEC", "CONFIG SET maxclients 1", "CLIENT PAUSE 100000", "ACL SETUSER default off", "WAIT 1 0",
        "HELLO 3", "AUTH a", "SAVE", "NOSUCH", "GET a b"})
    void shouldNameWhatChangesNoDataAndGoOn(String command) throws IOException {
        String name = command.split(" ")[0];
        String sent = command + "\r\nMULTI\r\nSET inside 1\r\n"
            + (name.equals("EXEC") ? "" : command + "\r\n") + "EXEC\r\nSET after 1\r\n";
        try (TestServer server = server(); RespClient client = server.client();
            FakePrimary primary = new FakePrimary(sent)) {
            assertEquals("+OK", client.run("REPLICAOF 127.0.0.1 " + primary.port()));
            awaitKey(client, "after", "1");
            assertEquals("1", client.run("GET inside"));
            assertEquals("b", client.run("GET a"));
            String info = client.run("INFO replication");
            assertTrue(info.contains("role:slave") && info.contains("master_link_status:up"), info);
            assertTrue(info.contains("replica_not_held_command_" + name.toLowerCase(Locale.ROOT)), info);
            assertEquals(1, primary.syncs());
            assertEquals("+OK", client.run("REPLICAOF NO ONE"));
            assertEquals("+OK", client.run("SET b 1"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BLPOP none 0", "BRPOP none 0", "BLMOVE none to LEFT LEFT 0", "BRPOPLPUSH none to 0",
        "BLMPOP 0 1 none LEFT", "BZPOPMIN none 0", "BZPOPMAX none 0", "BZMPOP 0 1 none MIN"})
    void shouldNotWaitForKeys(String command) throws IOException {
        String sent = "RPUSH l x y\r\nBLPOP l 0\r\n" + command + "\r\n"
            + (command.startsWith("BZ") ? "ZADD none 1 x" : "RPUSH none x") + "\r\nSET after 1\r\n";
        try (TestServer server = server(); RespClient client = server.client();
            FakePrimary primary = new FakePrimary(sent)) {
            assertEquals("+OK", client.run("REPLICAOF 127.0.0.1 " + primary.port()));
            awaitKey(client, "after", "1");
            assertEquals(":1", client.run("LLEN l"));
            assertEquals(":1", client.run("EXISTS none"));
            assertTrue(client.run("INFO clients").contains("total_blocking_keys:0"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "16", "256", "65536", "2147483648", "4294967296", "9223372036854775808", "x", "0 0"})
    void shouldWriteNowhereWhatIsOfADatabaseThatIsNotHere(String index) throws IOException {
        String sent = "SELECT " + index + "\r\nSET a 1\r\nRPUSH l x\r\nDEL a\r\nFLUSHDB\r\nEVAL 'return 1' 0\r\n"
            + "SELECT 0\r\nSET after 1\r\n";
        try (TestServer server = server(); RespClient client = server.client();
            FakePrimary primary = new FakePrimary(sent)) {
            assertEquals("+OK", client.run("REPLICAOF 127.0.0.1 " + primary.port()));
            awaitKey(client, "after", "1");
            assertEquals("b", client.run("GET a"));
            assertEquals(":2", client.run("DBSIZE"));
            String info = client.run("INFO replication");
            assertTrue(info.contains("replica_not_held:5"), info);
            assertTrue(info.contains("replica_missing_keys:1"), info);
            assertFalse(client.run("INFO errorstats").contains("errorstat_ERR"), "no handler ran into it");
        }
    }

    @Test
    void shouldWaitWhenTheStreamFailsAsSoonAsItIsFollowed() throws IOException {
        try (TestServer server = server(); RespClient client = server.client();
            FakePrimary primary = new FakePrimary("*1\r\n$x\r\n")) {
            assertEquals("+OK", client.run("REPLICAOF 127.0.0.1 " + primary.port()));
            awaitKey(client, "a", "b");
            for (int i = 0; i < 1_000; i++) {
                client.run("INFO replication");
            }
            assertEquals(1, primary.syncs());
            server.clock().advanceMs(1_000);
            while (primary.syncs() < 2) {
                client.run("PING");
            }
        }
    }

    @Test
    void shouldFollowAgainAtOnceWhenALinkIsCut() throws IOException {
        try (TestServer server = server(); RespClient client = server.client();
            FakePrimary primary = new FakePrimary("SET after 1\r\n")) {
            assertEquals("+OK", client.run("REPLICAOF 127.0.0.1 " + primary.port()));
            awaitKey(client, "after", "1");
            server.clock().advanceMs(1_000);
            primary.cut();
            while (primary.syncs() < 2) {
                client.run("PING");
            }
        }
    }

    @Test
    void shouldApplyWhatIsNoWriteButChangesData() throws IOException {
        try (TestServer server = server(); RespClient client = server.client();
            FakePrimary primary = new FakePrimary("SCRIPT LOAD 'return 1'\r\nPUBLISH c m\r\nSET after 1\r\n")) {
            assertEquals("+OK", client.run("REPLICAOF 127.0.0.1 " + primary.port()));
            awaitKey(client, "after", "1");
            assertEquals(":1", client.run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"));
            assertTrue(client.run("INFO replication").contains("replica_not_held:0"));
        }
    }
}
