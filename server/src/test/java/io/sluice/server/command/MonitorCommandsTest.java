package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MonitorCommandsTest {
    private final CommandTester redis = new CommandTester();
    private final CommandTester.Client watcher = redis.newClient();

    @AfterEach
    void close() {
        redis.close();
    }

    /** What the watcher was sent since the last look. */
    private String seen() {
        ByteBuf out = watcher.connection().reply().buffer();
        String text = out.toString(StandardCharsets.ISO_8859_1);
        out.clear();
        return text;
    }

    @Test
    void shouldShowEveryCommandWithTimeDatabaseAndClient() {
        assertEquals("+OK", watcher.run("MONITOR"));
        redis.clock().advanceNs(123_456_000);
        redis.run("Set", "k", "v");
        redis.run("SELECT", "3");
        redis.run("GET", "missing");
        assertEquals("+1700000000.123456 [0 127.0.0.1:1] \"Set\" \"k\" \"v\"\r\n"
            + "+1700000000.123456 [3 127.0.0.1:1] \"SELECT\" \"3\"\r\n"
            + "+1700000000.123456 [3 127.0.0.1:1] \"GET\" \"missing\"\r\n", seen());
    }

    @Test
    void shouldShowUnprintableBytesEscaped() {
        watcher.run("MONITOR");
        redis.run("ECHO", "a\"b\\c\n\r\t\u0007\b\u0000\u00ff ");
        assertTrue(seen().endsWith("\"ECHO\" \"a\\\"b\\\\c\\n\\r\\t\\a\\b\\x00\\xff \"\r\n"));
    }

    @Test
    void shouldHideSecretsAndAdministration() {
        redis.run("CONFIG", "SET", "requirepass", "secret");
        watcher.run("MONITOR");
        redis.run("AUTH", "secret");
        redis.run("HELLO", "3", "AUTH", "default", "secret", "SETNAME", "me");
        redis.run("CONFIG", "SET", "requirepass", "other");
        redis.run("MONITOR", "x");
        String seen = seen();
        assertFalse(seen.contains("secret"), seen);
        assertFalse(seen.contains("CONFIG"), seen);
        assertTrue(seen.contains("\"AUTH\" \"(redacted)\"\r\n"), seen);
        assertTrue(seen.contains(
            "\"HELLO\" \"3\" \"AUTH\" \"(redacted)\" \"(redacted)\" \"SETNAME\" \"me\"\r\n"), seen);
    }

    @Test
    void shouldShowCommandsOfATransactionWhenTheyRun() {
        watcher.run("MONITOR");
        redis.run("MULTI");
        redis.run("INCR", "n");
        assertTrue(seen().endsWith("\"MULTI\"\r\n"));
        redis.run("EXEC");
        String seen = seen();
        assertTrue(seen.indexOf("\"INCR\" \"n\"") < seen.indexOf("\"EXEC\""), seen);
    }

    @Test
    void shouldNotRunInsideATransaction() {
        redis.run("MULTI");
        redis.run("MONITOR");
        assertEquals("*1 -ERR MONITOR isn't allowed for DENY BLOCKING client", redis.run("EXEC"));
        assertFalse(redis.client().connection().isMonitor());
    }

    @Test
    void shouldEndWithTheConnectionOrAReset() {
        watcher.run("MONITOR");
        assertTrue(watcher.connection().isMonitor());
        assertEquals("+RESET", watcher.run("RESET").substring(0, 6));
        redis.run("PING");
        assertEquals("", seen());
        watcher.run("MONITOR");
        redis.dispatcher().closed(watcher.connection());
        redis.run("PING");
        assertEquals("", seen());
    }

    /** What the watcher was sent without a copy, as long messages are. */
    private String seenLong() {
        EmbeddedChannel channel = (EmbeddedChannel) watcher.connection().channel();
        channel.runPendingTasks();
        ByteBuf out = channel.readOutbound();
        String text = out.toString(StandardCharsets.ISO_8859_1);
        out.release();
        return text;
    }

    /** A line is made on the heap, and what cannot be had there ends the server. */
    @Test
    void shouldCutLinesThatAreTooLong() {
        watcher.run("MONITOR");
        redis.run("ECHO", "\u0000".repeat(MonitorFeed.LINE_LENGTH_MAX + 10));
        assertTrue(seenLong().endsWith("\\x00... (17 more bytes)\"\r\n"));
        redis.run("ECHO", "a".repeat(MonitorFeed.LINE_LENGTH_MAX - 7));
        assertTrue(seenLong().endsWith("aaa\"\r\n"));
        String part = "a".repeat(MonitorFeed.LINE_LENGTH_MAX / 2);
        redis.run("DEL", part, part, part, part);
        assertTrue(seenLong().endsWith("\" ... (2 more arguments)\r\n"));
    }
}
