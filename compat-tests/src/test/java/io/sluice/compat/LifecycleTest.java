package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starting and stopping the server, and what it says where it cannot start. */
final class LifecycleTest {
    private static final Path HERE = Path.of(".");
    private static final Duration WAIT_MAX = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void shouldEndWithSuccessOnASignal(String signal) {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            Programs.run(HERE, "kill", "-s", signal, Long.toString(server.pid()));
            assertEquals(0, server.awaitExit());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHUTDOWN", "SHUTDOWN NOSAVE", "SHUTDOWN SAVE"})
    void shouldEndWithSuccessOnShutdown(String command) {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            try (RespClient client = server.connect()) {
                client.send(command + "\r\n");
                assertTrue(client.isClosedByServer());
            }
            assertEquals(0, server.awaitExit());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHUTDOWN NOSAVE", "SHUTDOWN SAVE FORCE", "TERM"})
    void shouldEndAfterSnapshotsThatCouldNotBeWritten(String end) throws IOException {
        try (SluiceServer server = new SluiceServer("--save", "3600", "1")) {
            server.start();
            // A folder in the way of the file, since root may write anywhere.
            Files.createFile(Files.createDirectory(server.dir().resolve("dump.rdb")).resolve("in-the-way"));
            try (RespClient client = server.connect()) {
                client.line("SET k v");
                assertTrue(client.raw("SAVE").startsWith("-ERR"));
                assertEquals(RespValue.failure("ERR Errors trying to SHUTDOWN. Check logs."), client.line("SHUTDOWN"));
                assertEquals("Background saving started", client.line("BGSAVE"));
                Await.until("the end of BGSAVE", WAIT_MAX, () -> client.call("INFO", "persistence").toString()
                    .contains("rdb_bgsave_in_progress:0"));
                assertEquals("v", client.line("GET k"));
                assertEquals("Background saving started", client.line("BGSAVE"));
                end(server, client, end);
            }
            assertEquals(0, server.awaitExit());
            server.start();
            try (RespClient client = server.connect()) {
                assertEquals("v", client.line("GET k"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHUTDOWN NOSAVE", "TERM", "KILL"})
    void shouldEndWhileAScriptIsBusyAndHaveWhatItWrote(String end) {
        try (SluiceServer server = new SluiceServer("--busy-reply-threshold", "20")) {
            server.start();
            try (RespClient runner = server.connect(); RespClient other = server.connect()) {
                other.line("CL.THROTTLE limit 9 10 1000000 4");
                runner.send(RespClient.command("EVAL", "redis.call('SET', 'k', 'v') while true do end", "0"));
                Await.until("a script that is busy", WAIT_MAX, () -> other.raw("PING").startsWith("-BUSY"));
                end(server, other, end);
            }
            assertEquals(end.equals("KILL") ? 128 + 9 : 0, server.awaitExit());
            server.start();
            try (RespClient client = server.connect()) {
                assertEquals("v", client.line("GET k"));
                assertEquals(6L, ((List<?>) client.line("CL.THROTTLE limit 9 10 1000000 0")).get(2));
            }
        }
    }

    private static void end(SluiceServer server, RespClient client, String how) {
        if (how.startsWith("SHUTDOWN")) {
            client.send(how + "\r\n");
        } else {
            Programs.run(HERE, "kill", "-s", how, Long.toString(server.pid()));
        }
    }

    @Test
    void shouldWriteNothingToStandardErrorAndNoWarning() {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            try (RespClient client = server.connect()) {
                client.line("CL.THROTTLE k 1 1 60");
                client.line("NOSUCH");
                client.line("INFO ALL");
            }
            assertEquals(0, server.stop());
            assertEquals("", server.stderr());
            assertFalse(server.stdout().contains("WARN"), server.stdout());
            assertFalse(server.stdout().contains("Exception"), server.stdout());
        }
    }

    @Test
    void shouldKeepEveryKeyOverARestart() {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            try (RespClient client = server.connect()) {
                client.line("CL.THROTTLE limit 9 10 1000000 4");
                client.line("RL.BUCKET bucket 10 1 1000000 7");
                client.line("SET text hello EXAT 4102444800");
                client.line("SELECT 5");
                client.line("INCR n");
            }
            assertEquals(0, server.stop());
            server.start();
            try (RespClient client = server.connect()) {
                assertEquals(6L, ((List<?>) client.line("CL.THROTTLE limit 9 10 1000000 0")).get(2));
                assertEquals(3L, ((List<?>) client.line("RL.BUCKET bucket 10 1 1000000 0")).get(2));
                assertEquals("hello", client.line("GET text"));
                assertEquals(4102444800L, client.line("EXPIRETIME text"));
                assertEquals(3L, client.line("DBSIZE"));
                client.line("SELECT 5");
                assertEquals("1", client.line("GET n"));
            }
        }
    }

    @Test
    void shouldRefuseDataThatAnotherServerHasOpen() {
        try (SluiceServer first = new SluiceServer()) {
            first.start();
            String message = refusal("--dir", first.dir().toString());
            assertTrue(message.contains(first.dir().toString()), message);
            assertTrue(message.contains("in use by process " + first.pid()), message);
            try (RespClient client = first.connect()) {
                assertEquals("PONG", client.call("PING"));
            }
        }
    }

    @Test
    void shouldRefuseDamagedDataAndLeaveItAsItIs() throws IOException {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            try (RespClient client = server.connect()) {
                client.line("SET k v");
            }
            server.stop();
            Path file = server.dir().resolve("keyspace-small-0.map");
            byte[] half = Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) / 2);
            Files.write(file, half);
            server.launch();
            assertEquals(65, server.awaitExit());
            assertTrue(server.stdout().contains("keyspace-small-0.map"), server.stdout());
            assertFalse(server.stdout().contains("\tat "), server.stdout());
            assertArrayEquals(half, Files.readAllBytes(file));
        }
    }

    @Test
    void shouldRefuseADamagedSnapshotAndLeaveItAsItIs() throws IOException {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            try (RespClient client = server.connect()) {
                client.call("SET", "k", "v".repeat(1000));
                assertEquals("OK", client.line("SAVE"));
            }
            server.kill();
            try (Stream<Path> files = Files.list(server.dir())) {
                for (Path file : files.filter(each -> each.getFileName().toString().startsWith("keyspace")).toList()) {
                    Files.delete(file);
                }
            }
            Path file = server.dir().resolve("dump.rdb");
            byte[] damaged = Files.readAllBytes(file);
            damaged[damaged.length / 2] ^= 1;
            Files.write(file, damaged);
            for (int i = 0; i < 2; i++) {
                server.launch();
                assertEquals(65, server.awaitExit());
            }
            assertTrue(server.stdout().contains(file.toString()), server.stdout());
            assertFalse(server.stdout().contains("\tat "), server.stdout());
            assertArrayEquals(damaged, Files.readAllBytes(file));
        }
    }

    @Test
    void shouldStopOnAnInterruptAlsoWhereAShellStartedItInTheBackground() {
        try (WrappedServer server = new WrappedServer("trap '' INT")) {
            server.start();
            Programs.run(HERE, "kill", "-s", "INT", Long.toString(server.pid()));
            assertEquals(0, server.awaitExit());
        }
    }

    @Test
    void shouldNameAMissingConfigurationFileOnce() {
        Programs.Result result = launcher("/nowhere/sluice.conf");
        assertEquals(1, result.exitCode());
        assertTrue(result.output().endsWith(
            "\nCan't open config file '/nowhere/sluice.conf': No such file or directory\n"), result.output());
    }

    @Test
    void shouldCheckAConfigurationWithoutStarting() throws IOException {
        Path users = Files.createTempFile(Path.of("target"), "users", ".acl").toAbsolutePath();
        Path file = Files.createTempFile(Path.of("target"), "checked", ".conf").toAbsolutePath();
        Files.writeString(file, "port 7000\naclfile " + users + "\n");
        Files.writeString(users, "user shop on nopass ~shop:* +@throttle\n");
        String valid = "Configuration is valid.\n";
        assertEquals(new Programs.Result(0, valid), launcher(file.toString(), "--check-config"));
        assertEquals(new Programs.Result(0, valid), launcher("--check-config", file.toString(), "--port", "7001"));
        assertEquals(new Programs.Result(0, valid), launcher("--check-config"));
        assertEquals(new Programs.Result(0, "These directives of Redis have no meaning here and are ignored: "
            + "activerehashing\n" + valid), launcher("--activerehashing", "no", "--check-config"));

        Files.writeString(users, "user shop on nopass ~shop:* +@throttle\nuser other +nosuch\n");
        Programs.Result result = launcher(file.toString(), "--check-config");
        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains(users + ":2: Error in applying operation '+nosuch'"), result.output());
        Files.delete(users);
        result = launcher("--check-config", file.toString());
        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains("'" + users + "': No such file or directory"), result.output());
    }

    @ParameterizedTest
    @CsvSource({"--user shop on +nosuch, user 'shop': rule '+nosuch'", "--tls-port 7001, tls-ca-cert-file",
        "--rename-command nosuch other, there is no command nosuch", "--maxclients many, maxclients many",
        "--io-transport nosuch, io-transport nosuch"})
    void shouldSayInACheckWhatAStartWouldRefuse(String options, String said) {
        List<String> words = new ArrayList<>(List.of(options.split(" ")));
        words.add("--check-config");
        Programs.Result result = launcher(words.toArray(String[]::new));
        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains(said), result.output());
        assertFalse(result.output().contains("\tat "), result.output());
    }

    private static Programs.Result launcher(String... arguments) {
        List<String> command = new ArrayList<>(List.of(SluiceServer.home().resolve("bin/sluice-server").toString()));
        command.addAll(List.of(arguments));
        return Programs.tryRun(HERE, new byte[0], command.toArray(String[]::new));
    }

    @Test
    void shouldRefuseADataFolderThatCannotBe() throws IOException {
        Path file = Files.createTempFile(Path.of("target"), "no-folder", "");
        String folder = file.toAbsolutePath().resolve("data").toString();
        String message = refusal("--dir", folder);
        assertTrue(message.contains(folder), message);
    }

    @Test
    void shouldStartWithoutAPidfileWhereNoneCanBeWritten() {
        try (SluiceServer server = new SluiceServer("--pidfile", "/nowhere/redis-server.pid")) {
            server.start();
            assertTrue(server.stdout().contains(
                "Cannot write the pidfile /nowhere/redis-server.pid: No such file or directory"), server.stdout());
        }
    }

    @Test
    void shouldRefuseAPortThatIsTaken() {
        try (SluiceServer first = new SluiceServer()) {
            first.start();
            String message = refusal("--port", Integer.toString(first.port()));
            assertTrue(message.contains(Integer.toString(first.port())), message);
        }
    }

    @Test
    void shouldRefuseAnUnknownOption() {
        String message = refusal("--no-such-option", "1");
        assertTrue(message.contains("no-such-option"), message);
    }

    @Test
    void shouldNameTheLineOfAWrongConfigurationFile() throws IOException {
        Path file = Files.createTempFile(Path.of("target"), "wrong", ".conf");
        Files.writeString(file, "# wrong\nport 7000\nmaxclients many\n");
        Programs.Result result = Programs.tryRun(HERE, new byte[0],
            SluiceServer.home().resolve("bin/sluice-server").toString(), file.toString());
        assertNotEquals(0, result.exitCode());
        assertTrue(result.output().contains("line 3"), result.output());
        assertTrue(result.output().contains("maxclients many"), result.output());
    }

    @Test
    void shouldTakeOptionsFromAConfigurationFile() throws IOException {
        Path file = Files.createTempFile(Path.of("target"), "right", ".conf");
        Files.writeString(file, "# from the file\ndatabases 3\nmaxclients 77\n");
        try (SluiceServer server = new SluiceServer(file.toString(), "--databases", "4")) {
            server.start();
            try (RespClient client = server.connect()) {
                assertEquals(List.of("maxclients", "77"), client.line("CONFIG GET maxclients"));
                assertEquals(List.of("databases", "4"), client.line("CONFIG GET databases"));
                assertEquals("OK", client.line("SELECT 3"));
                assertEquals(RespValue.failure("ERR DB index is out of range"), client.line("SELECT 4"));
            }
        }
    }

    /** Starts a server that must not run. Returns what it says, without a stack trace. */
    private static String refusal(String... options) {
        try (SluiceServer server = new SluiceServer(options)) {
            server.launch();
            assertNotEquals(0, server.awaitExit());
            String message = server.stdout() + server.stderr();
            assertFalse(message.contains("\tat "), message);
            return message;
        }
    }
}
