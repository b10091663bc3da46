package io.sluice.persistence.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * Entries in Chronicle Map files, found through an index of their addresses.
 *
 * <p>The files are what lasts: they hold every entry, are opened again as they are, and after a kill at any time hold
 * every write that was completed. The index over them is anonymous memory, built at opening. A lookup reads one line of
 * it and the entry, and never enters Chronicle Map; only insert, remove and resize do.
 *
 * <p>Growth is one more file per size class ({@link Generations}), so no key ever moves unless its value outgrows its
 * place. Then a second copy of the entry is made, and marks in both say which one counts, at every instant in which the
 * process may be killed:
 *
 * <pre>
 *   old   new           counts
 *   live  provisional   old
 *   retired provisional new
 *   retired live        new
 *   -     live          new
 * </pre>
 */
public final class ChronicleStore implements Store {

    /** Per entry: a slot in Chronicle Map's lookup table and one in the index. */
    static final int ENTRY_OVERHEAD_BYTES = 16;

    /** A value that would leave less than this unused stays where it is. */
    private static final int WASTE_BYTES_MIN = 64;

    private final MapFiles files;
    private final DirectoryLock lock;
    private final StateFile state;
    private final UndoFile undo;
    private final ExecutorService maker;
    private final AddressIndex index;
    private final Generations[] generations;
    private final long[] sizes;
    private final KeyData key = new KeyData();
    private final ValueData value = new ValueData(key);
    private final long seed;
    private long bytesUsed;
    private long keysMax;
    private long bytesMax;
    private RecoveryReport report;
    private boolean closed;

    ChronicleStore(
        final MapFiles files, final DirectoryLock lock, final StateFile state, final UndoFile undo,
        final ExecutorService maker, final Generations[] generations, final EntryLoading loaded) {
        this.files = files;
        this.lock = lock;
        this.state = state;
        this.undo = undo;
        this.maker = maker;
        this.generations = generations;
        index = loaded.index();
        sizes = loaded.sizes();
        bytesUsed = loaded.bytesUsed();
        seed = state.seed();
    }

    /**
     * Opens the store of a directory, or makes one. Takes long after an unclean stop (about 2 us per key); another
     * thread may do it and then hand the store to its owner.
     *
     * @throws StoreOpenException with a message for the operator; what is in the directory has not been changed
     */
    public static ChronicleStore open(final StoreConfig config) throws StoreOpenException {
        return new StoreOpening(config, MapFiles.USABLE_SPACE).open();
    }

    /** Whether a directory holds the files of a store, sound or not. */
    public static boolean exists(final Path directory) throws IOException {
        return Files.exists(directory.resolve(StateFile.NAME))
            || !new MapFiles(directory, MapFiles.USABLE_SPACE).find().isEmpty();
    }

    /** What was found at opening. */
    public RecoveryReport recovery() {
        return report;
    }

    void recovery(final RecoveryReport report) {
        this.report = report;
    }

    @Override
    public long hash(final int space, final long keyAddress, final int keyLength) {
        return KeyHash.hash(seed, space, keyAddress, keyLength);
    }

    @Override
    public long find(final long hash, final int space, final long keyAddress, final int keyLength) {
        return index.find(hash, space, keyAddress, keyLength);
    }

    @Override
    public void prefetch(final long[] hashes, final int count) {
        index.prefetch(hashes, count);
    }

    @Override
    public long insert(
        final long hash, final int space, final long keyAddress, final int keyLength, final int valueBytes) {
        assert find(hash, space, keyAddress, keyLength) == NOT_FOUND : "key is present";
        checkSizes(keyLength, valueBytes);
        final long entryBytes = FileEntry.entryBytes(keyLength, valueBytes);
        final SizeClass sizeClass = SizeClass.of(entryBytes);
        final long bytes = bytes(sizeClass, sizeClass.chunks(entryBytes));
        if (keysMax != 0 && size() >= keysMax || bytesMax != 0 && bytesUsed + bytes > bytesMax
            || !index.hasRoom(hash)) {
            throw StoreFullException.INSTANCE;
        }
        key.set(space, 0, keyAddress, keyLength);
        value.setZero(sizeClass.capacity(keyLength, valueBytes));
        final long valueAddress = insert(sizeClass, entryBytes);
        index.insert(hash, valueAddress);
        sizes[space]++;
        bytesUsed += bytes;
        return valueAddress;
    }

