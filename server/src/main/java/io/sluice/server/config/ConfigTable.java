package io.sluice.server.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static io.sluice.server.config.ConfigOption.Mutability.ANY_TIME;
import static io.sluice.server.config.ConfigOption.Mutability.AT_START;
import static io.sluice.server.config.ConfigOption.Mutability.PROTECTED;
import static io.sluice.server.config.ConfigType.fileName;
import static io.sluice.server.config.ConfigType.address;
import static io.sluice.server.config.ConfigType.flag;
import static io.sluice.server.config.ConfigType.integer;
import static io.sluice.server.config.ConfigType.memory;
import static io.sluice.server.config.ConfigType.octal;
import static io.sluice.server.config.ConfigType.oneOf;
import static io.sluice.server.config.ConfigType.text;
import static io.sluice.server.config.ConfigType.words;

/**
 * Every setting, one row each: the file, the command line, {@code CONFIG}, the sample {@code sluice.conf} and the
 * README's table come from here.
 */
public final class ConfigTable {
    private static final List<ConfigOption> ROWS = new ArrayList<>();
    private static final Map<String, ConfigOption> BY_NAME = new HashMap<>();
    private static final long INT_MAX = Integer.MAX_VALUE;
    private static final long LONG_MAX = Long.MAX_VALUE;
    private static final String NETWORK = "Network";
    private static final String SECURITY = "Security";
    private static final String TLS = "TLS";
    private static final String GENERAL = "General";
    private static final String KEYSPACE = "Keyspace";
    private static final String PERSISTENCE = "Persistence";
    private static final String REPLICATION = "Replication";
    private static final String SCRIPTING = "Scripting";
    private static final String OBSERVATION = "Observation";

    public static final ConfigOption BIND = row(NETWORK, "bind", "127.0.0.1 -::1", words(), AT_START,
            "Addresses to listen on. A leading - tolerates an address that this machine does not have; * is all of "
            + "IPv4, ::* all of IPv6.");
    public static final ConfigOption PORT = row(NETWORK, "port", "6379", integer(0, 65_535), AT_START,
            "TCP port; 0 for none.");
    public static final ConfigOption TCP_BACKLOG = row(NETWORK, "tcp-backlog", "511", integer(0, INT_MAX), AT_START,
            "Connections that wait to be accepted.");
    public static final ConfigOption UNIX_SOCKET = row(NETWORK, "unixsocket", "", text(), AT_START,
            "Path of a unix socket to listen on; empty for none.");
    public static final ConfigOption UNIX_SOCKET_PERM = row(NETWORK, "unixsocketperm", "0", octal(), AT_START,
            "Permissions of the unix socket, such as 770; 0 for what the system gives.");
    public static final ConfigOption PROTECTED_MODE = row(NETWORK, "protected-mode", "yes", flag(), ANY_TIME,
            "Without a password, take connections from this machine only.");
    public static final ConfigOption TIMEOUT = row(NETWORK, "timeout", "0", integer(0, INT_MAX), ANY_TIME,
            "Close a client that has been silent for so many seconds; 0 for never.");
    public static final ConfigOption AUTH_TIMEOUT = row(NETWORK, "auth-timeout", "10", integer(0, INT_MAX), ANY_TIME,
            "Where a password is set, close a client that has not authenticated after so many seconds; 0 for never.");
    public static final ConfigOption TCP_KEEPALIVE = row(NETWORK, "tcp-keepalive", "60", integer(0, INT_MAX), ANY_TIME,
            "Probe a silent peer after so many seconds; 0 for never. Holds for clients that connect from then on.");
    public static final ConfigOption MAX_CLIENTS = row(NETWORK, "maxclients", "10000", integer(1, INT_MAX), ANY_TIME,
            "Clients that may be connected at once. The unix socket takes one more, for the operator.");
    public static final ConfigOption IO_TRANSPORT = row(NETWORK, "io-transport", "auto",
            oneOf("auto", "epoll", "io_uring", "nio"), AT_START,
            "How sockets are served; auto takes the best that works here.");
    public static final ConfigOption MAX_BULK = row(NETWORK, "proto-max-bulk-len", "1mb",
            memory(1024, 512 << 20), ANY_TIME, "Longest argument of a command.");
    public static final ConfigOption QUERY_BUFFER = row(NETWORK, "client-query-buffer-limit", "64mb",
            memory(1 << 20, LONG_MAX), ANY_TIME,
            "A client whose unread commands take more is closed; a transaction that queues more is refused.");
    public static final ConfigOption OUTPUT_LIMIT = row(NETWORK, "client-output-buffer-limit",
            "normal 16mb 0 0 replica 256mb 64mb 60 pubsub 32mb 8mb 60", new OutputLimits(), ANY_TIME,
            "Replies that a client may leave untaken, by class: hard limit, soft limit, seconds above the soft limit.")
            .repeated();

