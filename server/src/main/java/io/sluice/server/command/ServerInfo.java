package io.sluice.server.command;

import io.sluice.persistence.Keyspace;
import io.sluice.persistence.snapshot.Snapshots;
import io.sluice.server.Database;
import io.sluice.server.ProcessInfo;
import io.sluice.server.Version;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.net.Connection;
import io.sluice.server.stats.RunId;

/** The sections of {@code INFO} that say what the server is and what it holds. */
final class ServerInfo {
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long SECONDS_PER_DAY = 86_400;

    private final ServerParts parts;
    private final long startedNs;

    ServerInfo(ServerParts parts) {
        this.parts = parts;
        startedNs = parts.clock().monotonicNs();
    }

    void server(InfoText text, CommandContext ctx) {
        long uptime = (parts.clock().monotonicNs() - startedNs) / NS_PER_SECOND;
        text.section("Server")
            .field("redis_version", Version.REDIS)
            .field("redis_git_sha1", "00000000")
            .field("redis_git_dirty", 0)
            .field("redis_build_id", "sluice-" + Version.SLUICE)
            .field("redis_mode", "standalone")
            .field("ratelimit_version", Version.SLUICE)
            .field("server_name", "sluice")
            .field("os", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch"))
            .field("arch_bits", 64)
            .field("java_version", System.getProperty("java.version"))
            .field("multiplexing_api", parts.lifecycle().transport())
            .field("process_id", ProcessHandle.current().pid())
            .field("run_id", RunId.VALUE)
            .field("tcp_port", parts.lifecycle().port())
            .field("server_time_usec", ctx.nowNs() / 1000)
            .field("uptime_in_seconds", uptime)
            .field("uptime_in_days", uptime / SECONDS_PER_DAY)
            .field("hz", parts.config().number(ConfigTable.HZ))
            .field("configured_hz", parts.config().number(ConfigTable.HZ))
            .field("clock_offset_usec", parts.clock().offsetNs() / 1000)
            .field("executable", ProcessHandle.current().info().command().orElse(""))
            .field("config_file", parts.config().file() == null ? "" : parts.config().file().toString())
            .field("io_threads_active", 0);
    }

    void clients(InfoText text, CommandContext ctx) {
        int subscribed = 0;
        int watching = 0;
        int replicas = 0;
        int blocked = 0;
        long maxInput = 0;
        long maxOutput = 0;
        for (Connection c : parts.clients().all()) {
            subscribed += c.isSubscribed() ? 1 : 0;
            watching += c.transaction().watchedKeys() > 0 ? 1 : 0;
            replicas += c.isReplica() ? 1 : 0;
            blocked += c.isSuspended() ? 1 : 0;
            maxInput = Math.max(maxInput, c.unreadBytes());
            maxOutput = Math.max(maxOutput, c.unsentBytes());
        }
        text.section("Clients")
            .field("connected_clients", parts.clients().size() - replicas)
            .field("cluster_connections", 0)
            .field("maxclients", parts.config().number(ConfigTable.MAX_CLIENTS))
            .field("client_recent_max_input_buffer", maxInput)
            .field("client_recent_max_output_buffer", maxOutput)
            .field("blocked_clients", blocked)
            .field("tracking_clients", parts.tracking().trackingClients())
            .field("pubsub_clients", subscribed)
            .field("watching_clients", watching)
            .field("clients_in_timeout_table", 0)
            .field("total_watched_keys", watchedKeys())
            .field("total_blocking_keys", ctx.dispatcher().blocked().keys());
    }

    private long watchedKeys() {
        return parts.clients().all().stream().mapToLong(c -> c.transaction().watchedKeys()).sum();
    }

    void memory(InfoText text, CommandContext ctx) {
        Keyspace keyspace = ctx.keyspace();
        long used = keyspace == null ? 0 : keyspace.memoryUsed();
        long index = keyspace == null ? 0 : ctx.database().store().capacity().indexBytes();
        long overhead = ProcessInfo.bufferBytes() + ProcessInfo.heapBytes() + index;
        long resident = ProcessInfo.residentBytes();
        long max = Database.limits(parts.config()).maxMemoryBytes();
        text.section("Memory")
            .bytes("used_memory", used)
            .bytes("used_memory_rss", resident)
            .bytes("used_memory_peak", Math.max(used, ctx.database() == null ? 0 : ctx.database().peakBytes()))
            .field("used_memory_overhead", overhead)
            .field("used_memory_startup", 0)
            .field("used_memory_dataset", used)
            .bytes("used_memory_lua", parts.scripts().cache().heapBytes())
            .field("number_of_cached_scripts", parts.scripts().cache().size())
            .field("number_of_functions", parts.scripts().functions().functionCount())
            .field("number_of_libraries", parts.scripts().functions().libraryCount())
            .field("used_memory_heap", ProcessInfo.heapBytes())
            .field("used_memory_buffers", ProcessInfo.bufferBytes())
            .field("mem_index_bytes", index)
            .bytes("total_system_memory", ProcessInfo.totalMemoryBytes())
            .bytes("maxmemory", max)
            .field("maxmemory_policy", parts.config().text(ConfigTable.MAX_MEMORY_POLICY))
            .field("maxkeys", parts.config().number(ConfigTable.MAX_KEYS))
            .field("mem_fragmentation_ratio", used + overhead == 0 ? 0 : (double) resident / (used + overhead), 2)
            .field("mem_clients_normal", ProcessInfo.bufferBytes())
            .field("mem_clients_slaves", 0)
            .field("mem_replication_backlog", parts.replication().backlogBytes())
            .field("mem_aof_buffer", 0)
            .field("mem_not_counted_for_evict", 0)
            .field("mem_allocator", "chronicle-map")
            .field("active_defrag_running", 0)
            .field("lazyfree_pending_objects", 0);
    }

    void persistence(InfoText text, CommandContext ctx) {
        Database database = ctx.database();
        text.section("Persistence")
            .field("loading", parts.state().isLoading() ? 1 : 0)
            .field("load_state", parts.state().isLoading() ? "loading" : "done")
            .field("async_loading", 0);
        if (database != null) {
            Snapshots snapshots = database.snapshots();
            text.field("rdb_changes_since_last_save", ctx.keyspace().dirty())
                .field("rdb_bgsave_in_progress", snapshots.isRunning() ? 1 : 0)
                .field("rdb_last_save_time", Math.floorDiv(database.lastSaveNs(), NS_PER_SECOND))
                .field("rdb_last_bgsave_status", snapshots.lastFailure() == null ? "ok" : "err")
                .field("rdb_last_bgsave_time_sec", Math.floorDiv(snapshots.lastDurationNs(), NS_PER_SECOND))
                .field("rdb_current_bgsave_time_sec",
                    snapshots.isRunning() ? (ctx.nowNs() - snapshots.beganNs()) / NS_PER_SECOND : -1)
                .field("rdb_saves", snapshots.completedCount());
        }
        text.field("aof_enabled", 0)
            .field("aof_rewrite_in_progress", 0)
            .field("aof_rewrite_scheduled", 0)
            .field("aof_last_rewrite_time_sec", -1)
            .field("aof_current_rewrite_time_sec", -1)
            .field("aof_last_bgrewrite_status", "ok")
            .field("aof_last_write_status", "ok")
            .field("aof_current_size", 0)
            .field("aof_base_size", 0)
            .field("aof_buffer_length", 0)
            .field("aof_pending_bio_fsync", 0)
            .field("aof_delayed_fsync", 0);
    }

    void cpu(InfoText text, CommandContext ctx) {
        double[] seconds = ProcessInfo.cpuSeconds();
        text.section("CPU")
            .field("used_cpu_sys", seconds[1], 6)
            .field("used_cpu_user", seconds[0], 6)
            .field("used_cpu_sys_children", 0, 6)
            .field("used_cpu_user_children", 0, 6);
    }

    void keyspace(InfoText text, CommandContext ctx) {
        text.section("Keyspace");
        Keyspace keyspace = ctx.keyspace();
        for (int db = 0; keyspace != null && db < keyspace.databases(); db++) {
            if (keyspace.size(db) > 0) {
                text.field("db" + db, "keys=" + keyspace.size(db) + ",expires=" + keyspace.expiring(db) + ",avg_ttl="
                        + keyspace.avgTtlMs(db));
            }
        }
    }
}
