package io.sluice.server.replica;

import io.sluice.server.RespClient;
import io.sluice.server.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Nothing but the stream goes to a connection that has become a replica. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaConnectionTest {
    @TempDir
    Path directory;
    private TestServer server;
    private RespClient client;
    private RespClient replica;

    @BeforeEach
    void open() throws IOException {
        server = new TestServer("--dir", directory.toString(), "--save", "", "--repl-diskless-sync-delay", "0",
            "--repl-ping-replica-period", "3600").open();
        client = server.client();
        replica = server.client();
    }

    @AfterEach
    void close() throws IOException {
        replica.close();
        client.close();
        server.close();
    }

    /** Returns the words of the answer. */
    private String[] sync() throws IOException {
        replica.send("PSYNC ? -1\r\n");
        return replica.skipFullSync();
    }

    @Test
    void shouldTellItAtOnceThatItGoesOnAlsoWhereThereIsNothingToSend() throws IOException {
        String[] history = sync();
        try (RespClient again = server.client()) {
            again.send("PSYNC " + history[1] + " " + (Long.parseLong(history[2]) + 1) + "\r\n");
            assertEquals("+CONTINUE", again.readLine());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PING", "GET k", "SET k v", "HELLO 3", "SUBSCRIBE x", "MONITOR", "MULTI", "QUIT", "RESET",
        "NOSUCH", "REPLICAOF NO ONE", "SHUTDOWN", "REPLCONF", "REPLCONF a", "REPLCONF foo 1",
        "REPLCONF listening-port 1", "PSYNC"})
    void shouldCloseItWhenItSendsWhatHasAnAnswer(String command) throws IOException {
        sync();
        replica.send(command + "\r\n");
        assertNull(replica.readLine());
        assertEquals("$-1", client.run("GET k"));
        while (!client.run("INFO replication").contains("connected_slaves:0")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldTakeWhatReplicasSay() throws IOException {
        sync();
        replica.send("REPLCONF ACK 0\r\nREPLCONF ACK x\r\nREPLCONF GETACK *\r\nPSYNC ? -1\r\nPSYNC ? x\r\nSYNC\r\n\n");
        assertEquals("+OK", client.run("SET k v"));
        assertEquals("*2", replica.readLine());
        assertEquals("SELECT", replica.readReply());
    }

    @Test
    void shouldSendItNoMessages() throws IOException {
        replica.send("HELLO 3\r\nSUBSCRIBE x\r\n");
        for (String line = replica.readLine(); !line.equals(">3"); line = replica.readLine()) {
            Thread.onSpinWait();
        }
        assertEquals("subscribe", replica.readReply());
        assertEquals("x", replica.readReply());
        assertEquals(":1", replica.readLine());
        sync();
        client.run("PUBLISH x m");
        assertEquals("*3", replica.readLine());
        assertEquals("PUBLISH", replica.readReply().toUpperCase(Locale.ROOT));
    }
}
