package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is what one gets: its sessions, of redis-cli and of a shell, where so marked, are typed. */
final class ReadmeTest {
    private static final Path README = Path.of(System.getProperty("sluice.root"), "README.md");
    private static final Pattern SHELL = Pattern.compile("<!-- shell -->\n```\n(.*?)```\n", Pattern.DOTALL);
    /** A command and what it prints. */
    private static final Pattern STEP = Pattern.compile("^\\$ (.*)\n((?:(?!\\$ ).*\n)*)", Pattern.MULTILINE);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern SESSION = Pattern.compile("<!-- session -->\n```[a-z]*\n(.*?)```\n", Pattern.DOTALL);
    private static final String PROMPT = "127.0.0.1:6379> ";
    /** The first nanosecond of a day, so that windows have just begun. */
    private static final String MIDNIGHT_NS = "1699920000000000000";

    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--enable-debug-command", "yes");

    @Test
    void shouldPrintWhatTheReadmeShows() throws IOException {
        List<String> sessions = SESSION.matcher(Files.readString(README)).results()
            .map(session -> session.group(1)).toList();
        assertFalse(sessions.isEmpty(), "no session is marked in the README");
        redisCli("DEBUG CLOCK " + MIDNIGHT_NS);
        for (String session : sessions) {
            assertEquals(session, retype(session));
        }
    }

    /** Servers begin in the background; whoever types the rest would wait until they are there. */
    @Test
    void shouldDeployWithAReplicaAsTheReadmeShows(@TempDir Path directory) throws IOException {
        Files.createSymbolicLink(directory.resolve("bin"), SluiceServer.home().resolve("bin"));
        String session = SHELL.matcher(Files.readString(README)).results().findFirst().orElseThrow().group(1)
            .replace("6379", Integer.toString(ServerProcess.freePort()))
            .replace("6380", Integer.toString(ServerProcess.freePort()));
        List<Process> servers = new ArrayList<>();
        try {
            for (MatchResult step : STEP.matcher(session).results().toList()) {
                String command = step.group(1);
                if (command.endsWith("&")) {
                    servers.add(background(directory, command.substring(0, command.length() - 1)));
                } else {
                    assertPrints(step.group(2), directory, command);
                }
            }
        } finally {
            servers.forEach(Process::destroyForcibly);
        }
        assertEquals(2, servers.size());
    }

    private static Process background(Path directory, String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec " + command).directory(directory.toFile())
            .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    private static void assertPrints(String expected, Path directory, String command) {
        // Into a pipe of its own redis-cli prints what it prints into this one.
        String typed = command.contains("|") ? command : command.replace("redis-cli", "redis-cli --no-raw");
        List<String> printed = new ArrayList<>();
        Await.until(command, PATIENCE, () -> {
            printed.add(Programs.tryRun(directory, new byte[0], "sh", "-c", typed).output());
            return !printed.get(printed.size() - 1).matches("(?s).*(Could not connect|LOADING|READONLY).*");
        });
        assertEquals(expected, printed.get(printed.size() - 1), command);
    }

    /** Types the commands of a session. Returns the session that comes out. */
    private static String retype(String session) {
        List<String> commands = new ArrayList<>();
        Pattern.compile("^" + Pattern.quote(PROMPT) + "(.*)\n", Pattern.MULTILINE).matcher(session).results()
            .map((MatchResult line) -> line.group(1)).forEach(commands::add);
        StringBuilder shown = new StringBuilder();
        for (String command : commands) {
            shown.append(PROMPT).append(command).append('\n').append(redisCli(command));
        }
        return shown.toString();
    }

    private static String redisCli(String line) {
        return Programs.tryRun(Path.of("."), (line + "\n").getBytes(StandardCharsets.UTF_8), "redis-cli", "-p",
            Integer.toString(SERVER.port()), "--no-raw").output();
    }
}
