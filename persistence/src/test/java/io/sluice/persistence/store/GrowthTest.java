package io.sluice.persistence.store;

import com.sun.management.ThreadMXBean;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class GrowthTest {

    @TempDir
    Path directory;

    @Test
    void shouldGrowByMoreFilesAndMoveNoKey() throws Exception {
        final ChronicleStore store = ChronicleStore.open(Directories.tiny(directory));
        final StoreDriver driver = new StoreDriver(store);
        final long first = driver.insert(0, "first", 20, 0);
        for (int i = 0; i < 30_000; i++) {
            driver.insert(0, "key" + i, 20, i);
        }
        assertEquals(first, driver.find(0, "first"));
        driver.check();
        final CapacityReport report = store.capacity();
        assertTrue(report.files().size() > 5, report::toString);
        assertEquals(30_001, report.files().stream().mapToLong(CapacityReport.FileReport::keys).sum());
        assertTrue(report.files().stream().allMatch(file -> file.keys() <= file.keysNominal()));
        assertEquals(
            report.bytesUsed(),
            report.files().stream().mapToLong(CapacityReport.FileReport::bytesUsed).sum()
                + report.keys() * ChronicleStore.ENTRY_OVERHEAD_BYTES);
        assertNull(report.growthFailure());
        store.close();
    }

    @Test
    void shouldTakeNoNewFileWhileKeysComeAndGo() throws Exception {
        final ChronicleStore store = ChronicleStore.open(new StoreConfig(directory, 10_000, 0, 0, false));
        final StoreDriver driver = new StoreDriver(store);
        for (int i = 0; i < 60_000; i++) {
            driver.insert(0, "key" + i, 20, i);
            if (i >= 5_000) {
                driver.remove(0, "key" + (i - 5_000));
            }
        }
        assertEquals(1, store.capacity().files().size());
        driver.check();
        store.close();
    }

    @Test
    void shouldRefuseNewKeysOnAFullDiskLoseNoneAndGoOnWhenThereIsRoomAgain() throws Exception {
        final AtomicLong usable = new AtomicLong(1L << 40);
        final ChronicleStore store = new StoreOpening(Directories.tiny(directory), path -> usable.get()).open();
        final StoreDriver driver = new StoreDriver(store);
        usable.set(0);
        int keys = 0;
        boolean full = false;
        while (!full) {
            try {
                driver.insert(0, "key" + keys, 20, keys);
                keys++;
            } catch (final StoreFullException e) {
                full = true;
            }
        }
        assertTrue(keys > 1_500 && keys < 1_700, "one segment, then " + keys);
        assertTrue(store.capacity().growthFailure().contains("no space"), store.capacity()::growthFailure);
        assertTrue(!store.hasRoom(10_000, 100_000));
        driver.check();
        driver.remove(0, "key5");
        driver.insert(0, "key5", 20, 6);
        driver.check();

        usable.set(1L << 40);
        for (int i = 0; i < 1_000; i++) {
            insertAsSoonAsThereIsRoom(driver, "more" + i);
        }
        assertNull(store.capacity().growthFailure());
        driver.check();
        store.close();
    }

    @Test
    void shouldSayThatThereIsRoomAgainWhenTheDiskHasSome() throws Exception {
        final AtomicLong usable = new AtomicLong(1L << 40);
        final ChronicleStore store = new StoreOpening(Directories.tiny(directory), path -> usable.get()).open();
        final StoreDriver driver = new StoreDriver(store);
        usable.set(0);
        assertThrows(StoreFullException.class, () -> {
            for (int i = 0;; i++) {
                driver.insert(0, "key" + i, 20, i);
            }
        });
        assertFalse(store.hasRoom(1, 30));
        usable.set(1L << 40);
        while (!store.hasRoom(1, 30)) {
            Thread.onSpinWait();
        }
        driver.insert(0, "new", 20, 1);
        driver.check();
        store.close();
    }

    @Test
    void shouldHaveRoomForSmallKeysWhereThereIsNoneForAFileOfLargeOnes() throws Exception {
        final AtomicLong usable = new AtomicLong(1L << 40);
        final ChronicleStore store = new StoreOpening(Directories.tiny(directory), path -> usable.get()).open();
        final StoreDriver driver = new StoreDriver(store);
        usable.set(MapFiles.DISK_RESERVE_BYTES + (2 << 20));
        assertThrows(StoreFullException.class, () -> driver.insert(0, "large", 100_000, 1));
        assertFalse(store.hasRoom(1, 100_000));
        assertTrue(store.hasRoom(1, 30));
        driver.insert(0, "small", 20, 1);
        driver.check();
        store.close();
    }

    private static void insertAsSoonAsThereIsRoom(final StoreDriver driver, final String key) {
        for (;;) {
            try {
                driver.insert(0, key, 20, 1);
                return;
            } catch (final StoreFullException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldKeepAtMost64BytesOfFileForALimitersKey() throws Exception {
        final ChronicleStore store = ChronicleStore.open(new StoreConfig(directory, 27_500, 0, 0, false));
        final StoreDriver driver = new StoreDriver(store);
        for (int i = 0; i < 100_000; i++) {
            final String key = String.format("k:%015d", i * 7_919L);
            driver.insert(0, key, 20, i);
        }
        final double bytesPerKey = store.capacity().bytesAllocated() / 100_000.0;
        assertTrue(bytesPerKey <= 64, "bytes per key: " + bytesPerKey);
        store.close();
    }

    @Test
    void shouldSyncFromAnotherThreadWhileTheOwnerWrites() throws Exception {
        final ChronicleStore store = ChronicleStore.open(Directories.tiny(directory));
        final AtomicBoolean stop = new AtomicBoolean();
        final AtomicLong syncs = new AtomicLong();
        final Throwable[] failure = {null};
        final Thread disk = new Thread(() -> {
            do {
                store.sync();
                syncs.incrementAndGet();
            } while (!stop.get());
        });
        disk.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
        disk.start();
        final StoreDriver driver = new StoreDriver(store);
        StoreContractTest.random(driver, 31, 5_000);
        stop.set(true);
        disk.join();
        assertNull(failure[0]);
        assertTrue(syncs.get() > 0);
        store.close();
        store.sync();
        store.close();
    }

    @Test
    void shouldAllocateNothingToFindUpdateInsertResizeAndRemove() throws Exception {
        final ChronicleStore store = ChronicleStore.open(new StoreConfig(directory, 10_000, 0, 0, false));
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        final long key = UnsafeApi.allocateMemory(16);
        change(store, key, 20_000);
        final long before = threads.getThreadAllocatedBytes(thread);
        change(store, key, 20_000);
        final long allocated = threads.getThreadAllocatedBytes(thread) - before;
        assertTrue(allocated < 20_000, "bytes allocated by 20,000 rounds: " + allocated);
        UnsafeApi.freeMemory(key);
        store.close();
    }

    private static void change(final Store store, final long key, final int rounds) {
        for (int i = 0; i < rounds; i++) {
            UnsafeApi.putLong(key, i & 1_023);
            UnsafeApi.putLong(key + 8, 1);
            final long hash = store.hash(0, key, 16);
            long valueAddress = store.find(hash, 0, key, 16);
            if (valueAddress != Store.NOT_FOUND) {
                store.remove(hash, 0, key, 16, valueAddress);
            }
            valueAddress = store.insert(hash, 0, key, 16, 20);
            UnsafeApi.putLong(valueAddress, i);
            if (i % 4 == 0) {
                store.resize(hash, 0, key, 16, valueAddress, 200);
            }
        }
    }
}
