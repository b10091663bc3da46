package io.sluice.server.net;

import io.sluice.resp.RespLimits;
import io.sluice.server.acl.User;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;

/** The settings that connections obey. The event loop reads them; {@code CONFIG SET} changes them there. */
public final class NetSettings {
    /** Commands that one client may have executed before the others get their turn. */
    public static final int COMMANDS_PER_TURN = 256;
    /** Replies beyond this are handed to the socket before the batch ends. */
    public static final int REPLY_BYTES_PER_FLUSH = 64 * 1024;
    /** The same for a client that has not authenticated. */
    public static final int UNAUTHENTICATED_REPLY_BYTES_PER_FLUSH = 4 * 1024;
    /** Replies that a client that has not authenticated may leave untaken (cf. CVE-2025-21605). */
    public static final int UNAUTHENTICATED_UNSENT_BYTES_MAX = 16 * 1024;
    /** A client with more unsent bytes than this is not served, and not read, until it has drained to a quarter. */
    public static final int UNSENT_BYTES_HIGH = 128 * 1024;
    /** Of a client that waits for a key, so many bytes of further commands are read. */
    public static final int BLOCKED_UNREAD_BYTES_MAX = 64 * 1024;
    /** Most unread bytes of a client that has not authenticated, as in Redis. */
    public static final int UNAUTHENTICATED_QUERY_BYTES_MAX = 1024 * 1024;
    /** After a protocol error this much input is read and thrown away so that the error can be read... */
    public static final int DRAIN_BYTES_MAX = 64 * 1024;
    /** ... for at most this long. */
    public static final int DRAIN_MS_MAX = 1000;

    /** Limits on unsent replies of a class of clients; 0 means none. */
    public record OutputLimit(long hardBytes, long softBytes, long softSeconds) {
        private static OutputLimit of(long[] values) {
            return new OutputLimit(values[0], values[1], values[2]);
        }
    }

    private static final OutputLimit UNAUTHENTICATED = new OutputLimit(UNAUTHENTICATED_UNSENT_BYTES_MAX, 0, 0);

    private RespLimits respLimits;
    private long queryBytesMax;
    private int clientsMax;
    private int keepAliveSeconds;
    private int idleSecondsMax;
    private int authSecondsMax;
    private boolean protectedMode;
    private boolean passwordRequired;
    private User defaultUser = User.UNRESTRICTED;
    private OutputLimit normal;
    private OutputLimit replica;
    private OutputLimit pubsub;

    /** Takes the values of the configuration, now and whenever they change. */
    public void follow(Config config) {
        config.follow(() -> respLimits = RespLimits.of(config.integer(ConfigTable.MAX_BULK)), ConfigTable.MAX_BULK);
        config.follow(() -> queryBytesMax = config.number(ConfigTable.QUERY_BUFFER), ConfigTable.QUERY_BUFFER);
        config.follow(() -> clientsMax = config.integer(ConfigTable.MAX_CLIENTS), ConfigTable.MAX_CLIENTS);
        config.follow(() -> keepAliveSeconds = config.integer(ConfigTable.TCP_KEEPALIVE), ConfigTable.TCP_KEEPALIVE);
        config.follow(() -> idleSecondsMax = config.integer(ConfigTable.TIMEOUT), ConfigTable.TIMEOUT);
        config.follow(() -> authSecondsMax = config.integer(ConfigTable.AUTH_TIMEOUT), ConfigTable.AUTH_TIMEOUT);
        config.follow(() -> protectedMode = config.flag(ConfigTable.PROTECTED_MODE), ConfigTable.PROTECTED_MODE);
        config.follow(() -> {
            normal = OutputLimit.of(config.outputLimit("normal"));
            replica = OutputLimit.of(config.outputLimit("slave"));
            pubsub = OutputLimit.of(config.outputLimit("pubsub"));
        }, ConfigTable.OUTPUT_LIMIT);
    }

    public RespLimits respLimits() {
        return respLimits;
    }

    /** Most unread bytes of one client: {@code client-query-buffer-limit}. */
    public long queryBytesMax(boolean authenticated) {
        return authenticated ? queryBytesMax : Math.min(queryBytesMax, UNAUTHENTICATED_QUERY_BYTES_MAX);
    }

    public int clientsMax() {
        return clientsMax;
    }

    /** Seconds of silence before TCP probes the peer; 0: never. */
    public int keepAliveSeconds() {
        return keepAliveSeconds;
    }

    /** A client that sends nothing for longer is closed; 0: never. */
    public int idleSecondsMax() {
        return idleSecondsMax;
    }

    /** A client that has not authenticated by then is closed; 0: never. */
    public int authSecondsMax() {
        return authSecondsMax;
    }

    public boolean isProtectedMode() {
        return protectedMode;
    }

    /** Whether clients must authenticate. */
    public boolean isPasswordRequired() {
        return passwordRequired;
    }

    public void passwordRequired(boolean value) {
        passwordRequired = value;
    }

    /** Who a client is before it authenticates. */
    public User defaultUser() {
        return defaultUser;
    }

    public void defaultUser(User user) {
        defaultUser = user;
    }

    /** Replies beyond this are handed to the socket before the batch ends. */
    static int replyBytesPerFlush(Connection connection) {
        return connection.isAuthenticated() ? REPLY_BYTES_PER_FLUSH : UNAUTHENTICATED_REPLY_BYTES_PER_FLUSH;
    }

    /** The limit that applies to a client now. */
    public OutputLimit outputLimit(Connection connection) {
        if (!connection.isAuthenticated()) {
            return UNAUTHENTICATED;
        }
        if (connection.isReplica()) {
            return replica;
        }
        return connection.isSubscribed() ? pubsub : normal;
    }
}