    public static final ConfigOption REQUIRE_PASS = row(SECURITY, "requirepass", "", text(), ANY_TIME,
            "Password of the default user; empty for none.");
    public static final ConfigOption ACL_FILE = row(SECURITY, "aclfile", "", text(), AT_START,
            "File of users and their rules, a line \"user name rule ...\" each; empty for users in this file.");
    public static final ConfigOption ACL_LOG_LENGTH = row(SECURITY, "acllog-max-len", "128", integer(0, 100_000),
            ANY_TIME, "Denials that ACL LOG keeps.");
    public static final ConfigOption ACL_PUBSUB_DEFAULT = row(SECURITY, "acl-pubsub-default", "resetchannels",
            oneOf("allchannels", "resetchannels"), ANY_TIME, "Which channels a new user may use: all or none.");
    public static final ConfigOption RENAME_COMMAND = row(SECURITY, "rename-command", "", new CommandNames(), AT_START,
            "Gives a command another name, or with an empty name takes it away.").repeated();
    public static final ConfigOption DEBUG_COMMAND = row(SECURITY, "enable-debug-command", "no",
            oneOf("no", "yes", "local"), AT_START, "Who may use DEBUG: nobody, everybody, or clients on this machine.");
    public static final ConfigOption PROTECTED_CONFIGS = row(SECURITY, "enable-protected-configs", "no",
            oneOf("no", "yes", "local"), AT_START, "Who may change dbfilename with CONFIG SET: nobody, everybody, or "
            + "clients on this machine.");

