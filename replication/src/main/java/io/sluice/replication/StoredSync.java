package io.sluice.replication;

import java.io.IOException;
import java.util.List;

/**
 * A snapshot for replicas that want to know its length first, as those before Redis 2.8.18 do: taken as a whole, then
 * sent to each as fast as it takes it.
 */
final class StoredSync {

    private static final long UNANNOUNCED = -1;

    private final List<ReplicaPeer> peers;
    private final StoredSnapshot snapshot;

    StoredSync(final List<ReplicaPeer> peers, final StoredSnapshot snapshot) {
        this.peers = List.copyOf(peers);
        this.snapshot = snapshot;
    }

    /** Tells the replicas which offset the snapshot is of. */
    void greet(final String id, final long offset) {
        for (final ReplicaPeer peer : peers) {
            peer.beginSync(id, offset);
            peer.snapshotPosition = UNANNOUNCED;
        }
    }

    /** The snapshot is taken: sends what the replicas take of it, by way of a scratch memory. */
    void send(final long scratch, final int scratchBytes) throws IOException {
        for (final ReplicaPeer peer : peers) {
            if (peer.isSyncing()) {
                send(peer, scratch, scratchBytes);
                peer.link.flush();
            }
        }
    }

    private void send(final ReplicaPeer peer, final long scratch, final int scratchBytes) throws IOException {
        final long length = snapshot.length();
        if (peer.snapshotPosition == UNANNOUNCED) {
            peer.send("$" + length + "\r\n");
            peer.snapshotPosition = 0;
        }
        while (peer.snapshotPosition < length && peer.link.isWritable()) {
            final int part = snapshot.read(
                peer.snapshotPosition, scratch, (int) Math.min(scratchBytes, length - peer.snapshotPosition));
            peer.link.send(scratch, part);
            peer.snapshotPosition += part;
        }
        if (peer.snapshotPosition == length) {
            peer.snapshotSent();
            if (peer.state() == ReplicaPeer.State.LOADING) {
                // Such a replica may never acknowledge anything.
                peer.state(ReplicaPeer.State.ONLINE);
            }
        }
    }

    /** Whether the snapshot is complete. */
    boolean isTaken() {
        return snapshot.length() >= 0;
    }

    boolean isAbandoned() {
        return peers.stream().noneMatch(ReplicaPeer::isSyncing);
    }

    long bytes() {
        return snapshot.length();
    }

    /** A sign of life for those who wait. */
    void keepAlive() {
        for (final ReplicaPeer peer : peers) {
            if (peer.isSyncing() && peer.snapshotPosition == UNANNOUNCED) {
                peer.send("\n");
            }
        }
    }

    /** Over: who has not got everything is to ask again. */
    void end() {
        for (final ReplicaPeer peer : peers) {
            if (peer.isSyncing()) {
                peer.abortSync();
            }
        }
        snapshot.close();
    }
}
