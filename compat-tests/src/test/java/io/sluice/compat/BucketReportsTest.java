package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What users of Gubernator, go-limiter, Spring Cloud Gateway, Bucket4j, Redisson, Upstash and others reported as wrong
 * with token and leaky buckets, here as it should be.
 */
final class BucketReportsTest {
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

    // Gubernator 87
    @Test
    void shouldNotGrowWhileIdle() {
        assertEquals(5, client.remaining("RL.LEAKY k 10 10 30 5"));
        client.at("60");
        assertEquals(10, client.remaining("RL.LEAKY k 10 10 30 0"));
    }

    // Gubernator 118: the bucket was full again at the end of each period
    @Test
    void shouldRefillEvenly() {
        String admitted = IntStream.range(0, 100)
            .mapToObj(tenth -> client.at(tenth / 10 + "." + tenth % 10).allows("RL.BUCKET k 3 3 1") ? "T" : "F")
            .collect(Collectors.joining());
        assertEquals("TTTFTFFTFFT", admitted.substring(0, 11));
        assertEquals(32, admitted.chars().filter(c -> c == 'T').count());
    }

    // Gubernator 110
    @Test
    void shouldCountTheCostInTheTimeToEmpty() {
        assertEquals(List.of(0L, 10L, 5L, -1L, 5L), client.numbers("RL.LEAKY k 10 1 1 5"));
    }

    // go-limiter 41
    @Test
    void shouldNotMakeAnyoneWaitForAClockThatWentBack() {
        assertEquals(0, client.remaining("RL.BUCKET k 5 5 1 5"));
        client.at("-3600");
        List<Long> reply = client.numbers("RL.BUCKET k 5 5 1 5");
        assertTrue(reply.get(3) <= 1, reply.toString());
    }

    // Spring Cloud Gateway 2453: the state expired at once
    @Test
    void shouldLimitABurstOfOne() {
        assertEquals(1, client.allowed(5, "RL.BUCKET k 1 3 1"));
    }

    // django-smart-ratelimit 75
    @Test
    void shouldRefuseARefillOfNothing() {
        assertEquals(RespValue.failure("ERR value is out of range, must be positive"),
            client.line("RL.BUCKET k 3 0 1"));
        assertEquals(0L, client.line("EXISTS k"));
    }

    // aspnetcore-redis-rate-limiting 46
    @Test
    void shouldNeitherLoseNorDoubleARefillThatIsWatched() {
        assertEquals(0, client.remaining("RL.BUCKET k 3 1 15 3"));
        assertEquals(0, client.at("10").remaining("RL.BUCKET k 3 1 15 0"));
        assertEquals(1, client.at("15").remaining("RL.BUCKET k 3 1 15 0"));
        assertEquals(2, client.at("44.9").remaining("RL.BUCKET k 3 1 15 0"));
        assertEquals(3, client.at("45").remaining("RL.BUCKET k 3 1 15 0"));
    }

    // Bucket4j 220
    @Test
    void shouldSayNeverToACostAboveTheCapacity() {
        assertEquals(List.of(1L, 3L, 3L, -1L, 0L), client.numbers("RL.BUCKET k 3 3 2 4"));
        assertEquals(0L, client.line("EXISTS k"));
    }

    // Bucket4j 88
    @Test
    void shouldGiveTheWaitWithinAPeriod() {
        assertTrue(client.allows("RL.BUCKET k 1 1 1"));
        client.at("0.2");
        assertEquals(List.of(1L, 1L, 0L, 800L, 800L), client.numbers("RL.BUCKET k 1 1 1 1 MS"));
    }

    // Upstash: a cost above the balance went through, and the balance below nothing
    @Test
    void shouldNotSpendWhatIsNotThere() {
        assertTrue(client.allows("RL.BUCKET k 10 1 1 8"));
        assertFalse(client.allows("RL.BUCKET k 10 1 1 5"));
        assertFalse(client.allows("RL.BUCKET k 10 1 1 5"));
        assertTrue(client.allows("RL.BUCKET k 10 1 1 2"));
    }

    // node-rate-limiter-flexible 286
    @Test
    void shouldNotSpendWhatItDenies() {
        assertTrue(client.allows("RL.BUCKET k 10 1 1000 8"));
        assertFalse(client.allows("RL.BUCKET k 10 1 1000 5"));
        assertEquals(2, client.remaining("RL.BUCKET k 10 1 1000 0"));
        assertTrue(client.allows("RL.BUCKET k 10 1 1000 2"));
    }

    // Redisson 5487
    @Test
    void shouldNotStartOverWhenTheSameLimitIsSentAgain() {
        assertEquals(5, client.allowed(5, "RL.BUCKET k 5 5 60"));
        assertFalse(client.allows("RL.BUCKET k 5 5 60"));
        assertFalse(client.allows("RL.BUCKET k 5 5 60.0"));
    }
}
