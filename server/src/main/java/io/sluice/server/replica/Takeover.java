package io.sluice.server.replica;

import io.sluice.replication.ReplicaPeer;
import io.sluice.server.command.ClientPause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code FAILOVER}: hands the primary's part to a replica and loses nothing. Writes are held back until the replica has
 * everything; then this server asks it for its stream in a way that makes it a primary, and follows.
 */
public final class Takeover {
    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);
    private static final long PAUSE_END_NS = Long.MAX_VALUE / 2;
    private static final String REJECTED = "answers PSYNC";
    /** What Redis and Sluice answer who are primaries already. */
    private static final String IS_PRIMARY = "can't be sent to a master";

    private enum Stage {
        NONE("no-failover"),
        WAITING("waiting-for-sync"),
        HANDING_OVER("failover-in-progress");

        private final String text;

        Stage(String text) {
            this.text = text;
        }
    }

    private final Replication replication;
    private final ClientPause pause;
    private Stage stage = Stage.NONE;
    private String host;
    private int port;
    private boolean forced;
    private long deadlineMs;

    Takeover(Replication replication, ClientPause pause) {
        this.replication = replication;
        this.pause = pause;
    }

    /** The word in {@code INFO}. */
    public String text() {
        return stage.text;
    }

    /** Whether a replica is about to take over. */
    public boolean isRunning() {
        return stage != Stage.NONE;
    }

    /**
     * Begins.
     *
     * @param toHost     which replica, or null for the first that has everything
     * @param force      whether to go on at the deadline even if that replica has not everything
     * @param timeLeftMs how long writes may be held back for it; 0 for ever
     */
    public void begin(String toHost, int toPort, boolean force, long timeLeftMs) {
        host = toHost;
        port = toPort;
        forced = force;
        deadlineMs = Replication.deadlineMs(replication.nowMs(), timeLeftMs);
        stage = Stage.WAITING;
        pause.begin(ClientPause.Purpose.FAILOVER, true, PAUSE_END_NS);
        replication.replicas().quiet(true);
        LOG.info("Failover: writes wait until {} has everything", host == null ? "a replica" : host + ":" + port);
    }

    /** Gives up, and goes on as the primary. */
    public void abort(String reason) {
        LOG.warn("Failover given up: {}", reason);
        boolean handingOver = stage == Stage.HANDING_OVER;
        end();
        if (handingOver) {
            replication.promote();
        }
    }

    private void end() {
        stage = Stage.NONE;
        replication.replicas().quiet(false);
        pause.end(ClientPause.Purpose.FAILOVER);
    }

    /** Looks whether it is time to hand over. Returns whether it must look again soon. */
    boolean doWork(long nowMs) {
        if (stage != Stage.WAITING) {
            return false;
        }
        ReplicaPeer ready = caughtUp();
        if (ready != null) {
            handOver(ready.ip(), ready.port());
        } else if (nowMs >= deadlineMs && forced) {
            handOver(host, port);
        } else if (nowMs >= deadlineMs) {
            abort("no replica had everything in time");
        } else if (replication.replicas().attached().isEmpty()) {
            abort("all replicas have gone");
        }
        return stage == Stage.WAITING;
    }

    private ReplicaPeer caughtUp() {
        for (ReplicaPeer peer : replication.replicas().attached()) {
            if (peer.state() == ReplicaPeer.State.ONLINE && peer.hasAcknowledged()
                    && (host == null || isAt(peer, host, port))
                    && peer.ackedOffset() >= replication.stream().offset()) {
                return peer;
            }
        }
        return null;
    }

    /** Whether a replica is the one that is reached there. */
    public static boolean isAt(ReplicaPeer peer, String host, int port) {
        return peer.port() == port && (peer.ip().equals(host)
                || host.equals("localhost") && (peer.ip().equals("127.0.0.1") || peer.ip().equals("[::1]")));
    }

    private void handOver(String toHost, int toPort) {
        host = toHost;
        port = toPort;
        stage = Stage.HANDING_OVER;
        LOG.info("Failover: hands over to {}:{}", host, port);
        replication.follow(host, port, true);
    }

    /** The server follows whom it wanted to follow. */
    void followed() {
        if (stage == Stage.HANDING_OVER) {
            LOG.info("Failover: {}:{} is the primary", host, port);
            replication.handedOver(host, port);
            end();
        }
    }

    /**
     * The server could not follow whom it hands over to.
     *
     * @return whether to ask it to take over again; if not, and it is a primary already, it is followed as it is: two
     *         primaries would be worse than what this one alone may know
     */
    boolean attemptFailed(String reason) {
        if (stage == Stage.HANDING_OVER && reason.contains(IS_PRIMARY)) {
            LOG.warn("Failover: {}:{} is a primary already, and is followed", host, port);
            return false;
        }
        if (stage == Stage.HANDING_OVER && reason.contains(REJECTED)) {
            abort(reason);
        }
        return stage == Stage.HANDING_OVER;
    }
}
