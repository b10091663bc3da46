package io.sluice.server.net;

import io.sluice.resp.RespLimits;

/** The settings that connections obey. The event loop reads them; {@code CONFIG SET} changes them there. */
public final class NetSettings {
    /** Commands that one client may have executed before the others get their turn. */
    public static final int COMMANDS_PER_TURN = 256;
    /** Replies beyond this are handed to the socket before the batch ends. */
    public static final int REPLY_BYTES_PER_FLUSH = 64 * 1024;
    /** A client with more unsent bytes than this is not served, and not read, until it has drained to a quarter. */
    public static final int UNSENT_BYTES_HIGH = 128 * 1024;
    /** Most unread bytes of a client that has not authenticated, as in Redis. */
    public static final int UNAUTHENTICATED_QUERY_BYTES_MAX = 1024 * 1024;
    /** After a protocol error this much input is read and thrown away so that the error can be read... */
    public static final int DRAIN_BYTES_MAX = 64 * 1024;
    /** ... for at most this long. */
    public static final int DRAIN_MS_MAX = 1000;

    /** Limits on unsent replies of a class of clients; 0 means none. */
    public record OutputLimit(long hardBytes, long softBytes, long softSeconds) {
    }

    private RespLimits respLimits = RespLimits.of(1024 * 1024);
    private long queryBytesMax = 64L << 20;
    private int clientsMax = 10_000;
    private int keepAliveSeconds = 60;
    private int idleSecondsMax;
    private int authSecondsMax = 10;
    private boolean protectedMode = true;
    private boolean passwordRequired;
    private OutputLimit normal = new OutputLimit(16L << 20, 0, 0);
    private OutputLimit replica = new OutputLimit(256L << 20, 64L << 20, 60);
    private OutputLimit pubsub = new OutputLimit(32L << 20, 8L << 20, 60);

    public RespLimits respLimits() {
        return respLimits;
    }

    public void respLimits(RespLimits limits) {
        respLimits = limits;
    }

    /** Most unread bytes of one client: {@code client-query-buffer-limit}. */
    public long queryBytesMax(boolean authenticated) {
        return authenticated ? queryBytesMax : Math.min(queryBytesMax, UNAUTHENTICATED_QUERY_BYTES_MAX);
    }

    public void queryBytesMax(long bytes) {
        queryBytesMax = bytes;
    }

    public int clientsMax() {
        return clientsMax;
    }

    public void clientsMax(int count) {
        clientsMax = count;
    }

    /** Seconds of silence before TCP probes the peer; 0: never. */
    public int keepAliveSeconds() {
        return keepAliveSeconds;
    }

    public void keepAliveSeconds(int seconds) {
        keepAliveSeconds = seconds;
    }

    /** A client that sends nothing for longer is closed; 0: never. */
    public int idleSecondsMax() {
        return idleSecondsMax;
    }

    public void idleSecondsMax(int seconds) {
        idleSecondsMax = seconds;
    }

    /** A client that has not authenticated by then is closed; 0: never. */
    public int authSecondsMax() {
        return authSecondsMax;
    }

    public void authSecondsMax(int seconds) {
        authSecondsMax = seconds;
    }

    public boolean isProtectedMode() {
        return protectedMode;
    }

    public void protectedMode(boolean value) {
        protectedMode = value;
    }

    /** Whether clients must authenticate. */
    public boolean isPasswordRequired() {
        return passwordRequired;
    }

    public void passwordRequired(boolean value) {
        passwordRequired = value;
    }

    /** The limit that applies to a client now. */
    public OutputLimit outputLimit(Connection connection) {
        if (connection.isReplica()) {
            return replica;
        }
        return connection.isSubscribed() ? pubsub : normal;
    }

    public void outputLimits(OutputLimit ofNormal, OutputLimit ofReplica, OutputLimit ofPubsub) {
        normal = ofNormal;
        replica = ofReplica;
        pubsub = ofPubsub;
    }
}
