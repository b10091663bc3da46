package io.sluice.server;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MetricsTest {
    private TestServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        port = TestServer.freePort();
        server = new TestServer("--metrics-port", Integer.toString(port));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** An answer: its status line, its headers in lower case, its body. */
    private record Answer(String status, Map<String, String> headers, String body) {
    }

    private Answer ask(String request) throws IOException {
        return ask(port, request);
    }

    private static Answer ask(int port, String request) throws IOException {
        try (RespClient http = new RespClient(port)) {
            http.send(request);
            return read(http);
        }
    }

    private static Answer read(RespClient http) throws IOException {
        String status = http.readLine();
        if (status == null) {
            return null;
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = http.readLine(); !line.isEmpty(); line = http.readLine()) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(java.util.Locale.ROOT), line.substring(colon + 2));
        }
        StringBuilder body = new StringBuilder();
        int left = Integer.parseInt(headers.get("content-length"));
        while (left > 0) {
            String line = http.readLine();
            body.append(line).append('\n');
            left -= line.length() + 1;
        }
        return new Answer(status, headers, body.toString());
    }

    private Answer get(String path) throws IOException {
        return get(port, path);
    }

    private static Answer get(int port, String path) throws IOException {
        return ask(port, "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    @Test
    void shouldTellWhetherItIsReadyAndThatItIsAlive() throws IOException {
        assertEquals("HTTP/1.1 200 OK", get("/healthz").status());
        assertEquals("HTTP/1.1 503 Service Unavailable", get("/readyz").status());
        assertEquals("loading\n", get("/readyz").body());
        server.open();
        assertEquals("HTTP/1.1 200 OK", get("/readyz?verbose").status());
    }

    @Test
    void shouldShowTheCountersAsPrometheusReadsThem() throws IOException {
        server.open();
        try (RespClient client = server.client()) {
            client.run("CL.THROTTLE secret-key 0 1 60");
            client.run("CL.THROTTLE secret-key 0 1 60");
            client.run("RL.FIXED f 5 60 3");
            client.run("NOPE");
            client.run("INFO");
        }
        server.clock().advanceMs(1_000);
        Answer answer = get("/metrics");
        assertTrue(answer.headers().get("content-type").startsWith("text/plain; version=0.0.4"));
        List<String> lines = new ArrayList<>(List.of(answer.body().split("\n")));
        for (String expected : List.of(
                "ratelimit_decisions_total{algorithm=\"gcra\",result=\"allowed\"} 1.0",
                "ratelimit_decisions_total{algorithm=\"gcra\",result=\"denied\"} 1.0",
                "ratelimit_cost_total{algorithm=\"fixed\"} 3.0",
                "ratelimit_decision_seconds_count{command=\"cl.throttle\"} 2",
                "ratelimit_keys{algorithm=\"fixed\"} 1.0",
                "sluice_db_keys{db=\"db0\"} 2.0",
                "sluice_commands_total{command=\"rl.fixed\"} 1.0",
                "sluice_errors_total{code=\"ERR\"} 1.0",
                "sluice_role{role=\"primary\"} 1.0",
                "sluice_uptime_seconds 1.0",
                "# TYPE ratelimit_decisions_total counter")) {
            assertTrue(lines.contains(expected), expected + " in\n" + answer.body());
        }
        assertFalse(answer.body().contains("secret-key"));
    }

    @Test
    void shouldBeReadyAsAReplicaOnceItFollowsItsPrimary(@TempDir Path dir) throws IOException {
        int ofReplica = TestServer.freePort();
        // The primary is still loading, and sends nobody away but with an error.
        try (TestServer replica = new TestServer("--metrics-port", Integer.toString(ofReplica), "--replicaof",
                "127.0.0.1 " + server.port(), "--dir", dir.toString(), "--repl-timeout", "1000000").open()) {
            assertEquals("no link to the primary\n", get(ofReplica, "/readyz").body());
            assertTrue(get(ofReplica, "/metrics").body().contains("\nsluice_primary_link_up 0.0\n"));
            server.open();
            try (RespClient client = server.client()) {
                // The clocks may run far ahead of the threads: a sync that is given up would be counted twice.
                assertEquals("+OK", client.run("CONFIG SET repl-timeout 1000000"));
            }
            do {
                server.clock().advanceMs(100);
                replica.clock().advanceMs(1_000);
            } while (!get(ofReplica, "/readyz").body().equals("ok\n"));
            String metrics = get(ofReplica, "/metrics").body();
            assertTrue(metrics.contains("\nsluice_primary_link_up 1.0\n"), metrics);
            assertTrue(metrics.contains("\nsluice_role{role=\"replica\"} 1.0\n"), metrics);
        }
        server.clock().advanceMs(1_000);
        String metrics = get("/metrics").body();
        assertTrue(metrics.contains("\nsluice_syncs_total{kind=\"full\"} 1.0\n"), metrics);
        assertFalse(metrics.contains("sluice_primary_link_up"), metrics);
    }

    @Test
    void shouldServeManyRequestsOfOneConnection() throws IOException {
        try (RespClient http = new RespClient(port)) {
            for (int i = 0; i < 3; i++) {
                http.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals("ok\n", read(http).body());
            }
            http.send("HEAD /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertEquals("HTTP/1.1 200 OK", http.readLine());
            while (!http.readLine().isEmpty()) {
                continue;
            }
            assertNull(http.readLine());
        }
    }

    @Test
    void shouldAnswerRequestsThatComeAtOnceInTheirOrder() throws IOException {
        int rounds = 1_000;
        String three = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n\r\n"
                + "GET /none HTTP/1.1\r\nHost: x\r\n\r\n";
        try (RespClient http = new RespClient(port)) {
            http.send(three.repeat(rounds) + "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + three);
            for (int i = 0; i < rounds; i++) {
                assertEquals("ok\n", read(http).body());
                assertEquals("loading\n", read(http).body());
                assertEquals("HTTP/1.1 404 Not Found", read(http).status());
            }
            Answer last = read(http);
            assertEquals("ok\n", last.body());
            assertEquals("close", last.headers().get("connection"));
            assertNull(http.readLine());
        }
    }

    @Test
    void shouldRefuseWhatItDoesNotServeAndWhatIsNoHttp() throws IOException {
        assertEquals("HTTP/1.1 404 Not Found", get("/").status());
        assertEquals("HTTP/1.1 405 Method Not Allowed",
                ask("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc").status());
        assertEquals("HTTP/1.1 400 Bad Request", ask("*1\r\n$4\r\nPING\r\n\r\n").status());
        assertEquals("HTTP/1.1 400 Bad Request", get("/" + "x".repeat(10_000)).status());
        assertEquals("HTTP/1.1 400 Bad Request",
                ask("GET / HTTP/1.1\r\nX: " + "x".repeat(100_000) + "\r\n\r\n").status());
        assertEquals("HTTP/1.1 200 OK", get("/healthz").status());
    }

    @Test
    void shouldTakeABoundedNumberOfConnections() throws IOException {
        List<RespClient> clients = new ArrayList<>();
        int served = 0;
        for (int i = 0; i < 40; i++) {
            RespClient http = new RespClient(port);
            clients.add(http);
            served += isServed(http) ? 1 : 0;
        }
        assertEquals(32, served);
        for (RespClient http : clients) {
            http.close();
        }
        boolean again = false;
        while (!again) {
            try (RespClient http = new RespClient(port)) {
                again = isServed(http);
            }
        }
    }

    private static boolean isServed(RespClient http) {
        try {
            http.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
            return read(http) != null;
        } catch (IOException e) {
            return false;
        }
    }
}
