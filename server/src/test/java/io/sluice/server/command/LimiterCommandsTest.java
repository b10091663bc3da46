package io.sluice.server.command;

import io.sluice.persistence.EvictionPolicy;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.ValueType;
import io.sluice.server.stats.DecisionStats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What the vectors do not show of the limiter commands: errors in order, counters, room, effects on other keys. */
class LimiterCommandsTest {
    private static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value";
    private static final String NOT_AN_INTEGER = "-ERR value is not an integer or out of range";
    private static final String[] LIMITERS = {"CL.THROTTLE %s 4 1 60", "RL.THROTTLE %s 4 1 60", "THROTTLE %s 4 1 60",
        "GCRA %s 4 1 60", "RL.BUCKET %s 4 1 60", "RL.LEAKY %s 4 1 60", "RL.FIXED %s 4 60", "RL.SLIDING %s 4 60",
        "RL.LOG %s 4 60"};

    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String run(String command) {
        return redis.run(command.split(" "));
    }

    @Test
    void shouldAnswerInMillisecondsOnlyWhereAsked() {
        assertEquals("*5 :0 :1 :0 :-1 :1", run("CL.THROTTLE k 0 1000 1"));
        assertEquals("*5 :1 :1 :0 :1 :1", run("RL.THROTTLE k 0 1000 1 ms"));
        assertEquals("*5 :0 :1 :0 :-1 :60", run("RL.THROTTLE m 0 1 60"));
        assertEquals("*5 :1 :1 :0 :60000 :60000", run("RL.THROTTLE m 0 1 60 1 MS"));
        assertEquals("*5 :0 :5 :3 :-1 :120000", run("CL.PROBE p 4 1 60 2 MS"));
        assertEquals("*5 :0 :4 :2 :-1 :1000", run("RL.BUCKET b 4 2 1 2 MS"));
        assertEquals(NOT_AN_INTEGER, run("CL.THROTTLE k 0 1 60 MS"));
        assertEquals("-ERR wrong number of arguments for 'cl.throttle' command", run("CL.THROTTLE k 0 1 60 1 MS"));
        assertEquals("-ERR wrong number of arguments for 'rl.throttle' command", run("RL.THROTTLE k 0 1 60 1 FOO"));
        assertEquals("-ERR wrong number of arguments for 'cl.probe' command", run("CL.PROBE k 0 1 60 1 MS MS"));
        assertEquals("-ERR wrong number of arguments for 'rl.bucket' command", run("RL.BUCKET b 4 2 1 2 3"));
    }

    @Test
    void shouldReportTheFirstErrorOfBadArgumentsBeforeTheWrongType() {
        redis.run("GCRA", "wrong", "4", "1", "60");
        assertEquals(NOT_AN_INTEGER, run("CL.THROTTLE wrong x 0 60"));
        assertEquals("-ERR zero rates are not supported", run("CL.THROTTLE wrong 1 0 60"));
        assertEquals(NOT_AN_INTEGER, run("CL.THROTTLE wrong -1 0 60"));
        assertEquals(WRONG_TYPE, run("CL.THROTTLE wrong 1 1 60"));
        assertEquals("-ERR Rate limit check failed: negative quantity: -1", run("THROTTLE wrong 0 0 0 -1"));
        assertEquals("-ERR invalid quantity", run("THROTTLE wrong 0 0 0 x"));
        redis.run("SET", "text", "abc");
        assertEquals(NOT_AN_INTEGER, run("CL.THROTTLE text 1 1 60"));
        assertEquals(NOT_AN_INTEGER, run("CL.PROBE text 1 1 60"));
        assertEquals("-ERR value is out of range, must be positive", run("GCRA text -1 0 x FOO"));
        assertEquals("-ERR period must be > 0 and < 1e12", run("GCRA text 1 1 1e12 FOO"));
        assertEquals("-ERR syntax error", run("GCRA text 1 1 1 FOO 0"));
        assertEquals(WRONG_TYPE, run("GCRA text 1 1 1"));
        assertEquals("-ERR period must be a whole number of nanoseconds", run("RL.BUCKET text 1 1 1e-10 x"));
        assertEquals("-ERR value is not a valid float", run("RL.BUCKET text 1 1 inf"));
        assertEquals("-ERR period must be > 0 and <= 1e9", run("RL.FIXED text 1 1000000000.000000001"));
        assertEquals(WRONG_TYPE, run("RL.FIXED text 1 1e9"));
        assertEquals("$3 abc", redis.run("GET", "text"));
    }

