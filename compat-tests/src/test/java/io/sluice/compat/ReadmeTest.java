package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
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
    private static final Pattern SESSION = Pattern.compile("<!-- session -->\n```[a-z]*\n(.*?)```\n", Pattern.DOTALL);
    private static final String PROMPT = "127.0.0.1:6379> ";
    /** The first nanosecond of a day, so that windows have just begun. */
    private static final String MIDNIGHT_NS = "1699920000000000000";
    private static final int COUNT_MAX = 16;

    /** A number by itself in a reply, and what stands before it. */
    private static final Pattern NUMBER = Pattern.compile("(.*\\(integer\\) )([0-9]+)");

    @RegisterExtension
    static final SluiceServer STOPPED = new SluiceServer("--enable-debug-command", "yes");

    @RegisterExtension
    static final SluiceServer RUNNING = new SluiceServer();

    @Test
    void shouldPrintWhatTheReadmeShows() throws IOException {
        redisCli(STOPPED, "DEBUG CLOCK " + MIDNIGHT_NS);
        for (String session : sessions()) {
            assertEquals(session, retype(STOPPED, session));
        }
    }

    /** Each command runs once, right after the one before: as if the block were pasted. */
    @Test
    void shouldDeployWithAReplicaAsTheReadmeShows(@TempDir Path directory) throws IOException, InterruptedException {
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
            for (Process server : servers) {
                // Until it is gone it may write to the directory, which is removed next.
                server.destroyForcibly().waitFor();
            }
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
        assertEquals(expected, Programs.tryRun(directory, new byte[0], "sh", "-c", typed).output(), command);
    }

    @Test
    void shouldDifferByNothingButTheTimeThatHasPassed() throws IOException {
        long beganNs = System.nanoTime();
        for (String session : sessions()) {
            List<String> shown = session.lines().toList();
            List<String> printed = retype(RUNNING, session).lines().toList();
            long passedMs = (System.nanoTime() - beganNs) / 1_000_000 + 1;
            assertEquals(shown.size(), printed.size(), session);
            for (int i = 0; i < shown.size(); i++) {
                assertTrue(sameButForTime(shown.get(i), printed.get(i), passedMs), shown.get(i) + " is "
                    + printed.get(i) + " after " + passedMs + " ms");
            }
        }
    }

    /** Only numbers above what a count here can be are times; small ones must be the same. */
    private static boolean sameButForTime(String shown, String printed, long passedMs) {
        Matcher before = NUMBER.matcher(shown);
        Matcher after = NUMBER.matcher(printed);
        if (shown.equals(printed) || !before.matches() || !after.matches()
                || !before.group(1).equals(after.group(1))) {
            return shown.equals(printed);
        }
        long less = Long.parseLong(before.group(2)) - Long.parseLong(after.group(2));
        return Long.parseLong(before.group(2)) > COUNT_MAX && less >= 0 && less <= passedMs;
    }

    private static List<String> sessions() throws IOException {
        List<String> sessions = SESSION.matcher(Files.readString(README)).results()
            .map(session -> session.group(1)).toList();
        assertFalse(sessions.isEmpty(), "no session is marked in the README");
        return sessions;
    }

    /** Types the commands of a session. Returns the session that comes out. */
    private static String retype(SluiceServer server, String session) {
        List<String> commands = new ArrayList<>();
        Pattern.compile("^" + Pattern.quote(PROMPT) + "(.*)\n", Pattern.MULTILINE).matcher(session).results()
            .map((MatchResult line) -> line.group(1)).forEach(commands::add);
        StringBuilder shown = new StringBuilder();
        for (String command : commands) {
            shown.append(PROMPT).append(command).append('\n').append(redisCli(server, command));
        }
        return shown.toString();
    }

    private static String redisCli(SluiceServer server, String line) {
        return Programs.tryRun(Path.of("."), (line + "\n").getBytes(StandardCharsets.UTF_8), "redis-cli", "-p",
            Integer.toString(server.port()), "--no-raw").output();
    }
}
