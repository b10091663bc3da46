package io.sluice.persistence.store;

import org.agrona.BufferUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;

/**
 * Reads a map file piece by piece, before Chronicle Map does, which follows what it finds there and ends the process
 * where that leads out of the file. Here every position and length is checked before it is followed.
 */
final class MapFileScan {

    /** What a file is like whose user stopped cleanly, and what a killed one may leave besides. */
    enum Rule {
        /** All parts fit together: nothing is locked, and the counts are right. */
        AT_REST,
        /** Nothing leads out of the file. The rest is for a recovery to put right. */
        BOUNDED
    }

    /** Is told what is wrong. */
    @FunctionalInterface
    interface Listener {

        /** Something that is not as it should be, and where in the file. */
        void damaged(long offset, String text);
    }

    static final String UNSOUND = "an entry whose parts do not fit together";

    private static final int LOCK = 0;
    private static final int ENTRIES = 8;
    private static final int LOWEST_FREE_CHUNK = 12;
    private static final int NEXT_TIER = 16;
    private static final int PREVIOUS_TIER = 8;
    private static final int SIZE_BYTES_MAX = 4;

    private final SizeClass sizeClass;
    private final MapLayout layout;
    private final FileChannel channel;
    private final Rule rule;
    private final Listener listener;
    private final boolean clearing;
    private final ByteBuffer segment;
    private final BitSet used = new BitSet();
    private long entries;
    private long cleared;
    /** Where the entry that was looked at last has its key, and what it takes up. */
    private int keyAt;
    private int entryBytes;

    private MapFileScan(
        final SizeClass sizeClass, final MapLayout layout, final FileChannel channel, final Rule rule,
        final Listener listener, final boolean clearing) {
        this.sizeClass = sizeClass;
        this.layout = layout;
        this.channel = channel;
        this.rule = rule;
        this.listener = listener;
        this.clearing = clearing;
        segment = ByteBuffer.allocateDirect(layout.segmentBytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Looks through a file and changes nothing.
     *
     * @return the entries that are as the rule says
     * @throws IOException if it cannot be read, or its header is damaged
     */
    static long check(final Path path, final SizeClass sizeClass, final Rule rule, final Listener listener)
        throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            final MapLayout layout = MapLayout.read(channel, sizeClass);
            if (rule == Rule.AT_REST && !layout.ready()) {
                throw new IOException("has a header that is not marked ready");
            }
            return new MapFileScan(sizeClass, layout, channel, rule, listener, false).run().entries;
        }
    }

