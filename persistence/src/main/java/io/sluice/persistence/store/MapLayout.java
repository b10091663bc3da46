package io.sluice.persistence.store;

import net.openhft.chronicle.algo.hashing.LongHashFunction;
import net.openhft.chronicle.hash.impl.SizePrefixedBlob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where things lie in a map file, by its header. What the header says has been checked against the file's length, its
 * size class and its own checksum, so whoever follows it stays inside the file.
 *
 * <pre>
 *  header | global state | segment headers | segments: slots of the lookup | counters | free list | chunks
 * </pre>
 *
 * @param ready          whether the header is marked ready; a recovery that was killed leaves it unmarked
 * @param fileBytes      length of the file
 * @param stateOffset    where the global state is
 * @param headersOffset  where the headers of the segments are
 * @param headerBytes    bytes of one
 * @param segments       how many there are
 * @param segmentsOffset where the first segment is
 * @param segmentBytes   bytes of one
 * @param slots          slots of a segment's lookup, a power of two
 * @param keyBits        low bits of a slot that are the key's; those above are a chunk's number
 * @param countersOffset where in a segment its counters are
 * @param freeListOffset where in a segment the list of used chunks is
 * @param chunksOffset   where in a segment the first chunk is
 */
record MapLayout(
    boolean ready, long fileBytes, long stateOffset, long headersOffset, int headerBytes, int segments,
    long segmentsOffset, int segmentBytes, int slots, int keyBits, int countersOffset, int freeListOffset,
    int chunksOffset) {

    static final int SLOT_BYTES = 4;
    static final int COUNTERS_BYTES = 64;
    static final int STATE_BYTES = 8 + 3 + 5 + 5 + 4 + 5;

    private static final int PAGE_BYTES = 4_096;
    private static final int CACHE_LINE_BYTES = 64;
    private static final int SEGMENT_HEADER_BYTES_MAX = 3 * CACHE_LINE_BYTES;
    private static final int RESERVED_STATE_BYTES = 1_024;
    private static final int HEADER_BYTES_MAX = 64 << 10;
    private static final int SEGMENT_BYTES_MAX = 64 << 20;

    /** Reads the header of a file of this class and throws with what is wrong with it. */
    static MapLayout read(final FileChannel channel, final SizeClass sizeClass) throws IOException {
        final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        final boolean read = channel.read(word, SizePrefixedBlob.SIZE_WORD_OFFSET) == Integer.BYTES;
        final int headerBytes = read ? SizePrefixedBlob.extractSize(word.getInt(0)) : 0;
        if (headerBytes == 0 || headerBytes > Math.min(HEADER_BYTES_MAX, channel.size())) {
            throw new IOException("has no header");
        }
        final int end = SizePrefixedBlob.SELF_BOOTSTRAPPING_HEADER_OFFSET + headerBytes;
        final ByteBuffer bytes = ByteBuffer.allocate(end).order(ByteOrder.LITTLE_ENDIAN);
        channel.read(bytes, 0);
        final boolean ready = SizePrefixedBlob.isReady(word.getInt(0));
        final Header header = new Header(new String(
            bytes.array(), SizePrefixedBlob.SELF_BOOTSTRAPPING_HEADER_OFFSET, headerBytes,
            StandardCharsets.ISO_8859_1));
        final MapLayout layout = header.layout(ready, channel.size(), end, sizeClass);
        final LongHashFunction hash = LongHashFunction.xx_r39();
        bytes.putInt(SizePrefixedBlob.SIZE_WORD_OFFSET, headerBytes);
        if (hash.hashBytes(bytes, SizePrefixedBlob.SIZE_WORD_OFFSET, Integer.BYTES + headerBytes)
            != bytes.getLong(SizePrefixedBlob.HEADER_OFFSET)) {
            throw new IOException("has a header that does not match its checksum");
        }
        return layout;
    }

    /** The offset of a segment. */
    long segmentOffset(final int segment) {
        return segmentsOffset + (long) segment * segmentBytes;
    }

    /** Where the last segment ends. */
    long end() {
        return segmentOffset(segments);
    }

    private record Header(String text) {

        MapLayout layout(final boolean ready, final long fileBytes, final int end, final SizeClass sizeClass)
            throws IOException {
            final int segments = number("actualSegments");
            final int headerBytes = number("segmentHeaderSize");
            final int segmentBytes = number("tierSize");
            final int slots = number("tierHashLookupCapacity");
            final int keyBits = number("tierHashLookupKeyBits");
            final int lookupBytes = number("tierHashLookupOuterSize");
            final int freeListBytes = number("tierFreeListOuterSize");
            final long stateOffset = align(end, CACHE_LINE_BYTES);
            final long headersOffset = align(stateOffset + RESERVED_STATE_BYTES, PAGE_BYTES);
            final long chunksOffset = (long) lookupBytes + COUNTERS_BYTES + freeListBytes;
            if (number("chunkSize") != sizeClass.chunkBytes
                || number("actualChunksPerSegmentTier") != sizeClass.chunksPerSegment
                || number("maxEntriesPerHashLookup") < sizeClass.entriesPerSegment
                || headerBytes < CACHE_LINE_BYTES || headerBytes > SEGMENT_HEADER_BYTES_MAX
                || number("tierHashLookupSlotSize") != SLOT_BYTES || number("tierEntrySpaceInnerOffset") != 0
                || segments == 0 || Integer.bitCount(slots) != 1 || (long) slots * SLOT_BYTES > lookupBytes
                || keyBits == 0 || keyBits + number("tierHashLookupValueBits") > Integer.SIZE
                || freeListBytes < sizeClass.chunksPerSegment / Byte.SIZE || segmentBytes > SEGMENT_BYTES_MAX
                || chunksOffset + (long) sizeClass.chunksPerSegment * sizeClass.chunkBytes > segmentBytes) {
                throw new IOException("is cut into other pieces than a file of its name");
            }
            final MapLayout layout = new MapLayout(
                ready, fileBytes, stateOffset, headersOffset, headerBytes, segments,
                headersOffset + (long) segments * headerBytes, segmentBytes, slots, keyBits, lookupBytes,
                lookupBytes + COUNTERS_BYTES, (int) chunksOffset);
            // Chronicle Map would fill up what is missing with zeros and lose its keys without a word.
            if (fileBytes < layout.end() || fileBytes % PAGE_BYTES != 0) {
                throw new IOException("is cut off: " + fileBytes + " bytes");
            }
            return layout;
        }

        private int number(final String name) throws IOException {
            final Matcher matcher = Pattern.compile("\\b" + name + ": (\\d{1,9})\\b").matcher(text);
            if (!matcher.find()) {
                throw new IOException("has no " + name + " in its header");
            }
            return Integer.parseInt(matcher.group(1));
        }

        private static long align(final long offset, final int to) {
            return (offset + to - 1) / to * to;
        }
    }
}
