package io.sluice.server.config;

import java.util.Set;

/**
 * Redis's directives that mean nothing here. A file that has them loads, with a warning, so that an existing one can
 * be used.
 */
final class UnusedDirectives {
    private static final Set<String> NAMES = Set.of(("""
            daemonize supervised always-show-logo set-proc-title proc-title-template locale-collate
            stop-writes-on-bgsave-error rdbcompression rdbchecksum rdb-del-sync-files sanitize-dump-payload
            rdb-save-incremental-fsync appendfilename appenddirname no-appendfsync-on-rewrite
            auto-aof-rewrite-percentage auto-aof-rewrite-min-size aof-load-truncated aof-use-rdb-preamble
            aof-timestamp-enabled aof-rewrite-incremental-fsync aof-disable-auto-gc
            repl-diskless-sync repl-diskless-sync-period repl-diskless-sync-max-replicas
            repl-diskless-load repl-disable-tcp-nodelay replica-announced slave-announced
            replica-ignore-maxmemory slave-ignore-maxmemory replica-lazy-flush slave-lazy-flush
            propagation-error-behavior replica-ignore-disk-write-errors
            enable-module-command loadmodule loadmodule-ex
            maxmemory-samples maxmemory-eviction-tenacity maxmemory-clients active-expire-effort
            lazyfree-lazy-eviction lazyfree-lazy-expire lazyfree-lazy-server-del lazyfree-lazy-user-del
            lazyfree-lazy-user-flush io-threads-do-reads oom-score-adj oom-score-adj-values disable-thp
            shutdown-on-sigint shutdown-on-sigterm
            cluster-config-file cluster-node-timeout cluster-port cluster-replica-validity-factor
            cluster-slave-validity-factor cluster-migration-barrier cluster-allow-replica-migration
            cluster-require-full-coverage cluster-replica-no-failover cluster-slave-no-failover
            cluster-allow-reads-when-down cluster-allow-pubsubshard-when-down cluster-link-sendbuf-limit
            cluster-announce-ip cluster-announce-port cluster-announce-tls-port cluster-announce-bus-port
            cluster-announce-hostname cluster-announce-human-nodename cluster-preferred-endpoint-type
            latency-tracking latency-tracking-info-percentiles
            list-compress-depth hll-sparse-max-bytes stream-node-max-bytes
            stream-node-max-entries activerehashing dynamic-hz jemalloc-bg-thread activedefrag
            active-defrag-ignore-bytes active-defrag-threshold-lower active-defrag-threshold-upper
            active-defrag-cycle-min active-defrag-cycle-max active-defrag-max-scan-fields
            server_cpulist bio_cpulist aof_rewrite_cpulist bgsave_cpulist server-cpulist bio-cpulist
            aof-rewrite-cpulist bgsave-cpulist ignore-warnings syslog-enabled syslog-ident syslog-facility
            crash-log-enabled crash-memcheck-enabled lfu-log-factor lfu-decay-time tracking-table-max-keys
            bind-source-addr socket-mark-id use-exit-on-panic hide-user-data-from-log max-new-connections-per-cycle
            tls-cluster tls-dh-params-file""").strip().split("\\s+"));

    private UnusedDirectives() {
    }

    static boolean contains(String lowerCaseName) {
        return NAMES.contains(lowerCaseName);
    }
}
