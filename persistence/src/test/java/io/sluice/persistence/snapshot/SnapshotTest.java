package io.sluice.persistence.snapshot;

import static io.sluice.persistence.KeyspaceDriver.START_MS;
import static io.sluice.persistence.snapshot.SnapshotRig.contentOf;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.KeyspaceDriver.Held;
import io.sluice.persistence.ValueType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Snapshots hold exactly what the keyspace held when they began. */
class SnapshotTest {

    private final SnapshotRig rig = new SnapshotRig();
    private final KeyspaceDriver driver = rig.driver;
    private final Snapshots snapshots = rig.snapshots;

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldHoldEveryTypeAndSize() throws IOException {
        for (final long value : new long[] {0, 127, 128, -128, -129, 32_767, 32_768, -32_769, Integer.MAX_VALUE,
            Integer.MIN_VALUE - 1L, Long.MAX_VALUE, Long.MIN_VALUE}) {
            driver.putInt(1, "int" + value, value, START_MS + Math.abs(value >> 40));
        }
        for (final int length : new int[] {0, 1, 63, 64, 16_383, 16_384, 131_072, driver.keyspace.valueBytesMax()}) {
            driver.put(2, "text" + length, "x".repeat(length));
        }
        driver.put(3, "", "empty key");
        driver.put(3, "k".repeat(65_535), "long key");
        driver.put(3, "\0\r\n\u00ff", "\0\r\n\u00ff");
        driver.putWords(15, "bucket", 2, START_MS + 5, 1, -1, Long.MIN_VALUE);
        driver.putBlob(15, "log", 6, "blob".repeat(1_000), START_MS + 5);
        driver.putBlob(15, "empty log", 6, "", START_MS + 5);
        final MemorySink sink = new MemorySink();
        driver.unit(() -> null);
        snapshots.saveNow(sink, Map.of("repl-id", "abc"), driver.nowNs());
        assertTrue(sink.completed);
        assertEquals(contentOf(driver), contentOf(sink.bytes(), driver.nowNs()));
        final SnapshotLoader.Report report =
            SnapshotLoader.check(MemorySink.channel(sink.bytes()), driver.keyspace, driver.nowNs());
        assertEquals("abc", report.aux().get("repl-id"));
        assertEquals("64", report.aux().get("redis-bits"));
        assertEquals(driver.keyspace.size(), report.loaded());
        assertEquals(sink.bytes().length, report.bytes());
    }

    @Test
    void shouldFailAloneAtADamagedCollection() throws IOException {
        driver.putBlob(3, "damaged", ValueType.ZSET, "\u00ff".repeat(200), START_MS + 5);
        final IOException e = assertThrows(IOException.class,
            () -> snapshots.saveNow(new MemorySink(), Map.of(), driver.nowNs()));
        assertTrue(e.getMessage().startsWith("a value of database 3: damaged collection"), e.getMessage());
        final MemorySink sink = new MemorySink();
        rig.begin(sink);
        rig.finish();
        assertTrue(sink.aborted);
        assertFalse(snapshots.isRunning());
        assertEquals(2, snapshots.failedCount());
        driver.unit(() -> driver.keyspace.remove(driver.at(3, "damaged")));
        shouldSucceedNow();
    }

    @Test
    void shouldFailAloneWhenTheSinkIsSlowerThanTheChanges() throws IOException {
        for (int i = 0; i < 100; i++) {
            driver.put(0, "k" + i, "x".repeat(200_000));
        }
        final MemorySink sink = new MemorySink();
        rig.begin(sink);
        for (int i = 0; i < 100; i++) {
            driver.put(0, "k" + i, "y".repeat(1_000));
        }
        assertEquals(100, driver.all(0).size());
        rig.finish();
        assertTrue(sink.aborted);
        assertFalse(sink.completed);
        assertEquals("the sink was slower than the changes", snapshots.lastFailure());
        assertEquals(1, snapshots.failedCount());
        shouldSucceedNow();
    }