    public static final ConfigOption TLS_PORT = row(TLS, "tls-port", "0", integer(0, 65_535), AT_START,
            "TCP port for TLS; 0 for none. With port 0 it is the only one.");
    public static final ConfigOption TLS_CERT_FILE = row(TLS, "tls-cert-file", "", text(), ANY_TIME,
            "The server's certificate and those that lead to its authority, in PEM. A file that is replaced is taken "
            + "for new connections within ten seconds.");
    public static final ConfigOption TLS_KEY_FILE = row(TLS, "tls-key-file", "", text(), ANY_TIME,
            "The key of the certificate, in PEM (PKCS#8, or PKCS#1 for RSA).");
    public static final ConfigOption TLS_KEY_FILE_PASS = row(TLS, "tls-key-file-pass", "", text(), ANY_TIME,
            "Password of the key; empty for none.");
    public static final ConfigOption TLS_CLIENT_CERT_FILE = row(TLS, "tls-client-cert-file", "", text(), ANY_TIME,
            "Certificate to show to a primary; empty for the server's.");
    public static final ConfigOption TLS_CLIENT_KEY_FILE = row(TLS, "tls-client-key-file", "", text(), ANY_TIME,
            "The key of the certificate for a primary.");
    public static final ConfigOption TLS_CLIENT_KEY_FILE_PASS = row(TLS, "tls-client-key-file-pass", "", text(),
            ANY_TIME, "Password of that key; empty for none.");
    public static final ConfigOption TLS_CA_CERT_FILE = row(TLS, "tls-ca-cert-file", "", text(), ANY_TIME,
            "Certificates of the authorities that the peers' certificates must come from, in PEM.");
    public static final ConfigOption TLS_CA_CERT_DIR = row(TLS, "tls-ca-cert-dir", "", text(), ANY_TIME,
            "Folder of further such files.");
    public static final ConfigOption TLS_AUTH_CLIENTS = row(TLS, "tls-auth-clients", "yes",
            oneOf("no", "yes", "optional"), ANY_TIME,
            "Whether clients must show a certificate; with optional one that is shown must be right.");
    public static final ConfigOption TLS_REPLICATION = row(TLS, "tls-replication", "no", flag(), ANY_TIME,
            "Whether the link to a primary uses TLS.");
    public static final ConfigOption TLS_PROTOCOLS = row(TLS, "tls-protocols", "", words(), ANY_TIME,
            "Versions to speak, such as \"TLSv1.2 TLSv1.3\"; empty for these two.");
    public static final ConfigOption TLS_CIPHERS = row(TLS, "tls-ciphers", "", text(), ANY_TIME,
            "Cipher suites up to TLS 1.2, by name in the manner of OpenSSL or Java, colons between them; empty for the "
            + "engine's choice.");
    public static final ConfigOption TLS_CIPHERSUITES = row(TLS, "tls-ciphersuites", "", text(), ANY_TIME,
            "Cipher suites of TLS 1.3, by name, colons between them; empty for the engine's choice.");
    public static final ConfigOption TLS_PREFER_SERVER = row(TLS, "tls-prefer-server-ciphers", "no", flag(), ANY_TIME,
            "Whether the server's order of suites decides, not the client's.");
    public static final ConfigOption TLS_SESSION_CACHING = row(TLS, "tls-session-caching", "yes", flag(), ANY_TIME,
            "Whether clients may resume sessions.");
    public static final ConfigOption TLS_SESSION_CACHE_SIZE = row(TLS, "tls-session-cache-size", "20480",
            integer(1, INT_MAX), ANY_TIME, "Sessions that are kept.");
    public static final ConfigOption TLS_SESSION_CACHE_TIMEOUT = row(TLS, "tls-session-cache-timeout", "300",
            integer(1, INT_MAX), ANY_TIME, "Seconds that a session is kept.");
    public static final ConfigOption TLS_ENGINE = row(TLS, "tls-engine", "auto", oneOf("auto", "jdk"), AT_START,
            "What does the work: BoringSSL where it loads, else Java's own; or always that.");

    public static final ConfigOption LOG_LEVEL = row(GENERAL, "loglevel", "notice",
            oneOf("debug", "verbose", "notice", "warning"), ANY_TIME, "From which level on events are logged.");
    public static final ConfigOption LOG_FILE = row(GENERAL, "logfile", "", text(), AT_START,
            "File that the log is appended to; empty for standard output.");
    public static final ConfigOption PID_FILE = row(GENERAL, "pidfile", "", text(), AT_START,
            "File that the process id is written to; empty for none.");
    public static final ConfigOption DATABASES = row(GENERAL, "databases", "16", integer(1, 128), AT_START,
            "Number of databases.");
    public static final ConfigOption HZ = row(GENERAL, "hz", "10", integer(1, 500), ANY_TIME,
            "How often a second clients are checked for timeouts and rates are sampled.");

