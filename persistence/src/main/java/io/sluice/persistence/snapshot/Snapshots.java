package io.sluice.persistence.snapshot;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.SnapshotWalk;
import io.sluice.persistence.ValueType;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Takes snapshots of a keyspace, one at a time: {@code BGSAVE} in slices by {@link #doWork}, {@code SAVE} at once by
 * {@link #saveNow}. The file holds exactly what the keyspace held when it began. Memory is bounded: when the sink is
 * too slow for the writes that cannot wait, the snapshot fails, and nothing else does.
 */
public final class Snapshots {

    /** From one slice to the next, in multiples of what the first took. */
    private static final int PERIOD_FACTOR = 2;
    private static final int HEADER_BYTES_MAX = 64 << 10;
    /** Room is getting short when less than this part of it is left. */
    private static final int SHORT_PART = 4;

    private final Keyspace keyspace;
    private Supplier<List<byte[]>> functions = List::of;
    private final Deque<byte[]> functionsLeft = new ArrayDeque<>();
    private final LongSupplier monotonicNs;
    private final long sliceNsMax;
    private final int bufferBytes;
    private final Purpose purpose;

    private SnapshotBuffers buffers;
    private RdbEncoder encoder;
    private SnapshotWalk walk;
    private SnapshotDrain drain;
    private boolean handedOver;
    private SnapshotContents contents;
    private String abandonReason;
    private long dirtyAtBegin;
    private long beganNs;
    private long startNs;
    private long nextSliceNs;

    private long completedCount;
    private long failedCount;
    private long lastCompletedNs;
    private long lastDurationNs = -1;
    private String lastFailure;

    /** What snapshots are taken for. */
    public enum Purpose {
        /** To be kept: changes up to it count as saved, expired keys are left out. */
        FILE,
        /** For a replica, which gets what is stored, expired or not, and decides nothing. */
        REPLICA
    }

    /**
     * Snapshots of a keyspace.
     *
     * @param monotonicNs measures how long slices take and snapshots last, and when the next slice is due
     * @param sliceNsMax  longest slice, exceeded by one shard at most
     * @param bufferBytes memory between owner and disk while a snapshot runs; never less than two largest values take
     */
    public Snapshots(
        final Keyspace keyspace, final LongSupplier monotonicNs, final long sliceNsMax, final int bufferBytes,
        final Purpose purpose) {
        this.keyspace = keyspace;
        this.purpose = purpose;
        this.monotonicNs = monotonicNs;
        this.sliceNsMax = sliceNsMax;
        this.bufferBytes = Math.max(bufferBytes, 2 * entryBytesMax(keyspace.valueBytesMax()) + HEADER_BYTES_MAX);
    }

    /** Snapshots have these functions, too: the sources of their libraries. */
    public void functions(final Supplier<List<byte[]>> sources) {
        functions = sources;
    }

    /**
     * Begins a snapshot of what the keyspace holds now; {@link #doWork} does the rest.
     *
     * @param sink  where it goes; used by the disk thread only
     * @param disk  runs what drains the snapshot, which takes as long as the snapshot
     * @param aux   fields that are added to the file's head
     * @param nowNs time in ns since the epoch
     * @return false when a snapshot is running already
     */
    public boolean begin(
        final SnapshotSink sink, final Executor disk, final Map<String, String> aux, final long nowNs) {
        return begin(sink, disk, aux, nowNs, SnapshotContents.ALL);
    }

    /**
     * As {@link #begin(SnapshotSink, Executor, Map, long)}, where {@link #drain} takes the place of the disk thread.
     *
     * @param parts what is part of it
     */
    public boolean beginUndrained(
        final SnapshotSink sink, final Map<String, String> aux, final long nowNs,
        final SnapshotContents parts) {
        return begin(sink, command -> { }, aux, nowNs, parts);
    }

    /**
     * Takes what is ready to the sink of a snapshot begun by {@link #beginUndrained}: as long as the sink is ready for
     * it, or whether it is or not while room is getting short.
     */
    public void drain(final BooleanSupplier sinkReady) {
        while (isRunning() && (sinkReady.getAsBoolean() || buffers.available() < buffers.capacity() / SHORT_PART)
            && drain.doWork()) {
            Thread.onSpinWait();
        }
    }

    /**
     * As {@link #begin(SnapshotSink, Executor, Map, long)}.
     *
     * @param parts what is part of it
     */
    public boolean begin(
        final SnapshotSink sink, final Executor disk, final Map<String, String> aux, final long nowNs,
        final SnapshotContents parts) {
        if (isRunning()) {
            return false;
        }
        contents = parts;
        if (buffers == null) {
            buffers = new SnapshotBuffers(bufferBytes);
        }
        final SnapshotDrain newDrain = new SnapshotDrain(buffers, sink);
        disk.execute(newDrain);
        drain = newDrain;
        abandonReason = null;
        encoder = new RdbEncoder(buffers);
        writeHead(aux, nowNs);
        if (parts.functions()) {
            functionsLeft.addAll(functions.get());
        }
        walk = keyspace.beginSnapshot(new Saver(), purpose == Purpose.REPLICA);
        handedOver = false;
        dirtyAtBegin = keyspace.dirty();
        beganNs = nowNs;
        startNs = monotonicNs.getAsLong();
        nextSliceNs = startNs;
        return true;
    }

    /**
     * Takes a whole snapshot in the calling thread.
     *
     * @throws IOException when it failed; nothing of it is left
     */
    public void saveNow(final SnapshotSink sink, final Map<String, String> aux, final long nowNs)
        throws IOException {
        if (!begin(sink, command -> { }, aux, nowNs)) {
            throw new IllegalStateException("a snapshot is running");
        }
        while (isRunning()) {
            slice(nowNs, Long.MAX_VALUE);
            while (drain != null && drain.doWork()) {
                Thread.onSpinWait();
            }
        }
        if (lastFailure != null) {
            throw new IOException(lastFailure);
        }
    }

    /**
     * Does a slice if a snapshot is running and it is time for one. Returns whether it did.
     *
     * @param nowNs time in ns since the epoch: when the snapshot ends, if it does
     */
    public boolean doWork(final long nowNs) {
        final long beginNs = monotonicNs.getAsLong();
        if (!isRunning() || beginNs - nextSliceNs < 0) {
            return false;
        }
        slice(nowNs, sliceNsMax);
        final long endNs = monotonicNs.getAsLong();
        nextSliceNs = endNs + (PERIOD_FACTOR - 1) * (endNs - beginNs);
        return true;
    }

    /** Ends a running snapshot as failed; {@link #doWork} cleans up. */
    public void cancel() {
        if (isRunning() && !handedOver && !walk.isAbandoned()) {
            abandonReason = "cancelled";
            walk.abandon();
        }
    }

    /** Whether a snapshot is running. */
    public boolean isRunning() {
        return drain != null;
    }

    /** Time at which the running snapshot began, in ns since the epoch. */
    public long beganNs() {
        return beganNs;
    }

    /** Snapshots completed. */
    public long completedCount() {
        return completedCount;
    }

    /** Snapshots that failed. */
    public long failedCount() {
        return failedCount;
    }

    /** Time of the last completed snapshot's end, in ns since the epoch; 0 when there was none. */
    public long lastCompletedNs() {
        return lastCompletedNs;
    }

    /** How long the last snapshot took, complete or not; -1 when there was none. */
    public long lastDurationNs() {
        return lastDurationNs;
    }

    /** Why the last snapshot failed, or null when it did not. */
    public String lastFailure() {
        return lastFailure;
    }

    private void slice(final long nowNs, final long budgetNs) {
        if (drain.failure() != null && !handedOver && !walk.isAbandoned()) {
            walk.abandon();
        }
        if (!handedOver && (writeFunctions() || walk.isAbandoned()) && walk.slice(monotonicNs, budgetNs)) {
            handOver();
        }
        if (handedOver && drain.isEnded()) {
            finish(nowNs);
        }
    }

    /** Writes what there is room for. Returns whether there is none left. */
    private boolean writeFunctions() {
        while (!functionsLeft.isEmpty() && !walk.isAbandoned()) {
            final long bytes = functionsLeft.peek().length + RdbEncoder.ENTRY_OVERHEAD_BYTES_MAX;
            // A chunk that is not full is not drained.
            final long drained = buffers.capacity() - SnapshotBuffers.CHUNK_BYTES;
            if (bytes > drained) {
                abandonReason = "a library of functions is larger than the buffers";
                walk.abandon();
            } else if (buffers.available() < Math.min(bytes + buffers.capacity() / 2, drained)) {
                return false;
            } else {
                encoder.function(functionsLeft.poll());
            }
        }
        return true;
    }

    private void handOver() {
        if (walk.isAbandoned()) {
            buffers.abort();
        } else if (buffers.available() > RdbEncoder.ENTRY_OVERHEAD_BYTES_MAX) {
            encoder.endOfFile();
            buffers.end();
        } else {
            return;
        }
        handedOver = true;
    }

    private void finish(final long nowNs) {
        lastFailure = abandonReason != null ? abandonReason : drain.failure();
        lastDurationNs = monotonicNs.getAsLong() - startNs;
        if (lastFailure == null) {
            completedCount++;
            lastCompletedNs = nowNs;
            if (purpose == Purpose.FILE) {
                keyspace.snapshotCompleted(dirtyAtBegin);
            }
        } else {
            failedCount++;
        }
        functionsLeft.clear();
        encoder.close();
        encoder = null;
        walk = null;
        drain = null;
    }

    private void writeHead(final Map<String, String> aux, final long nowNs) {
        encoder.magic();
        encoder.aux("redis-ver", Rdb.REDIS_VERSION);
        encoder.aux("redis-bits", "64");
        encoder.aux("ctime", Long.toString(nowNs / 1_000_000_000));
        encoder.aux("used-mem", Long.toString(keyspace.memoryUsed()));
        encoder.aux("aof-base", "0");
        aux.forEach(encoder::aux);
        for (int db = 0; db < keyspace.databases(); db++) {
            if (contents.data() && keyspace.size(db) > 0) {
                encoder.resizeDb(db, keyspace.size(db), keyspace.expiring(db));
            }
        }
    }

    private static int entryBytesMax(final int payloadBytes) {
        return payloadBytes + RdbEncoder.ENTRY_OVERHEAD_BYTES_MAX + 65_535;
    }

    /** Slices leave half of the buffers to entries that cannot wait. */
    private final class Saver implements SnapshotWalk.EntrySaver {

        @Override
        public boolean hasRoom() {
            return buffers.available() > buffers.capacity() / 2;
        }

        @Override
        public boolean save(final Entry e) {
            if (!contents.data() || !contents.ownTypes() && ValueType.isOwn(e.type())) {
                return true;
            }
            if (buffers.available() < (long) e.keyLength() + e.payloadLength()
                + RdbEncoder.ENTRY_OVERHEAD_BYTES_MAX) {
                abandonReason = "the sink was slower than the changes";
                return false;
            }
            try {
                encoder.entry(e);
            } catch (final IllegalStateException damaged) {
                abandonReason = "a value of database " + e.db() + ": " + damaged.getMessage();
                return false;
            }
            return true;
        }
    }
}
