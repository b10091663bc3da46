package io.sluice.server.replica;

import io.sluice.persistence.snapshot.SnapshotContents;
import io.sluice.persistence.snapshot.SnapshotSink;
import io.sluice.persistence.snapshot.Snapshots;
import io.sluice.replication.StoredSnapshot;
import io.sluice.replication.SyncSource;
import io.sluice.server.Database;
import io.sluice.server.ServerClock;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Snapshots for replicas, sliced between batches of commands as those for files are; never both at a time. */
final class SnapshotSource implements SyncSource {
    private Database database;
    private ServerClock clock;
    private Path directory;
    private Snapshots snapshots;
    private boolean stored;

    void open(Database opened, ServerClock serverClock, Path dataDirectory) {
        database = opened;
        clock = serverClock;
        directory = dataDirectory;
        snapshots = opened.syncSnapshots();
    }

    @Override
    public boolean begin(SnapshotSink sink, SnapshotContents parts, Map<String, String> aux) {
        stored = false;
        return database.beginSync(sink, false, aux, parts);
    }

    @Override
    public StoredSnapshot beginStored(SnapshotContents parts, Map<String, String> aux) {
        stored = true;
        SnapshotSpool spool = new SnapshotSpool(directory);
        return database.beginSync(spool, true, aux, parts) ? spool : null;
    }

    @Override
    public void work(BooleanSupplier sinkReady) {
        snapshots.doWork(clock.epochNs());
        if (!stored) {
            snapshots.drain(sinkReady);
        }
    }

    @Override
    public boolean isRunning() {
        return snapshots != null && snapshots.isRunning();
    }

    @Override
    public void cancel() {
        snapshots.cancel();
    }
}
