package io.sluice.server;

import org.junit.jupiter.api.Test;

import java.io.IOException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The last replica has left for good. */
class BacklogEndTest {
    private static final int STEP_MS = 10;

    @Test
    void shouldGoOnWritingWhenTheStreamIsNotRecordedAnyMore() throws IOException {
        try (TestServer server = new TestServer("--repl-backlog-ttl", "1", "--repl-diskless-sync-delay", "0").open();
                RespClient client = server.client()) {
            try (RespClient replica = server.client()) {
                replica.send("PSYNC ? -1\r\n");
                assertTrue(replica.readReply().startsWith("+FULLRESYNC "));
            }
            assertTrue(client.run("INFO replication").contains("repl_backlog_active:1"));
            do {
                server.clock().advanceMs(STEP_MS);
                assertEquals("+OK", client.run("SET k v"));
            } while (client.run("INFO replication").contains("repl_backlog_active:1"));
            assertEquals("+OK", client.run("SET k v"));
        }
    }
}
