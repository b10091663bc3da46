package io.sluice.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.store.HeapStore;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What a scan promises while the keyspace changes under it. */
class KeyScanTest {

    @Property(tries = 300)
    void shouldShowEveryKeyThatIsThereFromFirstCallToLast(
        @ForAll final long seed, @ForAll @IntRange(min = 1, max = 300) final int keys,
        @ForAll @IntRange(min = 1, max = 60) final int count) {
        final Random random = new Random(seed);
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(seed))) {
            final Set<String> stable = new HashSet<>();
            for (int i = 0; i < keys; i++) {
                driver.put(0, "stable" + i, "v");
                stable.add("stable" + i);
            }
            final Set<String> seen = new HashSet<>();
            long cursor = 0;
            int calls = 0;
            do {
                final long from = cursor;
                cursor = driver.unit(() -> driver.keyspace.scan(
                    from, 0, count, e -> seen.add(KeyspaceDriver.key(e))));
                assertTrue(++calls < 100_000, "ends");
                for (int i = random.nextInt(10); i > 0; i--) {
                    disturb(driver, random);
                }
            } while (cursor != 0);
            assertTrue(seen.containsAll(stable), () -> "missing: " + missing(stable, seen));
        }
    }

    private static void disturb(final KeyspaceDriver driver, final Random random) {
        final String key = "passing" + random.nextInt(100);
        switch (random.nextInt(8)) {
            case 0, 1 -> driver.put(0, key, "v".repeat(random.nextInt(50)));
            case 2 -> driver.remove(0, key);
            case 3 -> driver.rename(0, key, 0, key + "x");
            case 4 -> driver.put(1 + random.nextInt(3), key, "v");
            case 5 -> driver.flushDb(1 + random.nextInt(3));
            case 6 -> driver.swapDb(1 + random.nextInt(3), 1 + random.nextInt(3));
            default -> new ExpirySweeper(driver.keyspace, () -> 0, 1, 10).doWork(driver.nowNs());
        }
    }

    private static Set<String> missing(final Set<String> expected, final Set<String> seen) {
        final Set<String> missing = new HashSet<>(expected);
        missing.removeAll(seen);
        return missing;
    }

    @Test
    void shouldShowEachKeyOnceWhileNothingChanges() {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            for (int i = 0; i < 1_000; i++) {
                driver.put(i % 3, "k" + i, "v");
            }
            for (int count : new int[] {1, 7, 100, 5_000}) {
                final List<String> shown = new ArrayList<>();
                long cursor = 0;
                do {
                    final int before = shown.size();
                    final long from = cursor;
                    cursor = driver.unit(() -> driver.keyspace.scan(
                        from, 1, count, e -> shown.add(KeyspaceDriver.key(e))));
                    assertTrue(shown.size() - before <= count);
                } while (cursor != 0);
                assertEquals(333, shown.size());
                assertEquals(333, new HashSet<>(shown).size());
            }
        }
    }

    @Test
    void shouldNotShowExpiredKeys() {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            driver.put(0, "gone", "v", KeyspaceDriver.START_MS);
            driver.put(0, "there", "v");
            driver.advanceMs(1);
            assertEquals(Set.of("there"), driver.all(0).keySet());
        }
    }

    @Test
    void shouldLookAtABoundedNumberOfEntriesPerCall() {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            for (int i = 0; i < 20_000; i++) {
                driver.putInt(0, "k" + i, i, Entry.NO_EXPIRY);
            }
            driver.put(1, "lonely", "v");
            final List<String> shown = new ArrayList<>();
            int calls = 0;
            long cursor = 0;
            do {
                final long from = cursor;
                cursor = driver.unit(() -> driver.keyspace.scan(
                    from, 1, 10, e -> shown.add(KeyspaceDriver.key(e))));
                calls++;
            } while (cursor != 0);
            assertEquals(List.of("lonely"), shown);
            assertTrue(calls >= 10, "one call went through " + 20_000 / calls + " entries");
        }
    }

    @Test
    void shouldTakeAnyCursor() {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            driver.put(0, "k", "v");
            for (final long cursor : new long[] {Long.MIN_VALUE, -1, 1, Long.MAX_VALUE}) {
                final long at = cursor;
                driver.unit(() -> driver.keyspace.scan(at, 0, 10, e -> { }));
            }
            assertEquals(0, driver.unit(() -> driver.keyspace.scan(-1, 0, 10, e -> { })));
        }
    }
}
