package io.sluice.persistence.store;

import net.openhft.chronicle.hash.impl.HashSplitting;
import net.openhft.chronicle.hash.impl.VanillaChronicleHash;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ExternalMapQueryContext;
import net.openhft.chronicle.map.MapEntry;
import net.openhft.chronicle.map.MapSegmentContext;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * One map file and the account of what is in it. Segments are full at different times, so the account is kept by
 * segment and an insert that cannot succeed does not get as far as Chronicle Map, which would throw.
 */
final class Generation implements AutoCloseable {

    /** What {@link #insert} answers when the entry does not fit. */
    static final long REFUSED = 0;

    /** How Chronicle Map says that a segment is full; there is no exception of its own for it. */
    private static final String SEGMENT_FULL = "extra segment tier";

    private final SizeClass sizeClass;
    private final int number;
    private final Path path;
    private final long fileBytes;
    private final ChronicleMap<byte[], byte[]> map;
    private final HashSplitting splitting;
    private final long base;
    private final long segmentsBase;
    private final long segmentBytes;
    private final int segments;
    private final int[] freeEntries;
    private final int[] freeChunks;
    /** Fewest chunks that a segment refused, although it has as many free, since something was last freed in it. */
    private final int[] refusedChunks;
    private long entries;
    private long chunksUsed;

    Generation(
        final SizeClass sizeClass, final int number, final Path path, final long fileBytes,
        final ChronicleMap<byte[], byte[]> map) {
        final VanillaChronicleHash<?, ?, ?, ?> internals = (VanillaChronicleHash<?, ?, ?, ?>) map;
        this.sizeClass = sizeClass;
        this.number = number;
        this.path = path;
        this.fileBytes = fileBytes;
        this.map = map;
        splitting = internals.hashSplitting;
        base = internals.bsAddress();
        segmentsBase = internals.segmentBaseAddr(0);
        segmentBytes = internals.tierSize;
        segments = internals.actualSegments;
        freeEntries = new int[segments];
        freeChunks = new int[segments];
        refusedChunks = new int[segments];
        clearAccount();
    }

    private void clearAccount() {
        Arrays.fill(freeEntries, sizeClass.entriesPerSegment);
        Arrays.fill(freeChunks, sizeClass.chunksPerSegment);
        Arrays.fill(refusedChunks, Integer.MAX_VALUE);
        entries = 0;
        chunksUsed = 0;
    }

    /** Adds an entry whose key is absent here, and returns the address of its value or {@link #REFUSED}. */
    long insert(final KeyData key, final ValueData value, final int chunks) {
        final int segment = splitting.segmentIndex(key.hash());
        if (freeEntries[segment] == 0 || freeChunks[segment] < chunks || refusedChunks[segment] <= chunks) {
            return REFUSED;
        }
        try (ExternalMapQueryContext<byte[], byte[], ?> query = map.queryContext(key)) {
            query.updateLock().lock();
            query.insert(query.absentEntry(), value);
        } catch (final IllegalStateException e) {
            if (e.getMessage() == null || !e.getMessage().contains(SEGMENT_FULL)) {
                throw e;
            }
            refusedChunks[segment] = chunks;
            return REFUSED;
        }
        freeEntries[segment]--;
        freeChunks[segment] -= chunks;
        entries++;
        chunksUsed += chunks;
        assert segment == segmentOf(value.writtenAt());
        return value.writtenAt();
    }

    /**
     * Removes a present entry.
     *
     * @throws DamagedFileException if the file's own lookup does not lead to it
     */
    void remove(final KeyData key, final long valueAddress, final int chunks) {
        try (ExternalMapQueryContext<byte[], byte[], ?> query = map.queryContext(key)) {
            query.updateLock().lock();
            final MapEntry<byte[], byte[]> entry = query.entry();
            if (entry == null) {
                throw new DamagedFileException(
                    path, "no lookup leads to the entry at byte " + (valueAddress - base), null);
            }
            query.remove(entry);
        }
        final int segment = segmentOf(valueAddress);
        freeEntries[segment]++;
        freeChunks[segment] += chunks;
        refusedChunks[segment] = Integer.MAX_VALUE;
        entries--;
        chunksUsed -= chunks;
    }

