package io.sluice.server;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** What becomes of the clients of a primary that becomes a replica. */
class DemotionTest {
    private static final String UNBLOCKED =
        "-UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)";

    @ParameterizedTest
    @ValueSource(strings = {"no", "yes"})
    void shouldTellThoseWhoWaitAndCloseThem(String closesAll, @TempDir Path dir) throws IOException {
        List<String> commands = List.of("BLPOP l 0", "BLMOVE l m LEFT LEFT 0", "BLMPOP 0 1 l LEFT", "BZPOPMIN z 0",
            "BZMPOP 0 1 z MIN", "WAIT 1 0");
        try (TestServer server = new TestServer("--demotion-closes-clients", closesAll, "--dir", dir.toString()).open();
                RespClient admin = server.client(); RespClient idle = server.client()) {
            List<RespClient> waiting = new java.util.ArrayList<>();
            for (String command : commands) {
                RespClient client = server.client();
                waiting.add(client);
                assertEquals("+PONG", client.run("PING"));
                // What stands behind is not executed any more.
                client.send(command + "\r\nCONFIG SET maxkeys 77\r\n");
                while (!suspended(admin, command)) {
                    Thread.onSpinWait();
                }
            }
            assertEquals("+OK", admin.run("REPLICAOF 127.0.0.1 1"));
            for (RespClient client : waiting) {
                assertEquals(UNBLOCKED, client.readLine());
                assertNull(client.readLine());
                client.close();
            }
            idle.send("PING\r\n");
            assertEquals("no".equals(closesAll) ? "+PONG" : null, idle.readLine());
            assertEquals("+OK", admin.run("REPLICAOF NO ONE"));
            assertEquals(":1", admin.run("RPUSH l a"));
            assertEquals(":1", admin.run("LLEN l"));
            assertEquals("*2", admin.run("CONFIG GET maxkeys"));
            assertEquals("maxkeys", admin.readReply());
            assertEquals("0", admin.readReply());
        }
    }

    private static boolean suspended(RespClient admin, String command) throws IOException {
        String name = command.substring(0, command.indexOf(' ')).toLowerCase(java.util.Locale.ROOT);
        return admin.run("CLIENT LIST").contains(" cmd=" + name + " ");
    }
}
