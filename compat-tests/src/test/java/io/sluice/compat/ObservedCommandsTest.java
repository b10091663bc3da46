package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@code MONITOR} shows and what keyspace events tell is what a Redis shows and tells. */
final class ObservedCommandsTest {
    @RegisterExtension
    static final SluiceServer SLUICE = new SluiceServer();

    @RegisterExtension
    static final RedisServer REDIS = new RedisServer();

    private static final List<List<String>> COMMANDS = List.of(
        List.of("SET", "k", "a\"b\\c\n\r\t\u0007\b\u0000\u00ff"), List.of("get", "k"), List.of("SELECT", "5"),
        List.of("SET", "n", "1", "PX", "100000"), List.of("INCR", "n"), List.of("nosuch", "x"), List.of("GET"),
        List.of("LPUSHX", "none"), List.of("MULTI"), List.of("INCR", "n"), List.of("PERSIST", "n"), List.of("EXEC"),
        List.of("MULTI"), List.of("DISCARD"), List.of("CONFIG", "GET", "save"), List.of("HELLO", "2"),
        List.of("AUTH", "default", "secret"),
        List.of("EVAL", "redis.call('set', KEYS[1], ARGV[1]) return 1", "1", "s", "v"),
        List.of("CLIENT", "SETNAME", "me"), List.of("EXPIRE", "n", "100"), List.of("RENAME", "n", "m"),
        List.of("SETRANGE", "m", "2", "x"), List.of("APPEND", "m", "y"), List.of("COPY", "m", "o"),
        List.of("MOVE", "o", "1"), List.of("DEL", "m"), List.of("GETDEL", "s"), List.of("SET", "e", "v"),
        List.of("PEXPIRE", "e", "-1"), List.of("PING", "end"));

    /** Runs the commands while another client listens, and gives what that one got up to the end of them. */
    private static List<String> observed(ServerProcess server, List<String> listening, String last) {
        try (RespClient watcher = server.connect(); RespClient client = server.connect()) {
            client.call("CONFIG", "SET", "notify-keyspace-events", "KEA");
            watcher.raw(listening.toArray(String[]::new));
            for (List<String> command : COMMANDS) {
                client.raw(command.toArray(String[]::new));
            }
            List<String> lines = new ArrayList<>();
            client.raw("PUBLISH", "__keyspace@0__:end", "end");
            String line;
            do {
                line = watcher.read();
                lines.add(line.replaceFirst("^\\+\\d+\\.\\d{6} ", "").replaceFirst("127\\.0\\.0\\.1:\\d+", "client"));
            } while (!line.contains(last));
            return lines;
        }
    }

    @Test
    void shouldShowTheLinesThatRedisShows() {
        List<String> monitor = List.of("MONITOR");
        assertEquals(observed(REDIS, monitor, "\"PING\" \"end\""), observed(SLUICE, monitor, "\"PING\" \"end\""));
    }

    @Test
    void shouldTellTheEventsThatRedisTells() {
        List<String> subscribe = List.of("PSUBSCRIBE", "__key*");
        assertEquals(observed(REDIS, subscribe, "@0__:end"), observed(SLUICE, subscribe, "@0__:end"));
    }
}
