package io.sluice.server.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.snapshot.Snapshots;
import io.sluice.persistence.store.CapacityReport;
import io.sluice.replication.ReplicaPeer;
import io.sluice.replication.Replicas;
import io.sluice.server.Database;
import io.sluice.server.ProcessInfo;
import io.sluice.server.Version;
import io.sluice.server.command.CommandSpec;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.ServerParts;
import io.sluice.server.net.Connection;
import io.sluice.server.replica.Follower;
import io.sluice.server.replica.Replication;
import io.sluice.server.stats.CommandStats;
import io.sluice.server.stats.DecisionStats;
import io.sluice.server.stats.ServerStats;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What {@code /metrics} says, read from the counters that {@code INFO} shows. Labels have few values: an algorithm, a
 * result, a command, a database; never a key or a client. {@code docs/OPERATIONS.md} explains each metric.
 */
final class Metrics {
    /** The media type of the text. */
    static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final double NS_PER_SECOND = 1e9;
    private static final double MS_PER_SECOND = 1e3;

    private final ServerParts parts;
    private final Dispatcher dispatcher;
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    private final long startedNs;
    private Database database;

    Metrics(ServerParts parts, Dispatcher dispatcher) {
        this.parts = parts;
        this.dispatcher = dispatcher;
        startedNs = parts.clock().monotonicNs();
    }

    /** There is a database from now on. */
    void open(Database opened) {
        database = opened;
    }