    public static final ConfigOption DIR = row(KEYSPACE, "dir", "./data", text(), AT_START,
            "The data directory; made if it is missing.");
    public static final String SET_ASIDE = "set-aside";
    public static final ConfigOption DAMAGED_FILES = row(KEYSPACE, "damaged-files", "refuse",
            oneOf("refuse", SET_ASIDE), AT_START, "What to do at the start with files of the data directory that are "
            + "damaged or missing: refuse to start and leave all as it is, or set them aside under another name and "
            + "go on with what is sound.");
    public static final ConfigOption MAX_KEYS = row(KEYSPACE, "maxkeys", "0", integer(0, LONG_MAX), ANY_TIME,
            "Keys that are kept at most; 0 for as many as maxmemory allows.");
    public static final ConfigOption MAX_MEMORY = row(KEYSPACE, "maxmemory", "0", memory(0, LONG_MAX), ANY_TIME,
            "Bytes that entries may take at most; 0 for as many as the machine has room for.");
    public static final ConfigOption MAX_MEMORY_POLICY = row(KEYSPACE, "maxmemory-policy", "noeviction",
            oneOf("noeviction", "volatile-ttl"), ANY_TIME,
            "What a new key meets when there is no room: an error, or the keys nearest to their expiry go.");
    public static final ConfigOption NOTIFY_EVENTS = row(KEYSPACE, "notify-keyspace-events", "", new EventClasses(),
            ANY_TIME,
            "Classes of keyspace events that are published, in Redis's letters, r for those of limiters; empty for "
            + "none. Events of m and n are not raised.");
    public static final ConfigOption HASH_ENTRIES = row(KEYSPACE, "hash-max-listpack-entries", "512",
            integer(0, INT_MAX), ANY_TIME, "Fields from which on a hash gets an index.")
            .alias("hash-max-ziplist-entries");
    public static final ConfigOption HASH_VALUE = row(KEYSPACE, "hash-max-listpack-value", "64",
            integer(0, INT_MAX), ANY_TIME, "Bytes of a field or value above which a hash gets an index.")
            .alias("hash-max-ziplist-value");
    public static final ConfigOption INTSET_ENTRIES = row(KEYSPACE, "set-max-intset-entries", "512",
            integer(0, INT_MAX), ANY_TIME, "Members up to which a set of integers is held in their order.");
    public static final ConfigOption SET_ENTRIES = row(KEYSPACE, "set-max-listpack-entries", "128",
            integer(0, INT_MAX), ANY_TIME, "Members from which on a set gets an index.");
    public static final ConfigOption SET_VALUE = row(KEYSPACE, "set-max-listpack-value", "64",
            integer(0, INT_MAX), ANY_TIME, "Bytes of a member above which a set gets an index.");
    public static final ConfigOption ZSET_ENTRIES = row(KEYSPACE, "zset-max-listpack-entries", "128",
            integer(0, INT_MAX), ANY_TIME, "Members from which on a sorted set gets an index.")
            .alias("zset-max-ziplist-entries");
    public static final ConfigOption ZSET_VALUE = row(KEYSPACE, "zset-max-listpack-value", "64",
            integer(0, INT_MAX), ANY_TIME, "Bytes of a member above which a sorted set gets an index.")
            .alias("zset-max-ziplist-value");
    public static final ConfigOption LIST_SIZE = row(KEYSPACE, "list-max-listpack-size", "-2",
            integer(-5, INT_MAX), ANY_TIME, "Elements, or with -1 to -5 kilobytes from 4 to 64, up to which OBJECT "
            + "ENCODING calls a list a listpack; lists are held in one form.")
            .alias("list-max-ziplist-size");

    public static final ConfigOption SAVE = row(PERSISTENCE, "save", "", new SavePoints(), ANY_TIME,
            "Take a snapshot after so many seconds if at least so many changes were made; empty for none. State "
            + "outlives a restart without snapshots.").repeated();
    public static final ConfigOption DB_FILENAME = row(PERSISTENCE, "dbfilename", "dump.rdb", fileName(), PROTECTED,
            "File name of the snapshot inside the data directory.");
    public static final ConfigOption APPEND_ONLY = row(PERSISTENCE, "appendonly", "no", oneOf("no"), ANY_TIME,
            "There is no append-only file: the mapped keyspace outlives the process by itself.");
    public static final ConfigOption APPEND_FSYNC = row(PERSISTENCE, "appendfsync", "everysec",
            oneOf("always", "everysec", "no"), ANY_TIME, "Answered for tools; has no effect.");