    @Test
    void shouldRefuseTimesThatDoNotFit() {
        assertEquals(NOT_AN_INTEGER, run("CL.THROTTLE k 9223372036854775807 1 1"));
        assertEquals(NOT_AN_INTEGER, run("CL.THROTTLE k 0 1 9223372036"));
        assertEquals("*5 :0 :1 :0 :-1 :7500000000", run("CL.PROBE k 0 1 7500000000"));
        assertEquals(NOT_AN_INTEGER, run("CL.PROBE k 0 1 7600000000"));
        assertEquals(NOT_AN_INTEGER, run("RL.BUCKET k 9223372036854775807 1 1"));
        assertEquals("-ERR Combination of period, tokens_per_period and max_burst would cause an overflow",
            run("GCRA k 0 1 7600000000"));
        assertEquals("-ERR Invalid TaT value", run("GCRASETVALUE k 9223372036854776"));
        assertEquals(0, redis.keyspace().size(0));
    }

    @Test
    void shouldTreatAPeriodThatRoundsToNothingAsOneNanosecond() {
        assertEquals("*5 :0 :2 :1 :-1 :1", run("GCRA k 1 1 1e-10"));
        assertEquals("*5 :0 :2 :1 :-1 :1", run("GCRA l 1 1000 1e-9"));
    }

    @Test
    void shouldTakeAPeriodThatRoundsUpToItsBound() {
        assertEquals("*5 :0 :1 :0 :-1 :1000000000", run("GCRA k 0 1000 999999999999.9999999999"));
    }

    @Test
    void shouldNotLeaveAGcraKeyWhoseTimeIsOver() {
        assertEquals("+OK", run("GCRASETVALUE k 1"));
        assertEquals(":0", run("EXISTS k"));
        run("GCRA k 4 1 60");
        assertEquals("+OK", run("GCRASETVALUE k 1699999999000000"));
        assertEquals(0, redis.keyspace().size(0));
        assertEquals("+OK", run("GCRASETVALUE k 1700000000000001"));
        assertEquals(":1", run("PTTL k"));
    }

    @Test
    void shouldKeepStatesApartByType() {
        for (String limiter : LIMITERS) {
            run("FLUSHALL");
            run(String.format(limiter, "k"));
            boolean isString = run("TYPE k").equals("+string");
            for (String other : LIMITERS) {
                if (!other.split(" ")[0].equals(limiter.split(" ")[0])) {
                    String reply = run(String.format(other, "k"));
                    boolean shares = isString && other.contains("THROTTLE");
                    assertEquals(shares, !reply.equals(WRONG_TYPE), limiter + " then " + other);
                }
            }
        }
    }

    @Test
    void shouldWriteNothingForDenialsPeeksAndProbes() {
        for (String limiter : LIMITERS) {
            String command = String.format(limiter, limiter.split(" ")[0]);
            boolean gcra = command.startsWith("GCRA");
            while (!isLimited(command)) {
                assertTrue(redis.keyspace().dirty() < 1000, "never limited");
            }
            long dirty = redis.keyspace().dirty();
            String ttl = run("PTTL " + command.split(" ")[1]);
            redis.clock().advanceMs(1);
            assertTrue(isLimited(command), command);
            assertTrue(isLimited(command + (gcra ? " TOKENS 1000" : " 1000")), command);
            if (!gcra) {
                run(command + " 0");
                run(command.replace(command.split(" ")[1], "fresh") + " 0");
            }
            assertEquals(dirty, redis.keyspace().dirty(), command);
            assertEquals(":" + (Long.parseLong(ttl.substring(1)) - 1), run("PTTL " + command.split(" ")[1]));
        }
        assertEquals(":0", run("EXISTS fresh"));
    }

