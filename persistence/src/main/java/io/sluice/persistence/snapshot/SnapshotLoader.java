package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getLong;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceFullException;
import io.sluice.persistence.ValueType;
import org.agrona.UnsafeApi;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Loads a snapshot, ours or Redis's, into a keyspace, some entries at a time. What is not held here (streams, values
 * of other modules) is passed over and counted. Expired keys are not loaded. The sources of functions are reported.
 *
 * <p>The checksum comes last, so a damaged file may be found out only when most of it is loaded: {@link #check} reads
 * it through beforehand. After a {@link SnapshotException} the keyspace holds a part of the file.
 */
public final class SnapshotLoader implements AutoCloseable {

    /** Different names that a report keeps. */
    private static final int NAMES_MAX = 64;
    /** All sources of functions together. */
    private static final int FUNCTION_BYTES_MAX = 32 << 20;
    private static final SkippedKeys NOT_TOLD = (db, keyAddress, keyLength) -> { };

    private final Keyspace keyspace;
    private final int valueBytesMax;
    private final long nowMs;
    private final CollectionBuilder builder;
    private final RdbReader reader;
    private final SkippedKeys skippedKeys;
    private final Map<String, String> aux = new HashMap<>();
    private final Map<String, Long> skipped = new TreeMap<>();
    private final List<byte[]> functions = new ArrayList<>();
    private int functionBytes;
    private long loaded;
    private long expired;
    private boolean atEnd;

    /**
     * What a snapshot held.
     *
     * @param loaded    keys loaded
     * @param expired   keys that had expired
     * @param skipped   what was passed over, by name of the type
     * @param aux       fields of the head
     * @param functions sources of the libraries of functions
     * @param bytes     length of the file
     */
    public record Report(
        long loaded, long expired, Map<String, Long> skipped, Map<String, String> aux, List<byte[]> functions,
        long bytes) {
    }

    /** Is told of each key whose value is passed over. The address is native and valid during the call only. */
    @FunctionalInterface
    public interface SkippedKeys {
        void skipped(int db, long keyAddress, int keyLength);
    }

    /**
     * Loads into a keyspace.
     *
     * @param nowNs time in ns since the epoch
     */
    public SnapshotLoader(final ReadableByteChannel channel, final Keyspace keyspace, final long nowNs) {
        this(channel, keyspace, nowNs, NOT_TOLD);
    }

    /**
     * Loads into a keyspace.
     *
     * @param nowNs       time in ns since the epoch
     * @param skippedKeys is told which keys the snapshot has and the keyspace will not have
     */
    public SnapshotLoader(
        final ReadableByteChannel channel, final Keyspace keyspace, final long nowNs, final SkippedKeys skippedKeys) {
        this(channel, keyspace, true, nowNs, skippedKeys);
    }

    private SnapshotLoader(
        final ReadableByteChannel channel, final Keyspace keyspace, final boolean load, final long nowNs,
        final SkippedKeys skippedKeys) {
        this.keyspace = keyspace;
        this.skippedKeys = skippedKeys;
        valueBytesMax = keyspace.valueBytesMax();
        nowMs = Math.floorDiv(nowNs, 1_000_000);
        builder = new CollectionBuilder().in(keyspace);
        reader = new RdbReader(channel, load ? new Loaded() : new Checked());
    }

    /**
     * Reads a snapshot to its end and changes nothing.
     *
     * @param like the keyspace whose limits hold
     * @throws SnapshotException when it could not be loaded
     */
    public static Report check(final ReadableByteChannel channel, final Keyspace like, final long nowNs)
        throws IOException {
        try (SnapshotLoader loader = new SnapshotLoader(channel, like, false, nowNs, NOT_TOLD)) {
            while (!loader.loadSome(Integer.MAX_VALUE)) {
                Thread.onSpinWait();
            }
            return loader.report();
        }
    }

    /**
     * Loads the next entries.
     *
     * @param entries at most so many
     * @return whether the snapshot is at its end
     * @throws SnapshotException when it is damaged, does not fit, or has a database that the keyspace has not
     */
    public boolean loadSome(final int entries) throws IOException {
        for (int i = 0; i < entries && !atEnd; i++) {
            atEnd = !reader.next();
        }
        return atEnd;
    }

    /** What was loaded so far. */
    public Report report() {
        return new Report(loaded, expired, Map.copyOf(skipped), Map.copyOf(aux), List.copyOf(functions),
            reader.offset());
    }

    @Override
    public void close() {
        reader.close();
        builder.discard();
    }

    /** Counts, and leaves what it is shown where it is. */
    private class Checked implements RdbTarget {

        int db;

        @Override
        public int valueBytesMax() {
            return valueBytesMax;
        }

        @Override
        public void aux(final String name, final String value) {
            if (aux.size() < NAMES_MAX) {
                aux.put(name, value);
            }
        }

        @Override
        public int functionBytesMax() {
            return FUNCTION_BYTES_MAX - functionBytes;
        }

        @Override
        public void function(final byte[] source) {
            functionBytes += source.length;
            functions.add(source);
        }

        @Override
        public void database(final long number) throws IOException {
            if (number < 0 || number >= keyspace.databases()) {
                throw error("database " + Long.toUnsignedString(number) + ", but only "
                    + keyspace.databases() + " are configured: set databases to at least "
                    + Long.toUnsignedString(number + 1));
            }
            db = (int) number;
        }

        @Override
        public void string(
            final long keyAddress, final int keyLength, final long address, final int length,
            final long expireAtMs) throws IOException {
            count(expireAtMs);
        }

        @Override
        public void own(
            final int type, final boolean words, final long keyAddress, final int keyLength, final long address,
            final int length, final long expireAtMs) throws IOException {
            count(expireAtMs);
        }

        @Override
        public final ElementSink elements() {
            return builder;
        }

        @Override
        public final void collection(final long keyAddress, final int keyLength, final long expireAtMs)
            throws IOException {
            final String name = ValueType.nameOf(builder.type());
            if (builder.isTooLarge()) {
                skipped(name + " over " + valueBytesMax + " bytes", keyAddress, keyLength);
            } else if (builder.isEmpty()) {
                skipped("empty " + name);
            } else {
                built(keyAddress, keyLength, expireAtMs);
            }
            builder.discard();
        }

        /** The builder has a collection that can be held. */
        void built(final long keyAddress, final int keyLength, final long expireAtMs) throws IOException {
            count(expireAtMs);
        }

        @Override
        public void skipped(final String what) {
            final boolean known = skipped.size() < NAMES_MAX || skipped.containsKey(what);
            skipped.merge(known ? what : "other", 1L, Long::sum);
        }

        @Override
        public void skipped(final String what, final long keyAddress, final int keyLength) {
            skipped(what);
            skippedKeys.skipped(db, keyAddress, keyLength);
        }

        /** Whether the entry is to be loaded. */
        boolean count(final long expireAtMs) {
            if (nowMs > expireAtMs) {
                expired++;
                return false;
            }
            loaded++;
            return true;
        }

        SnapshotException error(final String message) {
            return new SnapshotException(reader.offset(), message);
        }
    }

    private final class Loaded extends Checked {

        private final Entry entry = new Entry();
        private final long[] words = new long[255];

        @Override
        public void string(
            final long keyAddress, final int keyLength, final long address, final int length,
            final long expireAtMs) throws IOException {
            if (find(keyAddress, keyLength, expireAtMs)) {
                try {
                    keyspace.putBytes(entry, address, length, expireAtMs);
                } catch (final KeyspaceFullException full) {
                    throw full();
                }
            }
        }

        @Override
        public void own(
            final int type, final boolean isWords, final long keyAddress, final int keyLength, final long address,
            final int length, final long expireAtMs) throws IOException {
            if (!find(keyAddress, keyLength, expireAtMs)) {
                return;
            }
            try {
                if (isWords) {
                    for (int i = 0; i < length / Long.BYTES; i++) {
                        words[i] = getLong(address + (long) i * Long.BYTES);
                    }
                    keyspace.putWords(entry, type, words, length / Long.BYTES, expireAtMs);
                } else {
                    final long payload = keyspace.putBlob(entry, type, length, expireAtMs);
                    UnsafeApi.copyMemory(address, payload, length);
                    keyspace.blobWritten(entry);
                }
            } catch (final KeyspaceFullException full) {
                throw full();
            }
        }

        @Override
        void built(final long keyAddress, final int keyLength, final long expireAtMs) throws IOException {
            if (find(keyAddress, keyLength, expireAtMs)) {
                try {
                    builder.store(entry, expireAtMs);
                } catch (final KeyspaceFullException full) {
                    throw full();
                }
            }
        }

        private boolean find(final long keyAddress, final int keyLength, final long expireAtMs)
            throws SnapshotException {
            if (!count(expireAtMs)) {
                return false;
            }
            if (keyspace.lookup(entry, db, keyAddress, keyLength)) {
                throw error("a key that is there already");
            }
            return true;
        }

        private SnapshotException full() {
            return error("the keyspace is full after " + (loaded - 1) + " keys");
        }
    }
}
