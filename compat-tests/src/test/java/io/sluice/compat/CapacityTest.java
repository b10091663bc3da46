package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a full server does. */
final class CapacityTest {
    private static final int KEYS_MAX = 100;
    private static final RespValue.Failure FULL =
        RespValue.failure("OOM command not allowed when the number of keys has reached 'maxkeys'.");

    @RegisterExtension
    static final SluiceServer SERVER =
        new SluiceServer("--maxkeys", Integer.toString(KEYS_MAX), "--enable-debug-command", "yes");

    private RespClient client;

    @BeforeAll
    static void stopClock() {
        SERVER.stopClock();
    }

    @BeforeEach
    void connect() {
        client = SERVER.connect();
        client.line("FLUSHALL");
        client.line("CONFIG SET maxmemory-policy noeviction");
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void shouldRefuseNewKeysAndGoOnWithThoseItHas() {
        fill(KEYS_MAX - 1);
        client.line("CL.THROTTLE limit 9 1 1000");
        for (String command : List.of("SET new 1", "INCR new", "CL.THROTTLE new 9 1 1000", "RL.BUCKET new 9 1 1000",
            "COPY key1 new", "MSET key1 1 new 1")) {
            assertEquals(FULL, client.line(command), command);
            assertEquals(0L, client.line("EXISTS new"), command);
        }
        assertEquals("v", client.line("GET key1"));
        assertEquals(List.of(0L, 10L, 8L, -1L, 2000L), client.line("CL.THROTTLE limit 9 1 1000"));
        assertEquals("OK", client.line("SET key1 other"));
        assertEquals("OK", client.line("RENAME key1 new"));
        assertEquals(1L, client.line("DEL new"));
        assertEquals("OK", client.line("SET new 1"));
        assertEquals(FULL, client.line("SET key1 1"));
    }

    @Test
    void shouldChangeNothingWhereOnlyAPartWouldFit() {
        fill(KEYS_MAX - 1);
        assertEquals(FULL, client.line("MSET new1 1 new2 2"));
        assertEquals(0L, client.line("EXISTS new1 new2"));
        assertEquals(FULL, client.line("MSETNX new1 1 new2 2"));
        assertEquals((long) KEYS_MAX - 1, client.line("DBSIZE"));
    }

    @Test
    void shouldLetTheKeysGoThatAreNearestToTheirExpiry() {
        client.line("CONFIG SET maxmemory-policy volatile-ttl");
        for (int i = 1; i <= KEYS_MAX; i++) {
            client.line("SET key" + i + " v EX " + i * 1000);
        }
        for (int i = 1; i <= 10; i++) {
            assertEquals("OK", client.line("SET new" + i + " v"));
        }
        assertTrue((Long) client.line("DBSIZE") <= KEYS_MAX);
        assertEquals(0L, client.line("EXISTS key1"));
        assertEquals(1L, client.line("EXISTS key" + KEYS_MAX));
        assertEquals(10L, client.line("EXISTS new1 new2 new3 new4 new5 new6 new7 new8 new9 new10"));
    }

    private void fill(int keys) {
        for (int i = 1; i <= keys; i++) {
            assertEquals("OK", client.line("SET key" + i + " v"));
        }
    }
}
