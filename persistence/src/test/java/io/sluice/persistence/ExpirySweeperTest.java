package io.sluice.persistence;

import static io.sluice.persistence.KeyspaceDriver.START_MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.store.HeapStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The sweeper: what it removes, within which bounds, how fast. */
class ExpirySweeperTest {

    private static final long SLICE_NS = 500_000;
    private static final int SLICE_ENTRIES = 1_000;

    private final KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(11));
    private final Keyspace keyspace = driver.keyspace;
    private long spentNs;
    private final ExpirySweeper sweeper = new ExpirySweeper(keyspace, () -> spentNs, SLICE_NS, SLICE_ENTRIES);

    @AfterEach
    void close() {
        driver.close();
    }

    private void flood(final int keys, final long expireAtMs) {
        for (int i = 0; i < keys; i++) {
            driver.putInt(i % 16, "k" + i, i, expireAtMs);
        }
    }

    @Test
    void shouldRemoveExpiredKeysOnly() {
        driver.put(0, "gone", "v", START_MS + 1);
        driver.put(0, "last moment", "v", START_MS + 2);
        driver.put(0, "for ever", "v");
        driver.advanceMs(2);
        assertEquals(1, sweeper.doWork(driver.nowNs()));
        assertEquals(2, keyspace.size());
        assertEquals(1, keyspace.expired());
        assertNotNull(driver.get(0, "last moment"));
    }

    @Test
    void shouldEndASliceAtItsBudget() {
        flood(20_000, START_MS);
        driver.advanceMs(1);
        final int removed = sweeper.doWork(driver.nowNs());
        assertTrue(removed >= SLICE_ENTRIES && removed < SLICE_ENTRIES + 1_000, "removed " + removed);
        assertEquals(1, sweeper.timeCapReachedCount());
    }

    @Test
    void shouldEndASliceAtItsTime() {
        flood(20_000, START_MS);
        driver.advanceMs(1);
        final ExpirySweeper timed = new ExpirySweeper(keyspace, () -> spentNs += SLICE_NS / 4, SLICE_NS, 1 << 30);
        final int removed = timed.doWork(driver.nowNs());
        assertTrue(removed > 0 && removed < 5_000, "removed " + removed);
        assertEquals(1, timed.timeCapReachedCount());
    }

    @Test
    void shouldWorkAtMostAQuarterOfTheTime() {
        flood(20_000, START_MS);
        driver.advanceMs(1);
        final long sliceMs = 2;
        final ExpirySweeper timed =
            new ExpirySweeper(keyspace, () -> spentNs += sliceMs * 1_000_000 / 2, 1, 1 << 30);
        int slices = 0;
        for (int ms = 0; ms < 200; ms++) {
            slices += timed.doWork(driver.nowNs()) > 0 ? 1 : 0;
            driver.advanceMs(1);
        }
        assertEquals(200 / (4 * sliceMs), slices);
    }

    @Test
    void shouldGiveMemoryBackWithinTwoWindowsOfAFlood() {
        final long windowMs = 500;
        flood(50_000, START_MS + windowMs);
        final long before = keyspace.memoryUsed();
        for (int ms = 0; ms < 2 * windowMs; ms++) {
            driver.advanceMs(1);
            sweeper.doWork(driver.nowNs());
        }
        assertEquals(0, keyspace.size());
        assertTrue(keyspace.memoryUsed() < before / 100);
        assertEquals(50_000, keyspace.expired());
        assertEquals(0, keyspace.avgTtlMs(0));
    }

    @Test
    void shouldRestWhenItFindsLittle() {
        final ExpirySweeper counted = new ExpirySweeper(keyspace, () -> spentNs++, SLICE_NS, SLICE_ENTRIES);
        int slices = 0;
        for (int ms = 0; ms < 10_000; ms++) {
            // The second write moves the expiry up, so shards look due and are not.
            driver.putInt(0, "k" + ms % 100, ms, driver.nowMs() + 1);
            driver.putInt(0, "k" + ms % 100, ms, driver.nowMs() + 100_000);
            final long before = spentNs;
            counted.doWork(driver.nowNs());
            slices += spentNs > before ? 1 : 0;
            driver.advanceMs(1);
        }
        assertEquals(0, keyspace.expired());
        assertTrue(slices >= 90 && slices <= 110, "slices in 10 s: " + slices);
    }

    @Test
    void shouldCountASmallKeyspaceExactlyAfterOnePass() {
        flood(100, START_MS);
        driver.put(0, "there", "v");
        driver.advanceMs(1);
        assertEquals(100, driver.unit(sweeper::sweepSome));
        assertEquals(1, keyspace.size());
    }

    @Test
    void shouldBoundTheOnePass() {
        flood(30_000, START_MS);
        driver.advanceMs(1);
        final int removed = driver.unit(sweeper::sweepSome);
        assertTrue(removed >= 10_000 && removed < 11_000, "removed " + removed);
    }

    @Test
    void shouldEstimateTheShareOfStaleKeys() {
        flood(1_000, START_MS + 10);
        for (int i = 0; i < 1_000; i++) {
            driver.putInt(0, "long" + i, i, START_MS + 1_000_000);
        }
        sweeper.doWork(driver.nowNs());
        assertEquals(0, sweeper.expiredStalePercent());
        driver.advanceMs(200);
        for (int i = 0; i < 100; i++) {
            sweeper.doWork(driver.nowNs());
            driver.advanceMs(10);
        }
        assertTrue(sweeper.expiredStalePercent() > 0 && sweeper.expiredStalePercent() <= 50);
    }
}
