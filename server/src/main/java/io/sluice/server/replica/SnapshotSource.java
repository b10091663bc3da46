package io.sluice.server.replica;

import io.sluice.persistence.snapshot.SnapshotSink;
import io.sluice.persistence.snapshot.Snapshots;
import io.sluice.replication.SyncSource;
import io.sluice.server.Database;
import io.sluice.server.ServerClock;

import java.util.Map;
import java.util.function.BooleanSupplier;

/** Snapshots for replicas, sliced between batches of commands as those for files are; never both at a time. */
final class SnapshotSource implements SyncSource {
    private Database database;
    private ServerClock clock;
    private Snapshots snapshots;

    void open(Database opened, ServerClock serverClock) {
        database = opened;
        clock = serverClock;
        snapshots = opened.syncSnapshots();
    }

    @Override
    public boolean begin(SnapshotSink sink, boolean ownTypes, Map<String, String> aux) {
        return !database.snapshots().isRunning()
                && snapshots.beginUndrained(sink, aux, clock.epochNs(), ownTypes);
    }

    @Override
    public void work(BooleanSupplier sinkReady) {
        // The server's time may stand still; slices go by the one that does not.
        snapshots.doWork(clock.monotonicNs());
        snapshots.drain(sinkReady);
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
