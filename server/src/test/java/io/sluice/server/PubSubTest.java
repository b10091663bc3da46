package io.sluice.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Messages between clients over real sockets. */
class PubSubTest {

    private static void subscribe(RespClient client, String channel) throws IOException {
        client.send("SUBSCRIBE " + channel + "\r\n");
        assertEquals(List.of("*3", "subscribe", channel, ":1"), push(client));
    }

    private static List<String> push(RespClient client) throws IOException {
        List<String> parts = new ArrayList<>();
        parts.add(client.readLine());
        for (int i = 0; i < 3; i++) {
            parts.add(client.readReply());
        }
        return parts;
    }

    @Test
    void shouldDeliverEveryMessageInOrderToEverySubscriber() throws IOException {
        int count = 2_000;
        try (TestServer server = new TestServer().open(); RespClient publisher = server.client();
                RespClient one = server.client(); RespClient two = server.client()) {
            subscribe(one, "news");
            subscribe(two, "news");
            StringBuilder commands = new StringBuilder();
            for (int i = 0; i < count; i++) {
                commands.append("PUBLISH news m").append(i).append("\r\n");
            }
            publisher.send(commands.toString());
            for (int i = 0; i < count; i++) {
                assertEquals(":2", publisher.readLine());
                assertEquals(List.of("*3", "message", "news", "m" + i), push(one));
                assertEquals(List.of("*3", "message", "news", "m" + i), push(two));
            }
        }
    }

    @Test
    void shouldKeepTheOrderOfLongAndShortMessages() throws IOException {
        String longMessage = "x".repeat(50_000);
        try (TestServer server = new TestServer().open(); RespClient publisher = server.client();
                RespClient subscriber = server.client()) {
            subscribe(subscriber, "c");
            for (int i = 0; i < 50; i++) {
                publisher.send("PUBLISH c a" + i + "\r\nPUBLISH c " + longMessage + "\r\nPUBLISH c b" + i + "\r\n");
                assertEquals(List.of("*3", "message", "c", "a" + i), push(subscriber));
                assertEquals(List.of("*3", "message", "c", longMessage), push(subscriber));
                assertEquals(List.of("*3", "message", "c", "b" + i), push(subscriber));
            }
        }
    }

    @Test
    void shouldNotCountASubscriberThatWasKilled() throws IOException {
        try (TestServer server = new TestServer().open(); RespClient publisher = server.client();
                RespClient subscriber = server.client()) {
            subscribe(subscriber, "c");
            publisher.send("PUBLISH c m\r\nCLIENT KILL TYPE pubsub\r\nPUBLISH c m\r\n");
            assertEquals(":1", publisher.readLine());
            assertEquals(":1", publisher.readLine());
            assertEquals(":0", publisher.readLine());
        }
    }

    @Test
    void shouldCloseWhoIsSubscribedToWhatALoadedDefaultUserMayNotUse(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("users.acl"), "user default on nopass ~* &* +@all\n");
        try (TestServer server = new TestServer("--aclfile", file.toString()).open();
                RespClient publisher = server.client(); RespClient allowed = server.client();
                RespClient forbidden = server.client()) {
            subscribe(allowed, "open");
            subscribe(forbidden, "secret");
            Files.writeString(file, "user default on nopass ~* resetchannels &open +@all\n");
            assertEquals("+OK", publisher.run("ACL LOAD"));
            assertEquals(":1", publisher.run("PUBLISH open m"));
            assertNull(forbidden.readLine());
        }
    }

    @Test
    void shouldCutASubscriberThatDoesNotTakeItsMessages() throws IOException {
        String message = "x".repeat(60_000);
        try (TestServer server = new TestServer("--client-output-buffer-limit", "pubsub", "1mb", "0", "0").open();
                RespClient publisher = server.client(); RespClient deaf = server.client();
                RespClient listener = server.client()) {
            subscribe(deaf, "c");
            subscribe(listener, "c");
            String receivers = ":2";
            for (int sent = 0; receivers.equals(":2"); sent++) {
                receivers = publisher.run("PUBLISH c " + message);
                assertEquals(List.of("*3", "message", "c", message), push(listener));
            }
            assertEquals(":1", receivers);
            assertEquals(List.of("*3", "message", "c", message), push(deaf));
            assertEquals(true, publisher.run("INFO stats").contains("client_output_buffer_limit_disconnections:1"));
        }
    }

    @Test
    void shouldNotCountASubscriberThatHasQuitAndStaysConnected() throws IOException {
        try (TestServer server = new TestServer().open(); RespClient publisher = server.client();
                RespClient subscriber = server.client()) {
            subscribe(subscriber, "c");
            assertEquals("+OK", subscriber.run("QUIT"));
            assertNull(subscriber.readLine());
            assertEquals(":0", publisher.run("PUBLISH c x"));
        }
    }

    @Test
    void shouldCloseSubscribersByTheirType() throws IOException {
        try (TestServer server = new TestServer().open(); RespClient admin = server.client();
                RespClient subscriber = server.client()) {
            subscribe(subscriber, "c");
            assertEquals(":1", admin.run("CLIENT KILL TYPE pubsub"));
            assertNull(subscriber.readLine());
            while (!":0".equals(admin.run("PUBLISH c x"))) {
                // On io_uring the server learns of the end a moment after the client.
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldNotCloseASilentSubscriber() throws IOException {
        try (TestServer server = new TestServer("--timeout", "60").open(); RespClient publisher = server.client();
                RespClient subscriber = server.client(); RespClient silent = server.client()) {
            subscribe(subscriber, "c");
            assertEquals("+PONG", silent.run("PING"));
            assertEquals("+PONG", publisher.run("PING"));
            server.clock().advanceMs(60_001);
            assertNull(silent.readLine());
            try (RespClient late = server.client()) {
                assertEquals(":1", late.run("PUBLISH c x"));
            }
            assertEquals(List.of("*3", "message", "c", "x"), push(subscriber));
        }
    }
}
