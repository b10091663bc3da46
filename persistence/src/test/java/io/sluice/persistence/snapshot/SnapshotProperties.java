package io.sluice.persistence.snapshot;

import static io.sluice.persistence.snapshot.SnapshotRig.contentOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.ExpirySweeper;
import io.sluice.persistence.KeyspaceDriver.Held;
import io.sluice.persistence.KeyspaceModel;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Whatever is written between its slices, a snapshot holds what was there when it began. */
class SnapshotProperties {

    @Property(tries = 15)
    void shouldHoldWhatWasThereWhenItBeganWhateverIsWrittenMeanwhile(@ForAll final long seed)
        throws IOException {
        final Random random = new Random(seed);
        try (SnapshotRig rig = new SnapshotRig()) {
            final KeyspaceModel model = new KeyspaceModel(rig.driver, random);
            final ExpirySweeper sweeper = new ExpirySweeper(rig.driver.keyspace, () -> 0, 1_000_000, 20);
            for (int run = 0; run < 3; run++) {
                steps(rig, model, 500, random, sweeper);
                final MemorySink sink = new MemorySink();
                final List<Map<String, Held>> expected = contentOf(rig.driver);
                final long beganNs = rig.driver.nowNs();
                assertTrue(rig.begin(sink));
                assertFalse(rig.begin(new MemorySink()), "one at a time");
                while (rig.snapshots.isRunning()) {
                    steps(rig, model, random.nextInt(30), random, sweeper);
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
