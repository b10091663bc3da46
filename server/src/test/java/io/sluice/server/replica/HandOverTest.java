package io.sluice.server.replica;

import io.sluice.server.RespClient;
import io.sluice.server.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Handing over to a replica that is played here, which answers in every odd way. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandOverTest {
    @TempDir
    Path directory;
    private TestServer server;
    private RespClient client;
    private RespClient replica;
    private ServerSocket target;
    private String id;
    private long offset;

    @BeforeEach
    void open() throws IOException {
        server = new TestServer("--dir", directory.toString(), "--save", "", "--repl-diskless-sync-delay", "0",
            "--repl-ping-replica-period", "3600", "--demotion-closes-clients", "no").open();
        client = server.client();
        replica = server.client();
        target = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        target.close();
        replica.close();
        client.close();
        server.close();
    }

    /** What a replica says first, up to the end of its full sync. */
    private void attach() throws IOException {
        replica.send("REPLCONF listening-port " + target.getLocalPort() + "\r\nPSYNC ? -1\r\n");
        assertEquals("+OK", replica.readLine());
        String[] answer = replica.skipFullSync();
        id = answer[1];
        offset = Long.parseLong(answer[2]);
    }

    private void acknowledge() throws IOException {
        replica.send("REPLCONF ACK " + offset + "\r\n");
        await("state=online");
    }

    private void await(String text) throws IOException {
        while (!client.run("INFO replication").contains(text)) {
            Thread.onSpinWait();
        }
    }

    /** The next connection, for which the server waits a second after a failure. */
    private Socket accept() throws IOException {
        target.setSoTimeout(50);
        while (true) {
            try {
                return target.accept();
            } catch (SocketTimeoutException e) {
                // Not while the server does nothing: it would find that too much time has gone by at once.
                client.run("PING");
                server.clock().advanceMs(1_000);
            }
        }
    }

    /** Greets the server that hands over, and gives what it asks for by PSYNC. */
    private static String greet(Socket primary) throws IOException {
        BufferedReader in = new BufferedReader(
            new InputStreamReader(primary.getInputStream(), StandardCharsets.ISO_8859_1));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            switch (line) {
                case "PING" -> answer(primary, "+PONG");
                case "REPLCONF" -> answer(primary, "+OK");
                case "PSYNC" -> {
                    String rest = "";
                    for (int i = 0; i < 4; i++) {
                        rest += in.readLine() + " ";
                    }
                    primary.setSoTimeout(500);
                    return rest;
                }
                default -> {
                    // Lengths and arguments.
                }
            }
        }
        throw new IOException("it has gone");
    }

    private static void answer(Socket primary, String text) throws IOException {
        primary.getOutputStream().write((text + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The answer was lost, and what took over has another history by now: two primaries must not be the end of it. */
    @Test
    void shouldFollowWhatIsAPrimaryAlready() throws IOException {
        attach();
        acknowledge();
        assertEquals("+OK", client.run("FAILOVER TIMEOUT 10000"));
        try (Socket first = accept()) {
            assertTrue(greet(first).contains(id));
        }
        try (Socket second = accept()) {
            greet(second);
            answer(second, "-ERR PSYNC FAILOVER can't be sent to a master.");
            try (Socket third = accept()) {
                greet(third);
                answer(third, "+CONTINUE " + "b".repeat(40));
                await("master_link_status:up");
                await("role:slave");
                await("master_failover_state:no-failover");
                assertEquals("-READONLY You can't write against a read only replica.", client.run("SET k v"));
            }
        }
    }

    /** One that has just come back may still be handing over to this server. */
    @Test
    void shouldNotHandOverToOneThatHasNotSaidThatItFollows() throws IOException {
        attach();
        acknowledge();
        try (RespClient again = server.client()) {
            again.send("REPLCONF listening-port " + target.getLocalPort() + "\r\nPSYNC " + id + " " + (offset + 1)
                + "\r\n");
            assertEquals("+OK", again.readLine());
            assertEquals("+CONTINUE", again.readLine());
            replica.close();
            await("connected_slaves:1");
            assertEquals("+OK", client.run("FAILOVER TIMEOUT 10000"));
            assertTrue(client.run("INFO replication").contains("master_failover_state:waiting-for-sync"));
            again.send("REPLCONF ACK " + offset + "\r\n");
            await("master_failover_state:failover-in-progress");
        }
    }
}
