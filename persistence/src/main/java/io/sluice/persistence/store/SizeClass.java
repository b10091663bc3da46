package io.sluice.persistence.store;

/**
 * Entries of similar size share map files, since a file is cut into chunks of one size and an entry is a run of them.
 *
 * <p>Files are made without extra tiers: a segment that is full refuses, the file never grows and never fails late. How
 * full segments are differs by chance (about 1,600 entries give or take 40), which costs nothing here, as what one file
 * refuses the next one takes.
 */
enum SizeClass {

    /** Limiter states, short strings: 54 bytes of file per key when full of entries of 48 bytes. */
    SMALL("small", 8, 1 << 10, 1_300, 1_638, 9_856, 0),
    /** Lists, sets and hashes of some dozens of elements. */
    MEDIUM("medium", 256, 32 << 10, 650, 819, 4_096, 4),
    /** The rest, up to the largest value with the longest key; a segment takes two of those. */
    LARGE("large", 32 << 10, 131 * (32 << 10), 100, 160, 320, 1);

    /** Largest value. An entry is larger by its key and its overhead, 65,548 bytes at most. */
    static final int VALUE_BYTES_MAX = 4 << 20;

    final String label;
    final int chunkBytes;
    final int entryBytesMax;
    /** What Chronicle Map is asked for; it rounds its lookup tables up to a power of two. */
    final int entriesPerSegmentAsked;
    /** What a segment then takes, by its lookup table (four fifths of it) or by the smallest entry of this class. */
    final int entriesPerSegment;
    /** A multiple of 64, as free chunks are found 64 at a time. */
    final int chunksPerSegment;
    /** Segments of the first file; for small entries the configuration says. */
    final int segmentsInitial;

    SizeClass(
        final String label, final int chunkBytes, final int entryBytesMax, final int entriesPerSegmentAsked,
        final int entriesPerSegment, final int chunksPerSegment, final int segmentsInitial) {
        this.label = label;
        this.chunkBytes = chunkBytes;
        this.entryBytesMax = entryBytesMax;
        this.entriesPerSegmentAsked = entriesPerSegmentAsked;
        this.entriesPerSegment = entriesPerSegment;
        this.chunksPerSegment = chunksPerSegment;
        this.segmentsInitial = segmentsInitial;
    }

    /** The class of an entry. */
    static SizeClass of(final long entryBytes) {
        return entryBytes <= SMALL.entryBytesMax ? SMALL : entryBytes <= MEDIUM.entryBytesMax ? MEDIUM : LARGE;
    }

    int chunks(final long entryBytes) {
        return (int) ((entryBytes + chunkBytes - 1) / chunkBytes);
    }

    /** Most bytes a value can have so that the entry takes up no more chunks than one of {@code valueBytes}. */
    int capacity(final int keyLength, final int valueBytes) {
        final long entryBytes = FileEntry.entryBytes(keyLength, valueBytes);
        int capacity = valueBytes + (int) ((long) chunks(entryBytes) * chunkBytes - entryBytes);
        while (chunks(FileEntry.entryBytes(keyLength, capacity)) > chunks(entryBytes)) {
            capacity--;
        }
        return capacity;
    }

    /** About the bytes of a file of so many segments. */
    long fileBytes(final int segments) {
        final long lookupBytes = 4L * Long.highestOneBit(entriesPerSegmentAsked * 3L / 2) * 2;
        final long segmentBytes = lookupBytes + chunksPerSegment / 8 + (long) chunksPerSegment * chunkBytes + 192;
        return segments * (segmentBytes + 64) + 8_192;
    }
}
