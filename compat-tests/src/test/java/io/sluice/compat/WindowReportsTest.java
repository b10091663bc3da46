package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What users of Upstash, rate-limit-redis, APISIX, LiteLLM, Kong, limits, ShenYu, Redisson and others reported as
 * wrong with windows, here as it should be.
 */
final class WindowReportsTest {
    @RegisterExtension
    static final SluiceServer SERVER = new SluiceServer("--enable-debug-command", "yes");

    private ClockedClient client;

    @BeforeEach
    void connect() {
        client = new ClockedClient(SERVER);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    // Gubernator 208, 225: each call on a denied key pushed the reset forward
    @Test
    void shouldCountDownToTheEndOfTheWindowWhileDenied() {
        assertTrue(client.allows("RL.FIXED k 1 30"));
        assertEquals(List.of(1L, 1L, 0L, 30L, 30L), client.numbers("RL.FIXED k 1 30"));
        assertEquals(List.of(1L, 1L, 0L, 29L, 29L), client.at("1").numbers("RL.FIXED k 1 30"));
        assertEquals(List.of(1L, 1L, 0L, 28L, 28L), client.at("2").numbers("RL.FIXED k 1 30"));
    }

    // Upstash 61
    @Test
    void shouldGiveTheTrueRemainderOfASlidingWindow() {
        assertEquals(50, client.allowed(50, "RL.SLIDING k 100 60"));
        client.at("66");
        assertEquals(10, client.allowed(10, "RL.SLIDING k 100 60"));
        assertEquals(45, client.remaining("RL.SLIDING k 100 60 0"));
    }

    // Upstash 39: a hit in the window before denied everything
    @Test
    void shouldLetASlidingWindowOfOneGoOn() {
        assertTrue(client.allows("RL.SLIDING k 1 10"));
        assertTrue(IntStream.rangeClosed(1, 20).anyMatch(
            second -> client.at(Integer.toString(second)).allows("RL.SLIDING k 1 10")));
    }

    // rate-limit-redis 209, APISIX 5588 and 3988: the key expired between two steps at the edge of the window
    @Test
    void shouldNeverDenyBelowTheLimitAtTheEdgeOfAWindow() {
        for (int call = 0; call < 5_000; call++) {
            client.at(call / 500 + "." + String.format("%03d", call % 500 * 2));
            assertTrue(client.allows("RL.FIXED k 3000 1"));
        }
    }

    // LiteLLM 14204: each increment put the expiry off, so that the window never ended
    @Test
    void shouldEndTheWindowUnderConstantUse() {
        assertTrue(IntStream.range(0, 300).allMatch(
            second -> client.at(Integer.toString(second)).allows("RL.FIXED k 100 60")));
    }

    // Kong 14995
    @Test
    void shouldExpireTheKeyWithTheWindow() {
        assertTrue(client.allows("RL.FIXED k 5 60"));
        assertEquals(60_000L, client.line("PTTL k"));
    }

    // llm-proxy 55
    @Test
    void shouldKeepToCalendarMinutes() {
        client.at("43258.7");
        assertEquals(4, client.allowed(4, "RL.FIXED k 5 60"));
        client.at("43260.1");
        assertEquals(5, client.allowed(6, "RL.FIXED k 5 60"));
    }

    // limits 112
    @Test
    void shouldCountTheCostOfEachEntryOfALog() {
        assertTrue(client.allows("RL.LOG k 10 60 8"));
        assertEquals(2, client.allowed(3, "RL.LOG k 10 60 1"));
    }

    // limits 151, 152
    @Test
    void shouldDenyACostAboveTheLimitOfALog() {
        assertEquals(List.of(1L, 5L, 5L, -1L, 0L), client.numbers("RL.LOG k 5 60 6"));
        assertEquals(0L, client.line("EXISTS k"));
    }

    // ShenYu 6754
    @Test
    void shouldForgetAnEntryOfALogInTime() {
        assertTrue(client.allows("RL.LOG k 2 10"));
        assertTrue(client.at("1").allows("RL.LOG k 2 10"));
        assertFalse(client.at("9.999").allows("RL.LOG k 2 10"));
        assertTrue(client.at("10.001").allows("RL.LOG k 2 10"));
    }

    // Redisson 5687, 5906: two entries of one instant overwrote each other
    @Test
    void shouldCountEveryEntryOfOneInstant() {
        assertEquals(1000, client.allowed(1001, "RL.LOG k 1000 1"));
    }

    // redis-cell: a key of another kind took the process down
    @Test
    void shouldRefuseAKeyOfAnotherKind() {
        client.line("RL.FIXED k 5 60");
        for (String command : List.of("RL.SLIDING k 5 60", "RL.LOG k 5 60", "RL.BUCKET k 5 5 60", "GET k", "INCR k")) {
            assertEquals(RespValue.failure("WRONGTYPE Operation against a key holding the wrong kind of value"),
                client.line(command), command);
        }
        assertEquals(4, client.remaining("RL.FIXED k 5 60 0"));
    }
}
