package io.sluice.replication;

import io.sluice.persistence.snapshot.SnapshotContents;
import io.sluice.persistence.snapshot.SnapshotSink;

import java.util.Map;
import java.util.function.BooleanSupplier;

/** Where the snapshots of full syncs come from: one at a time, produced in slices on the owner thread. */
public interface SyncSource {

    /**
     * Begins a snapshot of what is stored now.
     *
     * @param sink  takes it, on the owner thread; ends it with {@code complete} or {@code abort}
     * @param parts what is part of it
     * @param aux   fields of its head
     * @return false when another snapshot is running, be it for a file
     */
    boolean begin(SnapshotSink sink, SnapshotContents parts, Map<String, String> aux);

    /**
     * Begins a snapshot of what is stored now that is kept until it is closed, for those who must know its length
     * before its first byte.
     *
     * @return null when another snapshot is running
     */
    StoredSnapshot beginStored(SnapshotContents parts, Map<String, String> aux);

    /** Produces the next slice, if it is time for one, and hands over what the sink is ready for. */
    void work(BooleanSupplier sinkReady);

    /** Whether a snapshot that was begun here is running. */
    boolean isRunning();

    /** Gives the running one up. */
    void cancel();
}
