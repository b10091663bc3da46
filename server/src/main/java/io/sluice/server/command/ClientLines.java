package io.sluice.server.command;

import io.sluice.server.ServerClock;
import io.sluice.server.net.Connection;
import io.sluice.server.tracking.ClientTracking;
import io.sluice.server.tracking.Tracking;

/**
 * Clients as {@code CLIENT LIST} prints them: words of the form {@code name=value}, each with exactly one {@code =}.
 */
final class ClientLines {
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final ServerClock clock;
    private final Tracking tracking;

    ClientLines(ServerClock clock, Tracking tracking) {
        this.clock = clock;
        this.tracking = tracking;
    }

    String line(Connection c) {
        long nowNs = clock.monotonicNs();
        long unsent = c.unsentBytes();
        ClientTracking tracked = tracking.of(c);
        return "id=" + c.id()
                + " addr=" + c.address()
                + " laddr=" + c.localAddress()
                + " fd=" + c.id()
                + " name=" + c.settings().name()
                + " age=" + (nowNs - c.createdNs()) / NS_PER_SECOND
                + " idle=" + (nowNs - c.lastActiveNs()) / NS_PER_SECOND
                + " flags=" + flags(c, tracked)
                + " db=" + c.db()
                + " sub=" + c.subscriptions()
                + " psub=" + c.patternSubscriptions()
                + " ssub=" + c.shardSubscriptions()
                + " multi=" + (c.transaction().isOpen() ? c.transaction().size() : -1)
                + " watch=" + c.transaction().watchedKeys()
                + " qbuf=" + c.unreadBytes()
                + " qbuf-free=0"
                + " argv-mem=0"
                + " multi-mem=" + c.transaction().bytesUsed()
                + " rbs=0 rbp=0 obl=0 oll=0"
                + " omem=" + unsent
                + " tot-mem=" + (unsent + c.unreadBytes() + c.transaction().bytesUsed())
                + " events=" + (c.isSuspended() ? "" : "r") + (unsent > 0 ? "w" : "")
                + " cmd=" + c.lastCommand()
                + " user=" + c.user()
                + " redir=" + (tracked == null ? -1 : tracked.redirectId())
                + " resp=" + c.protocol()
                + " lib-name=" + c.settings().libraryName()
                + " lib-ver=" + c.settings().libraryVersion();
    }

    private static String flags(Connection c, ClientTracking tracked) {
        StringBuilder flags = new StringBuilder();
        append(flags, c.isReplica(), 'S');
        append(flags, c.isMonitor(), 'O');
        append(flags, c.isSubscribed(), 'P');
        append(flags, c.transaction().isOpen(), 'x');
        append(flags, c.isSuspended(), 'b');
        append(flags, tracked != null, 't');
        append(flags, tracked != null && tracked.isRedirectBroken(), 'R');
        append(flags, tracked != null && tracked.isBroadcast(), 'B');
        append(flags, c.transaction().isTouched(), 'd');
        append(flags, c.isClosing(), 'c');
        append(flags, c.isUnix(), 'U');
        append(flags, c.settings().isNoEvict(), 'e');
        append(flags, c.settings().isNoTouch(), 'T');
        return flags.length() == 0 ? "N" : flags.toString();
    }

    private static void append(StringBuilder flags, boolean condition, char flag) {
        if (condition) {
            flags.append(flag);
        }
    }
}
