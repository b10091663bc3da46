package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ScanCommandsTest {
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldFindKeysByPattern() {
        redis.run("MSET", "user:1", "a", "user:2", "b", "order:1", "c");
        assertEquals(Set.of("user:1", "user:2"), keysOf(redis.run("KEYS", "user:?")));
        assertEquals(Set.of("user:1", "order:1"), keysOf(redis.run("KEYS", "*:1")));
        assertEquals(Set.of("user:1", "user:2", "order:1"), keysOf(redis.run("KEYS", "*")));
        assertEquals("*0", redis.run("KEYS", "none"));
    }

    @Test
    void shouldShowEveryKeyOfAScanThatStays() {
        for (int i = 0; i < 500; i++) {
            redis.run("SET", "k" + i, "v");
        }
        Set<String> found = new TreeSet<>();
        String cursor = "0";
        int calls = 0;
        do {
            String[] reply = redis.run("SCAN", cursor, "COUNT", "20").split(" ");
            cursor = reply[2];
            found.addAll(keysOf(String.join(" ", Arrays.copyOfRange(reply, 3, reply.length))));
            redis.run("DEL", "k" + calls++);
            redis.run("SET", "new" + calls, "v");
        } while (!cursor.equals("0"));
        for (int i = calls; i < 500; i++) {
            assertTrue(found.contains("k" + i), "k" + i);
        }
        assertTrue(calls > 5, calls + " calls");
    }

    @Test
    void shouldFilterAScan() {
        redis.run("MSET", "a1", "v", "a2", "v", "b", "v");
        redis.run("RL.FIXED", "a3", "1", "1");
        assertEquals(Set.of("a1", "a2", "a3"), scanAll("MATCH", "a*"));
        assertEquals(Set.of("a1", "a2"), scanAll("MATCH", "a*", "TYPE", "STRING"));
        assertEquals(Set.of("a3"), scanAll("type", "fixed"));
        assertEquals(Set.of(), scanAll("TYPE", "nosuch"));
    }

    @Test
    void shouldNotShowWhatHasExpired() {
        redis.run("SET", "k", "v", "PX", "1");
        redis.clock().advanceMs(2);
        assertEquals("*0", redis.run("KEYS", "*"));
        assertEquals(Set.of(), scanAll());
        assertEquals("$-1", redis.run("RANDOMKEY"));
    }

    @Test
    void shouldAcceptEveryUnsignedCursorAndNothingElse() {
        redis.run("SET", "k", "v");
        for (String cursor : new String[] {"1", "9223372036854775808", "18446744073709551615", "007"}) {
            assertEquals("*2", redis.run("SCAN", cursor).substring(0, 2), cursor);
        }
        for (String cursor : new String[] {"18446744073709551616", "-1", "+1", "abc", "", " 1", "1 ", "1.5"}) {
            assertEquals("-ERR invalid cursor", redis.run("SCAN", cursor, "FOO"), cursor);
        }
    }

    @Test
    void shouldRefuseWrongScanOptionsAndCapTheCount() {
        redis.run("SET", "k", "v");
        assertEquals("-ERR syntax error", redis.run("SCAN", "0", "COUNT", "0"));
        assertEquals("-ERR syntax error", redis.run("SCAN", "0", "COUNT"));
        assertEquals("-ERR syntax error", redis.run("SCAN", "0", "FOO", "1"));
        assertEquals("-ERR value is not an integer or out of range", redis.run("SCAN", "0", "COUNT", "x"));
        assertEquals(Set.of("k"), scanAll("COUNT", "9223372036854775807"));
    }

    @Test
    void shouldGiveSomeKey() {
        assertEquals("$-1", redis.run("RANDOMKEY"));
        redis.run("SET", "k", "v");
        assertEquals("$1 k", redis.run("RANDOMKEY"));
    }

    private Set<String> scanAll(String... options) {
        Set<String> found = new TreeSet<>();
        String cursor = "0";
        do {
            String[] words = new String[2 + options.length];
            words[0] = "SCAN";
            words[1] = cursor;
            System.arraycopy(options, 0, words, 2, options.length);
            String[] reply = redis.run(words).split(" ");
            cursor = reply[2];
            found.addAll(keysOf(String.join(" ", Arrays.copyOfRange(reply, 3, reply.length))));
        } while (!cursor.equals("0"));
        return found;
    }

    /** The elements of {@code *n $length element ...}. */
    private static Set<String> keysOf(String array) {
        Set<String> keys = new TreeSet<>();
        String[] words = array.split(" ");
        for (int i = 2; i < words.length; i += 2) {
            keys.add(words[i]);
        }
        assertEquals("*" + keys.size(), words[0]);
        return keys;
    }
}
