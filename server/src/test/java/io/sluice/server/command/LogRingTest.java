package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The stored form of {@code RL.LOG}: that it wraps, grows and ends without ever miscounting. */
class LogRingTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldCountRightWhileTheRingWrapsAndGrows() {
        long seed = 20_231_114;
        SplittableRandom random = new SplittableRandom(seed);
        Deque<long[]> live = new ArrayDeque<>();
        long nowNs = 0;
        for (int i = 0; i < 20_000; i++) {
            long stepNs = random.nextInt(4) == 0 ? 0 : random.nextLong(SECOND_NS / 8);
            redis.clock().advanceNs(stepNs);
            nowNs += stepNs;
            long limit = 1 + random.nextInt(1 + i % 300);
            long quantity = 1 + random.nextInt(3);
            while (!live.isEmpty() && nowNs - live.peekFirst()[0] >= SECOND_NS) {
                live.removeFirst();
            }
            long count = live.stream().mapToLong(entry -> entry[1]).sum();
            boolean fits = count + quantity <= limit;
            String reply = redis.run("RL.LOG", "k", "" + limit, "1", "" + quantity);
            String expected = "*5 :" + (fits ? 0 : 1) + " :" + limit + " :"
                + Math.max(0, limit - count - (fits ? quantity : 0)) + " ";
            assertEquals(expected, reply.substring(0, Math.min(expected.length(), reply.length())),
                "seed " + seed + " step " + i);
            if (fits) {
                live.addLast(new long[] {nowNs, quantity});
            }
        }
    }

    @Test
    void shouldRefuseToOutgrowTheLargestValueAndKeepWhatItHas() {
        int entries = 1;
        String reply = redis.run("RL.LOG", "k", "10000000", "1000");
        while (reply.startsWith("*5 :0")) {
            redis.clock().advanceNs(1);
            reply = redis.run("RL.LOG", "k", "10000000", "1000");
            entries++;
        }
        int held = entries - 1;
        assertEquals("-ERR log holds the most entries that a value may have", reply);
        assertTrue(held >= 65_536, "a log of 1 MiB holds 65,536 entries, not " + held);
        assertEquals("*5 :0 :10000000 :" + (10_000_000 - held) + " :-1 :1000",
            redis.run("RL.LOG", "k", "10000000", "1000", "0"));

        redis.clock().advanceNs(1000 * SECOND_NS - held);
        String afterOneHasLeft = redis.run("RL.LOG", "k", "10000000", "1000");
        assertEquals("*5 :0 :10000000 :" + (10_000_000 - held) + " :-1 :1000", afterOneHasLeft);
    }

    @Test
    void shouldLetUnitsOfOneInstantShareAnEntry() {
        redis.run("RL.LOG", "k", "1000000", "1");
        long bytes = redis.keyspace().memoryUsed();
        for (int i = 1; i < 1000; i++) {
            redis.run("RL.LOG", "k", "1000000", "1");
        }
        assertEquals("*5 :0 :1000000 :999000 :-1 :1", redis.run("RL.LOG", "k", "1000000", "1", "0"));
        assertEquals(bytes, redis.keyspace().memoryUsed());
    }
}
