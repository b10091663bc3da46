package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What users of Redis-like servers reported as wrong with what tools ask for, and with odd arguments to it, here as it
 * should be.
 */
final class AdminReportsTest {
    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer();

    private RespClient client;

    @BeforeEach
    void connect() {
        client = SERVER.connect();
        client.call("FLUSHALL");
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    // Redis 8988, KVRocks 1599: redis-benchmark warned
    @Test
    void shouldAnswerWhatBenchmarksAskFor() {
        assertEquals(List.of("save", ""), client.line("CONFIG GET save"));
        assertEquals(List.of("appendonly", "no"), client.line("CONFIG GET appendonly"));
        assertEquals(List.of(), client.line("CONFIG GET nosuch"));
        client.line("HELLO 3");
        assertEquals("%1\r\n$10\r\nappendonly\r\n$2\r\nno\r\n", client.raw("CONFIG", "GET", "appendonly"));
        assertEquals("%0\r\n", client.raw("CONFIG", "GET", "nosuch"));
    }

    // Garnet 405, RedisInsight 2058
    @Test
    void shouldGiveTheSectionsOfInfoThatAreAskedFor() {
        assertEquals(List.of("# Server"), sections("INFO server"));
        assertEquals(List.of("# Server", "# Clients"), sections("INFO server clients"));
        assertEquals(List.of("# Server", "# Clients"), sections("INFO SERVER Clients"));
        assertEquals("$0\r\n\r\n", client.raw("INFO", "nosuch"));
        List<String> usual = sections("INFO");
        assertTrue(usual.containsAll(List.of("# Server", "# Clients", "# Memory", "# Persistence", "# Stats",
            "# Replication", "# CPU", "# Keyspace")), usual.toString());
        List<String> all = sections("INFO everything");
        assertTrue(all.containsAll(usual) && all.contains("# Commandstats"), all.toString());
    }

    private List<String> sections(String command) {
        return client.line(command).toString().lines().filter(line -> line.startsWith("# ")).toList();
    }

    // Dragonfly 2312: Sentinel missed fields
    @Test
    void shouldDescribeItsReplication() {
        String info = client.line("INFO replication").toString();
        assertTrue(info.contains("\r\nrole:master\r\n"), info);
        assertTrue(info.contains("\r\nconnected_slaves:0\r\n"), info);
        assertTrue(info.matches("(?s).*\r\nmaster_replid:[0-9a-f]{40}\r\n.*"), info);
        assertTrue(info.matches("(?s).*\r\nmaster_repl_offset:[0-9]+\r\n.*"), info);
    }

    // Dragonfly 4466
    @ParameterizedTest
    @ValueSource(strings = {"SCAN 9223372036854775808 MATCH *11*", "SCAN 18446744073709551615",
        "SCAN 0 COUNT 9223372036854775807"})
    void shouldScanFromAnyCursor(String command) {
        client.line("SET k11 v");
        assertEquals(2, ((List<?>) client.line(command)).size());
        assertEquals("PONG", client.line("PING"));
    }

    // The same
    @ParameterizedTest
    @ValueSource(strings = {"SCAN abc", "SCAN 0 COUNT 0", "SCAN 0 COUNT -1", "SCAN 0 COUNT abc", "SCAN 0 MATCH",
        "SCAN 99999999999999999999999"})
    void shouldRefuseAnOddScan(String command) {
        assertTrue(client.raw(command.split(" ")).startsWith("-ERR "), command);
        assertEquals("PONG", client.line("PING"));
    }

    // Dragonfly 6619 and 6596: odd arguments took the process down
    static Stream<List<String>> oddCommands() {
        return Stream.of("EVALSHA '' 0", "MEMORY", "MEMORY USAGE", "MEMORY USAGE k SAMPLES",
            "MEMORY USAGE k SAMPLES -1",
            "MEMORY USAGE k SAMPLES abc", "MEMORY NOSUCH", "CLIENT", "CLIENT KILL", "CLIENT KILL ID abc",
            "CLIENT KILL ID -1", "CLIENT KILL NOSUCH x", "CLIENT KILL TYPE nosuch", "CLIENT LIST TYPE nosuch",
            "CLIENT LIST ID abc", "CLIENT REPLY nosuch", "CLIENT PAUSE -1", "CLIENT PAUSE abc", "CONFIG", "CONFIG GET",
            "CONFIG SET x", "CONFIG SET", "CONFIG SET nosuch 1", "CONFIG SET maxclients -1", "SLOWLOG",
            "SLOWLOG GET -2", "SLOWLOG GET abc", "SLOWLOG NOSUCH", "LATENCY", "LATENCY HISTORY", "LATENCY NOSUCH",
            "COMMAND NOSUCH", "COMMAND GETKEYS", "COMMAND GETKEYS GET", "COMMAND GETKEYS NOSUCH x", "OBJECT",
            "OBJECT ENCODING", "OBJECT NOSUCH k", "DEBUG", "DEBUG CLOCK", "DEBUG CLOCK 1", "DEBUG SEGFAULT",
            "SELECT 9223372036854775807", "SWAPDB 0 99", "MOVE k 99", "HELLO abc", "HELLO 3 AUTH x",
            "HELLO 3 SETNAME", "AUTH", "AUTH a b c", "RESET x", "LASTSAVE x", "WAIT", "WAIT abc 0",
            "CL.THROTTLE", "CL.THROTTLE k", "CL.THROTTLE k 1 1 1 1 1", "RL.BUCKET k 1 1 nan", "RL.LOG k 1 1 -1",
            "EXPIRE k 9223372036854775807", "SET k v EX 9223372036854775807", "SETRANGE k 9223372036854775807 x",
            "SETRANGE k -1 x", "GETRANGE k", "INCRBY k 9223372036854775808", "COPY k k", "RENAME nosuch k")
            .map(line -> List.of(line.replace("''", "").split(" ", -1)));
    }

    @ParameterizedTest
    @MethodSource("oddCommands")
    void shouldRefuseOddArgumentsAndGoOn(List<String> command) {
        String reply = client.raw(command.toArray(String[]::new));
        assertTrue(reply.matches("-[A-Z]+ [^\r\n]+\r\n"), () -> command + " answers " + reply);
        assertEquals("PONG", client.line("PING"));
    }

    // bitnami 6685: readiness went from PONG back to LOADING
    @Test
    void shouldNotBeReadyBeforeItIs() {
        try (SluiceServer server = new SluiceServer()) {
            server.launch();
            List<Object> answers = new ArrayList<>();
            Await.until("some PONGs", Duration.ofSeconds(60), () -> {
                try (RespClient probe = server.connect()) {
                    answers.add(probe.call("PING"));
                } catch (UncheckedIOException e) {
                    answers.add("refused");
                }
                return answers.stream().filter("PONG"::equals).count() == 20;
            });
            List<Object> once = answers.subList(answers.indexOf("PONG"), answers.size());
            assertTrue(once.stream().allMatch("PONG"::equals), answers.toString());
            assertTrue(answers.stream().allMatch(answer -> answer.equals("PONG") || answer.equals("refused")
                || answer instanceof RespValue.Failure failure && failure.text().startsWith("LOADING ")),
                answers.toString());
        }
    }
}
