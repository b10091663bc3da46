package io.sluice.persistence.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What every store does. */
abstract class StoreContractTest {

    /** Keeps the tag's low bits and the shard: many keys then share a slot and a tag. */
    private static final long COLLIDING = 0xC000_0003_0000_0000L;

    Store store;

    abstract Store open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldDoAsAHashMapDoes(final long seed) {
        random(new StoreDriver(store), seed, 20_000);
    }

    @Test
    void shouldTellKeysApartWhoseHashesCollide() {
        random(new StoreDriver(store, COLLIDING), 5, 5_000);
    }

    @Test
    void shouldTellKeysApartThatDifferInOneByteOrInSpace() {
        final StoreDriver driver = new StoreDriver(store, 0);
        for (int length = 0; length < 40; length++) {
            driver.insert(0, "a".repeat(length), 8, length);
            driver.insert(1, "a".repeat(length), 8, -length);
            for (int i = 0; i < length; i++) {
                driver.insert(0, "a".repeat(i) + '\0' + "a".repeat(length - i - 1), 8, i);
            }
        }
        driver.check();
    }

    @Test
    void shouldHoldTheLongestKeyWithTheLargestValue() {
        final StoreDriver driver = new StoreDriver(store);
        final String key = "k".repeat(Store.KEY_BYTES_MAX);
        driver.insert(255, key, store.valueBytesMax(), 1);
        driver.insert(255, key.substring(1), 1, 2);
        driver.insert(255, "", store.valueBytesMax(), 3);
        driver.check();
        assertTrue(store.valueBytesMax() >= 1 << 20);
    }

    @Test
    void shouldRefuseAValueLargerThanTheLargestOrEmpty() {
        final StoreDriver driver = new StoreDriver(store);
        for (final int valueBytes : new int[] {0, -1, store.valueBytesMax() + 1, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> driver.insert(0, "k", valueBytes, 1));
        }
        driver.insert(0, "k", 8, 1);
        assertThrows(IllegalArgumentException.class, () -> driver.resize(0, "k", store.valueBytesMax() + 1, 1));
        driver.check();
    }

    @Test
    void shouldKeepTheAddressOfAValueWhileOthersComeAndGo() {
        final StoreDriver driver = new StoreDriver(store);
        final long valueAddress = driver.insert(0, "stays", 20, 1);
        for (int i = 0; i < 5_000; i++) {
            driver.insert(0, "other" + i, 20, i);
            if (i % 3 == 0) {
                driver.remove(0, "other" + i);
            }
        }
        assertEquals(valueAddress, driver.find(0, "stays"));
        driver.check();
    }

    @Test
    void shouldRefuseMoreKeysThanTheLimitAndAcceptAgainAfterARemoval() {
        final StoreDriver driver = new StoreDriver(store);
        store.limit(2, 0);
        driver.insert(0, "a", 8, 1);
        assertTrue(store.hasRoom(1, 10));
        assertFalse(store.hasRoom(2, 20));
        driver.insert(0, "b", 8, 2);
        assertFalse(store.hasRoom(1, 10));
        assertSame(StoreFullException.INSTANCE,
            assertThrows(StoreFullException.class, () -> driver.insert(0, "c", 8, 3)));
        driver.resize(0, "a", 4_000, 4);
        driver.check();
        driver.remove(0, "a");
        driver.insert(0, "c", 8, 3);
        driver.check();
    }

    @Test
    void shouldRefuseMoreBytesThanTheLimitAndLeaveWhatIsThere() {
        final StoreDriver driver = new StoreDriver(store);
        store.limit(0, 10_000);
        driver.insert(0, "a", 8, 1);
        assertThrows(StoreFullException.class, () -> driver.insert(0, "b", 10_000, 2));
        assertThrows(StoreFullException.class, () -> driver.resize(0, "a", 10_000, 3));
        driver.check();
        assertTrue(store.bytesUsed() <= 10_000);
        assertFalse(store.hasRoom(1, 10_000));
        driver.resize(0, "a", 2_000, 4);
        driver.insert(0, "b", 2_000, 5);
        driver.check();
    }

    @Test
    void shouldHaveRoomForWhatItSaysItHasRoomFor() {
        final StoreDriver driver = new StoreDriver(store);
        final Random random = new Random(6);
        store.limit(0, 200_000);
        int batches = 0;
        while (batches < 10_000) {
            final int keys = 1 + random.nextInt(4);
            final int valueBytes = 1 + random.nextInt(random.nextInt(20) == 0 ? 5_000 : 50);
            if (!store.hasRoom(keys, keys * (10L + valueBytes))) {
                break;
            }
            for (int i = 0; i < keys; i++) {
                driver.insert(0, String.format("%08d-%d", batches, i), valueBytes, i);
            }
            batches++;
        }
        assertTrue(batches > 20 && batches < 10_000);
        driver.check();
    }

