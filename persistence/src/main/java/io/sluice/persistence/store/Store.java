package io.sluice.persistence.store;

/**
 * Keys of bytes to values at native addresses: the seam between the keyspace and where its entries live.
 *
 * <p>A key is a space (the <em>physical</em> database number, 0 to 255) and up to {@link #KEY_BYTES_MAX} bytes at a
 * native address. A value is a contiguous piece of memory that its owner reads and writes in place. It stays where it
 * is until {@link #resize} or {@link #remove} of that very key; no other call moves it.
 *
 * <p>One thread owns a store. Only {@link #sync()} may be called from another one.
 */
public interface Store extends AutoCloseable {

    /** Longest key in bytes. */
    int KEY_BYTES_MAX = 65_535;

    /** Number of spaces; a space is below it. */
    int SPACES = 256;

    /** What the pieces of an image may take beyond a value of the largest size. */
    int IMAGE_OVERHEAD_BYTES = 1 << 16;

    /** Most hashes that {@link #prefetch} takes. */
    int PREFETCH_MAX = 16;

    /** What {@link #find} answers when the key is absent. */
    long NOT_FOUND = 0;

    /**
     * The seeded 64-bit hash of a key, which every other call wants. It is the same for the life of a data directory,
     * so its order (unsigned) is an order in which all keys can be visited.
     */
    long hash(int space, long keyAddress, int keyLength);

    /** Returns the address of the key's value, or {@link #NOT_FOUND}. */
    long find(long hash, int space, long keyAddress, int keyLength);

    /**
     * Brings what {@link #find} will read for these hashes into the processor's caches, for all of them at once: a find
     * by itself waits for memory several times in a row. Changes nothing and may do nothing.
     */
    void prefetch(long[] hashes, int count);

    /**
     * Adds a key that is absent, with a value of at least {@code valueBytes} zero bytes.
     *
     * @param valueBytes 1 to {@link #valueBytesMax()}
     * @return the address of the value
     * @throws StoreFullException when the key does not fit; nothing has changed
     */
    long insert(long hash, int space, long keyAddress, int keyLength, int valueBytes);

    /**
     * Gives a present key room for {@code valueBytes}, which may move the value. What the old value held is kept up to
     * the smaller of both sizes; bytes that are new are zero. A value that is large enough stays as it is unless it
     * wastes much.
     *
     * @param valueAddress what {@link #find} or {@link #insert} gave
     * @return the address of the value from now on
     * @throws StoreFullException when the value does not fit; the old value is intact
     */
    long resize(long hash, int space, long keyAddress, int keyLength, long valueAddress, int valueBytes);

    /** Removes a present key. The key's bytes may be those in the store, as a visitor is shown them. */
    void remove(long hash, int space, long keyAddress, int keyLength, long valueAddress);

    /**
     * Keeps what a value's first {@code bytes} hold while its owner overwrites them where they are: until
     * {@link #dropImage()} a kill of the process leaves the value as it was.
     */
    void keepImage(int space, long keyAddress, int keyLength, long valueAddress, int bytes);

    /**
     * Keeps a further piece of the value that {@link #keepImage} was called for, before it is overwritten. All pieces
     * together have the size of a largest value and {@link #IMAGE_OVERHEAD_BYTES}, eight bytes for each included.
     */
    void keepMore(int offset, int bytes);

    /** The value that was overwritten is complete. */
    void dropImage();

    /** Bytes that the value at this address may use: what was asked for or more. */
    int capacityOf(long valueAddress);

    /** Largest value in bytes, key not included. */
    int valueBytesMax();

    /** Number of shards, a power of two, constant while the store is open. A shard is a range of hashes. */
    int shards();

    /** The shard of a hash: its top bits, so that shards in ascending order are hashes in ascending order. */
    default int shardOf(final long hash) {
        return (int) (hash >>> 1 >>> 63 - Integer.numberOfTrailingZeros(shards()));
    }

    /**
     * Shows every entry of a shard once, in no order, but in the same one again as long as the keys are the same. The
     * visitor may update, resize or remove the entry that it is shown, and must not touch the set of keys otherwise.
     */
    void forEach(int shard, StoreVisitor visitor);

    /** Number of keys. */
    long size();

    /** Number of keys in one space. */
    long size(int space);

    /** Bytes that the entries take up, overhead included: what {@code maxmemory} bounds. */
    long bytesUsed();

    /** Whether so many new keys with so many bytes of keys and values altogether fit within the limits. */
    boolean hasRoom(int newKeys, long keyAndValueBytes);

    /**
     * Sets the limits for what is inserted or made larger from now on. What is there already stays.
     *
     * @param keysMax  most keys, 0 for no limit
     * @param bytesMax most {@link #bytesUsed()}, 0 for no limit
     */
    void limit(long keysMax, long bytesMax);

    /** The few durable facts beside the entries. */
    StoreState state();

    /** How large everything is. Allocates. */
    CapacityReport capacity();

    /** The longest time for which an insert waited for room to be made, since the last call; 0 if none did. */
    long takeGrowthWaitNs();

    /**
     * Makes everything written so far survive a loss of power. May take long; any thread may call it.
     *
     * @throws java.io.UncheckedIOException when the disk refuses: what was written since the last success may be lost
     */
    void sync();

    /** Ends the store cleanly. Every address it gave is invalid from then on. */
    @Override
    void close();
}
