package io.sluice.persistence.store;

import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The model of a store: hash maps on the heap, one allocation per entry, nothing durable. For tests of the contract
 * and of what is built on it.
 */
public final class HeapStore implements Store {

    private static final int SHARDS = 32;
    private static final int VALUE_BYTES_MAX = 4 << 20;
    /** Value addresses are preceded by the value's capacity. */
    private static final int CAPACITY_BYTES = Long.BYTES;

    private final long seed;
    private final List<Map<Key, Long>> shards = new ArrayList<>(SHARDS);
    private final long[] sizes = new long[SPACES];
    private final HeapState state = new HeapState();
    private long size;
    private long bytesUsed;
    private long keysMax;
    private long bytesMax;

    private record Key(int space, String bytes) {
    }

    /** An empty store whose hashes have this seed. */
    public HeapStore(final long seed) {
        this.seed = seed;
        for (int i = 0; i < SHARDS; i++) {
            shards.add(new HashMap<>());
        }
    }

    @Override
    public long hash(final int space, final long keyAddress, final int keyLength) {
        return KeyHash.hash(seed, space, keyAddress, keyLength);
    }

    @Override
    public long find(final long hash, final int space, final long keyAddress, final int keyLength) {
        return shard(hash).getOrDefault(key(space, keyAddress, keyLength), NOT_FOUND);
    }

    @Override
    public long insert(
        final long hash, final int space, final long keyAddress, final int keyLength, final int valueBytes) {
        checkValueBytes(valueBytes);
        if (!hasRoom(1, (long) keyLength + valueBytes)) {
            throw StoreFullException.INSTANCE;
        }
        final long valueAddress = allocate(keyAddress, keyLength, valueBytes);
        final Long previous = shard(hash).put(key(space, keyAddress, keyLength), valueAddress);
        if (previous != null) {
            throw new IllegalStateException("key is present");
        }
        size++;
        sizes[space]++;
        bytesUsed += blockBytes(keyLength, valueBytes);
        return valueAddress;
    }

    @Override
    public long resize(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress,
        final int valueBytes) {
        checkValueBytes(valueBytes);
        final int capacity = capacityOf(valueAddress);
        if (valueBytes == capacity) {
            return valueAddress;
        }
        if (valueBytes > capacity && !hasRoom(0, valueBytes - capacity)) {
            throw StoreFullException.INSTANCE;
        }
        final long moved = allocate(keyAddress, keyLength, valueBytes);
        UnsafeApi.copyMemory(valueAddress, moved, Math.min(capacity, valueBytes));
        shard(hash).put(key(space, keyAddress, keyLength), moved);
        bytesUsed += valueBytes - capacity;
        UnsafeApi.freeMemory(valueAddress - CAPACITY_BYTES);
        return moved;
    }

    @Override
    public void remove(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        final Long removed = shard(hash).remove(key(space, keyAddress, keyLength));
        if (removed == null || removed != valueAddress) {
            throw new IllegalStateException("key is absent or its value moved");
        }
        size--;
        sizes[space]--;
        bytesUsed -= blockBytes(keyLength, capacityOf(valueAddress));
        UnsafeApi.freeMemory(valueAddress - CAPACITY_BYTES);
    }

    @Override
    public int capacityOf(final long valueAddress) {
        return UnsafeApi.getInt(valueAddress - CAPACITY_BYTES);
    }

    @Override
    public void prefetch(final long[] hashes, final int count) {
    }

    /** Nothing here outlives the process. */
    @Override
    public void keepImage(
        final int space, final long keyAddress, final int keyLength, final long valueAddress, final int bytes) {
    }

    @Override
    public void keepMore(final int offset, final int bytes) {
    }

    @Override
    public void dropImage() {
    }

    @Override
    public int valueBytesMax() {
        return VALUE_BYTES_MAX;
    }

    @Override
    public int shards() {
        return SHARDS;
    }

