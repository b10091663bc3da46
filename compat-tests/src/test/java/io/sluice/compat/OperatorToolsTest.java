package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators watch servers with: Debian's redis_exporter, iredis, RedisInsight's commands, MONITOR. */
final class OperatorToolsTest {
    private static final Path HERE = Path.of("src/test/resources");

    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer();

    private RespClient client;

    @BeforeEach
    void connect() {
        client = SERVER.connect();
        client.call("FLUSHALL");
        client.call("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void shouldBeScrapedByTheRedisExporterWithoutAnError() throws Exception {
        client.line("CL.THROTTLE limited 0 1 60");
        client.line("CL.THROTTLE limited 0 1 60");
        client.line("SET forever 1");
        client.line("SELECT 3");
        client.line("SET other 1 EX 1000");
        client.line("GET missing");
        client.line("NOPE");
        int port = ServerProcess.freePort();
        Process exporter = new ProcessBuilder("prometheus-redis-exporter", "-redis.addr",
            "redis://127.0.0.1:" + SERVER.port(), "-web.listen-address", "127.0.0.1:" + port, "-include-system-metrics",
            "-export-client-list", "-check-keys", "db0=*")
            .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            Map<String, String> metrics = scrape(port);
            assertEquals("0", metrics.get("redis_exporter_last_scrape_error{err=\"\"}"), metrics.toString());
            assertEquals("1", metrics.get("redis_up"));
            assertEquals("2", metrics.get("redis_db_keys{db=\"db0\"}"));
            assertEquals("1", metrics.get("redis_db_keys_expiring{db=\"db0\"}"));
            assertEquals("1", metrics.get("redis_db_keys{db=\"db3\"}"));
            assertEquals("2", metrics.get("redis_commands_total{cmd=\"cl.throttle\"}"));
            assertEquals("1", metrics.get("redis_keyspace_hits_total"));
            assertEquals("2", metrics.get("redis_keyspace_misses_total"));
            assertEquals("10000", metrics.get("redis_config_maxclients"));
            assertTrue(Double.parseDouble(metrics.get("redis_memory_max_bytes")) > 0);
            assertTrue(Double.parseDouble(metrics.get("redis_memory_used_bytes")) > 0);
            assertTrue(metrics.keySet().stream().anyMatch(name -> name.startsWith("redis_instance_info{")
                && name.contains("redis_mode=\"standalone\"")), metrics.keySet().toString());
            assertTrue(metrics.containsKey("redis_slowlog_length"));
            assertTrue(metrics.keySet().stream().anyMatch(name -> name.startsWith("redis_connected_clients_details{")
                && name.contains("name=\"redis_exporter\"")), metrics.keySet().toString());
        } finally {
            exporter.destroy();
            exporter.waitFor();
        }
    }

    /** Samples by name and labels. */
    private static Map<String, String> scrape(int port) {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
        Map<String, String> samples = new HashMap<>();
        Await.until("the exporter", Duration.ofSeconds(30), () -> {
            try {
                samples.clear();
                http.send(request, HttpResponse.BodyHandlers.ofString()).body().lines()
                    .filter(line -> !line.startsWith("#")).forEach(line -> samples.put(
                        line.substring(0, line.lastIndexOf(' ')), line.substring(line.lastIndexOf(' ') + 1)));
                return samples.containsKey("redis_up");
            } catch (IOException e) {
                return false;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return samples;
    }

    @Test
    void shouldBeUsedFromIredis() {
        for (String[] each : new String[][] {
            {"PING", "PONG"}, {"SET k v", "OK"}, {"GET k", "v"}, {"CL.THROTTLE l 4 1 60", "4"},
            {"CLIENT LIST", "cmd=client|list"}, {"INFO", "redis_version:"}}) {
            String output = Programs.tryRun(HERE, (each[0] + "\n").getBytes(StandardCharsets.US_ASCII), "iredis", "-p",
                Integer.toString(SERVER.port())).output();
            assertTrue(output.contains(each[1]), each[0] + ": " + output);
        }
    }

    /** As in the table of what tools send: an answer, or one clean error where RedisInsight expects one. */
    @ParameterizedTest
    @ValueSource(strings = {"INFO", "MODULE LIST", "CONFIG GET databases", "CONFIG GET io-threads", "CLIENT LIST",
        "DBSIZE", "SCAN 0 COUNT 100", "TYPE k", "TTL k", "MEMORY USAGE k", "SLOWLOG GET 10", "SLOWLOG RESET",
        "LATENCY LATEST", "LATENCY DOCTOR", "LATENCY HISTOGRAM", "COMMAND INFO get", "COMMAND DOCS get",
        "MEMORY DOCTOR", "MEMORY STATS", "MEMORY PURGE", "MEMORY MALLOC-STATS", "OBJECT ENCODING k",
        "OBJECT REFCOUNT k", "OBJECT IDLETIME k", "CLIENT TRACKINGINFO", "CLIENT INFO", "LATENCY HELP",
        "MEMORY HELP", "SLOWLOG HELP", "HOTKEYS GET", "COMMAND GETKEYSANDFLAGS GET k", "RL.TOP DENIED", "RL.STATS",
        "RL.INSPECT k"})
    void shouldAnswerWhatDashboardsAsk(String command) {
        client.line("CL.THROTTLE k 4 1 60");
        String reply = client.raw(command.split(" "));
        assertFalse(reply.startsWith("-"), command + " answers " + reply);
        client.line("HELLO 3");
        reply = client.raw(command.split(" "));
        assertFalse(reply.startsWith("-"), command + " answers " + reply);
    }

    @Test
    void shouldShowCommandsToRedisCliMonitor() throws Exception {
        Process monitor = new ProcessBuilder("timeout", "60", "stdbuf", "-oL", "redis-cli", "-p",
            Integer.toString(SERVER.port()), "MONITOR").redirectErrorStream(true).start();
        try (var lines = monitor.inputReader()) {
            assertEquals("OK", lines.readLine());
            client.line("SET k v");
            String line = lines.readLine();
            assertTrue(line.matches("\\d+\\.\\d{6} \\[0 127\\.0\\.0\\.1:\\d+] \"SET\" \"k\" \"v\""), line);
        } finally {
            monitor.destroy();
            monitor.waitFor();
        }
    }

    @Test
    void shouldStopShowingToAWatcherThatDoesNotRead() {
        try (RespClient watcher = SERVER.connect()) {
            assertEquals("OK", watcher.line("MONITOR"));
            client.call("CONFIG", "SET", "client-output-buffer-limit", "normal 1mb 0 0");
            String value = "v".repeat(500_000);
            Await.until("the watcher to be closed", Duration.ofSeconds(30), () -> {
                client.call("SET", "k", value);
                return !client.line("CLIENT LIST").toString().contains(" flags=O ");
            });
            client.call("CONFIG", "SET", "client-output-buffer-limit", "normal 16mb 0 0");
            String info = client.line("INFO stats").toString();
            assertTrue(info.contains("\r\nclient_output_buffer_limit_disconnections:1\r\n"), info);
            assertEquals(List.of(), client.line("RL.TOP DENIED"));
        }
    }
}
