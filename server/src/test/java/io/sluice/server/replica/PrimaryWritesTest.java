package io.sluice.server.replica;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.Request;
import io.sluice.server.command.CommandRunner;
import io.sluice.server.command.CommandTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PrimaryWritesTest {
    private final CommandTester replica = new CommandTester();
    private final PrimaryWrites writes = new PrimaryWrites(replica.dispatcher());

    @AfterEach
    void close() {
        replica.close();
    }

    private String send(int db, String... words) {
        byte[][] args = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            args[i] = words[i].getBytes(StandardCharsets.ISO_8859_1);
        }
        ByteBuf scratch = PooledByteBufAllocator.DEFAULT.directBuffer();
        CommandRunner runner = replica.dispatcher().runner();
        try {
            replica.dispatcher().beginBatch();
            runner.beginPrimaryUnit();
            replica.client().connection().db(db);
            String error = writes.apply(replica.client().connection(), Request.of(scratch, args), db);
            replica.client().connection().db(0);
            runner.endPrimaryUnit();
            return error;
        } finally {
            scratch.release();
        }
    }

    private void applied(String... words) {
        assertNull(send(0, words));
    }

    private void notApplied(String... words) {
        assertNotNull(send(0, words));
    }

    private String tooLarge() {
        return "x".repeat(replica.keyspace().valueBytesMax() + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"XADD old * a 1", "GEOADD old 1 2 a", "PFADD old a", "PFMERGE old p",
        "XGROUP CREATE old g 0", "GEOSEARCHSTORE old g FROMLONLAT 1 2 BYRADIUS 10 km",
        "GEORADIUS g 1 2 10 km STORE old", "GEORADIUSBYMEMBER g a 10 km COUNT 1 STOREDIST old",
        "RESTORE old 0 payload REPLACE", "RENAME nothing old", "XDEL old 1-1", "LPUSH old a", "ZADD old 1 a",
        "SETRANGE old 536870911 a", "xadd old * a 1"})
    void shouldRemoveWhatACommandWouldHaveWritten(String command) {
        replica.run("SET", "old", "1");
        replica.run("SET", "other", "1");
        notApplied(command.split(" "));
        assertEquals("$-1", replica.run("GET", "old"));
        assertEquals("$1 1", replica.run("GET", "other"));
        assertTrue(writes.missing().contains(0, "old"));
        assertEquals(1, writes.missing().size());
    }

    @Test
    void shouldRemoveAllKeysOfWhatIsTooLarge() {
        replica.run("MSET", "a", "1", "b", "1", "c", "1", "d", "1");
        notApplied("MSET", "a", "2", "b", tooLarge());
        notApplied("APPEND", "c", tooLarge());
        assertEquals(":1", replica.run("DBSIZE"));
        assertEquals("$1 1", replica.run("GET", "d"));
    }

    @Test
    void shouldKeepWhatIsOnlyRead() {
        replica.run("SADD", "s", "a");
        replica.run("SET", "hll", "1");
        notApplied("SUNIONSTORE", "to", "hll", "s");
        notApplied("PFCOUNT", "hll");
        notApplied("PFMERGE", "merged", "hll");
        assertEquals(":2", replica.run("EXISTS", "s", "hll"));
    }

    @Test
    void shouldNotBeginAPartOfWhatIsMissing() {
        notApplied("SET", "k", tooLarge());
        notApplied("APPEND", "k", "more");
        notApplied("PEXPIREAT", "k", "4102444800000");
        notApplied("SETRANGE", "k", "0", "more");
        assertEquals(":0", replica.run("DBSIZE"));
        applied("SET", "k", "small");
        applied("APPEND", "k", "er");
        assertEquals("$7 smaller", replica.run("GET", "k"));
        assertTrue(writes.missing().isEmpty());
    }

    @Test
    void shouldNotDeriveFromWhatIsMissing() {
        replica.run("MSET", "copied", "old", "renamed", "old", "united", "old", "s", "old");
        replica.run("RPUSH", "l", "old");
        notApplied("XADD", "stream", "*", "a", "1");
        notApplied("COPY", "stream", "copied", "REPLACE");
        notApplied("RENAME", "stream", "renamed");
        notApplied("SUNIONSTORE", "united", "other", "renamed");
        notApplied("LMOVE", "renamed", "l", "LEFT", "LEFT");
        assertEquals(":1", replica.run("DBSIZE"));
        assertFalse(writes.missing().contains(0, "stream"), "its name is free");
        applied("RPUSH", "stream", "a");
        applied("DEL", "copied", "renamed", "united", "l");
        assertTrue(writes.missing().isEmpty());
    }

    @Test
    void shouldKeepAConditionalWriteMissingIfItsConditionDoesNotHoldHere() {
        notApplied("XADD", "k", "*", "a", "1");
        applied("SET", "k", "v", "XX");
        notApplied("APPEND", "k", "more");
        assertEquals(":0", replica.run("DBSIZE"));
    }

    @Test
    void shouldFollowKeysThroughDatabases() {
        notApplied("XADD", "k", "*", "a", "1");
        notApplied("COPY", "k", "copy", "DB", "3");
        notApplied("MOVE", "k", "2");
        assertTrue(writes.missing().contains(2, "k"));
        assertTrue(writes.missing().contains(3, "copy"));
        assertEquals(2, writes.missing().size());
        applied("SWAPDB", "2", "5");
        assertNotNull(send(5, "RPUSH", "k", "a"));
        assertNull(send(2, "RPUSH", "k", "a"));
        assertNull(send(5, "FLUSHDB"));
        assertEquals(1, writes.missing().size());
        applied("FLUSHALL");
        assertTrue(writes.missing().isEmpty());
    }

    @Test
    void shouldEmptyADatabaseThatIsSwappedForOneThatIsNotHere() {
        replica.run("MSET", "a", "old", "b", "old");
        notApplied("APPEND", "b", tooLarge());
        assertNull(send(1, "SET", "other", "1"));
        notApplied("SWAPDB", "0", "99");
        assertEquals(":0", replica.run("DBSIZE"));
        assertFalse(writes.missing().contains(0, "b"), "it has gone with its database");
        notApplied("INCR", "a");
        notApplied("COPY", "a", "c");
        notApplied("SET", "large", tooLarge());
        assertEquals(":0", replica.run("DBSIZE"));
        applied("SET", "a", "new");
        applied("APPEND", "a", "er");
        assertEquals("$5 newer", replica.run("GET", "a"));
        applied("SWAPDB", "0", "1");
        assertEquals("$1 1", replica.run("GET", "other"));
        applied("INCR", "counter");
        assertNotNull(send(1, "INCR", "counter"));
        assertNull(send(1, "FLUSHDB"));
        assertNull(send(1, "INCR", "counter"));
        assertFalse(writes.missing().isEmpty(), "what is not here");
        applied("FLUSHALL");
        assertTrue(writes.missing().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 256, 65_536, Integer.MAX_VALUE})
    void shouldWriteNothingIntoADatabaseThatIsNotHere(int db) {
        replica.run("MSET", "k", "1", "copy", "old", "moved", "1");
        assertEquals("ERR DB index is out of range", send(db, "SET", "k", "2"));
        assertNotNull(send(db, "DEL", "k"));
        assertNotNull(send(db, "INCR", "k"));
        assertNotNull(send(db, "FLUSHDB"));
        assertNotNull(send(db, "COPY", "k", "copy", "DB", "0", "REPLACE"));
        notApplied("MOVE", "moved", Integer.toString(db));
        assertEquals(":1", replica.run("DBSIZE"));
        assertEquals("$1 1", replica.run("GET", "k"));
        assertTrue(writes.missing().contains(0, "copy"));
        assertFalse(writes.missing().contains(0, "k"));
        assertNull(send(db, "FLUSHALL"));
        assertEquals(":0", replica.run("DBSIZE"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"EVAL x 1 k", "EVALSHA x 0", "FCALL f 0", "MODULE.SET k", "eval x 0"})
    void shouldSayThatKeysMayBeOutdatedWhereTheyAreNotKnown(String command) {
        assertTrue(consequence(command).contains("may be outdated"));
    }

    @Test
    void shouldSayWhatFollowsWhereTheKeysAreKnown() {
        assertEquals("hence missing", consequence("XADD k * a 1"));
        assertEquals("hence its databases are empty here", consequence("SWAPDB 0 99"));
    }

    private String consequence(String command) {
        ByteBuf scratch = PooledByteBufAllocator.DEFAULT.directBuffer();
        try {
            Request request = Request.of(scratch, Arrays.stream(command.split(" "))
                    .map(word -> word.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new));
            assertEquals(writes.consequence(request).equals("hence missing"), writes.knowsKeys(request));
            return writes.consequence(request);
        } finally {
            scratch.release();
        }
    }

    @Test
    void shouldTellWhenNothingIsKnownOfACommand() {
        ByteBuf scratch = PooledByteBufAllocator.DEFAULT.directBuffer();
        try {
            assertFalse(writes.knowsKeys(Request.of(scratch, "MODULE.SET".getBytes(StandardCharsets.US_ASCII))));
            assertTrue(writes.knowsKeys(Request.of(scratch, "XADD".getBytes(StandardCharsets.US_ASCII))));
        } finally {
            scratch.release();
        }
        notApplied("MODULE.SET", "k");
        assertTrue(writes.missing().isEmpty());
    }

    @Test
    void shouldRememberNoMoreThanItsBound() {
        MissingKeys missing = writes.missing();
        for (int i = 0; i <= MissingKeys.KEYS_MAX; i++) {
            missing.add(0, "k" + i);
        }
        assertEquals(MissingKeys.KEYS_MAX, missing.size());
        missing.remove(0, "k0");
        missing.add(0, "k" + MissingKeys.KEYS_MAX);
        assertTrue(missing.contains(0, "k" + MissingKeys.KEYS_MAX));
    }
}
