package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus' own tool reads what the server shows, the alert rules, and what the dashboard asks for. */
final class PrometheusTest {
    private static final Path DEPLOYED = SluiceServer.home().resolve("deploy/prometheus");

    @TempDir
    private Path folder;

    private String promtool(String input, String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "promtool";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Programs.Result result = Programs.tryRun(folder, input.getBytes(StandardCharsets.UTF_8), command);
        assertEquals(0, result.exitCode(), result.output());
        return result.output();
    }

    @Test
    void shouldShowMetricsInWhichPrometheusFindsNothingToMend() throws IOException, InterruptedException {
        int port = ServerProcess.freePort();
        try (SluiceServer server = new SluiceServer("--metrics-port", Integer.toString(port))) {
            server.start();
            try (RespClient client = server.connect()) {
                client.line("CL.THROTTLE k 1 1 60");
                client.line("NOPE");
                client.line("CLIENT LIST");
            }
            String text = HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString()).body();
            assertTrue(text.contains("ratelimit_decisions_total"), text);
            assertEquals("", promtool(text, "check", "metrics"));
        }
    }

    @Test
    void shouldAlertOnWhatItIsMeantTo() throws IOException {
        Files.copy(DEPLOYED.resolve("alerts.yaml"), folder.resolve("alerts.yaml"));
        Files.copy(Path.of("src/test/resources/alerts-test.yaml"), folder.resolve("test.yaml"));
        assertTrue(promtool("", "check", "rules", "alerts.yaml").contains("SUCCESS"));
        assertTrue(promtool("", "test", "rules", "test.yaml").contains("SUCCESS"));
    }

    @Test
    void shouldAskOnTheDashboardForWhatPrometheusUnderstands() throws IOException {
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
        String dashboard = Files.readString(DEPLOYED.resolve("grafana-dashboard.json"));
        int count = 0;
        for (JsonElement panel : JsonParser.parseString(dashboard).getAsJsonObject().getAsJsonArray("panels")) {
            for (JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
                String expression = target.getAsJsonObject().get("expr").getAsString()
                    .replace("$__rate_interval", "5m").replace("$instance", ".*");
                rules.append("      - record: panel").append(count++).append("\n        expr: >-\n          ")
                    .append(expression).append('\n');
            }
        }
        Files.writeString(folder.resolve("rules.yaml"), rules);
        String output = promtool("", "check", "rules", "rules.yaml");
        assertTrue(output.contains("SUCCESS: " + count + " rules found"), output);
    }
}
