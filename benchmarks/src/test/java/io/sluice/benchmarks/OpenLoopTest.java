package io.sluice.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
    private static final String PING = RequestTemplate.encode("PING");

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void shouldAnswerForEveryRequestDueAfterTheWarmUp() throws IOException {
        serve("+PONG\r\n");
        OpenLoop.Result result = OpenLoop.run(options(3, 2000, 100, "PING"));
        assertEquals(200, result.latencyNs().getTotalCount());
        assertEquals(0, result.unanswered());
        assertEquals(0, result.errors());
        assertTrue(result.toString().contains("requests=200 "));
    }

    @Test
    void shouldCountErrors() throws IOException {
        serve("-ERR no\r\n");
        OpenLoop.Result result = OpenLoop.run(options(1, 1000, 0, "PING"));
        assertEquals(100, result.errors());
        assertEquals("-ERR no", result.firstError());
    }

    @Test
    void shouldWaitForEveryReplyOfARequest() throws IOException {
        serve("+PONG\r\n");
        OpenLoop.Result result = OpenLoop.run(options(2, 1000, 0, "PING", "PING"));
        assertEquals(100, result.latencyNs().getTotalCount());
        assertEquals(0, result.unanswered());
    }

    @Test
    void shouldFailWhenTheServerClosesAConnection() throws IOException {
        Thread closer = new Thread(() -> {
            try {
                server.accept().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        closer.start();
        assertThrows(IOException.class, () -> OpenLoop.run(options(1, 1000, 0, "PING")));
    }

    /** Answers every 14 bytes, which a PING takes, on every connection until it is closed. */
    private void serve(String reply) {
        Thread acceptor = new Thread(() -> {
            try {
                while (true) {
                    Socket socket = server.accept();
                    Thread answerer = new Thread(() -> answer(socket, reply.getBytes(StandardCharsets.US_ASCII)));
                    answerer.setDaemon(true);
                    answerer.start();
                }
            } catch (IOException e) {
                assertTrue(server.isClosed());
            }
        });
        acceptor.setDaemon(true);
        acceptor.start();
    }

    private static void answer(Socket socket, byte[] reply) {
        try (socket) {
            while (socket.getInputStream().readNBytes(PING.length()).length == PING.length()) {
                socket.getOutputStream().write(reply);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private OpenLoopOptions options(int connections, long rate, long warmupMs, String... commands) {
        return new OpenLoopOptions(
            new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), connections, rate,
            TimeUnit.MILLISECONDS.toNanos(warmupMs), TimeUnit.MILLISECONDS.toNanos(100), 1, 1, List.of(commands));
    }
}