    /** THROTTLE says 0 for what the others call limited. */
    private boolean isLimited(String command) {
        return run(command).startsWith(command.startsWith("THROTTLE ") ? "*5 :0 " : "*5 :1 ");
    }

    @Test
    void shouldGiveBackWhatARefundSays() {
        run("CL.THROTTLE k 4 1 60 3");
        assertEquals("*5 :0 :5 :4 :-1 :60", run("CL.THROTTLE k 4 1 60 -2"));
        assertEquals("*5 :0 :5 :5 :-1 :0", run("CL.THROTTLE k 4 1 60 -9223372036854775808"));
        assertEquals(":0", run("EXISTS k"));
        assertEquals("*5 :0 :5 :5 :-1 :0", run("CL.THROTTLE fresh 4 1 60 -2"));
        assertEquals(":0", run("EXISTS fresh"));
    }

    @Test
    void shouldCountDecisionsThatTakeUnits() {
        run("CL.THROTTLE k 0 1 60");
        run("CL.THROTTLE k 0 1 60");
        run("THROTTLE k 1 1 60");
        run("GCRA g 0 1 60");
        run("CL.THROTTLE k 0 1 60 0");
        run("CL.PROBE k 0 1 60");
        run("CL.THROTTLE k 0 1 60 -1");
        run("RL.FIXED f 1 60");
        run("RL.FIXED f 1 60");
        run("RL.FIXED f 1 60 0");
        run("RL.FIXED f 0 60");
        DecisionStats decisions = redis.parts().decisions();
        assertEquals(2, decisions.allowed(ValueType.GCRA));
        assertEquals(2, decisions.denied(ValueType.GCRA));
        assertEquals(1, decisions.allowed(ValueType.FIXED));
        assertEquals(1, decisions.denied(ValueType.FIXED));
        assertEquals(0, decisions.allowed(ValueType.LOG));
    }

    @Test
    void shouldCountAFoundStateAsAHit() {
        redis.keyspace().resetStats();
        run("CL.THROTTLE k 0 1 60");
        run("CL.THROTTLE k 0 1 60");
        run("RL.LOG l 5 60");
        run("RL.LOG l 5 60");
        assertEquals(2, redis.keyspace().hits());
        assertEquals(2, redis.keyspace().misses());
    }

    @Test
    void shouldServeKnownKeysWhenThereIsNoRoomForNewOnes() {
        KeyspaceLimits limits = new KeyspaceLimits(LIMITERS.length, 0, EvictionPolicy.NOEVICTION);
        try (CommandTester full = new CommandTester(limits)) {
            for (int i = 0; i < LIMITERS.length; i++) {
                full.run(String.format(LIMITERS[i], "k" + i).split(" "));
            }
            for (int i = 0; i < LIMITERS.length; i++) {
                String known = full.run(String.format(LIMITERS[i], "k" + i).split(" "));
                assertTrue(known.startsWith("*5 :0") || known.startsWith("*5 :1 :4 :2"), LIMITERS[i] + ": " + known);
                assertEquals("-OOM command not allowed when the number of keys has reached 'maxkeys'.",
                    full.run(String.format(LIMITERS[i], "fresh").split(" ")), LIMITERS[i]);
            }
            assertEquals(LIMITERS.length, full.keyspace().size());
        }
    }

    @Test
    void shouldReadAndMoveStatesWithOrdinaryCommands() {
        run("CL.THROTTLE k 4 1 60");
        assertEquals("$19 1700000060000000000", run("GET k"));
        assertEquals("$3 int", run("OBJECT ENCODING k"));
        run("RENAME k l");
        assertEquals("*5 :0 :5 :3 :-1 :120", run("CL.THROTTLE l 4 1 60"));
        run("SET l 1700000300000000000");
        assertEquals("*5 :1 :5 :0 :60 :300", run("CL.THROTTLE l 4 1 60"));
        run("PERSIST l");
        redis.clock().advanceMs(400_000);
        assertEquals("*5 :0 :5 :4 :-1 :60", run("CL.THROTTLE l 4 1 60"));
        run("SET l -5");
        assertEquals("*5 :0 :5 :4 :-1 :60", run("CL.THROTTLE l 4 1 60"));
    }
}
