package io.sluice.server;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Client-side caching: who is told of what. A marker that is published last shows that nothing else was sent. */
class TrackingTest {
    private TestServer server;
    private RespClient reader;
    private RespClient writer;

    @BeforeEach
    void start() throws IOException {
        server = new TestServer().open();
        reader = server.client();
        writer = server.client();
        reader.send("HELLO 3\r\n");
        for (String line = reader.readLine(); !line.equals("*0"); line = reader.readLine()) {
            assertTrue(!line.isEmpty());
        }
        lines(reader, "SUBSCRIBE marker", 6);
    }

    @AfterEach
    void stop() throws IOException {
        reader.close();
        writer.close();
        server.close();
    }

    private static List<String> lines(RespClient client, String command, int count) throws IOException {
        client.send(command + "\r\n");
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(client.readLine());
        }
        return lines;
    }

    /** Keys that the client was told of; {@code null} for all. */
    private List<String> invalidated(RespClient client) throws IOException {
        assertEquals(":1", writer.run("PUBLISH marker end"));
        List<String> keys = new ArrayList<>();
        while (true) {
            String head = client.readLine();
            String kind = client.readReply();
            if (!kind.equals("invalidate")) {
                assertEquals(List.of(">3", "message", "marker", "end"),
                        List.of(head, kind, client.readReply(), client.readReply()));
                return keys;
            }
            assertEquals(">2", head);
            keys.add("_".equals(client.readLine()) ? null : client.readReply());
        }
    }

    @Test
    void shouldTellOnceOfAKeyThatWasReadAndThenChanged() throws IOException {
        assertEquals("+OK", reader.run("CLIENT TRACKING ON"));
        assertEquals("+OK", writer.run("SET k 1"));
        assertEquals(List.of(), invalidated(reader));
        assertEquals("1", reader.run("GET k"));
        assertEquals(":2", writer.run("INCR k"));
        assertEquals(":3", writer.run("INCR k"));
        assertEquals(List.of("k"), invalidated(reader));
        assertEquals(List.of("*2", "$1", "3", "_"), lines(reader, "MGET k gone", 4));
        assertEquals("+OK", writer.run("MSET gone 1 other 2"));
        assertEquals(":1", writer.run("DEL k"));
        assertEquals(List.of("gone", "k"), invalidated(reader));
        assertEquals("+OK", reader.run("CLIENT TRACKING OFF"));
        assertEquals("_", reader.run("GET k"));
        assertEquals("+OK", writer.run("SET k 1"));
        assertEquals(List.of(), invalidated(reader));
    }

    @Test
    void shouldTellAClientOfItsOwnChangesBehindTheReplyUnlessItWantsNone() throws IOException {
        assertEquals("+OK", reader.run("CLIENT TRACKING ON"));
        assertEquals("_", reader.run("GET k"));
        assertEquals("+OK", reader.run("SET k 1"));
        assertEquals(List.of("k"), invalidated(reader));
        assertEquals("+OK", reader.run("CLIENT TRACKING ON NOLOOP"));
        assertEquals("1", reader.run("GET k"));
        assertEquals("+OK", reader.run("SET k 2"));
        assertEquals(List.of(), invalidated(reader));
    }

    @Test
    void shouldTellOfKeysThatExpire() throws IOException {
        assertEquals("+OK", reader.run("CLIENT TRACKING ON"));
        assertEquals("+OK", writer.run("SET k 1 PX 1000"));
        assertEquals("1", reader.run("GET k"));
        server.clock().advanceMs(1_001);
        assertEquals("$-1", writer.run("GET k"));
        while (!":0".equals(writer.run("DBSIZE"))) {
            assertEquals("+PONG", writer.run("PING"));
        }
        assertEquals(List.of("k"), invalidated(reader));
    }

    @Test
    void shouldTellAClientOfWhatWasRemovedToMakeRoomForItsWrite() throws IOException {
        assertEquals("+OK", writer.run("CONFIG SET maxmemory-policy volatile-ttl"));
        assertEquals("+OK", writer.run("CONFIG SET maxkeys 1"));
        for (String mode : new String[] {"", " BCAST"}) {
            assertEquals("+OK", writer.run("SET k 1 EX 100"));
            assertEquals("+OK", reader.run("CLIENT TRACKING ON NOLOOP" + mode));
            assertEquals("1", reader.run("GET k"));
            assertEquals("+OK", reader.run("SET other 1"));
            assertEquals(List.of("k"), invalidated(reader));
            assertEquals("+OK", reader.run("CLIENT TRACKING OFF"));
            assertEquals(":1", writer.run("DEL other"));
        }
    }

    @Test
    void shouldRememberOnlyWhatIsOptedInOrNotOptedOut() throws IOException {
        assertEquals("+OK", writer.run("MSET a 1 b 1 c 1"));
        assertEquals("+OK", reader.run("CLIENT TRACKING ON OPTIN"));
        assertEquals("1", reader.run("GET a"));
        assertEquals("+OK", reader.run("CLIENT CACHING YES"));
        assertEquals("1", reader.run("GET b"));
        assertEquals("1", reader.run("GET c"));
        assertEquals("+OK", writer.run("MSET a 2 b 2 c 2"));
        assertEquals(List.of("b"), invalidated(reader));
        assertEquals("+OK", reader.run("CLIENT CACHING YES"));
        assertEquals("+OK", reader.run("MULTI"));
        assertEquals("+QUEUED", reader.run("GET a"));
        assertEquals(List.of("*1", "$1", "2"), lines(reader, "EXEC", 3));
        assertEquals("2", reader.run("GET b"));
        assertEquals("+OK", writer.run("MSET a 3 b 3"));
        assertEquals(List.of("a"), invalidated(reader));
        assertEquals("+OK", reader.run("CLIENT TRACKING OFF"));
        assertEquals("+OK", reader.run("CLIENT TRACKING ON OPTOUT"));
        assertEquals("+OK", reader.run("CLIENT CACHING NO"));
        assertEquals("3", reader.run("GET a"));
        assertEquals("3", reader.run("GET b"));
        assertEquals("+OK", writer.run("MSET a 4 b 4"));
        assertEquals(List.of("b"), invalidated(reader));
    }

    @Test
    void shouldBroadcastWhatHasAPrefix() throws IOException {
        assertEquals("+OK", reader.run("CLIENT TRACKING ON BCAST PREFIX user: PREFIX x"));
        assertEquals("+OK", writer.run("MSET user:1 a user 2 x 3 y 4"));
        assertEquals(List.of("user:1", "x"), invalidated(reader));
        assertEquals("-ERR Prefix 'us' overlaps with an existing prefix 'user:'. Prefixes for a single client must not "
                + "overlap.", reader.run("CLIENT TRACKING ON BCAST PREFIX us"));
        assertEquals("+OK", reader.run("CLIENT TRACKING ON BCAST PREFIX y"));
        assertEquals("+OK", writer.run("MSET y 5 x 4"));
        assertEquals(List.of("y", "x"), invalidated(reader));
        assertTrue(writer.run("INFO stats").contains("tracking_total_prefixes:3"));
    }

    @Test
    void shouldTellOfEverythingWhenADatabaseIsFlushed() throws IOException {
        assertEquals("+OK", reader.run("CLIENT TRACKING ON"));
        assertEquals("_", reader.run("GET k"));
        assertEquals("+OK", writer.run("SET other 1"));
        assertEquals("+OK", writer.run("FLUSHALL"));
        List<String> told = invalidated(reader);
        assertTrue(told.contains(null) && told.stream().allMatch(key -> key == null), told.toString());
    }

    @Test
    void shouldRedirectToAConnectionThatSubscribes() throws IOException {
        try (RespClient listener = server.client()) {
            listener.send("CLIENT ID\r\n");
            String id = listener.readLine().substring(1);
            lines(listener, "SUBSCRIBE __redis__:invalidate", 6);
            assertEquals("+OK", writer.run("CLIENT TRACKING ON REDIRECT " + id));
            assertEquals(":" + id, writer.run("CLIENT GETREDIR"));
            assertEquals("$-1", writer.run("GET k"));
            assertEquals("+OK", writer.run("SET k 1"));
            assertEquals(List.of("*3", "$7", "message", "$20", "__redis__:invalidate", "*1", "$1", "k"),
                    lines(listener, "", 8));
            assertEquals("+OK", reader.run("CLIENT TRACKING ON REDIRECT " + id));
        }
        assertEquals("1", reader.run("GET k"));
        while (writer.run("CLIENT LIST").lines().count() > 2) {
            assertEquals("+PONG", writer.run("PING"));
        }
        assertEquals("+OK", writer.run("SET k 2"));
        assertEquals(">2", reader.readLine());
        assertEquals("tracking-redir-broken", reader.readReply());
        assertTrue(reader.readLine().startsWith(":"));
        assertTrue(reader.run("CLIENT INFO").contains(" flags=PtR "));
    }

    @Test
    void shouldTellThatTheRedirectionIsBrokenOnceItsClientHasQuit() throws IOException {
        try (RespClient listener = server.client()) {
            listener.send("CLIENT ID\r\n");
            String id = listener.readLine().substring(1);
            assertEquals("+OK", reader.run("CLIENT TRACKING ON REDIRECT " + id));
            assertEquals("_", reader.run("GET k"));
            assertEquals("+OK", listener.run("QUIT"));
            assertEquals("+OK", writer.run("SET k 1"));
            assertEquals(">2", reader.readLine());
            assertEquals("tracking-redir-broken", reader.readReply());
            assertEquals(":" + id, reader.readLine());
        }
    }

    @Test
    void shouldForgetATrackingClientThatLeavesOrResets() throws IOException {
        assertEquals("+OK", reader.run("CLIENT TRACKING ON BCAST"));
        assertEquals("+OK", writer.run("CLIENT TRACKING ON"));
        assertTrue(reader.run("INFO clients").contains("tracking_clients:2"));
        assertEquals("+RESET", reader.run("RESET"));
        assertTrue(writer.run("INFO clients").contains("tracking_clients:1"));
        writer.close();
        while (!reader.run("INFO clients").contains("tracking_clients:0")) {
            assertEquals("+PONG", reader.run("PING"));
        }
    }
}
