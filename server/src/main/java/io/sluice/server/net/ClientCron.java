package io.sluice.server.net;

import io.sluice.server.stats.ServerStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * Closes clients that have run into a time limit: silent, not authenticated, or too long above the soft output limit.
 */
public final class ClientCron {
    private static final Logger LOG = LoggerFactory.getLogger(ClientCron.class);
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final ClientRegistry clients;
    private final NetSettings settings;
    private final ServerStats stats;

    /** A check of these clients, by the limits of these settings. */
    public ClientCron(ClientRegistry clients, NetSettings settings, ServerStats stats) {
        this.clients = clients;
        this.settings = settings;
        this.stats = stats;
    }

    /** Looks at every client once. */
    public void run(long nowNs) {
        for (Connection connection : clients.snapshot()) {
            if (isIdle(connection, nowNs) || isUnauthenticated(connection, nowNs)) {
                stats.idleDisconnections++;
                LOG.debug("Closing client {}: silent for too long", connection.address());
                connection.close();
            } else if (isOverOutputLimit(connection, nowNs)) {
                stats.outputLimitDisconnections++;
                LOG.warn("Closing client {}: replies not taken for too long", connection.address());
                connection.close();
            }
        }
    }

    private boolean isIdle(Connection connection, long nowNs) {
        long seconds = settings.idleSecondsMax();
        return seconds > 0 && !connection.isReplica() && !connection.isMonitor()
                && !connection.isSubscribed() && !connection.isSuspended()
                && nowNs - connection.lastActiveNs() > seconds * NS_PER_SECOND;
    }

    private boolean isUnauthenticated(Connection connection, long nowNs) {
        long seconds = settings.authSecondsMax();
        return seconds > 0 && !connection.isAuthenticated() && settings.isPasswordRequired()
                && nowNs - connection.createdNs() > seconds * NS_PER_SECOND;
    }

    private boolean isOverOutputLimit(Connection connection, long nowNs) {
        NetSettings.OutputLimit limit = settings.outputLimit(connection);
        long unsent = connection.unsentBytes();
        if (limit.hardBytes() > 0 && unsent > limit.hardBytes()) {
            return true;
        }
        boolean over = limit.softBytes() > 0 && unsent > limit.softBytes();
        // Any number of seconds may be configured.
        return connection.overSoftLimitNs(over, nowNs) > TimeUnit.SECONDS.toNanos(limit.softSeconds());
    }
}
