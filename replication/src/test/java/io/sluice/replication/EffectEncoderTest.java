package io.sluice.replication;

import static io.sluice.persistence.Entry.NO_EXPIRY;
import static io.sluice.persistence.KeyspaceDriver.START_MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ExpirySweeper;
import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.ListValue;
import io.sluice.persistence.collection.ZSetValue;
import io.sluice.persistence.store.HeapStore;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

/** What the stream says, command by command. */
class EffectEncoderTest {

    private final KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1));
    private final StreamText stream = new StreamText();
    private final EffectEncoder encoder = new EffectEncoder(stream);

    @BeforeEach
    void follow() {
        driver.keyspace.effects(encoder);
    }

    @AfterEach
    void close() {
        driver.close();
        encoder.close();
    }

    private void expect(final String... commands) {
        assertEquals(
            List.of(commands),
            StreamText.commands(stream.take()).stream().map(words -> String.join(" ", words)).toList());
    }

    @Test
    void shouldBeStandardCommands() {
        driver.put(0, "k", "v");
        assertEquals("*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n", stream.take());
    }

    @Test
    void shouldGiveAbsoluteTimesAndWholeValues() {
        driver.putInt(0, "k", 1_699_920_002_000_000_000L, START_MS + 5);
        driver.append(0, "k", "x");
        driver.expireAt(0, "k", START_MS + 7);
        driver.persist(0, "k");
        driver.remove(0, "k");
        expect("SELECT 0",
            "SET k 1699920002000000000 PXAT " + (START_MS + 5),
            "SET k 1699920002000000000x PXAT " + (START_MS + 5),
            "PEXPIREAT k " + (START_MS + 7),
            "PERSIST k",
            "DEL k");
    }

    @Test
    void shouldFrameAUnitOfSeveralEffectsOnly() {
        driver.put(0, "a", "1");
        driver.rename(0, "a", 0, "b");
        driver.get(0, "b");
        expect("SELECT 0", "SET a 1", "MULTI", "SET b 1", "DEL a", "EXEC");
        driver.rename(0, "b", 3, "c");
        expect("MULTI", "SELECT 3", "SET c 1", "SELECT 0", "DEL b", "EXEC");
    }

    @Test
    void shouldTellOfAChangeOfOurOwnTypesByACommandOfOurs() {
        driver.putBlob(3, "log", 6, "x".repeat(5_000), START_MS + 5);
        stream.take();
        driver.unit(() -> {
            final Entry e = driver.at(3, "log");
            driver.keyspace.putBlob(e, 6, 5_000, START_MS + 6);
            driver.keyspace.blobChanged(e, "SLUICE.LOG".getBytes(StandardCharsets.US_ASCII), new long[] {-1, 20});
            return null;
        });
        expect("SLUICE.LOG log -1 20");
    }

    @Test
    void shouldRelayCommandsWithinTheirUnit() {
        driver.put(0, "k", "v");
        stream.take();
        driver.unit(() -> {
            driver.keyspace.relay(CommandBuffer.ascii("PUBLISH"), CommandBuffer.ascii("c"), new byte[0]);
            return null;
        });
        expect("PUBLISH c ");
        driver.unit(() -> {
            driver.keyspace.relay(CommandBuffer.ascii("PUBLISH"), CommandBuffer.ascii("c"), new byte[0]);
            return driver.keyspace.remove(driver.at(0, "k"));
        });
        expect("MULTI", "PUBLISH c ", "DEL k", "EXEC");
    }

    @Test
    void shouldFrameThreeEffects() {
        driver.unit(() -> {
            for (int i = 0; i < 3; i++) {
                driver.keyspace.putInt(driver.at(1, "k" + i), i, NO_EXPIRY);
            }
            return null;
        });
        expect("MULTI", "SELECT 1", "SET k0 0", "SET k1 1", "SET k2 2", "EXEC");
    }

    @Test
    void shouldSelectAgainWhenAReplicaJoins() {
        driver.put(2, "k", "1");
        driver.put(2, "k", "2");
        encoder.forgetSelection();
        driver.put(2, "k", "3");
        expect("SELECT 2", "SET k 1", "SET k 2", "SELECT 2", "SET k 3");
    }

    @Test
    void shouldGiveWholeDatabases() {
        driver.put(4, "k", "1");
        driver.swapDb(4, 5);
        driver.flushDb(5);
        driver.put(6, "k", "1");
        driver.flushAll();
        expect("SELECT 4", "SET k 1", "SWAPDB 4 5", "SELECT 5", "FLUSHDB", "SELECT 6", "SET k 1", "FLUSHALL");
    }

    @Test
    void shouldDeleteWhatExpiresOutsideOfUnits() {
        driver.put(0, "a", "1", START_MS);
        driver.put(0, "b", "1", START_MS);
        stream.take();
        driver.advanceMs(1);
        new ExpirySweeper(driver.keyspace, () -> 0, 1_000_000, 1_000).doWork(driver.nowNs());
        final List<List<String>> commands = StreamText.commands(stream.take());
        assertEquals(2, commands.size());
        assertTrue(commands.containsAll(List.of(List.of("DEL", "a"), List.of("DEL", "b"))));
    }

    @Test
    void shouldRestoreOwnTypes() {
        driver.putWords(0, "w", ValueType.BUCKET, START_MS + 5, 1, 2);
        driver.putBlob(0, "b", ValueType.LOG, "blob", NO_EXPIRY);
        final List<List<String>> commands = StreamText.commands(stream.take());
        assertEquals(3, commands.size());
        assertEquals(List.of("RESTORE", "w", Long.toString(START_MS + 5)), commands.get(1).subList(0, 3));
        assertEquals(List.of("REPLACE", "ABSTTL"), commands.get(1).subList(4, 6));
        assertEquals(List.of("RESTORE", "b", "0"), commands.get(2).subList(0, 3));
    }

    @Test
    void shouldSayNothingOfAnEmptyUnit() {
        driver.get(0, "absent");
        driver.remove(0, "absent");
        expect();
    }

    private long bytes(final String text) {
        return driver.at(0, text).keyAddress();
    }

    /** Does something with a list of the key k, each time with an element of the given text. */
    private void list(final String element, final BiConsumer<ListValue, Long> change) {
        final Entry entry = new Entry();
        final long key = UnsafeApi.allocateMemory(1);
        UnsafeApi.putByte(key, (byte) 'k');
        driver.unit(() -> {
            final ListValue list = new ListValue();
            driver.keyspace.lookup(entry, 0, key, 1);
            list.open(driver.keyspace, entry);
            change.accept(list, bytes(element));
            return null;
        });
        UnsafeApi.freeMemory(key);
    }

    @Test
    void shouldGiveChangesOfListsAndTheirEndAsARemoval() {
        list("a", (list, a) -> list.pushLast(a, 1));
        list("b", (list, b) -> list.pushFirst(b, 1));
        list("c", (list, c) -> list.set(1, c, 1));
        list("bd", (list, bd) -> list.insert(true, bd, 1, bd + 1, 1));
        list("b", (list, b) -> list.removeEqual(-1, b, 1));
        list("e", (list, e) -> list.pushLast(e, 1));
        list("", (list, none) -> list.removeFirst(2));
        list("", (list, none) -> list.removeLast(1));
        expect("SELECT 0", "RPUSH k a", "LPUSH k b", "LSET k 1 c", "LINSERT k BEFORE b d", "LREM k -1 b", "RPUSH k e",
            "LPOP k 2", "DEL k");
    }

    @Test
    void shouldGiveScoresThatReadBackTheSame() {
        final Entry entry = new Entry();
        final long key = UnsafeApi.allocateMemory(1);
        UnsafeApi.putByte(key, (byte) 'k');
        driver.unit(() -> {
            final ZSetValue zset = new ZSetValue();
            driver.keyspace.lookup(entry, 0, key, 1);
            zset.open(driver.keyspace, entry);
            zset.put(0.1, bytes("a"), 1);
            zset.put(1_700_000_000_123L, bytes("b"), 1);
            zset.put(Double.NEGATIVE_INFINITY, bytes("c"), 1);
            zset.put(1e300, bytes("d"), 1);
            zset.remove(bytes("b"), 1);
            zset.removeRange(1, 2);
            return null;
        });
        UnsafeApi.freeMemory(key);
        expect("MULTI", "SELECT 0", "ZADD k 0.1 a", "ZADD k 1700000000123 b", "ZADD k -inf c", "ZADD k 1.0E300 d",
            "ZREM k b", "ZREMRANGEBYRANK k 1 2", "EXEC");
    }
}
