package io.sluice.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.sluice.persistence.KeyspaceDriver.Held;
import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.Store;
import io.sluice.persistence.store.StoreConfig;
import io.sluice.persistence.store.StoreOpenException;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The contract, with a first file so small that the keys spread over several. */
final class ChronicleStoreKeyspaceTest extends KeyspaceContractTest {

    @TempDir
    Path directory;

    @Override
    Store openStore() {
        return openStore("data");
    }

    private Store openStore(final String name) {
        return openStore(name, 0);
    }

    private Store openStore(final String name, final long keysMax) {
        try {
            return ChronicleStore.open(new StoreConfig(directory.resolve(name), 1, keysMax, 0, false));
        } catch (final StoreOpenException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldHoldEverythingAfterItWasClosedAndOpened() {
        final Random random = new Random(17);
        final List<Map<String, Held>> before = new ArrayList<>();
        final long advanceMs;
        try (KeyspaceDriver first = new KeyspaceDriver(openStore("again"))) {
            final KeyspaceModel model = new KeyspaceModel(first, random);
            for (int i = 0; i < 5_000; i++) {
                model.step();
            }
            first.put(0, "at least this", "one");
            for (int db = 0; db < first.keyspace.databases(); db++) {
                before.add(first.all(db));
            }
            advanceMs = first.nowMs() - KeyspaceDriver.START_MS;
        }
        try (KeyspaceDriver second = new KeyspaceDriver(openStore("again"))) {
            second.advanceMs(advanceMs);
            for (int db = 0; db < second.keyspace.databases(); db++) {
                assertEquals(before.get(db), second.all(db));
            }
            assertEquals(0, second.keyspace.damaged());
        }
    }

    @Test
    void shouldEvictForAValueThatGrowsIntoLargerUnits() {
        try (KeyspaceDriver driver = new KeyspaceDriver(openStore("evicting"))) {
            for (int i = 0; i < 100; i++) {
                driver.put(0, "volatile" + i, "some text", KeyspaceDriver.START_MS + 1_000 + i);
            }
            driver.put(0, "k", "x".repeat(900));
            // Room for the bytes that are added, not for the chunk of a larger file that they begin.
            driver.keyspace.limits(new KeyspaceLimits(
                0, driver.keyspace.memoryUsed() + 200, EvictionPolicy.VOLATILE_TTL));
            driver.put(0, "k", "y".repeat(1_010));
            assertEquals("y".repeat(1_010), driver.get(0, "k").payload());
            assertTrue(driver.keyspace.evicted() > 0 && driver.keyspace.size() > 50);
        }
    }

    @Test
    void shouldShowEachEntryOnceToASnapshotThatIsInterruptedInAShardOfWhichMostIsGone() {
        final int keys = 20_000;
        final int kept = 2_000;
        try (KeyspaceDriver driver = new KeyspaceDriver(openStore("sparse", keys))) {
            for (int i = 0; i < keys; i++) {
                driver.putInt(0, "k" + i, i, Entry.NO_EXPIRY);
            }
            for (int i = kept; i < keys; i++) {
                driver.remove(0, "k" + i);
            }
            final List<Long> shown = new ArrayList<>();
            final int[] room = {0};
            final SnapshotWalk walk = driver.keyspace.beginSnapshot(new SnapshotWalk.EntrySaver() {
                @Override
                public boolean hasRoom() {
                    return room[0]-- > 0;
                }

                @Override
                public boolean save(final Entry entry) {
                    shown.add(entry.intValue());
                    return true;
                }
            }, false);
            // A slice is one shard, and of that one entry.
            final long[] clockNs = {0};
            do {
                room[0] = 1;
            } while (!walk.slice(() -> clockNs[0]++, 1));
            assertEquals(kept, Set.copyOf(shown).size(), "different ones");
            assertEquals(kept, shown.size());
        }
    }

    @Test
    void shouldKeepTheOldValueWhenKilledInTheMidstOfOverwritingIt() {
        final List<Consumer<KeyspaceDriver>> overwrites = List.of(
            own -> own.put(0, "k", "another text of another length"), own -> own.put(0, "k", "17"),
            own -> own.setRange(0, "k", 3, "ABC"),
            own -> own.putWords(0, "k", ValueType.BUCKET, Entry.NO_EXPIRY, 1, 2, 3, 4));
        final List<String> images = new ArrayList<>();
        final Store real = openStore("overwritten");
        final Store watched = (Store) Proxy.newProxyInstance(
            Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("dropImage")) {
                    images.add("image" + images.size());
                    copyFiles(directory.resolve("overwritten"), directory.resolve(images.get(images.size() - 1)));
                }
                return method.invoke(real, arguments);
            });
        final List<Held> expected = new ArrayList<>();
        try (KeyspaceDriver own = new KeyspaceDriver(watched)) {
            for (final Consumer<KeyspaceDriver> overwrite : overwrites) {
                own.remove(0, "k");
                own.put(0, "k", "the old value");
                expected.add(own.all(0).get("k"));
                overwrite.accept(own);
            }
        }
        assertEquals(expected.size(), images.size());
        for (int i = 0; i < images.size(); i++) {
            try (KeyspaceDriver own = new KeyspaceDriver(openStore(images.get(i)))) {
                assertEquals(expected.get(i), own.all(0).get("k"), images.get(i));
            }
        }
    }