    /**
     * Shows the value address of every sound entry after opening, begins the account with them, and shows where in
     * the file the others are. Changes nothing.
     */
    void load(final LongConsumer sound, final LongConsumer unsound) {
        clearAccount();
        for (int i = 0; i < segments; i++) {
            try (MapSegmentContext<byte[], byte[], ?> context = map.segmentContext(i)) {
                context.forEachSegmentEntry(entry -> {
                    if (isSound(entry)) {
                        account(valueAddress(entry));
                        sound.accept(valueAddress(entry));
                    } else {
                        unsound.accept(offset(entry));
                    }
                });
            }
        }
    }

    /** Removes the entries that are not sound, which have no part in the account. Returns how many. */
    long removeUnsound() {
        final long[] removed = {0};
        for (int i = 0; i < segments; i++) {
            try (MapSegmentContext<byte[], byte[], ?> context = map.segmentContext(i)) {
                context.forEachSegmentEntry(entry -> {
                    if (!isSound(entry)) {
                        drop(entry);
                        removed[0]++;
                    }
                });
            }
        }
        return removed[0];
    }

    private void drop(final MapEntry<byte[], byte[]> entry) {
        final long at = offset(entry);
        try {
            entry.doRemove();
        } catch (final RuntimeException | AssertionError e) {
            throw new DamagedFileException(path, "the entry at byte " + at + " cannot be removed", e);
        }
    }

    private void account(final long valueAddress) {
        final int segment = segmentOf(valueAddress);
        final int keyLength = FileEntry.keyLength(valueAddress);
        final int chunks = sizeClass.chunks(FileEntry.entryBytes(keyLength, FileEntry.capacity(valueAddress)));
        freeEntries[segment]--;
        freeChunks[segment] -= chunks;
        entries++;
        chunksUsed += chunks;
    }

    /** Whether what the map says of an entry and what the entry says of itself agree. */
    private static boolean isSound(final MapEntry<byte[], byte[]> entry) {
        final long key = entry.key().bytes().addressForRead(entry.key().offset());
        final int keyLength = (int) entry.key().size() - FileEntry.KEY_PREFIX_BYTES;
        final long capacity = entry.value().size() - FileEntry.VALUE_PREFIX_BYTES;
        final long valueAddress = valueAddress(entry);
        return keyLength >= 0 && capacity > 0 && FileEntry.isMark(FileEntry.mark(valueAddress))
            && FileEntry.keyLength(valueAddress) == keyLength
            && FileEntry.keyAddress(valueAddress) == key + FileEntry.KEY_PREFIX_BYTES
            && FileEntry.capacity(valueAddress) == capacity;
    }

    private static long valueAddress(final MapEntry<byte[], byte[]> entry) {
        return entry.value().bytes().addressForRead(entry.value().offset()) + FileEntry.VALUE_PREFIX_BYTES;
    }

    private long offset(final MapEntry<byte[], byte[]> entry) {
        return entry.key().bytes().addressForRead(entry.key().offset()) - base;
    }

    private int segmentOf(final long valueAddress) {
        return (int) ((valueAddress - segmentsBase) / segmentBytes);
    }

    /** Where in the file a segment begins; the whole file where there is no such segment. */
    long segmentOffset(final int segment) {
        return segment < 0 || segment >= segments ? 0 : segmentsBase - base + segment * segmentBytes;
    }

    /** Whether this file holds the address. */
    boolean contains(final long address) {
        return address >= base && address < base + fileBytes;
    }

    /** Whether an insert is likely to succeed. */
    boolean isRoomy() {
        return entries <= entriesNominal() - (entriesNominal() >> 5)
            && chunksUsed <= chunksNominal() - (chunksNominal() >> 5);
    }

    SizeClass sizeClass() {
        return sizeClass;
    }

    int number() {
        return number;
    }

    Path path() {
        return path;
    }

    long fileBytes() {
        return fileBytes;
    }

    int segments() {
        return segments;
    }

    long entries() {
        return entries;
    }

    long entriesNominal() {
        return (long) segments * sizeClass.entriesPerSegment;
    }

    long chunksUsed() {
        return chunksUsed;
    }

    long chunksNominal() {
        return (long) segments * sizeClass.chunksPerSegment;
    }

    /** Unmaps the file. */
    @Override
    public void close() {
        map.close();
    }
}