    @Test
    void shouldReturnToNoBytesWhenEverythingIsRemoved() {
        final StoreDriver driver = new StoreDriver(store);
        final long before = store.bytesUsed();
        for (int i = 0; i < 300; i++) {
            driver.insert(i % 7, "key" + i, 1 + i * 11, i);
            driver.resize(i % 7, "key" + i, 1 + i * 5, i);
        }
        for (int i = 0; i < 300; i++) {
            driver.remove(i % 7, "key" + i);
        }
        driver.check();
        assertEquals(before, store.bytesUsed());
    }

    @Test
    void shouldNumberShardsByTheTopBitsOfTheHash() {
        assertEquals(1, Integer.bitCount(store.shards()));
        assertEquals(0, store.shardOf(0));
        assertEquals(store.shards() - 1, store.shardOf(-1));
        assertEquals(store.shards() / 2, store.shardOf(Long.MIN_VALUE));
    }

    @Test
    void shouldSpreadHashesOverAllBitsWhateverTheKeysLength() {
        final StoreDriver driver = new StoreDriver(store);
        for (int length = 1; length < 40; length++) {
            final Set<Long> low = new TreeSet<>();
            final Set<Long> high = new TreeSet<>();
            for (int i = 0; i < 256; i++) {
                final long hash = driver.hash(0, "x".repeat(length - 1) + (char) i);
                low.add(hash & 0xFFFF_FFFFL);
                high.add(hash >>> 32);
            }
            assertTrue(low.size() > 250 && high.size() > 250, "length " + length);
        }
        assertNotEquals(driver.hash(0, "a"), driver.hash(1, "a"));
        assertNotEquals(driver.hash(0, ""), driver.hash(1, ""));
        assertNotEquals(driver.hash(0, ""), driver.hash(0, "\0"));
    }

    @Test
    void shouldRememberSpacesAndReplicationAsAWhole() {
        final StoreState state = store.state();
        for (int i = 0; i < Store.SPACES; i++) {
            assertEquals(i, state.spaceOf(i));
        }
        final int[] spaces = new int[Store.SPACES];
        for (int round = 1; round < 4; round++) {
            for (int i = 0; i < Store.SPACES; i++) {
                spaces[i] = i + round & 0xFF;
            }
            state.spaces(spaces);
            state.replication(("id" + round + "x".repeat(37)).getBytes(), round, round);
            for (int i = 0; i < Store.SPACES; i++) {
                assertEquals(i + round & 0xFF, state.spaceOf(i));
            }
            final byte[] id = new byte[StoreState.REPLICATION_ID_BYTES];
            state.replicationId(id);
            assertEquals("id" + round + "x".repeat(37), new String(id));
            assertEquals(round, state.replicationOffset());
        }
    }

    /** Random changes that favour inserts first and removals later. */
    static void random(final StoreDriver driver, final long seed, final int steps) {
        final Random random = new Random(seed);
        final List<StoreDriver.ModelKey> keys = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            final int choice = random.nextInt(100);
            if (choice < 55 - step * 20 / steps || keys.isEmpty()) {
                insert(driver, random, keys);
            } else {
                final int i = random.nextInt(keys.size());
                final StoreDriver.ModelKey key = keys.get(i);
                if (choice < 70) {
                    driver.update(key.space(), key.key(), random.nextInt());
                } else if (choice < 75) {
                    driver.resize(key.space(), key.key(), valueBytes(random), random.nextInt());
                } else {
                    driver.remove(key.space(), key.key());
                    keys.set(i, keys.get(keys.size() - 1));
                    keys.remove(keys.size() - 1);
                }
            }
            if (step % (steps / 4) == 0) {
                driver.check();
            }
        }
        driver.check();
        for (int i = 0; i < driver.shards(); i++) {
            driver.visit(i, random);
        }
        driver.check();
    }

    private static void insert(
        final StoreDriver driver, final Random random, final List<StoreDriver.ModelKey> keys) {
        final int length = random.nextInt(500) == 0 ? random.nextInt(Store.KEY_BYTES_MAX) : random.nextInt(30);
        final StringBuilder key = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            key.append((char) random.nextInt(256));
        }
        final int space = random.nextInt(3) == 0 ? random.nextInt(Store.SPACES) : 0;
        if (!driver.has(space, key.toString())) {
            driver.insert(space, key.toString(), valueBytes(random), random.nextInt());
            keys.add(new StoreDriver.ModelKey(space, key.toString()));
        }
    }

    private static int valueBytes(final Random random) {
        final int choice = random.nextInt(2_000);
        return 1 + random.nextInt(choice == 0 ? 1 << 20 : choice < 10 ? 60_000 : choice < 100 ? 3_000 : 60);
    }
}
