package io.sluice.persistence.snapshot;

import static io.sluice.persistence.snapshot.SnapshotRig.contentOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.ExpirySweeper;
import io.sluice.persistence.KeyspaceDriver.Held;
import io.sluice.persistence.KeyspaceModel;
import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.Store;
import io.sluice.persistence.store.StoreConfig;
import io.sluice.persistence.store.StoreOpenException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Whatever is written between its slices, a snapshot holds what was there when it began. */
class SnapshotProperties {

    @Property(tries = 15)
    void shouldHoldWhatWasThereWhenItBeganWhateverIsWrittenMeanwhile(@ForAll final long seed)
        throws IOException {
        try (SnapshotRig rig = new SnapshotRig()) {
            checkExactness(rig, new Random(seed), 3);
        }
    }

    @Test
    void shouldDoSoOverChronicleMap(@TempDir final Path directory) throws IOException, StoreOpenException {
        final long seed = System.nanoTime();
        final Store store = ChronicleStore.open(new StoreConfig(directory, 1, 0, 0, false));
        try (SnapshotRig rig = new SnapshotRig(store)) {
            checkExactness(rig, new Random(seed), 2);
        } catch (final AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static void checkExactness(final SnapshotRig rig, final Random random, final int runs)
        throws IOException {
        final KeyspaceModel model = new KeyspaceModel(rig.driver, random);
        final ExpirySweeper sweeper = new ExpirySweeper(rig.driver.keyspace, () -> 0, 1_000_000, 20);
        for (int run = 0; run < runs; run++) {
            steps(rig, model, 500, random, sweeper);
            final MemorySink sink = new MemorySink();
            final List<Map<String, Held>> expected = contentOf(rig.driver);
            final long beganNs = rig.driver.nowNs();
            assertTrue(rig.begin(sink));
            assertFalse(rig.begin(new MemorySink()), "one at a time");
            final int perSlice = 1 + 2_000 / rig.driver.store().shards();
            while (rig.snapshots.isRunning()) {
                steps(rig, model, random.nextInt(perSlice), random, sweeper);
                rig.slice();
                for (int i = random.nextInt(3); i > 0; i--) {
                    rig.drain.doWork();
                }
            }
            assertNull(rig.snapshots.lastFailure());
            assertTrue(sink.completed);
            assertEquals(expected, contentOf(sink.bytes(), beganNs));
            model.verify();
        }
    }

    private static void steps(
        final SnapshotRig rig, final KeyspaceModel model, final int count, final Random random,
        final ExpirySweeper sweeper) {
        for (int i = 0; i < count; i++) {
            model.step();
            if (random.nextInt(10) == 0) {
                sweeper.doWork(rig.driver.nowNs());
            }
        }
    }

    @Property(tries = 3)
    void shouldStopWithinAShardOfLargeValuesAndGoOn(@ForAll final long seed) throws IOException {
        final Random random = new Random(seed);
        try (SnapshotRig rig = new SnapshotRig()) {
            for (int i = 0; i < 100; i++) {
                final String letter = String.valueOf((char) random.nextInt(256));
                rig.driver.put(0, "k" + i, letter.repeat(1 + random.nextInt(800_000)));
            }
            final MemorySink sink = new MemorySink();
            final List<Map<String, Held>> expected = contentOf(rig.driver);
            final long beganNs = rig.driver.nowNs();
            rig.begin(sink);
            int slices = 0;
            while (rig.snapshots.isRunning()) {
                rig.driver.put(0, "k" + random.nextInt(200), "small" + random.nextInt());
                rig.driver.remove(0, "k" + random.nextInt(200));
                rig.slice();
                slices++;
                rig.drainAll();
            }
            assertNull(rig.snapshots.lastFailure());
            assertTrue(slices > rig.driver.store().shards() + 2, "some shards took several slices: " + slices);
            assertEquals(expected, contentOf(sink.bytes(), beganNs));
        }
    }
}
