package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starting and stopping the server, and what it says where it cannot start. */
final class LifecycleTest {
    private static final Path HERE = Path.of(".");

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
    void shouldRefuseADataFolderThatCannotBe() throws IOException {
        Path file = Files.createTempFile(Path.of("target"), "no-folder", "");
        String folder = file.toAbsolutePath().resolve("data").toString();
        String message = refusal("--dir", folder);
        assertTrue(message.contains(folder), message);
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
