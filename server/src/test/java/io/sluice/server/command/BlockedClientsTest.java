package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BlockedClientsTest {
    private final CommandTester redis = new CommandTester();
    private final CommandTester.Client waiting = redis.newClient();
    private final CommandTester.Client other = redis.newClient();

    @AfterEach
    void close() {
        redis.close();
    }

    private int waiters() {
        return redis.dispatcher().blocked().size();
    }

    @Test
    void shouldAnswerAtOnceWhatIsThere() {
        redis.run("RPUSH", "l", "a", "b");
        assertEquals("*2 $1 l $1 b", waiting.run("BRPOP", "none", "l", "0"));
        assertEquals("$1 a", waiting.run("BLMOVE", "l", "to", "LEFT", "LEFT", "0"));
        redis.run("ZADD", "z", "1", "m");
        assertEquals("*3 $1 z $1 m $1 1", waiting.run("BZPOPMIN", "z", "0"));
        assertEquals(0, waiters());
    }

    @Test
    void shouldServeClientsInTheOrderInWhichTheyCame() {
        assertEquals("", waiting.run("BLPOP", "k", "l", "0"));
        assertEquals("", other.run("BRPOP", "l", "0"));
        assertTrue(waiting.connection().isBlocked());
        assertEquals(2, waiters());
        assertEquals(":2", redis.run("RPUSH", "l", "a", "b"));
        assertEquals("*2 $1 l $1 a", waiting.taken());
        assertEquals("*2 $1 l $1 b", other.taken());
        assertEquals(":0", redis.run("EXISTS", "l"));
        assertFalse(waiting.connection().isBlocked());
        assertEquals(0, waiters());
    }

    @Test
    void shouldLetWaitWhoFindsNothingForIt() {
        waiting.run("BLPOP", "l", "0");
        other.run("BZPOPMAX", "l", "0");
        redis.run("SET", "l", "text");
        redis.run("DEL", "l");
        redis.run("ZADD", "l", "1", "m");
        assertEquals("", waiting.taken());
        assertEquals("*3 $1 l $1 m $1 1", other.taken());
        assertEquals(1, waiters());
    }

    @Test
    void shouldServeAfterATransactionAndNotWithinIt() {
        waiting.run("BLPOP", "l", "0");
        redis.run("MULTI");
        redis.run("RPUSH", "l", "a");
        redis.run("LPOP", "l");
        redis.run("RPUSH", "l", "b");
        assertEquals("*3 :1 $1 a :1", redis.run("EXEC"));
        assertEquals("*2 $1 l $1 b", waiting.taken());
    }

    @Test
    void shouldNotWaitInATransaction() {
        redis.run("MULTI");
        redis.run("BLPOP", "l", "0");
        redis.run("BLMOVE", "l", "m", "LEFT", "LEFT", "0");
        redis.run("BZMPOP", "0", "1", "z", "MIN");
        assertEquals("*3 *-1 $-1 *-1", redis.run("EXEC"));
        assertEquals(0, waiters());
    }

    @Test
    void shouldPassElementsOnFromListToList() {
        waiting.run("BLMOVE", "a", "b", "LEFT", "RIGHT", "0");
        other.run("BLPOP", "b", "0");
        redis.run("RPUSH", "a", "x");
        assertEquals("$1 x", waiting.taken());
        assertEquals("*2 $1 b $1 x", other.taken());
        assertEquals("*0", redis.run("KEYS", "*"));
    }

    @Test
    void shouldServeWhenAKeyIsRenamedOrComesWithItsDatabase() {
        waiting.run("BLPOP", "l", "0");
        redis.run("RPUSH", "m", "a");
        redis.run("RENAME", "m", "l");
        assertEquals("*2 $1 l $1 a", waiting.taken());
        waiting.run("BLPOP", "l", "0");
        redis.run("SELECT", "1");
        redis.run("RPUSH", "l", "b");
        assertEquals("", waiting.taken());
        redis.run("SWAPDB", "0", "1");
        assertEquals("*2 $1 l $1 b", waiting.taken());
    }

    @Test
    void shouldCountTheKeysThatAreWaitedFor() {
        waiting.run("BLPOP", "l", "m", "0");
        other.run("BLPOP", "l", "0");
        assertTrue(redis.run("INFO", "clients").contains(" total_blocking_keys:2"));
        redis.run("RPUSH", "m", "a");
        assertTrue(redis.run("INFO", "clients").contains(" total_blocking_keys:1"));
    }

    @Test
    void shouldUnblockByCommand() {
        waiting.run("BLPOP", "l", "0");
        other.run("BLMOVE", "l", "m", "LEFT", "LEFT", "0");
        assertEquals(":1", redis.run("CLIENT", "UNBLOCK", Long.toString(waiting.connection().id())));
        assertEquals("*-1", waiting.taken());
        assertEquals(":1", redis.run("CLIENT", "UNBLOCK", Long.toString(other.connection().id()), "ERROR"));
        assertEquals("-UNBLOCKED client unblocked via CLIENT UNBLOCK", other.taken());
        assertEquals(":0", redis.run("CLIENT", "UNBLOCK", Long.toString(other.connection().id())));
        assertEquals(":0", redis.run("CLIENT", "UNBLOCK", "12345"));
        assertEquals("-ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR",
            redis.run("CLIENT", "UNBLOCK", "1", "x"));
    }

    @Test
    void shouldTellAllWhoWaitAndCloseThem() {
        waiting.run("BLPOP", "l", "m", "0");
        other.run("CLIENT", "REPLY", "OFF");
        other.run("BZPOPMIN", "z", "0");
        redis.dispatcher().blocked().closeAll("UNBLOCKED so");
        assertEquals("-UNBLOCKED so", waiting.taken());
        assertEquals("", other.taken());
        assertTrue(waiting.connection().isClosing());
        assertTrue(other.connection().isClosing());
        assertEquals(0, waiters());
        assertEquals(":1", redis.run("RPUSH", "l", "a"));
        assertEquals(":1", redis.run("LLEN", "l"));
    }

    @Test
    void shouldForgetAClientThatIsGone() {
        waiting.run("BLPOP", "l", "0");
        redis.dispatcher().closed(waiting.connection());
        assertEquals(0, waiters());
        assertEquals(":1", redis.run("RPUSH", "l", "a"));
        assertEquals(":1", redis.run("LLEN", "l"));
    }

    @Test
    void shouldRefuseTimeoutsThatAreNone() {
        assertEquals("-ERR timeout is negative", redis.run("BLPOP", "l", "-1"));
        assertEquals("-ERR timeout is not a float or out of range", redis.run("BLPOP", "l", "abc"));
        assertEquals("-ERR timeout is out of range", redis.run("BLPOP", "l", "1e300"));
    }

    /** They are on the heap, and what cannot be had there ends the server. */
    @Test
    void shouldBoundTheMemoryOfAllKeysThatAreWaitedFor() {
        String[] words = new String[200_002];
        words[0] = "BLPOP";
        words[words.length - 1] = "0";
        for (int i = 1; i < words.length - 1; i++) {
            words[i] = "k" + i;
        }
        assertEquals("-ERR too many keys are waited for", waiting.run(words));
        assertFalse(waiting.connection().isBlocked());
        assertEquals(0, waiters());
        assertEquals(0, redis.dispatcher().blocked().keys());
        assertEquals("", waiting.run("BLPOP", "l", "0"));
        redis.run("RPUSH", "l", "a");
        assertEquals("*2 $1 l $1 a", waiting.taken());
    }
}
