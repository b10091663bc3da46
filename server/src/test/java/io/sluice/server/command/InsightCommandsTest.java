package io.sluice.server.command;

import io.sluice.server.ManualClock;
import io.sluice.server.stats.DecisionStats;
import io.sluice.server.stats.HeavyKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class InsightCommandsTest {
    private static final long NOW_MS = ManualClock.START_EPOCH_NS / 1_000_000;

    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String run(String command) {
        return redis.run(command.split(" "));
    }

    /** The rows of RL.TOP as {key, count, error}. */
    private List<String[]> top(String arguments) {
        String[] words = run("RL.TOP " + arguments).split(" ");
        List<String[]> rows = new ArrayList<>();
        for (int i = 1; i < words.length; i += 6) {
            assertEquals("*4", words[i]);
            rows.add(new String[] {words[i + 2], words[i + 4].substring(1), words[i + 5].substring(1)});
        }
        return rows;
    }

    @Test
    void shouldNameTheKeysThatAreDeniedMost() {
        for (int i = 0; i < 5; i++) {
            run("CL.THROTTLE loud 0 1 60");
        }
        run("RL.FIXED quiet 1 60");
        run("RL.FIXED quiet 1 60");
        run("GCRA fine 1 1 60");
        assertEquals("*2 *4 $4 loud :0 :4 :0 *4 $5 quiet :0 :1 :0", run("RL.TOP DENIED"));
        assertEquals("*1 *4 $4 loud :0 :4 :0", run("RL.TOP denied count 1"));
        assertEquals(Set.of("loud", "quiet", "fine"), keysOf(top("ALLOWED")));
    }

    private static Set<String> keysOf(List<String[]> rows) {
        Set<String> keys = new HashSet<>();
        rows.forEach(row -> keys.add(row[0]));
        return keys;
    }

    @Test
    void shouldTellKeysOfDatabasesApart() {
        run("CL.THROTTLE k 4 1 60");
        run("SELECT 3");
        run("CL.THROTTLE k 4 1 60");
        run("CL.THROTTLE k 4 1 60");
        assertEquals("*2 *4 $1 k :3 :2 :0 *4 $1 k :0 :1 :0", run("RL.TOP ALLOWED"));
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        assertEquals("-ERR syntax error", run("RL.TOP MAYBE"));
        assertEquals("-ERR syntax error", run("RL.TOP DENIED COUNT"));
        assertEquals("-ERR syntax error", run("RL.TOP DENIED COUNT 1 2"));
        assertEquals("-ERR value is out of range, must be positive", run("RL.TOP DENIED COUNT 0"));
        assertEquals("*0", run("RL.TOP DENIED COUNT 9223372036854775807"));
    }

    /** Far more keys than counters, some of them much more often than others. */
    @Test
    void shouldBoundTheTrueCountOfEveryKeyThatItNames() {
        Map<String, Integer> exact = decideAbout60000(DecisionStats.EXACT_PER_PERIOD);
        List<String[]> rows = top("ALLOWED COUNT " + HeavyKeys.SLOTS);
        assertTrue(rows.size() > 100);
        for (String[] row : rows) {
            long certain = Long.parseLong(row[1]);
            assertTrue(certain <= exact.get(row[0]), row[0]);
            assertTrue(certain + Long.parseLong(row[2]) >= exact.get(row[0]), row[0]);
        }
        assertEquals(new HashSet<>(mostOften(exact, 10)), keysOf(rows.subList(0, 10)));
    }

    /** More decisions than are counted one by one, none of which is hidden by those before it. */
    @Test
    void shouldBoundTheTrueCountsOfWhatItSamples() {
        Map<String, Integer> exact = decideAbout60000(Integer.MAX_VALUE);
        List<String[]> rows = top("ALLOWED COUNT " + HeavyKeys.SLOTS);
        assertTrue(keysOf(rows.subList(0, 10)).containsAll(mostOften(exact, 5)));
        for (String[] row : rows) {
            long certain = Long.parseLong(row[1]);
            assertTrue(certain <= exact.get(row[0]), row[0]);
            assertTrue(certain + Long.parseLong(row[2]) >= exact.get(row[0]), row[0]);
        }
        assertTrue(run("RL.STATS").contains("$4 gcra :60000 :0"), "totals are exact");
    }

    /** Some keys come much more often than others. A period ends after so many decisions. */
    private Map<String, Integer> decideAbout60000(int period) {
        Map<String, Integer> exact = new HashMap<>();
        Random random = new Random(7);
        for (int i = 0; i < 60_000; i++) {
            String key = "k" + (int) (20_000 * Math.pow(random.nextDouble(), 6));
            exact.merge(key, 1, Integer::sum);
            redis.run("CL.THROTTLE", key, "1000000", "1", "60");
            if (i % period == period - 1) {
                redis.parts().decisions().sample(i);
            }
        }
        return exact;
    }

    private static List<String> mostOften(Map<String, Integer> exact, int keys) {
        return exact.keySet().stream().sorted((a, b) -> exact.get(b) - exact.get(a)).limit(keys).toList();
    }

    @Test
    void shouldForgetWhatIsLongAgo() {
        for (int i = 0; i < 1000; i++) {
            run("CL.THROTTLE old 0 1 60");
        }
        for (int second = 0; second < HeavyKeys.HALF_LIFE_SECONDS; second++) {
            redis.parts().decisions().decay();
        }
        for (int i = 0; i < 600; i++) {
            run("CL.THROTTLE new 0 1 60");
        }
        List<String[]> rows = top("DENIED");
        assertEquals("new", rows.get(0)[0]);
        assertEquals("599", rows.get(0)[1]);
        assertEquals(500, Long.parseLong(rows.get(1)[1]), 1);
    }

    @Test
    void shouldCutLongKeysInTheListAndKnowThemAllTheSame() {
        String key = "k".repeat(500);
        run("CL.THROTTLE " + key + " 0 1 60");
        String shown = "k".repeat(HeavyKeys.KEY_BYTES_MAX) + "... (340 more bytes)";
        assertEquals("*1 *4 $" + shown.length() + " " + shown + " :0 :1 :0", run("RL.TOP ALLOWED"));
        assertTrue(run("RL.INSPECT " + key).contains("$5 limit :1 "));
    }

    @Test
    void shouldForgetCountsWhereStatisticsAreReset() {
        run("CL.THROTTLE k 4 1 60");
        run("CONFIG RESETSTAT");
        assertEquals("*0", run("RL.TOP ALLOWED"));
        assertTrue(run("RL.INSPECT k").contains("$5 limit $-1 "));
    }

    @Test
    void shouldCountNothingWhereKeysAreNotTracked() {
        run("CONFIG SET track-keys no");
        run("CL.THROTTLE k 4 1 60");
        assertEquals("*0", run("RL.TOP ALLOWED"));
        assertEquals(1, redis.parts().decisions().allowed(1));
    }

    @Test
    void shouldTellAllOfAKeyThatIsLimited() {
        run("CL.THROTTLE k 1 1 60");
        run("CL.THROTTLE k 1 1 60");
        redis.clock().advanceMs(1_000);
        run("CL.THROTTLE k 1 1 60");
        assertEquals("*32 $4 type $6 string $9 algorithm $4 gcra $5 state *1 :" + (NOW_MS + 120_000) * 1_000_000
            + " $5 limit :2 $6 refill :1 $16 refill_period_ns :60000000000 $9 remaining :0"
            + " $13 full_after_ns :119000000000 $10 full_at_ms :" + (NOW_MS + 120_000)
            + " $7 allowed :2 $13 allowed_error :0 $18 last_allowed_at_ms :" + NOW_MS
            + " $6 denied :1 $12 denied_error :0 $17 last_denied_at_ms :" + (NOW_MS + 1_000)
            + " $6 now_ms :" + (NOW_MS + 1_000), run("RL.INSPECT k"));
    }

    @Test
    void shouldInspectEveryAlgorithmByTheLimitLastUsed() {
        String[][] expected = {
            {"GCRA g 4 2 1", "algorithm $4 gcra",
                "limit :5 $6 refill :1 $16 refill_period_ns :500000000 $9 remaining :4"},
            {"RL.BUCKET b 5 2 1", "algorithm $6 bucket",
                "limit :5 $6 refill :2 $16 refill_period_ns :1000000000 $9 remaining :4"},
            {"RL.LEAKY l 5 2 1", "algorithm $5 leaky",
                "limit :5 $6 refill :2 $16 refill_period_ns :1000000000 $9 remaining :4"},
            {"RL.FIXED f 5 60", "algorithm $5 fixed",
                "limit :5 $6 refill :5 $16 refill_period_ns :60000000000 $9 remaining :4"},
            {"RL.SLIDING s 5 60", "algorithm $7 sliding",
                "limit :5 $6 refill :5 $16 refill_period_ns :60000000000 $9 remaining :4"},
            {"RL.LOG r 5 60", "algorithm $3 log",
                "limit :5 $6 refill :5 $16 refill_period_ns :60000000000 $9 remaining :4"}};
        for (String[] each : expected) {
            run(each[0]);
            String inspected = run("RL.INSPECT " + each[0].split(" ")[1]);
            assertTrue(inspected.contains(each[1]) && inspected.contains(each[2]), inspected);
        }
    }

    @Test
    void shouldTellWhatIsStoredOfAKeyWhoseLimitIsNotKnown() {
        run("SET k 1700000060000000000 PXAT 1700000060000");
        String inspected = run("RL.INSPECT k");
        assertTrue(inspected.contains("$5 state *1 :1700000060000000000 $5 limit $-1"), inspected);
        assertTrue(inspected.contains("$13 full_after_ns :60000000000 $10 full_at_ms :1700000060000"), inspected);
        assertTrue(inspected.contains("$6 denied $-1"), inspected);
    }

    @Test
    void shouldRememberADenialWhenTheStateIsGone() {
        run("CL.THROTTLE k 0 1 1");
        run("CL.THROTTLE k 0 1 1");
        redis.clock().advanceMs(5_000);
        String inspected = run("RL.INSPECT k");
        assertTrue(inspected.startsWith("*32 $4 type $4 none $9 algorithm $4 gcra $5 state *0 $5 limit :1"), inspected);
        assertTrue(inspected.contains("$9 remaining :1 $13 full_after_ns :0"), inspected);
        assertTrue(inspected.contains("$17 last_denied_at_ms :" + NOW_MS), inspected);
    }

    @Test
    void shouldAnswerNullForAKeyOfWhichNothingIsKnownAndAnErrorForNoLimiter() {
        assertEquals("$-1", run("RL.INSPECT missing"));
        run("SET text abc");
        assertEquals("-ERR value is not an integer or out of range", run("RL.INSPECT text"));
    }

    @Test
    void shouldCountDecisionsByAlgorithm() {
        run("CL.THROTTLE k 0 1 60");
        run("CL.THROTTLE k 0 1 60");
        run("RL.LOG r 5 60");
        String stats = run("RL.STATS");
        assertTrue(stats.startsWith("*8 $9 decisions *6 *5 $4 gcra :1 :1 :0 :0 *5 $6 bucket :0 :0 :0 :0"), stats);
        assertTrue(stats.contains("*5 $3 log :1 :0 :0 :0 $9 loop_busy $1 0"), stats);
    }
}
