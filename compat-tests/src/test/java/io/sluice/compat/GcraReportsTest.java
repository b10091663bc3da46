package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What users of redis-cell, Dragonfly, redis_rate, redis-gcra, throttled, throttlecrab and the GCRA of Redis reported
 * as wrong, here as it should be.
 */
final class GcraReportsTest {
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

    // redis-cell 11
    @ParameterizedTest
    @ValueSource(strings = {"8000", "8000000"})
    void shouldLimitThousandsASecond(String count) {
        String command = "CL.THROTTLE k 1 " + count + " 1 1";
        assertEquals(List.of(0L, 2L, 1L, -1L, 1L), client.numbers(command));
        assertEquals(List.of(0L, 2L, 0L, -1L, 1L), client.numbers(command));
        assertEquals(List.of(1L, 2L, 0L, 1L, 1L), client.numbers(command));
        client.at("0.000125");
        assertEquals(0L, client.numbers(command).get(0));
        assertEquals(10_000, client.numbers(10_000, command).size());
    }

    // redis-cell 41
    @ParameterizedTest
    @ValueSource(strings = {"0 0 60 1", "0 1 0 1", "-1 1 1 1", "0 1 -1 1", "0 -1 1 1"})
    void shouldRefuseALimitOfNothing(String parameters) {
        RespValue.Failure failure =
            assertInstanceOf(RespValue.Failure.class, client.line("CL.THROTTLE test " + parameters));
        assertTrue(failure.text().startsWith("ERR "), failure.text());
        assertEquals("PONG", client.line("PING"));
        assertEquals(0L, client.line("EXISTS test"));
    }

    // redis-cell 50
    @Test
    void shouldCountDownLargeLimits() {
        String command = "CL.THROTTLE user123 1000 1000 60";
        assertEquals(List.of(0L, 1001L, 1000L, -1L, 1L), client.numbers(command));
        assertEquals(List.of(0L, 1001L, 999L, -1L, 1L), client.numbers(command));
        assertEquals(List.of(0L, 1001L, 998L, -1L, 1L), client.numbers(command));
        assertEquals(1L, client.line("EXISTS user123"));
        client.at("0.25");
        assertEquals(0L, client.line("EXISTS user123"));
    }

    // redis_rate 33
    @Test
    void shouldCountDownAMillion() {
        List<List<Long>> replies = client.numbers(3, "CL.THROTTLE project:123 999999 1000000 3600");
        assertEquals(List.of(999_999L, 999_998L, 999_997L), replies.stream().map(reply -> reply.get(2)).toList());
        assertEquals(1L, replies.get(2).get(4));
    }

    // redis-cell 56
    @Test
    void shouldRoundTheWaitUp() {
        String command = "CL.THROTTLE k 0 1 2";
        assertEquals(List.of(0L, 1L, 0L, -1L, 2L), client.numbers(command));
        client.at("0.5");
        assertEquals(List.of(1L, 1L, 0L, 2L, 2L), client.numbers(command));
        client.at("2.5");
        assertEquals(List.of(0L, 1L, 0L, -1L, 2L), client.numbers(command));
    }

    // redis-cell 56
    @Test
    void shouldLetPassWhoWaitsAsLongAsTold() {
        Random random = new Random(56);
        for (int i = 0; i < 300; i++) {
            int burst = random.nextInt(5);
            String command = "CL.THROTTLE k" + i + " " + burst + " " + (1 + random.nextInt(10_000)) + " "
                + (1 + random.nextInt(100)) + " " + (1 + random.nextInt(burst + 1));
            client.at("0");
            List<Long> reply = client.numbers(command);
            while (reply.get(0) == 0) {
                reply = client.numbers(command);
            }
            assertTrue(reply.get(3) >= 1, command + " answers " + reply);
            client.at(reply.get(3).toString());
            assertTrue(client.allows(command), command + " after " + reply);
        }
    }

    // redis-cell 22
    @Test
    void shouldNeverRefundBeyondTheLimit() {
        assertEquals(2, client.remaining("CL.THROTTLE k 4 5 10 3"));
        assertEquals(5, client.remaining("CL.THROTTLE k 4 5 10 -3"));
        assertEquals(5, client.remaining("CL.THROTTLE k 4 5 10 -100"));
        assertEquals(5, client.remaining("CL.THROTTLE fresh 4 5 10 -2"));
        assertEquals(0L, client.line("EXISTS fresh"));
    }

    // Dragonfly 1008
    @Test
    void shouldNotAddASecondToWholeSeconds() {
        assertEquals(List.of(0L, 16L, 15L, -1L, 2L), client.numbers("CL.THROTTLE user123 15 30 60"));
        client.at("0.3");
        assertEquals(2L, client.numbers("CL.THROTTLE user123 15 30 60 0").get(4));
    }

