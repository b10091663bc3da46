package io.sluice.server;

import com.google.gson.Gson;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigReader;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What is in deploy/ says nothing that is not so. The manifests fit Kubernetes' own model of the objects that we use,
 * and whatever one part names is there in another.
 */
class DeployTest {
    private static final Path DEPLOY = Path.of("..", "deploy");
    private static final Pattern METRIC = Pattern.compile("\\b(?:sluice|ratelimit)_[a-z_]+");

    /** Kubernetes' model of each kind that we use. */
    private static final Map<String, Class<?>> KINDS = Map.of(
        "v1/ConfigMap", V1ConfigMap.class, "v1/Service", V1Service.class,
        "policy/v1/PodDisruptionBudget", V1PodDisruptionBudget.class, "apps/v1/StatefulSet", V1StatefulSet.class);

    private static Map<String, Object> map(Object value) {
        Map<String, Object> map = new HashMap<>();
        ((Map<?, ?>) value).forEach((name, each) -> map.put((String) name, each));
        return map;
    }

    private static Map<String, Object> map(Map<String, Object> parent, String name) {
        assertTrue(parent.containsKey(name), name + " is missing in " + parent.keySet());
        return map(parent.get(name));
    }

    private static List<Map<String, Object>> list(Map<String, Object> parent, String name) {
        List<Map<String, Object>> list = new ArrayList<>();
        ((List<?>) parent.getOrDefault(name, List.of())).forEach(each -> list.add(map(each)));
        return list;
    }

    private static Map<String, Map<String, Object>> manifests() throws IOException {
        Map<String, Map<String, Object>> found = new HashMap<>();
        String text = Files.readString(DEPLOY.resolve("kubernetes/sluice.yaml"));
        for (Object document : new Yaml().loadAll(text)) {
            Map<String, Object> manifest = map(document);
            Map<String, Object> metadata = map(manifest, "metadata");
            found.put(manifest.get("kind") + "/" + metadata.get("name"), manifest);
            assertEquals("sluice", map(metadata, "labels").get("app.kubernetes.io/name"));
        }
        return found;
    }

    private static Map<String, Object> pod() throws IOException {
        return map(map(map(manifests().get("StatefulSet/sluice"), "spec"), "template"), "spec");
    }

    private static Map<String, Object> container() throws IOException {
        List<Map<String, Object>> containers = list(pod(), "containers");
        assertEquals(1, containers.size());
        return containers.get(0);
    }

    @Test
    void shouldFitTheModelOfKubernetes() throws IOException {
        for (Map<String, Object> manifest : manifests().values()) {
            Class<?> kind = KINDS.get(manifest.get("apiVersion") + "/" + manifest.get("kind"));
            assertNotNull(JSON.getGson().fromJson(new Gson().toJson(manifest), kind), manifest.toString());
        }
    }

    @Test
    void shouldNotFitTheModelOfKubernetesWithAFieldThatItDoesNotHave() throws IOException {
        String manifest = new Gson().toJson(manifests().get("StatefulSet/sluice"));
        for (String wrong : List.of(
                manifest.replace("\"periodSeconds\"", "\"periodSecond\""),
                manifest.replace("\"containerPort\":6379", "\"containerPort\":\"redis\""),
                manifest.replace("\"preStop\"", "\"prestop\""),
                manifest.replace("\"image\":\"sluice:latest\"", "\"image\":{}"))) {
            assertThrows(RuntimeException.class, () -> JSON.getGson().fromJson(wrong, V1StatefulSet.class));
        }
    }