    public static final ConfigOption REPLICA_OF = row(REPLICATION, "replicaof", "", address(), AT_START,
            "Address and port of the primary that this server follows; empty for none.").alias("slaveof");
    public static final ConfigOption MASTER_AUTH = row(REPLICATION, "masterauth", "", text(), ANY_TIME,
            "Password for the primary.");
    public static final ConfigOption MASTER_USER = row(REPLICATION, "masteruser", "", text(), ANY_TIME,
            "User name for the primary; empty for the default user.");
    public static final ConfigOption REPLICA_READ_ONLY = row(REPLICATION, "replica-read-only", "yes", flag(), ANY_TIME,
            "A replica refuses writes of clients.").alias("slave-read-only");
    public static final ConfigOption REPLICA_STALE = row(REPLICATION, "replica-serve-stale-data", "yes", flag(),
            ANY_TIME, "A replica that has lost its primary goes on answering.").alias("slave-serve-stale-data");
    public static final ConfigOption REPLICA_PRIORITY = row(REPLICATION, "replica-priority", "100",
            integer(0, INT_MAX), ANY_TIME, "Sentinel promotes the replica with the lowest; 0 for never.")
            .alias("slave-priority");
    public static final ConfigOption REPL_BACKLOG = row(REPLICATION, "repl-backlog-size", "1mb",
            memory(16 * 1024, INT_MAX), ANY_TIME, "Bytes of the stream kept for replicas that reconnect.");
    public static final ConfigOption REPL_BACKLOG_TTL = row(REPLICATION, "repl-backlog-ttl", "3600",
            integer(0, INT_MAX), ANY_TIME,
            "Seconds without a replica after which the stream is not recorded any more; 0 for never.");
    public static final ConfigOption REPL_SYNC_DELAY = row(REPLICATION, "repl-diskless-sync-delay", "1",
            integer(0, INT_MAX), ANY_TIME,
            "Seconds that a full sync waits for other replicas, which then share its snapshot.");
    public static final ConfigOption REPL_TIMEOUT = row(REPLICATION, "repl-timeout", "60", integer(1, INT_MAX),
            ANY_TIME, "Seconds of silence after which a replication link counts as dead.");
    public static final ConfigOption REPL_PING = row(REPLICATION, "repl-ping-replica-period", "10",
            integer(1, INT_MAX), ANY_TIME, "Seconds between pings of a primary to its replicas.")
            .alias("repl-ping-slave-period");
    public static final ConfigOption MIN_REPLICAS = row(REPLICATION, "min-replicas-to-write", "0",
            integer(0, INT_MAX), ANY_TIME, "Refuse writes with fewer replicas than this; 0 for never.")
            .alias("min-slaves-to-write");
    public static final ConfigOption MIN_REPLICAS_LAG = row(REPLICATION, "min-replicas-max-lag", "10",
            integer(0, INT_MAX), ANY_TIME, "Seconds within which a replica must have answered to count.")
            .alias("min-slaves-max-lag");
    public static final ConfigOption DEMOTION_CLOSES = row(REPLICATION, "demotion-closes-clients", "yes", flag(),
            ANY_TIME, "A primary that becomes a replica closes its clients, so that they look for the new primary.");
    public static final ConfigOption SHUTDOWN_TIMEOUT = row(REPLICATION, "shutdown-timeout", "10",
            integer(0, INT_MAX), ANY_TIME,
            "Seconds that a stop holds writes back and waits for replicas to have everything; a script that has run "
                    + "for longer is ended by it.");
    public static final ConfigOption ANNOUNCE_IP = row(REPLICATION, "replica-announce-ip", "", text(), ANY_TIME,
            "Address that a replica tells its primary; empty for the one it connects from.").alias("slave-announce-ip");
    public static final ConfigOption ANNOUNCE_PORT = row(REPLICATION, "replica-announce-port", "0",
            integer(0, 65_535), ANY_TIME, "Port that a replica tells its primary; 0 for its own.")
            .alias("slave-announce-port");

