package io.sluice.server.command;

import io.sluice.replication.Backlog;
import io.sluice.replication.ReplicaPeer;
import io.sluice.replication.ReplicaSession;
import io.sluice.replication.ReplicationStream;
import io.sluice.replication.Replicas;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.replica.Follower;
import io.sluice.server.replica.Replication;

import java.util.List;

/** {@code INFO replication}. */
final class ReplicationInfo {
    private static final long MS_PER_SECOND = 1_000;

    private final ServerParts parts;

    ReplicationInfo(ServerParts parts) {
        this.parts = parts;
    }

    void replication(InfoText text, CommandContext ctx) {
        Replication replication = parts.replication();
        text.section("Replication").field("role", parts.state().isReplica() ? "slave" : "master");
        if (parts.state().isReplica()) {
            primary(text, replication);
        }
        replicas(text, replication);
        history(text, replication);
    }

    private void primary(InfoText text, Replication replication) {
        Follower follower = replication.follower();
        ReplicaSession session = follower.session();
        boolean up = follower.isLinkUp();
        long nowMs = replication.nowMs();
        long offset = replication.stream().offset();
        text.field("master_host", follower.host())
            .field("master_port", follower.port())
            .field("master_link_status", up ? "up" : "down")
            .field("master_last_io_seconds_ago", up ? (nowMs - session.heardMs()) / MS_PER_SECOND : -1)
            .field("master_sync_in_progress", follower.isSyncing() ? 1 : 0)
            .field("slave_read_repl_offset", offset)
            .field("slave_repl_offset", offset);
        if (follower.isSyncing() && session != null) {
            long left = session.syncBytesLeft();
            text.field("master_sync_total_bytes", left < 0 ? 0 : left + session.syncBytesRead())
                .field("master_sync_read_bytes", session.syncBytesRead())
                .field("master_sync_left_bytes", left)
                .field("master_sync_last_io_seconds_ago", (nowMs - session.heardMs()) / MS_PER_SECOND);
        }
        if (!up) {
            text.field("master_link_down_since_seconds", (nowMs - follower.downSinceMs()) / MS_PER_SECOND);
        }
        text.field("slave_priority", parts.config().number(ConfigTable.REPLICA_PRIORITY))
            .field("slave_read_only", parts.config().number(ConfigTable.REPLICA_READ_ONLY))
            .field("replica_announced", 1)
            .field("replica_not_held", follower.notHeld().values().stream().mapToLong(Long::longValue).sum())
            .field("replica_missing_keys", follower.missingKeys());
        follower.notHeld().forEach((name, count) ->
            text.field("replica_not_held_" + name.replace(' ', '_').replace(':', '_'), count));
    }

    private void replicas(InfoText text, Replication replication) {
        Replicas replicas = replication.replicas();
        List<ReplicaPeer> peers = replicas.attached();
        text.field("connected_slaves", peers.size());
        if (parts.config().number(ConfigTable.MIN_REPLICAS) > 0) {
            text.field("min_slaves_good_slaves", replicas.goodReplicas());
        }
        long nowMs = replication.nowMs();
        for (int i = 0; i < peers.size(); i++) {
            ReplicaPeer peer = peers.get(i);
            boolean online = peer.state() == ReplicaPeer.State.ONLINE;
            text.field("slave" + i, "ip=" + peer.ip() + ",port=" + peer.port() + ",state=" + peer.state().text()
                + ",offset=" + peer.ackedOffset() + ",lag=" + (online ? (nowMs - peer.ackedMs()) / MS_PER_SECOND : 0));
        }
        for (int i = 0; i < peers.size(); i++) {
            text.field("replica_lag_bytes_" + i, replication.stream().offset() - peers.get(i).ackedOffset())
                .field("replica_lag_ms_" + i, replicas.lagMs(peers.get(i), nowMs));
        }
        long units = replicas.unitsAtRisk();
        if (units >= 0 && !parts.state().isReplica()) {
            text.field("failover_extra_admissions_bound", units);
        }
    }

    private void history(InfoText text, Replication replication) {
        ReplicationStream stream = replication.stream();
        Backlog backlog = stream.backlog();
        text.field("master_failover_state",
                replication.takeover() == null ? "no-failover" : replication.takeover().text())
            .field("master_replid", stream.id())
            .field("master_replid2", stream.previousId())
            .field("master_repl_offset", stream.offset())
            .field("second_repl_offset", stream.previousIdEnd())
            .field("repl_backlog_active", stream.isActive() ? 1 : 0)
            .field("repl_backlog_size", parts.config().number(ConfigTable.REPL_BACKLOG))
            .field("repl_backlog_first_byte_offset", backlog == null ? 0 : backlog.firstByteOffset())
            .field("repl_backlog_histlen", backlog == null ? 0 : backlog.length());
    }
}