    @Override
    public void forEach(final int shard, final StoreVisitor visitor) {
        for (final Key key : new ArrayList<>(shards.get(shard).keySet())) {
            final Long valueAddress = shards.get(shard).get(key);
            final int keyLength = key.bytes.length();
            final long keyAddress = valueAddress + capacityOf(valueAddress);
            visitor.visit(hash(key.space, keyAddress, keyLength), key.space, keyAddress, keyLength, valueAddress);
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long size(final int space) {
        return sizes[space];
    }

    @Override
    public long bytesUsed() {
        return bytesUsed;
    }

    @Override
    public boolean hasRoom(final int newKeys, final long keyAndValueBytes) {
        return (keysMax == 0 || size + newKeys <= keysMax)
            && (bytesMax == 0 || bytesUsed + keyAndValueBytes + (long) newKeys * CAPACITY_BYTES <= bytesMax);
    }

    @Override
    public void limit(final long keysMax, final long bytesMax) {
        this.keysMax = keysMax;
        this.bytesMax = bytesMax;
    }

    @Override
    public StoreState state() {
        return state;
    }

    @Override
    public CapacityReport capacity() {
        return new CapacityReport(size, bytesUsed, bytesUsed, 0, List.of(), null);
    }

    @Override
    public long takeGrowthWaitNs() {
        return 0;
    }

    @Override
    public void sync() {
        // Nothing here survives the process.
    }

    @Override
    public void close() {
        for (final Map<Key, Long> shard : shards) {
            shard.values().forEach(valueAddress -> UnsafeApi.freeMemory(valueAddress - CAPACITY_BYTES));
            shard.clear();
        }
        size = 0;
        bytesUsed = 0;
        Arrays.fill(sizes, 0);
    }

    private Map<Key, Long> shard(final long hash) {
        return shards.get(shardOf(hash));
    }

    private static Key key(final int space, final long address, final int length) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return new Key(space, new String(bytes, StandardCharsets.ISO_8859_1));
    }

    /** Capacity, zeroed value, key: the key is there for the visitors. */
    private static long allocate(final long keyAddress, final int keyLength, final int valueBytes) {
        final long block = UnsafeApi.allocateMemory(blockBytes(keyLength, valueBytes));
        final long valueAddress = block + CAPACITY_BYTES;
        UnsafeApi.putLong(block, valueBytes);
        UnsafeApi.setMemory(valueAddress, valueBytes, (byte) 0);
        UnsafeApi.copyMemory(keyAddress, valueAddress + valueBytes, keyLength);
        return valueAddress;
    }

    private static long blockBytes(final int keyLength, final int valueBytes) {
        return (long) CAPACITY_BYTES + valueBytes + keyLength;
    }

    private static void checkValueBytes(final int valueBytes) {
        if (valueBytes < 1 || valueBytes > VALUE_BYTES_MAX) {
            throw new IllegalArgumentException("value of " + valueBytes + " bytes");
        }
    }

    private static final class HeapState implements StoreState {

        private final int[] spaceOfDatabase = new int[SPACES];
        private final byte[] replicationId = new byte[REPLICATION_ID_BYTES];
        private long replicationOffset;
        private int replicationDb;
        private long replicationReach;
        private boolean applying;
        private boolean filling;

        HeapState() {
            Arrays.setAll(spaceOfDatabase, i -> i);
        }

        @Override
        public int spaceOf(final int database) {
            return spaceOfDatabase[database];
        }

        @Override
        public void spaces(final int[] spaceOfDatabase) {
            System.arraycopy(spaceOfDatabase, 0, this.spaceOfDatabase, 0, SPACES);
        }

        @Override
        public void replicationId(final byte[] into) {
            System.arraycopy(replicationId, 0, into, 0, REPLICATION_ID_BYTES);
        }

        @Override
        public long replicationOffset() {
            return replicationOffset;
        }

        @Override
        public int replicationDb() {
            return replicationDb;
        }

        @Override
        public void replication(final byte[] id, final long offset, final int db) {
            System.arraycopy(id, 0, replicationId, 0, REPLICATION_ID_BYTES);
            replicationOffset = offset;
            replicationDb = db;
        }

        @Override
        public long replicationReach() {
            return replicationReach;
        }

        @Override
        public void replicationReach(final long offset) {
            replicationReach = offset;
        }

        @Override
        public boolean isApplying() {
            return applying;
        }

        @Override
        public void applying(final boolean value) {
            applying = value;
        }

        @Override
        public boolean isFilling() {
            return filling;
        }

        @Override
        public void filling(final boolean value) {
            filling = value;
        }
    }
}
