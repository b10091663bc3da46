package io.sluice.server.command;

import io.sluice.server.net.Connection;

import java.util.ArrayList;
import java.util.List;

/** {@code CLIENT PAUSE}: holds clients back, all commands or only those that write, until a deadline. */
public final class ClientPause {
    private final List<Connection> held = new ArrayList<>();
    private boolean active;
    private boolean writesOnly;
    private long endNs;

    /**
     * Starts or extends a pause. A pause of all commands is not weakened by a later one of writes.
     *
     * @param untilNs monotonic time of its end
     */
    public void begin(boolean onlyWrites, long untilNs) {
        writesOnly = onlyWrites && (!active || writesOnly);
        endNs = active ? Math.max(endNs, untilNs) : untilNs;
        active = true;
    }

    /** Ends the pause and lets everybody go on. */
    public void end() {
        active = false;
        List<Connection> resumed = List.copyOf(held);
        held.clear();
        resumed.forEach(Connection::resume);
    }

    /** Ends a pause whose time is over. */
    public void expire(long nowNs) {
        if (active && nowNs - endNs >= 0) {
            end();
        }
    }

    /** Whether clients are being held back at all. */
    public boolean isActive() {
        return active;
    }

    /**
     * Holds a client's next command back, if it is to be.
     *
     * @param mayReplicate whether the command may change what replicas hold, or send something to them
     */
    boolean holds(Connection connection, boolean mayReplicate) {
        if (!active || connection.isReplica() || writesOnly && !mayReplicate) {
            return false;
        }
        connection.suspend();
        held.add(connection);
        return true;
    }

    void forget(Connection connection) {
        held.remove(connection);
    }
}
