package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * The scripts with which pods of deploy/kubernetes start and stop, run as they are there, with two addresses of this
 * machine for two pods.
 */
final class KubernetesTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String FIRST = "127.0.0.1";
    private static final String SECOND = "127.0.0.2";
    private static final int PORT = ServerProcess.freePort();
    private static final String PASSWORD = "pass \"word\\'$HOME";

    @TempDir
    private Path folder;

    private final List<Pod> pods = new ArrayList<>();

    @BeforeEach
    void takeScriptsFromTheManifest() throws IOException {
        String manifests = Files.readString(SluiceServer.home().resolve("deploy/kubernetes/sluice.yaml"));
        for (Object manifest : new Yaml().loadAll(manifests)) {
            if (((Map<?, ?>) manifest).get("kind").equals("ConfigMap")) {
                Map<?, ?> data = (Map<?, ?>) ((Map<?, ?>) manifest).get("data");
                for (String script : List.of("start.sh", "stop.sh")) {
                    Files.writeString(folder.resolve(script), ((String) data.get(script))
                        .replace("/opt/sluice", SluiceServer.home().toString())
                        .replace("/etc/sluice", "$FOLDER")
                        // A pod that is slow here is not gone.
                        .replaceAll("timeout [0-9]+ redis-cli", "timeout 60 redis-cli"));
                }
            }
        }
    }

    @AfterEach
    void stopAll() {
        pods.forEach(Pod::kill);
    }

    /** A pod: an address and a data directory, which outlive its processes. */
    private final class Pod {
        private final String host;
        private final Path data;
        private Process process;

        Pod(String host) throws IOException {
            this.host = host;
            data = Files.createDirectories(folder.resolve(host));
            Files.writeString(data.resolve("sluice.conf"),
                "port " + PORT + "\nbind " + host + "\ndir " + data + "\nrepl-diskless-sync-delay 0\n");
            pods.add(this);
        }

        private ProcessBuilder script(String name) {
            ProcessBuilder builder = new ProcessBuilder("sh", folder.resolve(name).toString());
            builder.environment().putAll(Map.of("SLUICE_PASSWORD", PASSWORD, "SLUICE_POD", host,
                "SLUICE_PODS", FIRST + " " + SECOND, "SLUICE_LISTENS_ON", Integer.toString(PORT), "FOLDER",
                data.toString(), "SLUICE_PORT", "tcp://10.0.0.1:6379", "JAVA_HOME", System.getProperty("java.home")));
            return builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(
                data.resolve("log").toFile()));
        }

        Pod start() throws IOException {
            process = script("start.sh").start();
            Await.until("pod " + host, SOON, () -> ask("PING").equals("PONG\n"));
            return this;
        }

        /** As Kubernetes stops a pod: first the script, then the signal. */
        void stop() throws IOException, InterruptedException {
            assertEquals(0, script("stop.sh").start().waitFor());
            process.destroy();
            assertTrue(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        }

        void kill() {
            process.destroyForcibly();
            process.onExit().join();
        }

        String commandLine() throws IOException {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).replace('\0', ' ');
        }

        String ask(String... words) {
            List<String> command = new ArrayList<>(List.of("redis-cli", "-h", host, "-p", Integer.toString(PORT),
                "--no-auth-warning", "-a", PASSWORD));
            command.addAll(List.of(words));
            return Programs.tryRun(folder, new byte[0], command.toArray(String[]::new)).output();
        }

        void awaitRole(String line) {
            Await.until(host + " to say " + line, SOON,
                () -> ask("INFO", "replication").contains("\n" + line + "\r\n"));
        }
    }

    @Test
    void shouldHandOverBeforeAPodStopsAndFollowWhenItComesBack() throws IOException, InterruptedException {
        Pod first = new Pod(FIRST).start();
        Pod second = new Pod(SECOND).start();
        second.awaitRole("master_link_status:up");
        assertFalse(second.commandLine().contains("pass"), second.commandLine());
        assertEquals("0\n", first.ask("CL.THROTTLE", "k", "4", "1", "1000").substring(0, 2));

        first.stop();
        second.awaitRole("role:master");
        assertEquals("3\n", second.ask("CL.THROTTLE", "k", "4", "1", "1000").lines().skip(2).findFirst()
            .orElseThrow() + "\n");
        first.start();
        first.awaitRole("master_host:" + SECOND);
        first.awaitRole("master_link_status:up");

        // Killed, the primary is the primary again: its replica says so.
        second.kill();
        second.start();
        second.awaitRole("role:master");
        first.awaitRole("master_link_status:up");

        // A replica has nothing to hand over.
        first.stop();
        second.awaitRole("role:master");
    }
}
