package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** redis-cli: one command at a time, at a terminal, and its tools. */
final class RedisCliTest {
    private static final Path HERE = Path.of("src/test/resources");

    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--enable-debug-command", "yes");

    @BeforeAll
    static void stopClock() {
        SERVER.stopClock();
    }

    @BeforeEach
    void emptyServer() {
        cli("FLUSHALL");
    }

    @Test
    void shouldPrintRepliesInEitherProtocol() {
        for (String protocol : List.of("-2", "-3")) {
            assertEquals("PONG\n", cli(protocol, "PING"));
            assertEquals("OK\n", cli(protocol, "-n", "3", "SET", "a", "1"));
            assertEquals("(integer) 2\n", cli(protocol, "-n", "3", "--no-raw", "INCR", "a"));
            assertEquals("(nil)\n", cli(protocol, "--no-raw", "GET", "none"));
            assertTrue(cli(protocol, "INFO", "server").contains("\nredis_version:"));
            assertEquals("ERR value is not an integer or out of range\n\n", cli(protocol, "SETRANGE", "a", "x", "y"));
        }
    }

    @Test
    void shouldPrintTheFiveNumbersOfALimit() {
        assertEquals("1) (integer) 0\n2) (integer) 16\n3) (integer) 15\n4) (integer) -1\n5) (integer) 2\n",
            cli("--no-raw", "CL.THROTTLE", "user123", "15", "30", "60"));
        assertEquals("[0,16,14,-1,4]\n", cli("--json", "CL.THROTTLE", "user123", "15", "30", "60"));
    }

    @Test
    void shouldHintTheArgumentsOfCommandsAtATerminal() {
        Programs.run(HERE, "/usr/bin/python3", "redis_cli_terminal.py", Integer.toString(SERVER.port()),
            "cl.throttle ", "key max_burst count period \\[quantity\\]",
            "\u0015ping\r", "PONG.*> $",
            "multi\r", "OK.*\\(TX\\)> $",
            "cl.throttle k 0 1 60\r", "QUEUED.*\\(TX\\)> $",
            "exec\r", "1\\) 1\\) \\(integer\\) 0.*> $",
            "select 2\r", "\\[2\\]> $");
    }

    @Test
    void shouldExplainCommandsFromTheirDocumentation() {
        String help = plain(script("help cl.throttle\nhelp set\nhelp @string\n"));
        assertTrue(help.contains("CL.THROTTLE key max_burst count period [quantity]\n  summary: "), help);
        assertTrue(help.contains("SET key value ["), help);
        assertTrue(help.contains("GETRANGE key start end\n  summary: "), help);
    }

    @Test
    void shouldRunAScriptOfCommands() {
        assertEquals("OK\nOK\nQUEUED\nQUEUED\n2\n0\n1\n0\n-1\n60\n",
            script("SET a 1\nMULTI\nINCR a\nCL.THROTTLE k 0 1 60\nEXEC\n"));
    }

    @Test
    void shouldLoadABulkOfCommandsByPipe() {
        StringBuilder commands = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            commands.append(i % 2 == 0 ? RespClient.command("SET", "key:" + i, "v") : "INCR sum\r\n");
        }
        String output = tool(commands.toString(), "--pipe");
        assertTrue(output.endsWith("errors: 0, replies: 10000\n"), output);
        assertEquals("5000\n", cli("GET", "sum"));
        assertEquals("5001\n", cli("DBSIZE"));
    }

    @Test
    void shouldScanEveryKeyOnce() {
        StringBuilder sets = new StringBuilder();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            sets.append("SET user:").append(i).append(" v\n");
            names.add("user:" + i);
        }
        script(sets.toString() + "SET other v\n");
        List<String> scanned = cli("--scan", "--pattern", "user:*").lines().toList();
        assertEquals(names.size(), scanned.size());
        assertEquals(Set.copyOf(names), Set.copyOf(scanned));
    }

    @Test
    void shouldFindTheBiggestKeys() {
        script("SET small x\nSET big " + "x".repeat(1000) + "\n"
            + "CL.THROTTLE limit 1 1 1000\nRL.BUCKET bucket 1 1 1000\nHSET hash a 1 b 2\nSADD set 1 2 3\n");
        String biggest = cli("--bigkeys");
        assertTrue(biggest.contains("Sampled 6 keys in the keyspace!"), biggest);
        assertTrue(biggest.contains("Biggest string found '\"big\"' has 1000 bytes"), biggest);
        assertTrue(biggest.contains("Biggest   hash found '\"hash\"' has 2 fields"), biggest);
        assertTrue(biggest.contains("Biggest    set found '\"set\"' has 3 members"), biggest);
        String fattest = cli("--memkeys");
        assertTrue(fattest.contains("Biggest string found '\"big\"' has "), fattest);
    }

    @Test
    void shouldShowRollingStatistics() throws IOException, InterruptedException {
        script("SET a 1\nSET b 1\n");
        Process rolling = new ProcessBuilder("timeout", "60", "stdbuf", "-oL", "redis-cli", "-p",
            Integer.toString(SERVER.port()), "--stat", "-i", "0.1").redirectErrorStream(true).start();
        try (var lines = rolling.inputReader()) {
            lines.readLine();
            String head = lines.readLine();
            assertTrue(head.matches("keys +mem +clients +blocked +requests +connections *"), head);
            String first = lines.readLine();
            assertTrue(first.matches("2 +[0-9.]+[KMG]? +[0-9]+ +0 +[0-9]+ \\(\\+0\\) +[0-9]+ *"), first);
        } finally {
            rolling.destroy();
            rolling.waitFor();
        }
    }

    @Test
    void shouldMeasureLatency() {
        String output = cli("--latency", "--raw", "-i", "0.1");
        assertTrue(output.matches("[0-9]+ [0-9]+ [0-9.]+ [0-9]+\n"), output);
    }

    private static String cli(String... arguments) {
        return tool("", arguments);
    }

    /** Feeds commands, one a line, to standard input. */
    private static String script(String lines) {
        return tool(lines);
    }

    private static String tool(String input, String... arguments) {
        List<String> command = new ArrayList<>(List.of("redis-cli", "-p", Integer.toString(SERVER.port())));
        command.addAll(List.of(arguments));
        return Programs.tryRun(HERE, input.getBytes(StandardCharsets.ISO_8859_1), command.toArray(String[]::new))
            .output();
    }

    /** Removes colours and carriage returns. */
    private static String plain(String text) {
        return text.replaceAll("\u001b\\[[0-9;]*m|\r", "");
    }
}
