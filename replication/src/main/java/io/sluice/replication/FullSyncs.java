package io.sluice.replication;

import io.sluice.persistence.snapshot.SnapshotContents;
import org.agrona.UnsafeApi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The full syncs of the replicas that wait for one: one at a time, for all who want the same. */
final class FullSyncs implements AutoCloseable {

    private static final int SEND_BYTES = 64 << 10;
    private static final String FAILED = "Full sync failed; the replicas will ask again";

    private final List<ReplicaPeer> peers;
    private final ReplicationStream stream;
    private final SyncSource source;
    private final LagClock lag;
    private final Consumer<String> log;
    private final long scratch = UnsafeApi.allocateMemory(SEND_BYTES);
    private FullSync sync;
    private StoredSync storedSync;
    private long count;

    /** For these replicas, as they come and go. */
    FullSyncs(
        final List<ReplicaPeer> peers, final ReplicationStream stream, final SyncSource source, final LagClock lag,
        final Consumer<String> log) {
        this.peers = peers;
        this.stream = stream;
        this.source = source;
        this.lag = lag;
        this.log = log;
    }

    /**
     * Does a slice of what is running, or begins what is due.
     *
     * @param delayMs how long a sync waits for other replicas that want one
     * @param decides whether this server's own effects make the stream
     * @return whether one was or is running
     */
    boolean doWork(final long nowMs, final long delayMs, final boolean decides) {
        final boolean ran = isRunning();
        if (sync != null) {
            work();
        } else if (storedSync != null) {
            workOnStored();
        }
        if (!isRunning()) {
            beginDue(nowMs, delayMs, decides);
        }
        return ran || isRunning();
    }

    boolean isRunning() {
        return sync != null || storedSync != null;
    }

    /** Replicas that were given a snapshot, or were to be. */
    long count() {
        return count;
    }

    /** A sign of life for those who wait for a snapshot that is being taken. */
    void keepAlive() {
        if (storedSync != null) {
            storedSync.keepAlive();
        }
    }

    private void work() {
        if (sync.isAbandoned() && !sync.isEnded()) {
            source.cancel();
        }
        source.work(sync::isReady);
        if (!source.isRunning()) {
            log.accept(sync.isComplete() ? sent(sync.bytes()) : FAILED);
            sync = null;
        }
    }

    private void workOnStored() {
        if (storedSync.isAbandoned()) {
            source.cancel();
        }
        source.work(() -> true);
        if (source.isRunning()) {
            return;
        }
        try {
            if (!storedSync.isTaken()) {
                end(FAILED);
            } else {
                storedSync.send(scratch, SEND_BYTES);
                if (storedSync.isAbandoned()) {
                    end(sent(storedSync.bytes()));
                }
            }
        } catch (final IOException e) {
            end(FAILED + ": " + e);
        }
    }

    private void end(final String outcome) {
        log.accept(outcome);
        storedSync.end();
        storedSync = null;
    }

    private static String sent(final long bytes) {
        return "Full sync: a snapshot of " + bytes + " bytes is sent";
    }

    private void beginDue(final long nowMs, final long delayMs, final boolean decides) {
        final ReplicaPeer first = firstWaiting();
        if (first == null || stream.isUnsure() || nowMs - first.silentSinceMs < delayMs) {
            return;
        }
        final SnapshotContents parts = first.wanted();
        final List<ReplicaPeer> group = new ArrayList<>();
        for (final ReplicaPeer peer : peers) {
            if (peer.state() == ReplicaPeer.State.WAITING && parts.equals(peer.wanted())
                && first.takesEndMark == peer.takesEndMark) {
                group.add(peer);
            }
        }
        final Map<String, String> aux = new TreeMap<>();
        aux.put("repl-stream-db", Integer.toString(stream.selectedDb()));
        aux.put("repl-id", stream.id());
        aux.put("repl-offset", Long.toString(stream.offset()));
        if (first.takesEndMark ? begin(group, parts, aux) : beginStored(group, parts, aux)) {
            count += group.size();
            group.forEach(lag::attach);
            if (decides) {
                stream.encoder().forgetSelection();
            }
        }
    }

    private boolean begin(
        final List<ReplicaPeer> group, final SnapshotContents parts, final Map<String, String> aux) {
        final FullSync next = new FullSync(group);
        if (!source.begin(next, parts, aux)) {
            return false;
        }
        sync = next;
        next.greet(stream.id(), stream.offset());
        return true;
    }

    private boolean beginStored(
        final List<ReplicaPeer> group, final SnapshotContents parts, final Map<String, String> aux) {
        final StoredSnapshot snapshot = source.beginStored(parts, aux);
        if (snapshot == null) {
            return false;
        }
        storedSync = new StoredSync(group, snapshot);
        storedSync.greet(stream.id(), stream.offset());
        return true;
    }

    private ReplicaPeer firstWaiting() {
        for (final ReplicaPeer peer : peers) {
            if (peer.state() == ReplicaPeer.State.WAITING) {
                return peer;
            }
        }
        return null;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(scratch);
    }
}
