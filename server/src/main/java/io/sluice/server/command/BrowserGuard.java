package io.sluice.server.command;

import io.sluice.resp.Request;
import io.sluice.server.net.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes clients that speak HTTP: a browser can be led to send a POST here, and what is in its body must not be
 * executed.
 */
final class BrowserGuard {
    private static final Logger LOG = LoggerFactory.getLogger(BrowserGuard.class);

    private static final byte[] POST = Words.lower("post");
    private static final byte[] HOST = Words.lower("host:");
    private static final long WARNING_PERIOD_NS = 60_000_000_000L;

    private boolean warned;
    private long warnedNs;

    static boolean isHttp(Request request) {
        return request.argIs(0, POST) || request.argIs(0, HOST);
    }

    void close(Connection connection, long nowNs) {
        if (!warned || nowNs - warnedNs > WARNING_PERIOD_NS) {
            warned = true;
            warnedNs = nowNs;
            LOG.warn("Closing client {}: it speaks HTTP, which may be an attack by way of somebody's browser. "
                    + "More of them within a minute are closed without a word here.", connection.address());
        }
        connection.close();
    }
}