    @Test
    void shouldFailWhenTheSinkFails() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            driver.put(0, "k" + i, "x".repeat(i));
        }
        rig.begin(new MemorySink());
        rig.finish();
        for (long failAfter = 0; failAfter < 510_000; failAfter += 50_000) {
            final MemorySink sink = new MemorySink(failAfter);
            final long dirty = driver.keyspace.dirty();
            rig.begin(sink);
            driver.put(0, "k5", "changed meanwhile");
            rig.finish();
            assertTrue(sink.aborted);
            assertTrue(snapshots.lastFailure().contains("no space left"), snapshots.lastFailure());
            assertEquals(dirty + 1, driver.keyspace.dirty());
        }
        shouldSucceedNow();
    }

    @Test
    void shouldBeCancelled() throws IOException {
        driver.put(0, "k", "v");
        final MemorySink sink = new MemorySink();
        rig.begin(sink);
        driver.put(0, "k", "w");
        driver.put(0, "new", "v");
        snapshots.cancel();
        rig.finish();
        assertTrue(sink.aborted);
        assertEquals("cancelled", snapshots.lastFailure());
        shouldSucceedNow();
    }

    private void shouldSucceedNow() throws IOException {
        final MemorySink sink = new MemorySink();
        final List<Map<String, Held>> expected = contentOf(driver);
        final long beganNs = driver.nowNs();
        rig.begin(sink);
        driver.put(0, "k1", "later");
        rig.finish();
        assertNull(snapshots.lastFailure());
        assertEquals(expected, contentOf(sink.bytes(), beganNs));
    }

    @Test
    void shouldCountChangesSinceItBegan() {
        driver.put(0, "a", "1");
        driver.put(0, "b", "1");
        rig.begin(new MemorySink());
        driver.put(0, "c", "1");
        rig.finish();
        assertEquals(1, driver.keyspace.dirty());
        assertEquals(1, snapshots.completedCount());
        assertTrue(snapshots.lastCompletedNs() > snapshots.beganNs());
    }

    @Test
    void shouldHoldFunctionsHoweverManyThereAre() throws IOException {
        final List<byte[]> sources = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            final byte[] source = new byte[i * 10_000];
            Arrays.fill(source, (byte) i);
            sources.add(source);
        }
        snapshots.functions(() -> sources);
        driver.put(0, "k", "v");
        final MemorySink sink = new MemorySink();
        rig.begin(sink);
        for (int i = 0; i < 100; i++) {
            driver.put(0, "k" + i, "changed meanwhile");
        }
        rig.finish();
        assertNull(snapshots.lastFailure());
        final SnapshotLoader.Report report =
            SnapshotLoader.check(MemorySink.channel(sink.bytes()), driver.keyspace, driver.nowNs());
        assertEquals(1, report.loaded());
        assertEquals(sources.size(), report.functions().size());
        for (int i = 0; i < sources.size(); i++) {
            assertArrayEquals(sources.get(i), report.functions().get(i));
        }
    }

    @Test
    void shouldGoOnThoughTheServersTimeStandsStill() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            driver.put(0, "k" + i, "v");
        }
        final MemorySink sink = new MemorySink();
        rig.begin(sink);
        for (int i = 0; snapshots.isRunning(); i++) {
            assertTrue(i < 100_000, "ends");
            snapshots.doWork(driver.nowNs());
            rig.drainAll();
        }
        assertTrue(sink.completed);
        assertTrue(snapshots.lastDurationNs() > 0);
        assertEquals(driver.nowNs(), snapshots.lastCompletedNs());
    }

    @Test
    void shouldLeaveOutWhatHasExpiredAndWhatWasFlushed() throws IOException {
        driver.put(0, "expired", "v", START_MS);
        driver.put(1, "flushed", "v");
        driver.put(2, "there", "v");
        driver.advanceMs(1);
        driver.flushDb(1);
        final MemorySink sink = new MemorySink();
        rig.begin(sink);
        driver.put(0, "expired", "new value");
        rig.finish();
        final List<Map<String, Held>> content = contentOf(sink.bytes(), 0);
        assertEquals(Map.of(), content.get(0));
        assertEquals(Map.of(), content.get(1));
        assertEquals(1, content.get(2).size());
    }

    @Test
    void shouldReplaceTheFileOnlyWhenItIsComplete(@TempDir final Path directory) throws IOException {
        final Path file = directory.resolve("dump.rdb");
        driver.put(0, "k", "first");
        driver.unit(() -> null);
        snapshots.saveNow(new SnapshotFile(file), Map.of(), driver.nowNs());
        driver.put(0, "k", "x".repeat(1_000_000));
        rig.begin(new SnapshotFile(file));
        for (int i = 0; i < 200; i++) {
            rig.slice();
            rig.drain.doWork();
            try (FileChannel channel = FileChannel.open(file)) {
                assertEquals(1, SnapshotLoader.check(channel, driver.keyspace, driver.nowNs()).loaded());
            }
        }
        snapshots.cancel();
        rig.finish();
        assertTrue(Files.size(file) > 1_000_000);
        rig.begin(new SnapshotFile(file));
        rig.slice();
        snapshots.cancel();
        rig.finish();
        assertTrue(Files.size(file) > 1_000_000);
        try (var files = Files.list(directory)) {
            assertEquals(List.of(file), files.toList());
        }
    }

    @Test
    void shouldTellWhyAFileCannotBeWritten(@TempDir final Path directory) {
        final Path file = directory.resolve("missing").resolve("dump.rdb");
        final IOException thrown = assertThrows(
            IOException.class, () -> snapshots.saveNow(new SnapshotFile(file), Map.of(), driver.nowNs()));
        assertTrue(thrown.getMessage().contains("missing"), thrown.getMessage());
        assertFalse(snapshots.isRunning());
    }
}