    /** All metrics as text. */
    byte[] text() {
        MetricList metrics = new MetricList();
        decisions(metrics);
        process(metrics);
        clients(metrics);
        commands(metrics);
        memory(metrics);
        replication(metrics);
        if (database != null) {
            keyspace(metrics, database.keyspace());
            files(metrics);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            writer.write(text, metrics.snapshots());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toByteArray();
    }

    private void decisions(MetricList metrics) {
        DecisionStats decisions = parts.decisions();
        metrics.counters("ratelimit_decisions", "Requests that limiters have decided.", samples -> {
            for (int type = DecisionStats.FIRST_TYPE; type <= DecisionStats.LAST_TYPE; type++) {
                samples.add(decisions.allowed(type), "algorithm", ValueType.nameOf(type), "result", "allowed");
                samples.add(decisions.denied(type), "algorithm", ValueType.nameOf(type), "result", "denied");
            }
        });
        metrics.counters("ratelimit_cost", "Units that limiters have granted.", samples -> {
            for (int type = DecisionStats.FIRST_TYPE; type <= DecisionStats.LAST_TYPE; type++) {
                samples.add(decisions.unitsGranted(type), "algorithm", ValueType.nameOf(type));
            }
        });
        metrics.histograms("ratelimit_decision_seconds", "How long commands of limiters take inside the server.",
                samples -> forEachCommand(spec -> {
                    CommandStats stats = spec.stats();
                    if (spec.categories().contains("@rate_limit") && stats.calls() > 0) {
                        samples.add(stats.latency(), stats.durationNs(), "command", spec.fullName());
                    }
                }));
        metrics.counter("ratelimit_clock_steps", "Steps of the wall clock that were seen and not followed.",
                parts.clock().wallSteps());
        metrics.gauge("ratelimit_clock_offset_seconds", "Wall clock less the server's clock.",
                parts.clock().offsetNs() / NS_PER_SECOND);
    }

    private void process(MetricList metrics) {
        ServerStats stats = parts.stats();
        metrics.gauges("sluice_build", "Always 1; the labels say what runs.", samples -> samples.add(1, "version",
                Version.SLUICE, "java", System.getProperty("java.version"), "transport",
                parts.lifecycle().transport()));
        metrics.gauge("sluice_uptime_seconds", "Time since the start.",
                (parts.clock().monotonicNs() - startedNs) / NS_PER_SECOND);
        metrics.gauge("sluice_loading", "1 while the keyspace is being opened.", parts.state().isLoading() ? 1 : 0);
        metrics.gauges("sluice_role", "1 at what this server is.", samples -> {
            samples.add(parts.state().isReplica() ? 0 : 1, "role", "primary");
            samples.add(parts.state().isReplica() ? 1 : 0, "role", "replica");
        });
        long units = parts.replication().replicas().unitsAtRisk();
        if (units >= 0 && !parts.state().isReplica()) {
            metrics.gauge("ratelimit_failover_extra_admissions_bound",
                    "Units granted that the slowest replica has not acknowledged: a crash now would forget no more.",
                    units);
        }
        metrics.gauge("sluice_loop_busy_ratio", "Share of time that the event loop was on a processor.",
                stats.loopRate.perSecond() / NS_PER_SECOND);
        metrics.gauge("sluice_loop_longest_pause_seconds",
                "Longest time for which the event loop was away from its duties, since the start or RESETSTAT.",
                stats.longestPauseNs / NS_PER_SECOND);
        metrics.counter("sluice_collector_pauses", "Times the JVM's collector stopped all threads.",
                stats.collectorPauses);
        metrics.counter("sluice_collector_pause_seconds", "Time for which the JVM's collector stopped all threads.",
                stats.collectorPauseMs / MS_PER_SECOND);
        double[] cpu = ProcessInfo.cpuSeconds();
        metrics.counters("sluice_cpu_seconds", "Processor time.", samples -> {
            samples.add(cpu[0], "mode", "user");
            samples.add(cpu[1], "mode", "system");
        });
    }

    private void clients(MetricList metrics) {
        ServerStats stats = parts.stats();
        List<Connection> all = parts.clients().snapshot();
        metrics.gauge("sluice_connected_clients", "Connected clients, replicas not included.",
                all.stream().filter(c -> !c.isReplica()).count());
        metrics.gauge("sluice_blocked_clients", "Clients that wait for something.",
                all.stream().filter(Connection::isSuspended).count());
        metrics.gauge("sluice_max_clients", "Clients that may be connected at once.", parts.settings().clientsMax());
        metrics.counter("sluice_connections", "Connections accepted.", stats.connectionsReceived);
        metrics.counter("sluice_rejected_connections", "Connections turned away: too many, or protected mode.",
                stats.connectionsRejected);
        metrics.counters("sluice_disconnections", "Clients that the server has closed.", samples -> {
            samples.add(stats.outputLimitDisconnections, "reason", "output_limit");
            samples.add(stats.queryLimitDisconnections, "reason", "query_limit");
            samples.add(stats.idleDisconnections, "reason", "idle");
            samples.add(stats.protocolErrors, "reason", "protocol_error");
        });
        metrics.counter("sluice_denied_authentications", "AUTH and HELLO with a wrong password.",
                stats.authenticationsDenied);
        metrics.counters("sluice_net_bytes", "Bytes of clients.", samples -> {
            samples.add(stats.netInputBytes, "direction", "in");
            samples.add(stats.netOutputBytes, "direction", "out");
        });
    }

    private void commands(MetricList metrics) {
        metrics.counters("sluice_commands", "Commands that ran.", samples -> forEachUsedCommand(
                spec -> samples.add(spec.stats().calls(), "command", spec.fullName())));
        metrics.counters("sluice_command_seconds", "Time that commands took.", samples -> forEachUsedCommand(
                spec -> samples.add(spec.stats().durationNs() / NS_PER_SECOND, "command", spec.fullName())));
        metrics.counters("sluice_command_failures", "Commands refused before they ran, or ended with an error.",
                samples -> forEachUsedCommand(spec -> {
                    samples.add(spec.stats().rejectedCalls(), "command", spec.fullName(), "reason", "rejected");
                    samples.add(spec.stats().failedCalls(), "command", spec.fullName(), "reason", "failed");
                }));
        metrics.counters("sluice_errors", "Error replies by their first word.", samples ->
                parts.errors().counts().forEach((code, count) -> samples.add(count[0], "code", code)));
        metrics.gauge("sluice_slowlog_entries", "Entries of the slow log.", parts.slowLog().size());
    }

    private void memory(MetricList metrics) {
        Runtime runtime = Runtime.getRuntime();
        metrics.gauge("sluice_memory_resident_bytes", "Memory of the process in RAM, map files included.",
                ProcessInfo.residentBytes());
        metrics.gauge("sluice_memory_machine_bytes", "Memory of the machine or container.",
                ProcessInfo.totalMemoryBytes());
        metrics.gauge("sluice_memory_max_bytes", "Bytes that entries may take: maxmemory.",
                Database.limits(parts.config()).maxMemoryBytes());
        metrics.gauge("sluice_heap_used_bytes", "Heap in use.", ProcessInfo.heapBytes());
        metrics.gauge("sluice_heap_max_bytes", "Heap at most.", runtime.maxMemory());
        metrics.gauge("sluice_buffers_bytes", "Buffers of connections.", ProcessInfo.bufferBytes());
    }

    private void replication(MetricList metrics) {
        Replication replication = parts.replication();
        Replicas replicas = replication.replicas();
        long offset = replication.stream().offset();
        long nowMs = replication.nowMs();
        long lagBytes = 0;
        long lagMs = 0;
        for (ReplicaPeer replica : replicas.attached()) {
            lagBytes = Math.max(lagBytes, offset - replica.ackedOffset());
            lagMs = Math.max(lagMs, replicas.lagMs(replica, nowMs));
        }
        metrics.gauge("sluice_connected_replicas", "Replicas that are attached.", replicas.attached().size());
        metrics.gauge("ratelimit_replica_lag_seconds", "Age of what the last of the replicas has not acknowledged.",
                lagMs / MS_PER_SECOND);
        metrics.gauge("sluice_replica_lag_bytes", "Bytes of the stream that the last of the replicas has not "
                + "acknowledged.", lagBytes);
        metrics.gauge("sluice_replication_offset_bytes", "Where the stream of writes is.", offset);
        metrics.counters("sluice_syncs", "Syncs that replicas asked this server for.", samples -> {
            samples.add(replicas.fullSyncs(), "kind", "full");
            samples.add(replicas.partialSyncs(), "kind", "partial");
        });
        // Only a replica has a primary: no sample elsewhere, so that an alert on 0 fits every server.
        if (parts.state().isReplica()) {
            metrics.gauge("sluice_primary_link_up", "Whether this replica follows its primary at this moment.",
                    replication.isLinkUp() ? 1 : 0);
            metrics.gauge("sluice_primary_silence_seconds", "Since this replica last heard of its primary.",
                    (nowMs - heardMs(replication)) / MS_PER_SECOND);
        }
    }

    private static long heardMs(Replication replication) {
        Follower follower = replication.follower();
        return follower.isLinkUp() ? follower.session().heardMs() : follower.downSinceMs();
    }

    private static void keyspace(MetricList metrics, Keyspace keyspace) {
        metrics.gauge("sluice_memory_used_bytes", "Bytes that entries take.", keyspace.memoryUsed());
        metrics.gauge("sluice_keys", "Keys of all databases.", keyspace.size());
        // Without a limit there is no sample, so that an alert on the share fits every server.
        if (keyspace.limits().maxKeys() > 0) {
            metrics.gauge("sluice_max_keys", "Keys that there may be: maxkeys.", keyspace.limits().maxKeys());
        }
        metrics.gauges("ratelimit_keys", "Keys of limiters by algorithm; those of CL.THROTTLE are strings.",
                samples -> {
                    for (int type = 0; type < ValueType.COUNT; type++) {
                        long keys = 0;
                        for (int db = 0; db < keyspace.databases(); db++) {
                            keys += keyspace.keysOfType(db, type);
                        }
                        samples.add(keys, "algorithm", ValueType.nameOf(type));
                    }
                });
        metrics.gauges("sluice_db_keys", "Keys of a database.", samples -> {
            for (int db = 0; db < keyspace.databases(); db++) {
                samples.add(keyspace.size(db), "db", "db" + db);
            }
        });
        metrics.gauges("sluice_db_keys_expiring", "Keys of a database that expire.", samples -> {
            for (int db = 0; db < keyspace.databases(); db++) {
                samples.add(keyspace.expiring(db), "db", "db" + db);
            }
        });
        metrics.counter("sluice_keyspace_hits", "Lookups that found their key.", keyspace.hits());
        metrics.counter("sluice_keyspace_misses", "Lookups that did not.", keyspace.misses());
        metrics.counter("sluice_expired_keys", "Keys removed after their expiry.", keyspace.expired());
        metrics.counters("ratelimit_evictions", "Keys removed before their expiry to make room.",
                samples -> samples.add(keyspace.evicted(), "reason", "maxmemory"));
    }

    private void files(MetricList metrics) {
        Snapshots snapshots = database.snapshots();
        CapacityReport capacity = database.store().capacity();
        metrics.gauge("sluice_index_bytes", "Memory of the index of keys.", capacity.indexBytes());
        metrics.gauge("sluice_files_bytes", "Length of the map files.", capacity.bytesAllocated());
        metrics.gauge("sluice_growth_failed", "1 if the last attempt to make a map file failed.",
                capacity.growthFailure() == null ? 0 : 1);
        metrics.gauge("sluice_changes_since_snapshot", "Changes since the last snapshot.",
                database.keyspace().dirty());
        metrics.gauge("sluice_last_snapshot_ok", "0 if the last snapshot failed.",
                snapshots.lastFailure() == null ? 1 : 0);
        metrics.gauge("sluice_last_snapshot_timestamp_seconds",
                "When the last snapshot was complete, or the start if there was none.",
                database.lastSaveNs() / NS_PER_SECOND);
        metrics.counter("sluice_snapshots", "Snapshots completed.", snapshots.completedCount());
    }

    private void forEachUsedCommand(Consumer<CommandSpec> action) {
        forEachCommand(spec -> {
            if (spec.stats().calls() + spec.stats().rejectedCalls() > 0) {
                action.accept(spec);
            }
        });
    }

    private void forEachCommand(Consumer<CommandSpec> action) {
        List<CommandSpec> specs = new ArrayList<>();
        for (CommandSpec spec : dispatcher.table().specs()) {
            specs.add(spec);
            specs.addAll(spec.subcommands());
        }
        specs.forEach(action);
    }
}
