package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the README shows is what one gets: its redis-cli sessions, those marked as such, are typed here. */
final class ReadmeTest {
    private static final Path README = Path.of(System.getProperty("sluice.root"), "README.md");
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