    /**
     * Takes all entries that are not sound out of the lookup. What is left is for a recovery, which has to follow.
     *
     * @return how many there were
     */
    static long clearUnsound(final Path path, final SizeClass sizeClass) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            final MapLayout layout = MapLayout.read(channel, sizeClass);
            return new MapFileScan(sizeClass, layout, channel, Rule.AT_REST, (offset, text) -> { }, true)
                .run().cleared;
        }
    }

    private MapFileScan run() throws IOException {
        try {
            if (rule == Rule.AT_REST) {
                checkState();
            }
            final ByteBuffer headers = ByteBuffer.allocate(layout.segments() * layout.headerBytes())
                .order(ByteOrder.LITTLE_ENDIAN);
            read(headers, layout.headersOffset(), headers.capacity());
            for (int i = 0; i < layout.segments(); i++) {
                final int found = checkSegment(layout.segmentOffset(i));
                if (rule == Rule.AT_REST) {
                    checkHeader(headers, i, found);
                }
            }
            return this;
        } finally {
            BufferUtil.free(segment);
        }
    }

    private void checkState() throws IOException {
        final ByteBuffer state = ByteBuffer.allocate(MapLayout.STATE_BYTES + Short.BYTES + Byte.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
        read(state, layout.stateOffset(), MapLayout.STATE_BYTES);
        boolean sound = true;
        for (int i = 0; i < 21; i++) {
            sound &= state.get(i) == 0;
        }
        sound &= Integer.toUnsignedLong(state.getInt(21)) == layout.headersOffset();
        sound &= state.getLong(25) == layout.end();
        if (!sound) {
            listener.damaged(layout.stateOffset(), "a global state that does not fit the file");
        }
    }

    private void checkHeader(final ByteBuffer headers, final int index, final int found) {
        final int at = index * layout.headerBytes();
        final String text;
        if (headers.getLong(at + LOCK) != 0) {
            text = "a segment that is locked";
        } else if (headers.getInt(at + ENTRIES) != found) {
            text = "a segment that counts " + Integer.toUnsignedString(headers.getInt(at + ENTRIES))
                + " entries and has " + found;
        } else if (Integer.compareUnsigned(headers.getInt(at + LOWEST_FREE_CHUNK), sizeClass.chunksPerSegment) > 0
            || headers.getLong(at + NEXT_TIER) != 0) {
            text = "a header of a segment that leads out of it";
        } else {
            return;
        }
        listener.damaged(layout.headersOffset() + at, text);
    }

    /** Returns how many slots are taken. */
    private int checkSegment(final long offset) throws IOException {
        segment.clear();
        read(segment, offset, layout.chunksOffset());
        if (rule == Rule.AT_REST
            && (segment.getLong(layout.countersOffset()) != 0
            || segment.getLong(layout.countersOffset() + PREVIOUS_TIER) != 0)) {
            if (clearing) {
                // A recovery leaves them, since they count only where segments grow.
                clear(offset + layout.countersOffset(), MapLayout.COUNTERS_BYTES);
            } else {
                listener.damaged(offset + layout.countersOffset(), "counters of a segment that lead out of it");
            }
        }
        int taken = 0;
        int run = 0;
        for (int i = layout.slots() - 1; i >= 0 && slot(i) != 0; i--) {
            run++;
        }
        for (int i = 0; i < layout.slots(); i++) {
            if (slot(i) == 0) {
                run = 0;
                continue;
            }
            if (taken++ == 0) {
                used.clear();
                read(segment, offset + layout.chunksOffset(), layout.segmentBytes() - layout.chunksOffset());
            }
            final String text = checkSlot(i, run++);
            if (text == null) {
                entries++;
            } else if (clearing) {
                clear(offset + (long) i * MapLayout.SLOT_BYTES, MapLayout.SLOT_BYTES);
                cleared++;
            } else {
                listener.damaged(offset + keyAt, text);
            }
        }
        return taken;
    }

    private int slot(final int index) {
        return segment.getInt(index * MapLayout.SLOT_BYTES);
    }

    /**
     * Returns what is wrong with a slot and its entry, or null.
     *
     * @param run how many slots before this one are taken without a gap
     */
    private String checkSlot(final int index, final int run) {
        keyAt = index * MapLayout.SLOT_BYTES;
        final int chunk = slot(index) >>> layout.keyBits();
        if (chunk >= sizeClass.chunksPerSegment) {
            return "a lookup that leads out of its segment";
        }
        final boolean sound = checkEntry(layout.chunksOffset() + chunk * sizeClass.chunkBytes);
        if (entryBytes == 0) {
            return "an entry that leads out of its segment";
        }
        if (rule == Rule.BOUNDED) {
            return null;
        }
        if (!sound) {
            return UNSOUND;
        }
        final int end = chunk + sizeClass.chunks(entryBytes);
        final int taken = used.nextSetBit(chunk);
        if (taken >= 0 && taken < end) {
            return "an entry that lies in another one";
        }
        used.set(chunk, end);
        return clearing ? null : checkPlace(index, run, chunk, end);
    }

    /** What a recovery puts right: an entry that no lookup leads to, or whose place is taken for free. */
    private String checkPlace(final int index, final int run, final int chunk, final int end) {
        final int home = slot(index) & (1 << layout.keyBits()) - 1 & layout.slots() - 1;
        if ((index - home & layout.slots() - 1) > run) {
            return "an entry that no lookup leads to";
        }
        for (int i = chunk; i < end; i++) {
            if ((segment.get(layout.freeListOffset() + i / Byte.SIZE) >> i % Byte.SIZE & 1) == 0) {
                return "an entry whose place is taken for free";
            }
        }
        return null;
    }

    /**
     * Whether what the map says of an entry and what the entry says of itself agree. Afterwards {@code entryBytes} is
     * how long it is, or 0 if it does not end in its segment.
     */
    private boolean checkEntry(final int at) {
        final int limit = layout.chunksOffset() + sizeClass.chunksPerSegment * sizeClass.chunkBytes;
        entryBytes = 0;
        keyAt = at;
        final int keySize = size(at, limit);
        if (keySize < 0) {
            return false;
        }
        keyAt = at + FileEntry.stopBitBytes(keySize);
        final int sizeAt = keyAt + keySize;
        final int valueSize = sizeAt < limit ? size(sizeAt, limit) : -1;
        if (valueSize < 0) {
            return false;
        }
        final int gap = FileEntry.stopBitBytes(valueSize);
        final int valueAt = sizeAt + gap;
        if (valueSize > limit - valueAt) {
            return false;
        }
        entryBytes = valueAt + valueSize - at;
        return keySize >= FileEntry.KEY_PREFIX_BYTES && valueSize > FileEntry.VALUE_PREFIX_BYTES
            && (segment.getShort(valueAt) & 0xFFFF) == keySize - FileEntry.KEY_PREFIX_BYTES
            && (segment.get(valueAt + 2) & 0xFF) == gap && FileEntry.isMark(segment.get(valueAt + 3));
    }

    /** The number at this place, or -1 where there is none that our entries have. */
    private int size(final int at, final int limit) {
        int size = 0;
        for (int i = 0; i < SIZE_BYTES_MAX && at + i < limit; i++) {
            final byte part = segment.get(at + i);
            size |= (part & 0x7F) << 7 * i;
            if (part >= 0) {
                return FileEntry.stopBitBytes(size) == i + 1 ? size : -1;
            }
        }
        return -1;
    }

    private void clear(final long offset, final int bytes) throws IOException {
        final ByteBuffer empty = ByteBuffer.allocate(bytes);
        while (empty.hasRemaining()) {
            channel.write(empty, offset + empty.position());
        }
    }

    /** Reads so many bytes behind what the buffer holds. */
    private void read(final ByteBuffer buffer, final long offset, final int bytes) throws IOException {
        buffer.limit(buffer.position() + bytes);
        long at = offset;
        while (buffer.hasRemaining()) {
            final int read = channel.read(buffer, at);
            if (read < 0) {
                throw new IOException("ends at byte " + at);
            }
            at += read;
        }
        buffer.limit(buffer.capacity());
    }
}