    private long insert(final SizeClass sizeClass, final long entryBytes) {
        final long valueAddress = generations[sizeClass.ordinal()].insert(key, value, sizeClass.chunks(entryBytes));
        if (valueAddress == Generation.REFUSED) {
            throw StoreFullException.INSTANCE;
        }
        // Values mostly grow by degrees: the first file of the next class is ready before it is wanted.
        if (sizeClass != SizeClass.LARGE && entryBytes > sizeClass.entryBytesMax >> 1) {
            generations[sizeClass.ordinal() + 1].prepare();
        }
        return valueAddress;
    }

    @Override
    public long resize(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress,
        final int valueBytes) {
        checkSizes(keyLength, valueBytes);
        final int capacity = FileEntry.capacity(valueAddress);
        final long oldBytes = bytes(keyLength, capacity);
        final long newBytes = bytes(keyLength, valueBytes);
        if (valueBytes <= capacity && (newBytes > oldBytes >> 1 || oldBytes - newBytes < WASTE_BYTES_MIN)) {
            return valueAddress;
        }
        if (bytesMax != 0 && newBytes > oldBytes && bytesUsed + newBytes - oldBytes > bytesMax) {
            throw StoreFullException.INSTANCE;
        }
        final int oldCopy = FileEntry.copy(FileEntry.keyAddress(valueAddress));
        key.set(space, 1 - oldCopy, keyAddress, keyLength);
        final long moved;
        try {
            moved = insertCopy(valueAddress, capacity, keyLength, valueBytes);
        } catch (final StoreFullException e) {
            if (valueBytes <= capacity) {
                return valueAddress;
            }
            throw e;
        }
        FileEntry.mark(valueAddress, FileEntry.MARK_RETIRED);
        FileEntry.mark(moved, FileEntry.MARK_LIVE);
        index.replace(hash, valueAddress, moved);
        removeEntry(space, keyAddress, keyLength, valueAddress);
        bytesUsed += newBytes;
        return moved;
    }

    private long insertCopy(
        final long valueAddress, final int capacity, final int keyLength, final int valueBytes) {
        final long entryBytes = FileEntry.entryBytes(keyLength, valueBytes);
        final SizeClass sizeClass = SizeClass.of(entryBytes);
        final int newCapacity = sizeClass.capacity(keyLength, valueBytes);
        value.setCopy(newCapacity, FileEntry.MARK_PROVISIONAL, valueAddress, Math.min(capacity, newCapacity));
        return insert(sizeClass, entryBytes);
    }

    @Override
    public void remove(
        final long hash, final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        removeEntry(space, keyAddress, keyLength, valueAddress);
        index.remove(hash, valueAddress);
        sizes[space]--;
    }

    /** Removes an entry from its file, which invalidates {@code valueAddress}, and from the account. */
    private void removeEntry(final int space, final long keyAddress, final int keyLength, final long valueAddress) {
        final long entryBytes = FileEntry.entryBytes(keyLength, FileEntry.capacity(valueAddress));
        final SizeClass sizeClass = SizeClass.of(entryBytes);
        final int chunks = sizeClass.chunks(entryBytes);
        key.set(space, FileEntry.copy(FileEntry.keyAddress(valueAddress)), keyAddress, keyLength);
        generations[sizeClass.ordinal()].remove(key, valueAddress, chunks);
        bytesUsed -= bytes(sizeClass, chunks);
    }

    /** Removes an entry that a file holds and the index does not. */
    void discard(final long valueAddress) {
        final long keyAddress = FileEntry.keyAddress(valueAddress);
        final int keyLength = FileEntry.keyLength(valueAddress);
        bytesUsed += bytes(keyLength, FileEntry.capacity(valueAddress));
        removeEntry(FileEntry.space(keyAddress), keyAddress, keyLength, valueAddress);
    }

    @Override
    public void keepImage(
        final int space, final long keyAddress, final int keyLength, final long valueAddress, final int bytes) {
        undo.keep(space, keyAddress, keyLength, valueAddress, bytes);
    }

    @Override
    public void keepMore(final int offset, final int bytes) {
        undo.keepMore(offset, bytes);
    }

    @Override
    public void dropImage() {
        undo.drop();
    }