    @Test
    void shouldNameInOnePartWhatIsThereInAnother() throws IOException {
        Map<String, Map<String, Object>> manifests = manifests();
        Map<String, Object> set = map(manifests.get("StatefulSet/sluice"), "spec");
        Map<String, Object> labels = map(map(map(set, "template"), "metadata"), "labels");
        assertEquals(labels, map(map(set, "selector"), "matchLabels"));
        assertEquals(labels, map(map(map(manifests.get("PodDisruptionBudget/sluice"), "spec"), "selector"),
            "matchLabels"));
        Map<String, Object> headless = map(manifests.get("Service/" + set.get("serviceName")), "spec");
        assertEquals("None", headless.get("clusterIP"));

        Set<Object> ports = new TreeSet<>();
        list(container(), "ports").forEach(port -> ports.add(port.get("name")));
        for (String service : List.of("Service/sluice", "Service/sluice-pods")) {
            assertEquals(labels, map(map(manifests.get(service), "spec"), "selector"));
            list(map(manifests.get(service), "spec"), "ports").forEach(
                port -> assertTrue(ports.contains(port.get("targetPort")), port.toString()));
        }
        for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
            Map<String, Object> get = map(map(container(), probe), "httpGet");
            assertTrue(ports.contains(get.get("port")) && Set.of("/healthz", "/readyz").contains(get.get("path")));
        }
        Set<Object> volumes = new TreeSet<>();
        list(pod(), "volumes").forEach(volume -> volumes.add(volume.get("name")));
        list(set, "volumeClaimTemplates").forEach(claim -> volumes.add(map(claim, "metadata").get("name")));
        list(container(), "volumeMounts").forEach(
            mount -> assertTrue(volumes.contains(mount.get("name")), mount.toString()));
    }

    @Test
    void shouldGiveThePodRoomForWhatItsSettingsSay() throws Exception {
        Map<String, Object> data = map(manifests().get("ConfigMap/sluice"), "data");
        byte[] text = ((String) data.get("sluice.conf")).getBytes(StandardCharsets.UTF_8);
        Config config = new ConfigReader(new ByteArrayInputStream(text)).read("-");
        long heap = 192L << 20;
        String javaOptions = list(container(), "env").stream().filter(e -> e.get("name").equals("SLUICE_JAVA_OPTS"))
            .map(e -> (String) e.get("value")).findFirst().orElseThrow();
        assertTrue(javaOptions.contains("-Xmx192m"));
        String limit = (String) map(map(container(), "resources"), "limits").get("memory");
        assertEquals("1Gi", limit);
        MemoryPlan plan = MemoryPlan.of(config, 1L << 30, true, heap, heap);
        assertTrue(plan.fits(), plan.toString());
    }

    @Test
    void shouldStartUnderSystemdWhatTheReleaseHolds() throws Exception {
        String unit = Files.readString(DEPLOY.resolve("systemd/sluice.service"));
        assertStartsWhatTheReleaseHolds(unit);
        // What a drop-in says comes behind what the unit says.
        assertStartsWhatTheReleaseHolds(unit + Files.readString(DEPLOY.resolve("systemd/sentinel.conf")));
    }

    private static void assertStartsWhatTheReleaseHolds(String unit) throws Exception {
        Map<String, String> settings = new HashMap<>();
        for (String line : unit.lines().filter(each -> !each.isBlank() && !each.startsWith("#")).toList()) {
            assertTrue(line.matches("\\[[A-Z][a-z]+\\]|[A-Z][A-Za-z]+=.*"), line);
            if (!line.startsWith("[")) {
                settings.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            }
        }
        assertEquals("notify", settings.get("Type"));
        for (String command : List.of("ExecStart", "ExecStartPre")) {
            Path program = Path.of("..", settings.get(command).split(" ")[0].substring("/opt/sluice/".length()));
            assertTrue(Files.isExecutable(program), program.toString());
        }
        Config config = new ConfigReader(new ByteArrayInputStream(new byte[0])).read("--maxmemory", "900mb");
        assertEquals("2G", settings.get("MemoryMax"));
        MemoryPlan plan = MemoryPlan.of(config, 2L << 30, true, 256L << 20, 256L << 20);
        assertTrue(plan.fits(), plan.toString());
    }

    @Test
    void shouldShowAndAlertOnMetricsThatExist() throws Exception {
        Set<String> exposed = exposed();
        for (String file : List.of("prometheus/grafana-dashboard.json", "prometheus/alerts.yaml")) {
            String text = Files.readString(DEPLOY.resolve(file));
            new Yaml().load(text);
            Matcher names = METRIC.matcher(text);
            int count = 0;
            while (names.find()) {
                count++;
                assertTrue(exposed.contains(names.group()), names.group() + " in " + file);
            }
            assertTrue(count > 5, file);
        }
    }

    @Test
    void shouldExplainEveryMetric() throws Exception {
        String manual = Files.readString(Path.of("..", "docs", "OPERATIONS.md"));
        for (String name : exposed()) {
            String base = name.replaceFirst("(decision_seconds)_(bucket|count|sum)$", "$1");
            assertTrue(manual.contains("`" + base + "`"), base + " is not in docs/OPERATIONS.md");
        }
    }

    /** The names of all samples of a server that has done a little of everything. */
    private static Set<String> exposed() throws Exception {
        int port = TestServer.freePort();
        Set<String> names = new TreeSet<>();
        try (TestServer server = new TestServer("--metrics-port", Integer.toString(port), "--maxkeys", "100").open();
                RespClient client = server.client()) {
            client.run("REPLICAOF 127.0.0.1 1");
            names.addAll(scrape(port));
            client.run("REPLICAOF NO ONE");
            server.clock().advanceMs(1_000);
            client.run("CL.THROTTLE k 1 1 60");
            client.run("NOPE");
            names.addAll(scrape(port));
            return names;
        }
    }

    private static Set<String> scrape(int port) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString());
        Set<String> names = new TreeSet<>();
        for (String line : answer.body().split("\n")) {
            Matcher name = METRIC.matcher(line);
            if (!line.startsWith("#") && name.lookingAt()) {
                names.add(name.group());
            }
        }
        return names;
    }
}
