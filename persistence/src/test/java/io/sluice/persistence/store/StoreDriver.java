package io.sluice.persistence.store;

import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Does everything to a store and to a hash map, and compares. Keys are texts, values are filled to their capacity. */
final class StoreDriver {

    record ModelKey(int space, String key) {
    }

    final Map<ModelKey, byte[]> model = new HashMap<>();
    private final long keyAddress = UnsafeApi.allocateMemory(Store.KEY_BYTES_MAX + 1);
    private final long hashMask;
    private Store store;

    StoreDriver(final Store store, final long hashMask) {
        this.store = store;
        this.hashMask = hashMask;
    }

    StoreDriver(final Store store) {
        this(store, -1L);
    }

    void store(final Store store) {
        this.store = store;
    }

    int shards() {
        return store.shards();
    }

    long find(final int space, final String key) {
        return store.find(hash(space, key), space, keyAddress, key.length());
    }

    /** Writes the key to native memory and returns its hash. */
    long hash(final int space, final String key) {
        final byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < bytes.length; i++) {
            UnsafeApi.putByte(keyAddress + i, bytes[i]);
        }
        return store.hash(space, keyAddress, bytes.length) & hashMask;
    }

    long keyAddress() {
        return keyAddress;
    }

    long insert(final int space, final String key, final int valueBytes, final int seed) {
        final long valueAddress = store.insert(hash(space, key), space, keyAddress, key.length(), valueBytes);
        assertTrue(store.capacityOf(valueAddress) >= valueBytes);
        assertArrayEquals(new byte[store.capacityOf(valueAddress)], read(valueAddress), "zeroed");
        model.put(new ModelKey(space, key), fill(valueAddress, seed));
        return valueAddress;
    }

    void resize(final int space, final String key, final int valueBytes, final int seed) {
        final ModelKey modelKey = new ModelKey(space, key);
        final long valueAddress = find(space, key);
        final byte[] old = model.get(modelKey);
        final long moved = store.resize(
            hash(space, key), space, keyAddress, key.length(), valueAddress, valueBytes);
        final int capacity = store.capacityOf(moved);
        assertTrue(capacity >= valueBytes);
        assertArrayEquals(Arrays.copyOf(old, capacity), read(moved), "kept, then zero");
        model.put(modelKey, fill(moved, seed));
    }

    void update(final int space, final String key, final int seed) {
        model.put(new ModelKey(space, key), fill(find(space, key), seed));
    }

    void remove(final int space, final String key) {
        final long valueAddress = find(space, key);
        store.remove(hash(space, key), space, keyAddress, key.length(), valueAddress);
        model.remove(new ModelKey(space, key));
        assertEquals(Store.NOT_FOUND, find(space, key));
    }

    boolean has(final int space, final String key) {
        return model.containsKey(new ModelKey(space, key));
    }

    /** Every key is found with its value, is shown once, in its shard, and nothing else is there. */
    void check() {
        assertEquals(model.size(), store.size());
        final long[] sizes = new long[Store.SPACES];
        model.forEach((modelKey, value) -> {
            sizes[modelKey.space]++;
            final long valueAddress = find(modelKey.space, modelKey.key);
            assertNotEquals(Store.NOT_FOUND, valueAddress, () -> "lost " + modelKey);
            assertArrayEquals(value, read(valueAddress));
        });
        for (int i = 0; i < Store.SPACES; i++) {
            assertEquals(sizes[i], store.size(i));
        }
        final Map<ModelKey, Long> shown = new HashMap<>();
        for (int i = 0; i < store.shards(); i++) {
            final int shard = i;
            store.forEach(shard, (hash, space, address, length, valueAddress) -> {
                assertEquals(store.hash(space, address, length), hash);
                assertEquals(shard, store.shardOf(hash & hashMask));
                final ModelKey modelKey = new ModelKey(space, text(address, length));
                assertEquals(null, shown.put(modelKey, valueAddress), "shown twice");
                assertArrayEquals(model.get(modelKey), read(valueAddress));
            });
        }
        assertEquals(model.keySet(), shown.keySet());
    }

    /** Visits a shard, and updates, resizes or removes what it is shown. */
    void visit(final int shard, final Random random) {
        store.forEach(shard, (hash, space, address, length, valueAddress) -> {
            final ModelKey modelKey = new ModelKey(space, text(address, length));
            final int choice = random.nextInt(4);
            if (choice == 0) {
                model.put(modelKey, fill(valueAddress, random.nextInt()));
            } else if (choice == 1) {
                store.remove(hash & hashMask, space, address, length, valueAddress);
                model.remove(modelKey);
            } else if (choice == 2) {
                final long moved = store.resize(
                    hash & hashMask, space, address, length, valueAddress, 1 + random.nextInt(3_000));
                model.put(modelKey, fill(moved, random.nextInt()));
            }
        });
    }

    byte[] read(final long valueAddress) {
        final byte[] bytes = new byte[store.capacityOf(valueAddress)];
        UnsafeApi.copyMemory(null, valueAddress, bytes, UnsafeApi.arrayBaseOffset(byte[].class), bytes.length);
        return bytes;
    }

    byte[] fill(final long valueAddress, final int seed) {
        final byte[] bytes = new byte[store.capacityOf(valueAddress)];
        new Random(seed).nextBytes(bytes);
        UnsafeApi.copyMemory(bytes, UnsafeApi.arrayBaseOffset(byte[].class), null, valueAddress, bytes.length);
        return bytes;
    }

    static String text(final long address, final int length) {
        final byte[] bytes = new byte[length];
        UnsafeApi.copyMemory(null, address, bytes, UnsafeApi.arrayBaseOffset(byte[].class), length);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