    // Redis 15113; throttlecrab: a request over the burst was denied with a finite wait
    @Test
    void shouldSayNeverToACostAboveTheLimit() {
        assertEquals(List.of(1L, 6L, 6L, -1L, 0L), client.numbers("CL.THROTTLE k 5 1 60 10"));
        assertEquals(List.of(1L, 5L, 5L, -1L, 0L), client.numbers("CL.THROTTLE k 4 5 10 6"));
        assertEquals(0L, client.line("EXISTS k"));
    }

    // redis-gcra 3
    @Test
    void shouldCountDownWhileDenied() {
        String command = "CL.THROTTLE k 5 6 60";
        List<List<Long>> replies = client.numbers(7, command);
        assertEquals(List.of(1L, 6L, 0L, 10L, 60L), replies.get(6));
        client.at("5");
        assertEquals(List.of(1L, 6L, 0L, 5L, 55L), client.numbers(command));
        client.at("9.999");
        assertEquals(List.of(1L, 6L, 0L, 1L, 51L), client.numbers(command));
        client.at("10");
        assertEquals(List.of(0L, 6L, 0L, -1L, 60L), client.numbers(command));
    }

    // throttled 26, gcra-ruby 1
    @Test
    void shouldExpireStateThatLivesLessThanASecond() {
        assertEquals(List.of(0L, 1L, 0L, -1L, 1L), client.numbers("CL.THROTTLE k 0 5000 1"));
        client.at("1");
        assertEquals(0L, client.line("EXISTS k"));
    }

    // Redis 14826: a spend was not marked as a change
    @Test
    void shouldKeepASpendOverARestart() {
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            try (RespClient before = server.connect()) {
                assertEquals(5L, ((List<?>) before.line("CL.THROTTLE k 9 10 10000000 5")).get(2));
            }
            server.stop();
            server.start();
            try (RespClient after = server.connect()) {
                assertEquals(5L, ((List<?>) after.line("CL.THROTTLE k 9 10 10000000 0")).get(2));
            }
        }
    }

    // redis-cell: text at the key took the process down
    @Test
    void shouldRefuseAKeyThatHoldsSomethingElse() {
        client.line("SET k foo");
        assertEquals(RespValue.failure("ERR value is not an integer or out of range"),
            client.line("CL.THROTTLE k 1 1 1"));
        client.line("RL.BUCKET b 1 1 1000");
        assertEquals(RespValue.failure("WRONGTYPE Operation against a key holding the wrong kind of value"),
            client.line("CL.THROTTLE b 1 1 1"));
        assertEquals("PONG", client.line("PING"));
        assertEquals("foo", client.line("GET k"));
    }

    // throttlecrab: a burst of one never limited
    @Test
    void shouldLimitABurstOfOne() {
        int allowed = 0;
        for (int i = 0; i < 200; i++) {
            client.at("0." + String.format("%03d", i));
            allowed += client.allows("CL.THROTTLE k 0 10 10") ? 1 : 0;
        }
        assertEquals(1, allowed);
    }

    // throttlecrab: more than the burst at one instant after a pause
    @Test
    void shouldNotGrowWhileIdle() {
        assertTrue(client.allows("CL.THROTTLE k 9 10 10"));
        client.at("8.9");
        List<List<Long>> replies = new ArrayList<>(client.numbers(30, "CL.THROTTLE k 9 10 10"));
        assertEquals(10, replies.stream().filter(reply -> reply.get(0) == 0).count());
        assertTrue(replies.stream().allMatch(reply -> reply.get(2) <= 10), replies.toString());
    }

    // Bucket4j 419, Redisson 5098
    @Test
    void shouldApplyAnotherLimitAtOnce() {
        assertEquals(100, client.allowed(100, "CL.THROTTLE k 99 100 1"));
        assertEquals(List.of(1L, 200L, 0L, 1L, 1L), client.numbers("CL.THROTTLE k 199 200 1"));
        client.at("1");
        assertEquals(List.of(0L, 200L, 0L, -1L, 1L), client.numbers("CL.THROTTLE k 199 200 1 200"));
    }

    // Bucket4j 419, Redisson 5098
    @Test
    void shouldApplyALowerLimitAtOnce() {
        assertEquals(100, client.allowed(100, "CL.THROTTLE k 99 100 1"));
        assertEquals(List.of(1L, 10L, 0L, 1L, 1L), client.numbers("CL.THROTTLE k 9 10 1"));
        client.at("0.1");
        assertEquals(List.of(0L, 10L, 0L, -1L, 1L), client.numbers("CL.THROTTLE k 9 10 1"));
    }
}
