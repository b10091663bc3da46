package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class TransactionCommandsTest {
    private static final String NOTHING_DONE = "*-1";
    private final CommandTester redis = new CommandTester();
    private CommandTester.Client other;

    @BeforeEach
    void connect() {
        other = redis.newClient();
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void shouldExecuteQueuedCommandsAtOneInstant() {
        assertEquals("+OK", redis.run("MULTI"));
        assertEquals("+QUEUED", redis.run("CL.THROTTLE", "k", "1", "1", "1"));
        redis.clock().advanceMs(500);
        assertEquals("+QUEUED", redis.run("CL.THROTTLE", "k", "1", "1", "1"));
        assertEquals("$-1", other.run("GET", "k"));
        assertEquals("*2 *5 :0 :2 :1 :-1 :1 *5 :0 :2 :0 :-1 :2", redis.run("EXEC"));
        assertEquals("*0", emptyTransaction());
    }

    @Test
    void shouldRefuseToExecuteAfterAnErrorWhileQueueing() {
        for (String wrong : new String[] {"NOSUCH", "CL.THROTTLE k", "GET"}) {
            redis.run("MULTI");
            redis.run("SET", "k", "v");
            redis.run(wrong.split(" "));
            assertEquals("-EXECABORT Transaction discarded because of previous errors.", redis.run("EXEC"));
            assertEquals(":0", redis.run("EXISTS", "k"));
        }
    }

    @Test
    void shouldGoOnAfterAnErrorWhileExecuting() {
        redis.run("MULTI");
        redis.run("SET", "k", "text");
        redis.run("INCR", "k");
        redis.run("CL.THROTTLE", "k", "1", "1", "1", "1", "1");
        redis.run("SET", "l", "v");
        assertEquals("*4 +OK -ERR value is not an integer or out of range "
            + "-ERR wrong number of arguments for 'cl.throttle' command +OK", redis.run("EXEC"));
    }

    @Test
    void shouldSeeThatAnExpiredKeyWasSetForAMoment() {
        redis.run("SET", "k", "v", "PX", "5");
        redis.clock().advanceMs(6);
        redis.run("WATCH", "k");
        other.run("SET", "k", "v", "PX", "5");
        redis.clock().advanceMs(6);
        redis.run("MULTI");
        redis.run("PING");
        assertEquals(NOTHING_DONE, redis.run("EXEC"));
    }

    @Test
    void shouldDiscard() {
        redis.run("MULTI");
        redis.run("SET", "k", "v");
        assertEquals("+OK", redis.run("DISCARD"));
        assertEquals(":0", redis.run("EXISTS", "k"));
        assertEquals("-ERR EXEC without MULTI", redis.run("EXEC"));
        assertEquals("-ERR DISCARD without MULTI", redis.run("DISCARD"));
    }

    @Test
    void shouldSurviveNestedMultiAndWatch() {
        redis.run("MULTI");
        assertEquals("-ERR MULTI calls can not be nested", redis.run("MULTI"));
        assertEquals("-ERR WATCH inside MULTI is not allowed", redis.run("WATCH", "k"));
        assertEquals("*0", redis.run("EXEC"));
    }

    @Test
    void shouldDoNothingIfAWatchedKeyWasChanged() {
        for (String change : new String[] {"SET k w", "DEL k", "EXPIRE k 10", "APPEND k x", "RENAME k l", "FLUSHDB",
            "FLUSHALL", "SWAPDB 0 1", "SET k v", "GETDEL k", "MOVE k 1"}) {
            redis.run("SET", "k", "v");
            assertEquals("+OK", redis.run("WATCH", "k"));
            other.run(change.split(" "));
            assertEquals(NOTHING_DONE, emptyTransaction(), change);
            assertEquals("*0", emptyTransaction(), "the watch ends with EXEC");
            redis.run("FLUSHALL");
            other.run("SELECT", "0");
        }
    }

    @Test
    void shouldExecuteIfOnlyOtherKeysWereChanged() {
        redis.run("SET", "k", "v");
        redis.run("WATCH", "k", "absent");
        other.run("SET", "l", "v");
        other.run("GET", "k");
        other.run("DEL", "absent");
        other.run("SELECT", "1");
        other.run("SET", "k", "v");
        other.run("FLUSHDB");
        assertEquals("*0", emptyTransaction());
    }

    @Test
    void shouldNotCountDenialsPeeksAndErrorsAsChanges() {
        redis.run("CL.THROTTLE", "k", "0", "1", "60");
        redis.run("RL.BUCKET", "b", "1", "1", "60");
        redis.run("WATCH", "k", "b", "fresh");
        other.run("CL.THROTTLE", "k", "0", "1", "60");
        other.run("CL.THROTTLE", "k", "0", "1", "60", "0");
        other.run("CL.PROBE", "fresh", "0", "1", "60");
        other.run("RL.BUCKET", "b", "1", "1", "60");
        other.run("RL.LOG", "fresh", "1", "60", "0");
        other.run("CL.THROTTLE", "fresh", "0", "0", "60");
        assertEquals("*0", emptyTransaction());
        redis.run("WATCH", "fresh");
        other.run("RL.LOG", "fresh", "1", "60");
        assertEquals(NOTHING_DONE, emptyTransaction());
    }

    @Test
    void shouldSeeThatAWatchedKeyHasExpired() {
        redis.run("SET", "k", "v", "PX", "10");
        redis.run("WATCH", "k");
        redis.clock().advanceMs(11);
        assertEquals(NOTHING_DONE, emptyTransaction());
    }

    @Test
    void shouldNotMindAKeyThatHadExpiredBeforeItWasWatched() {
        redis.run("SET", "k", "v", "PX", "10");
        redis.clock().advanceMs(11);
        redis.run("WATCH", "k");
        assertEquals("*0", emptyTransaction());
        redis.run("WATCH", "k");
        other.run("SET", "k", "v");
        assertEquals(NOTHING_DONE, emptyTransaction());
    }

    @Test
    void shouldSeeThatAnotherDatabaseBringsAWatchedKey() {
        other.run("SELECT", "1");
        other.run("SET", "k", "v");
        redis.run("WATCH", "k");
        other.run("SWAPDB", "0", "1");
        assertEquals(NOTHING_DONE, emptyTransaction());
        other.run("SWAPDB", "0", "1");
        redis.run("WATCH", "k");
        other.run("SWAPDB", "0", "1");
        other.run("FLUSHALL");
        assertEquals(NOTHING_DONE, emptyTransaction());
        redis.run("WATCH", "absent");
        other.run("SWAPDB", "0", "1");
        other.run("FLUSHALL");
        assertEquals("*0", emptyTransaction());
    }

    @Test
    void shouldForgetWatches() {
        redis.run("WATCH", "k");
        other.run("SET", "k", "v");
        assertEquals("+OK", redis.run("UNWATCH"));
        assertEquals("*0", emptyTransaction());
        redis.run("WATCH", "k");
        redis.run("MULTI");
        redis.run("DISCARD");
        other.run("SET", "k", "w");
        assertEquals("*0", emptyTransaction());
        redis.run("WATCH", "k");
        redis.dispatcher().closed(redis.client().connection());
        assertEquals(0, redis.dispatcher().watches().watchingClients());
    }

    @Test
    void shouldTellEveryWatcher() {
        redis.run("WATCH", "k", "k");
        other.run("WATCH", "k");
        redis.newClient().run("SET", "k", "v");
        assertEquals(NOTHING_DONE, emptyTransaction());
        other.run("MULTI");
        assertEquals(NOTHING_DONE, other.run("EXEC"));
    }

    private String emptyTransaction() {
        redis.run("MULTI");
        return redis.run("EXEC");
    }

    /** They are on the heap, and what cannot be had there ends the server. */
    @Test
    void shouldBoundTheMemoryOfAllWatchedKeys() {
        String key = "k".repeat(60_000);
        String reply = "+OK";
        int watched = 0;
        while (reply.equals("+OK") && watched <= WatchTable.BYTES_MAX / key.length()) {
            reply = redis.run("WATCH", key + watched++);
        }
        assertEquals("-ERR too many watched keys", reply);
        assertEquals("-ERR too many watched keys", other.run("WATCH", key));
        redis.run("UNWATCH");
        assertEquals("+OK", other.run("WATCH", key));
    }
}