    @Override
    public int capacityOf(final long valueAddress) {
        return FileEntry.capacity(valueAddress);
    }

    @Override
    public int valueBytesMax() {
        return SizeClass.VALUE_BYTES_MAX;
    }

    @Override
    public int shards() {
        return index.shards();
    }

    @Override
    public void forEach(final int shard, final StoreVisitor visitor) {
        index.forEach(shard, seed, visitor);
    }

    @Override
    public long size() {
        return index.size();
    }

    @Override
    public long size(final int space) {
        return sizes[space];
    }

    @Override
    public long bytesUsed() {
        return bytesUsed;
    }

    /** Counts a little too much rather than too little: what is inserted next fits when this says so. */
    @Override
    public boolean hasRoom(final int newKeys, final long keyAndValueBytes) {
        final long overhead = ENTRY_OVERHEAD_BYTES + FileEntry.entryBytes(0, 0) + SizeClass.SMALL.chunkBytes;
        final long smallBytes = keyAndValueBytes + newKeys * overhead;
        final long slack = SizeClass.of(smallBytes) == SizeClass.SMALL ? 0
            : SizeClass.of(smallBytes) == SizeClass.MEDIUM ? smallBytes / 4 : smallBytes;
        final long bytes = smallBytes + slack;
        if (keysMax != 0 && size() + newKeys > keysMax || bytesMax != 0 && bytesUsed + bytes > bytesMax) {
            return false;
        }
        // No new key is larger than all of them together; how large a value is that grows, is not known here.
        final int largest = (newKeys == 0 ? SizeClass.LARGE : SizeClass.of(bytes)).ordinal();
        for (int i = 0; i <= largest; i++) {
            final Generations ofClass = generations[i];
            if (!ofClass.hasRoom(newKeys, bytes / ofClass.sizeClass().chunkBytes)) {
                return false;
            }
        }
        return true;
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
        final List<CapacityReport.FileReport> reports = new ArrayList<>();
        long allocated = 0;
        String growthFailure = null;
        for (final Generations ofClass : generations) {
            growthFailure = growthFailure == null ? ofClass.growthFailure() : growthFailure;
            for (final Generation file : ofClass.list()) {
                allocated += file.fileBytes();
                reports.add(new CapacityReport.FileReport(
                    file.path().getFileName().toString(), file.entries(), file.entriesNominal(),
                    file.chunksUsed() * file.sizeClass().chunkBytes, file.fileBytes()));
            }
        }
        return new CapacityReport(size(), bytesUsed, allocated, index.bytes(), List.copyOf(reports), growthFailure);
    }

    @Override
    public long takeGrowthWaitNs() {
        long longest = 0;
        for (final Generations each : generations) {
            longest = Math.max(longest, each.takeGrowthWaitNs());
        }
        return longest;
    }

    @Override
    public synchronized void sync() {
        if (!closed) {
            try {
                files.sync();
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
            state.sync();
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closeFiles();
        try {
            files.sync();
            state.markClean(true);
        } catch (final IOException e) {
            throw new UncheckedIOException("not everything is on disk; the stop is not marked clean", e);
        } finally {
            release();
        }
    }

    private void closeFiles() {
        for (final Generations ofClass : generations) {
            ofClass.close();
        }
        maker.shutdown();
    }

    private void release() {
        closed = true;
        index.close();
        key.close();
        undo.close();
        state.close();
        lock.close();
    }

    private static long bytes(final SizeClass sizeClass, final int chunks) {
        return (long) chunks * sizeClass.chunkBytes + ENTRY_OVERHEAD_BYTES;
    }

    /** Bytes that an entry takes up, overhead included. */
    static long bytes(final int keyLength, final int valueBytes) {
        final long entryBytes = FileEntry.entryBytes(keyLength, valueBytes);
        final SizeClass sizeClass = SizeClass.of(entryBytes);
        return bytes(sizeClass, sizeClass.chunks(entryBytes));
    }

    private static void checkSizes(final int keyLength, final int valueBytes) {
        if (keyLength < 0 || keyLength > KEY_BYTES_MAX || valueBytes < 1 || valueBytes > SizeClass.VALUE_BYTES_MAX) {
            throw new IllegalArgumentException("key of " + keyLength + ", value of " + valueBytes + " bytes");
        }
    }
}
