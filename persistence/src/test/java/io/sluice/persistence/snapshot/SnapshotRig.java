package io.sluice.persistence.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.KeyspaceDriver.Held;
import io.sluice.persistence.store.HeapStore;
import io.sluice.persistence.store.Store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A keyspace and its snapshots, with the slices and the draining done by hand. */
final class SnapshotRig implements AutoCloseable {

    final KeyspaceDriver driver;
    final Snapshots snapshots;
    SnapshotDrain drain;
    private long clockNs;

    SnapshotRig() {
        this(new HeapStore(21));
    }

    /** Every look at the clock takes longer than a slice may, so each slice is one shard. */
    SnapshotRig(final Store store) {
        driver = new KeyspaceDriver(store);
        snapshots = new Snapshots(driver.keyspace, () -> clockNs += 1_000, 1_000, 1, Snapshots.Purpose.FILE);
    }

    boolean begin(final SnapshotSink sink) {
        driver.unit(() -> null);
        return snapshots.begin(sink, task -> drain = (SnapshotDrain) task, Map.of(), driver.nowNs());
    }

    void slice() {
        driver.advanceMs(1);
        snapshots.doWork(driver.nowNs());
    }

    void drainAll() {
        while (drain.doWork()) {
            Thread.onSpinWait();
        }
    }

    void finish() {
        for (int i = 0; snapshots.isRunning(); i++) {
            assertTrue(i < 100_000, "ends");
            slice();
            drainAll();
        }
    }

    static List<Map<String, Held>> contentOf(final KeyspaceDriver driver) {
        final List<Map<String, Held>> content = new ArrayList<>();
        for (int db = 0; db < driver.keyspace.databases(); db++) {
            content.add(driver.all(db));
        }
        return content;
    }

    /** What a snapshot holds, read back at the time of its beginning. */
    static List<Map<String, Held>> contentOf(final byte[] snapshot, final long nowNs) throws IOException {
        try (KeyspaceDriver other = new KeyspaceDriver(new HeapStore(22));
             SnapshotLoader loader =
                 new SnapshotLoader(MemorySink.channel(snapshot), other.keyspace, nowNs)) {
            other.advanceMs(nowNs / 1_000_000 - other.nowMs());
            other.unit(() -> {
                try {
                    return loader.loadSome(Integer.MAX_VALUE);
                } catch (final IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertEquals(Map.of(), loader.report().skipped());
            return contentOf(other);
        }
    }

    @Override
    public void close() {
        driver.close();
    }
}
