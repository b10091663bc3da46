package io.sluice.server.command;

import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueType;
import io.sluice.replication.Replicas;
import io.sluice.server.pubsub.SubscriptionKind;
import io.sluice.server.replica.Follower;
import io.sluice.server.stats.CommandStats;
import io.sluice.server.stats.DecisionStats;
import io.sluice.server.stats.LatencyHistogram;
import io.sluice.server.stats.ServerStats;

import java.util.Locale;
import java.util.function.Consumer;

/** The sections of {@code INFO} that count what has happened. */
final class StatsInfo {
    private static final double NS_PER_US = 1000;
    private static final double[] PERCENTILES = {50, 99, 99.9};

    private final ServerParts parts;

    StatsInfo(ServerParts parts) {
        this.parts = parts;
    }

    void stats(InfoText text, CommandContext ctx) {
        ServerStats stats = parts.stats();
        Replicas replicas = parts.replication().replicas();
        Follower follower = parts.replication().follower();
        text.section("Stats")
            .field("total_connections_received", stats.connectionsReceived)
            .field("total_commands_processed", ctx.dispatcher().account().commandsProcessed())
            .field("instantaneous_ops_per_sec", Math.round(stats.commandRate.perSecond()))
            .field("total_net_input_bytes", stats.netInputBytes)
            .field("total_net_output_bytes", stats.netOutputBytes)
            .field("total_net_repl_input_bytes", follower == null ? 0 : follower.bytesRead())
            .field("total_net_repl_output_bytes", replicas.bytesSent())
            .field("instantaneous_input_kbps", stats.inputRate.perSecond() / 1024, 2)
            .field("instantaneous_output_kbps", stats.outputRate.perSecond() / 1024, 2)
            .field("rejected_connections", stats.connectionsRejected)
            .field("sync_full", replicas.fullSyncs())
            .field("sync_partial_ok", replicas.partialSyncs())
            .field("sync_partial_err", replicas.partialRefusals());
        keyspace(text, ctx);
        text.field("pubsub_channels", parts.pubSub().topics(SubscriptionKind.CHANNEL))
            .field("pubsub_patterns", parts.pubSub().topics(SubscriptionKind.PATTERN))
            .field("pubsubshard_channels", parts.pubSub().topics(SubscriptionKind.SHARD_CHANNEL))
            .field("latest_fork_usec", 0)
            .field("total_forks", 0)
            .field("migrate_cached_sockets", 0)
            .field("slave_expires_tracked_keys", 0)
            .field("total_error_replies", parts.errors().total())
            .field("tracking_total_keys", parts.tracking().trackedKeys())
            .field("tracking_total_items", parts.tracking().trackedItems())
            .field("tracking_total_prefixes", parts.tracking().prefixes())
            .field("unexpected_error_replies", ctx.dispatcher().account().unexpectedErrors())
            .field("dump_payload_sanitizations", 0)
            .field("total_reads_processed", stats.reads)
            .field("total_writes_processed", stats.writes)
            .field("protocol_errors", stats.protocolErrors)
            .field("accept_errors", stats.acceptErrors)
            .field("turns_cut", stats.turnsCut)
            .field("client_idle_disconnections", stats.idleDisconnections)
            .field("client_query_buffer_limit_disconnections", stats.queryLimitDisconnections)
            .field("client_output_buffer_limit_disconnections",
                stats.outputLimitDisconnections + replicas.outputLimitDrops())
            .field("tls_handshakes_failed", stats.tlsHandshakesFailed)
            .field("acl_access_denied_auth", stats.authenticationsDenied)
            .field("acl_access_denied_cmd", stats.commandsDenied)
            .field("acl_access_denied_key", stats.keysDenied)
            .field("acl_access_denied_channel", stats.channelsDenied)
            .field("eventloop_cycles", stats.dutyCycles)
            .field("eventloop_duration_sum", stats.dutyNs / 1000)
            .field("eventloop_longest_pause_usec", stats.longestPauseNs / 1000);
    }

    private void keyspace(InfoText text, CommandContext ctx) {
        Keyspace keyspace = ctx.keyspace();
        if (keyspace == null) {
            return;
        }
        text.field("expired_keys", keyspace.expired())
            .field("expired_stale_perc", ctx.database().sweeper().expiredStalePercent(), 2)
            .field("expired_time_cap_reached_count", ctx.database().sweeper().timeCapReachedCount())
            .field("evicted_keys", keyspace.evicted())
            .field("evicted_scripts", parts.scripts().cache().evicted())
            .field("evicted_clients", 0)
            .field("keyspace_hits", keyspace.hits())
            .field("keyspace_misses", keyspace.misses());
    }

    void commandStats(InfoText text, CommandContext ctx) {
        text.section("Commandstats");
        forEachCommand(ctx, spec -> {
            CommandStats stats = spec.stats();
            if (stats.calls() + stats.rejectedCalls() > 0) {
                long us = stats.durationNs() / (long) NS_PER_US;
                double each = stats.calls() == 0 ? 0 : stats.durationNs() / NS_PER_US / stats.calls();
                text.field("cmdstat_" + spec.fullName(), String.format(Locale.ROOT,
                        "calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
                        stats.calls(), us, each, stats.rejectedCalls(), stats.failedCalls()));
            }
        });
    }

    void errorStats(InfoText text, CommandContext ctx) {
        text.section("Errorstats");
        parts.errors().counts().forEach((kind, count) -> text.field("errorstat_" + kind, "count=" + count[0]));
    }

    void latencyStats(InfoText text, CommandContext ctx) {
        text.section("Latencystats");
        forEachCommand(ctx, spec -> {
            LatencyHistogram latency = spec.stats().latency();
            if (latency.total() > 0) {
                StringBuilder line = new StringBuilder();
                for (double percentile : PERCENTILES) {
                    line.append(line.length() == 0 ? "p" : ",p")
                        .append(percentile % 1 == 0 ? Long.toString((long) percentile) : Double.toString(percentile))
                        .append('=')
                        .append(String.format(Locale.ROOT, "%.3f", latency.percentileNs(percentile) / NS_PER_US));
                }
                text.field("latency_percentiles_usec_" + spec.fullName(), line.toString());
            }
        });
    }

    private static void forEachCommand(CommandContext ctx, Consumer<CommandSpec> action) {
        for (CommandSpec spec : ctx.dispatcher().table().specs()) {
            action.accept(spec);
            spec.subcommands().forEach(action);
        }
    }

    /** Not one of Redis's sections; what reads those passes over it. */
    void rateLimit(InfoText text, CommandContext ctx) {
        DecisionStats decisions = parts.decisions();
        text.section("Ratelimit");
        for (int type = DecisionStats.FIRST_TYPE; type <= DecisionStats.LAST_TYPE; type++) {
            text.field("decisions_" + ValueType.nameOf(type),
                    "allowed=" + decisions.allowed(type) + ",denied=" + decisions.denied(type));
        }
        Keyspace keyspace = ctx.keyspace();
        for (int type = 0; keyspace != null && type < ValueType.COUNT; type++) {
            long keys = 0;
            for (int db = 0; db < keyspace.databases(); db++) {
                keys += keyspace.keysOfType(db, type);
            }
            if (keys > 0) {
                text.field("keys_" + ValueType.nameOf(type), keys);
            }
        }
        text.field("clock_steps", parts.clock().wallSteps());
    }
}