    @Test
    void shouldKeepTheOldValueUntilAMuchShorterOneIsComplete() {
        final List<String> images = new ArrayList<>();
        final Store real = openStore("shortened");
        final Store watched = (Store) Proxy.newProxyInstance(
            Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                final Object result = method.invoke(real, arguments);
                if (List.of("keepImage", "dropImage", "resize").contains(method.getName())) {
                    images.add("after-" + method.getName() + images.size());
                    copyFiles(directory.resolve("shortened"), directory.resolve(images.get(images.size() - 1)));
                }
                return result;
            });
        final List<Held> values = new ArrayList<>();
        try (KeyspaceDriver own = new KeyspaceDriver(watched)) {
            for (final String value : List.of("old".repeat(200), "new", "17")) {
                own.put(0, "k", value);
                values.add(own.all(0).get("k"));
            }
        }
        assertTrue(images.stream().anyMatch(image -> image.startsWith("after-resize")), images.toString());
        for (final String image : images) {
            try (KeyspaceDriver own = new KeyspaceDriver(openStore(image))) {
                assertTrue(values.contains(own.all(0).get("k")), image);
            }
        }
    }

    private static void copyFiles(final Path from, final Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (final Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    @Test
    void shouldAllocateNothingWhenItDecides() {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final int rounds = 50_000;
        try (KeyspaceDriver own = new KeyspaceDriver(openStore("allocation"))) {
            final Keyspace keyspace = own.keyspace;
            final long key = UnsafeApi.allocateMemory(Long.BYTES);
            final Entry entry = new Entry();
            final long[] words = {1, 2, 3};
            long allocated = 0;
            for (int i = 0; i < 2 * rounds; i++) {
                if (i == rounds) {
                    allocated = threads.getCurrentThreadAllocatedBytes();
                }
                keyspace.begin(own.nowNs());
                UnsafeApi.putLong(key, i % 100);
                keyspace.lookupRead(entry, i % 3, key, Long.BYTES);
                if (i % 3 == 0) {
                    keyspace.putWords(entry, ValueType.BUCKET, words, words.length, own.nowMs() + i);
                } else {
                    keyspace.putInt(entry, i, own.nowMs() + i);
                }
                keyspace.end();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
            UnsafeApi.freeMemory(key);
            assertTrue(allocated < rounds, "bytes allocated by " + rounds + " decisions: " + allocated);
        }
    }
}
