package io.sluice.server;

import io.sluice.persistence.CollectionLimits;
import io.sluice.persistence.EvictionPolicy;
import io.sluice.persistence.ExpirySweeper;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.snapshot.SnapshotFile;
import io.sluice.persistence.snapshot.SnapshotLoader;
import io.sluice.persistence.snapshot.SnapshotContents;
import io.sluice.persistence.snapshot.SnapshotSink;
import io.sluice.persistence.snapshot.Snapshots;
import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.Store;
import io.sluice.persistence.store.StoreState;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.config.FileErrors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The keyspace with what looks after it between commands: expiry, snapshots, save points. Made on a background thread
 * and then owned by the event loop.
 */
public final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    /** No duty may hold the loop for longer than a millisecond; a slice takes half of that. */
    private static final long SLICE_NS_MAX = 500_000;
    private static final int SLICE_ENTRIES_MAX = 20_000;
    private static final int LOAD_ENTRIES = 100_000;
    private static final String IMPORT_PENDING = "keyspace.importing";
    private static final int SNAPSHOT_BUFFER_BYTES = 8 << 20;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** How long a stop waits for a disk that is at a snapshot. */
    private static final long SNAPSHOT_END_NS_MAX = 10_000_000_000L;
    /** A save point does not try again at once when a snapshot has failed. */
    private static final long RETRY_NS = 5 * NS_PER_SECOND;

    private final Config config;
    private final ServerClock clock;
    private final Store store;
    private final Keyspace keyspace;
    private final ExpirySweeper sweeper;
    private final Snapshots snapshots;
    private final Snapshots syncSnapshots;
    private final DiskTimes diskTimes;
    private String growthFailureSeen;
    private final ThreadPoolExecutor disk = new ThreadPoolExecutor(0, 1, 10, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1), task -> new Thread(task, "sluice-disk"));
    private final long openedNs;
    private long lastTriedNs;
    private long completedSeen;
    private long failedSeen;
    private long peakBytes;
    private boolean activeExpire = true;
    private boolean ofReplica;
    private boolean syncIsStored;

    /** A database over a store that is open. Visits all of its keys. */
    public Database(Config config, ServerClock clock, Store store) {
        this.config = config;
        this.clock = clock;
        this.store = store;
        openedNs = clock.epochNs();
        keyspace = new Keyspace(store, config.integer(ConfigTable.DATABASES), limits(config), openedNs);
        sweeper = new ExpirySweeper(keyspace, clock::monotonicNs, SLICE_NS_MAX, SLICE_ENTRIES_MAX);
        snapshots = new Snapshots(keyspace, clock::monotonicNs, SLICE_NS_MAX, SNAPSHOT_BUFFER_BYTES,
                Snapshots.Purpose.FILE);
        syncSnapshots = new Snapshots(keyspace, clock::monotonicNs, SLICE_NS_MAX, SNAPSHOT_BUFFER_BYTES,
                Snapshots.Purpose.REPLICA);
        dropPart();
        diskTimes = new DiskTimes(clock::monotonicNs);
    }

    /** A process that ended while it loaded a snapshot has left a part of it: not to be taken for the whole. */
    private void dropPart() {
        if (store.state().isFilling()) {
            LOG.warn("The last process ended while it was loading a snapshot in place of what was stored: the {} keys "
                    + "of the part that is there are removed", keyspace.size());
            store.state().replication(new byte[StoreState.REPLICATION_ID_BYTES], 0, 0);
            keyspace.flushAll();
            filled();
        }
    }

    /** Empties the keyspace, for a snapshot to take its place. A start finds nothing until {@link #filled}. */
    public void fillAnew() {
        store.state().filling(true);
        keyspace.flushAll();
    }

    /** The snapshot is loaded, or given up and all of it removed. */
    public void filled() {
        store.state().filling(false);
    }

    private Path snapshotPath() {
        return Path.of(config.text(ConfigTable.DIR), config.text(ConfigTable.DB_FILENAME));
    }

    /** The limits that the settings mean on this machine. */
    public static KeyspaceLimits limits(Config config) {
        return new KeyspaceLimits(config.number(ConfigTable.MAX_KEYS), MemoryPlan.of(config).entries(),
                EvictionPolicy.of(config.text(ConfigTable.MAX_MEMORY_POLICY)));
    }

    /** Snapshots have these functions, too: the sources of their libraries. */
    public void functions(Supplier<List<byte[]>> sources) {
        snapshots.functions(sources);
        syncSnapshots.functions(sources);
    }

    /** Limits follow the settings from now on. Call on the event loop. */
    void followConfig() {
        config.follow(this::limit, ConfigTable.MAX_KEYS, ConfigTable.MAX_MEMORY, ConfigTable.MAX_MEMORY_POLICY);
        config.follow(this::limitSmallForms, ConfigTable.HASH_ENTRIES, ConfigTable.HASH_VALUE,
                ConfigTable.INTSET_ENTRIES, ConfigTable.SET_ENTRIES, ConfigTable.SET_VALUE, ConfigTable.ZSET_ENTRIES,
                ConfigTable.ZSET_VALUE, ConfigTable.LIST_SIZE);
    }

    private void limitSmallForms() {
        CollectionLimits limits = keyspace.blobs().limits();
        limits.hashEntries = config.integer(ConfigTable.HASH_ENTRIES);
        limits.hashValueBytes = config.integer(ConfigTable.HASH_VALUE);
        limits.intsetEntries = config.integer(ConfigTable.INTSET_ENTRIES);
        limits.setEntries = config.integer(ConfigTable.SET_ENTRIES);
        limits.setValueBytes = config.integer(ConfigTable.SET_VALUE);
        limits.zsetEntries = config.integer(ConfigTable.ZSET_ENTRIES);
        limits.zsetValueBytes = config.integer(ConfigTable.ZSET_VALUE);
        limits.listSize = config.integer(ConfigTable.LIST_SIZE);
    }

    private void limit() {
        keyspace.limits(ofReplica ? KeyspaceLimits.NONE : limits(config));
    }

    /** A replica refuses, evicts and expires nothing of its own accord: its primary does. */
    public void ofReplica(boolean value) {
        ofReplica = value;
        sweeper.expiring(!value);
        limit();
    }

    /** Whether nothing was found missing or damaged when the store was opened. */
    public boolean isComplete() {
        return keyspace.damaged() == 0
                && !(store instanceof ChronicleStore files && files.recovery().dropped() > 0);
    }

    public Keyspace keyspace() {
        return keyspace;
    }

    public Store store() {
        return store;
    }

    public ExpirySweeper sweeper() {
        return sweeper;
    }

    public Snapshots snapshots() {
        return snapshots;
    }

    /** Those for replicas. */
    public Snapshots syncSnapshots() {
        return syncSnapshots;
    }

    /**
     * Begins a snapshot for replicas.
     *
     * @param sink   takes it, in {@link Snapshots#drain} or on the disk thread
     * @param stored whether it is the disk thread
     * @param parts  what is part of it
     * @return false if a snapshot is running, be it for a file
     */
    public boolean beginSync(SnapshotSink sink, boolean stored, Map<String, String> aux,
            SnapshotContents parts) {
        if (isSnapshotRunning()) {
            return false;
        }
        syncIsStored = stored;
        return stored ? syncSnapshots.begin(sink, disk, aux, clock.epochNs(), parts)
                : syncSnapshots.beginUndrained(sink, aux, clock.epochNs(), parts);
    }

    /** Whether expired keys are removed in the background; tests switch it off. */
    public void activeExpire(boolean value) {
        activeExpire = value;
    }

    /** Most bytes that entries were seen to take. */
    public long peakBytes() {
        return peakBytes;
    }

    /** Removes expired keys for a bounded while, if it is time to; true if there may be more to do soon. */
    public boolean sweep() {
        peakBytes = Math.max(peakBytes, keyspace.memoryUsed());
        return activeExpire && sweeper.doWork(clock.epochNs()) > 0;
    }

    /** Does a bounded slice of a running snapshot, if it is time to; true if there is more to do. */
    public boolean snapshotSlice() {
        snapshots.doWork(clock.epochNs());
        reportSnapshots();
        return snapshots.isRunning();
    }

    /** Begins a snapshot if the changes since the last one call for it. */
    public void checkSavePoints() {
        if (isSnapshotRunning() || keyspace.dirty() == 0) {
            return;
        }
        var points = config.words(ConfigTable.SAVE);
        long nowNs = clock.epochNs();
        if (snapshots.lastFailure() != null && nowNs - lastTriedNs < RETRY_NS) {
            return;
        }
        for (int i = 0; i < points.size(); i += 2) {
            long seconds = Long.parseLong(points.get(i));
            long changes = Long.parseLong(points.get(i + 1));
            if (keyspace.dirty() >= changes && nowNs - lastSaveNs() > seconds * NS_PER_SECOND) {
                LOG.info("{} changes in {} seconds. Saving...", changes, seconds);
                beginSnapshot();
                return;
            }
        }
    }

    /**
     * Whether the store that is about to be opened is to be filled from a snapshot file: there is one, and no store
     * yet. A mark in the directory keeps this true until the import is complete, so that neither a kill nor a damaged
     * snapshot leaves a part of it that the next start takes for the whole. Without the snapshot there is nothing to
     * import, now or later.
     */
    static boolean awaitsImport(Config config) throws IOException {
        Path directory = Path.of(config.text(ConfigTable.DIR));
        Path pending = directory.resolve(IMPORT_PENDING);
        if (!Files.exists(directory.resolve(config.text(ConfigTable.DB_FILENAME)))) {
            Files.deleteIfExists(pending);
            return false;
        }
        if (!Files.exists(pending) && !ChronicleStore.exists(directory) && Files.isWritable(directory)) {
            Files.createFile(pending);
        }
        return Files.exists(pending);
    }

    private void checkSnapshot() throws IOException {
        try (FileChannel channel = FileChannel.open(snapshotPath())) {
            SnapshotLoader.check(channel, keyspace, clock.epochNs());
        } catch (IOException e) {
            throw new IOException("cannot take the keys of " + snapshotPath() + ": " + FileErrors.reason(e)
                    + ". It has been left as it is; without it, the server starts with no keys", e);
        }
    }

    /** Takes the functions of a snapshot: the sources of their libraries. */
    @FunctionalInterface
    public interface FunctionImport {
        /** Keeps them, or fails. */
        void take(List<byte[]> sources) throws IOException;
    }

    /**
     * Fills the keyspace from the snapshot file: how state comes over from Redis, or back after a loss of files.
     *
     * @param functions takes those of the file before the import counts as complete
     */
    public void importSnapshot(FunctionImport functions) throws IOException {
        checkSnapshot();
        fillAnew();
        try (FileChannel channel = FileChannel.open(snapshotPath());
                SnapshotLoader loader = new SnapshotLoader(channel, keyspace, clock.epochNs())) {
            while (!loader.loadSome(LOAD_ENTRIES)) {
                LOG.info("{} keys loaded from {} so far", keyspace.size(), snapshotPath());
            }
            SnapshotLoader.Report report = loader.report();
            LOG.info("{} keys loaded from {}{}", report.loaded(), snapshotPath(),
                    report.skipped().isEmpty() ? "" : ", not held here: " + report.skipped());
            functions.take(report.functions());
        }
        filled();
        Files.delete(snapshotPath().resolveSibling(IMPORT_PENDING));
    }

    /** Says in the log, once, why no further map file could be made: new keys are refused because of it. */
    void reportGrowth() {
        String failure = store.capacity().growthFailure();
        if (failure != null && !failure.equals(growthFailureSeen)) {
            LOG.warn("The keyspace cannot grow, so new keys will be refused: {}", failure);
        }
        growthFailureSeen = failure;
    }

    /** Whether a snapshot is running, be it for a file or for replicas: there is one at a time. */
    public boolean isSnapshotRunning() {
        return snapshots.isRunning() || syncSnapshots.isRunning();
    }

    /** Begins a snapshot; false if one is running. */
    public boolean beginSnapshot() {
        if (syncSnapshots.isRunning()) {
            return false;
        }
        lastTriedNs = clock.epochNs();
        return snapshots.begin(snapshotSink(), disk, Map.of(), lastTriedNs);
    }

    private SnapshotSink snapshotSink() {
        return diskTimes.measured(new SnapshotFile(snapshotPath()));
    }

    /** How long the disk takes. */
    DiskTimes diskTimes() {
        return diskTimes;
    }

    /**
     * Takes a snapshot at once.
     *
     * @throws IOException if that failed
     */
    public void saveNow() throws IOException {
        lastTriedNs = clock.epochNs();
        try {
            snapshots.saveNow(snapshotSink(), Map.of(), lastTriedNs);
        } finally {
            reportSnapshots();
        }
    }

    private void reportSnapshots() {
        if (snapshots.completedCount() != completedSeen) {
            completedSeen = snapshots.completedCount();
            LOG.info("Snapshot written to {} in {} ms", snapshotPath(), snapshots.lastDurationNs() / 1_000_000);
        }
        if (snapshots.failedCount() != failedSeen) {
            failedSeen = snapshots.failedCount();
            LOG.warn("Snapshot to {} failed: {}", snapshotPath(), snapshots.lastFailure());
        }
    }

    /** Time of the last snapshot, or of the start if there was none. */
    public long lastSaveNs() {
        return snapshots.completedCount() > 0 ? snapshots.lastCompletedNs() : openedNs;
    }

    /**
     * Takes a snapshot at once, since the server is about to stop; one that is running is given up for it.
     *
     * @throws IOException if that failed
     */
    void saveLast() throws IOException {
        endSnapshots();
        if (isSnapshotRunning()) {
            throw new IOException("the disk does not answer: a snapshot is still being written");
        }
        saveNow();
    }

    /** Gives up what is running; the clock, which may have been stopped, has no part in it. */
    private void endSnapshots() {
        long endNs = System.nanoTime() + SNAPSHOT_END_NS_MAX;
        syncSnapshots.cancel();
        snapshots.cancel();
        while (isSnapshotRunning() && System.nanoTime() - endNs < 0) {
            syncSnapshots.doWork(Long.MAX_VALUE);
            if (syncSnapshots.isRunning() && !syncIsStored) {
                syncSnapshots.drain(() -> true);
            }
            snapshots.doWork(Long.MAX_VALUE);
            Thread.onSpinWait();
        }
    }

    /** Ends cleanly. A running snapshot is given up. */
    @Override
    public void close() {
        endSnapshots();
        if (isSnapshotRunning()) {
            LOG.warn("The disk does not answer: the snapshot that was being written is left as it is");
        }
        disk.shutdown();
        store.close();
    }
}
