package io.sluice.replication;

import io.sluice.persistence.snapshot.SnapshotSink;
import org.agrona.BufferUtil;

import java.nio.ByteBuffer;
import java.util.List;

/** A snapshot on its way to the replicas that asked for one at about the same time. */
final class FullSync implements SnapshotSink {

    private final List<ReplicaPeer> peers;
    private final String mark = ReplicationId.random();
    private long bytes;
    private boolean ended;
    private boolean complete;

    FullSync(final List<ReplicaPeer> peers) {
        this.peers = List.copyOf(peers);
    }

    /** Tells the replicas which offset the snapshot is of, and that its end will be known by a mark. */
    void greet(final String id, final long offset) {
        for (final ReplicaPeer peer : peers) {
            peer.beginSync(id, offset);
            peer.send("$EOF:" + mark + "\r\n");
        }
    }

    /** Whether all who are still there take what they are sent. */
    boolean isReady() {
        for (final ReplicaPeer peer : peers) {
            if (peer.isSyncing() && !peer.link.isWritable()) {
                return false;
            }
        }
        return true;
    }

    boolean isAbandoned() {
        return peers.stream().noneMatch(ReplicaPeer::isSyncing);
    }

    boolean isEnded() {
        return ended;
    }

    boolean isComplete() {
        return complete;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void write(final ByteBuffer part) {
        final int length = part.remaining();
        for (final ReplicaPeer peer : peers) {
            if (peer.isSyncing()) {
                peer.link.send(BufferUtil.address(part) + part.position(), length);
                peer.snapshotPosition += length;
                peer.link.flush();
            }
        }
        part.position(part.limit());
        bytes += length;
    }

    @Override
    public void complete() {
        for (final ReplicaPeer peer : peers) {
            if (peer.isSyncing()) {
                peer.send(mark);
                peer.snapshotSent();
            }
        }
        complete = true;
        ended = true;
    }

    @Override
    public void abort() {
        for (final ReplicaPeer peer : peers) {
            if (peer.isSyncing()) {
                peer.abortSync();
            }
        }
        ended = true;
    }
}