    public static final ConfigOption BUSY_REPLY_THRESHOLD = row(SCRIPTING, "busy-reply-threshold", "5000",
            integer(0, LONG_MAX / 1_000_000), ANY_TIME, "Milliseconds after which, while a script runs, others are "
            + "told BUSY and may end it; 0 for never.").alias("lua-time-limit");
    public static final ConfigOption SCRIPT_STOP_THRESHOLD = row(SCRIPTING, "script-stop-threshold", "60000",
            integer(0, LONG_MAX / 1_000_000), ANY_TIME, "Milliseconds after which a script that has written nothing is "
            + "stopped; 0 for never. Counts from busy-reply-threshold on.");
    public static final String BARE = "bare";
    public static final ConfigOption SCRIPT_ERROR_CODE = row(SCRIPTING, "script-error-code", "err",
            oneOf("err", BARE), ANY_TIME, "What redis.error_reply makes of a text of one word: err, an error of the "
            + "code ERR as since Redis 7.0; bare, the word as it is, as up to Redis 6.2, which the library bottleneck "
            + "needs.");

    public static final ConfigOption SLOWLOG_THRESHOLD = row(OBSERVATION, "slowlog-log-slower-than", "10000",
            integer(-1, LONG_MAX), ANY_TIME, "Microseconds from which on a command is logged as slow; -1 for never.");
    public static final ConfigOption SLOWLOG_LENGTH = row(OBSERVATION, "slowlog-max-len", "128",
            integer(0, 100_000), ANY_TIME, "Slow commands that are kept.");
    public static final ConfigOption LATENCY_THRESHOLD = row(OBSERVATION, "latency-monitor-threshold", "0",
            integer(0, LONG_MAX), ANY_TIME, "Milliseconds from which on an event is kept for LATENCY; 0 for never.");

    public static final ConfigOption METRICS_PORT = row(OBSERVATION, "metrics-port", "0", integer(0, 65_535), AT_START,
            "Port for HTTP on the addresses of bind: /metrics for Prometheus, /healthz and /readyz for probes; 0 for "
            + "none. It asks for no password.");
    public static final ConfigOption TRACK_KEYS = row(OBSERVATION, "track-keys", "yes", flag(), ANY_TIME,
            "Count decisions by key, in memory of a fixed size, for RL.TOP and RL.INSPECT.");

    static final ConfigOption IO_THREADS = row(OBSERVATION, "io-threads", "1", integer(1, 128), AT_START,
            "Answered for tools; has no effect: one thread owns the data and the sockets.");
    static final ConfigOption CLUSTER = row(OBSERVATION, "cluster-enabled", "no", oneOf("no"), AT_START,
            "Answered for tools: there is no cluster mode.");

    private ConfigTable() {
    }

    /** All rows, in the order of the sample file. */
    public static List<ConfigOption> rows() {
        return Collections.unmodifiableList(ROWS);
    }

    /** The row of this name or older name, in any case, or null. */
    public static ConfigOption find(String name) {
        return BY_NAME.get(name.toLowerCase(Locale.ROOT));
    }

    /** All rows by each of their names. */
    public static Map<String, ConfigOption> names() {
        return Collections.unmodifiableMap(BY_NAME);
    }

    private static ConfigOption row(String section, String name, String defaultText, ConfigType type,
            ConfigOption.Mutability mutability, String doc) {
        ConfigOption option = new ConfigOption(ROWS.size(), section, name, defaultText, type, mutability, doc);
        ROWS.add(option);
        if (BY_NAME.put(name, option) != null) {
            throw new IllegalStateException("setting " + name + " is defined twice");
        }
        return option;
    }

    static {
        for (ConfigOption option : ROWS) {
            if (option.alias() != null && BY_NAME.put(option.alias(), option) != null) {
                throw new IllegalStateException("setting " + option.alias() + " is defined twice");
            }
        }
    }
}
