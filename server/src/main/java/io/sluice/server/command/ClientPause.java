package io.sluice.server.command;

import io.sluice.server.net.Connection;

import java.util.ArrayList;
import java.util.List;

/**
 * Holds clients back, all commands or only those that write, until a deadline. Each purpose has a pause of its own:
 * what one begins, no other ends or extends.
 */
public final class ClientPause {
    /** What clients are held back for. */
    public enum Purpose {
        /** {@code CLIENT PAUSE}. */
        CLIENT,
        /** The replicas are to have everything before one takes over. */
        FAILOVER,
        /** The replicas are to have everything before the server stops. */
        SHUTDOWN;

        private final int bit = 1 << ordinal();
    }

    private final List<Connection> held = new ArrayList<>();
    private final long[] endNs = new long[Purpose.values().length];
    /** Bits of the purposes that hold commands back, and of those that hold back all of them. */
    private int active;
    private int all;

    /**
     * Starts or extends a pause. A pause of all commands is not weakened by a later one of writes.
     *
     * @param untilNs monotonic time of its end
     */
    public void begin(Purpose purpose, boolean onlyWrites, long untilNs) {
        boolean isPaused = (active & purpose.bit) != 0;
        endNs[purpose.ordinal()] = isPaused ? Math.max(endNs[purpose.ordinal()], untilNs) : untilNs;
        active |= purpose.bit;
        all |= onlyWrites ? 0 : purpose.bit;
    }

    /** Ends a pause and lets everybody go on whom no other one holds back. */
    public void end(Purpose purpose) {
        active &= ~purpose.bit;
        all &= ~purpose.bit;
        List<Connection> resumed = List.copyOf(held);
        held.clear();
        resumed.forEach(Connection::resume);
    }

    /** Ends pauses whose time is over. */
    public void expire(long nowNs) {
        if (active == 0) {
            return;
        }
        for (Purpose purpose : Purpose.values()) {
            if ((active & purpose.bit) != 0 && nowNs - endNs[purpose.ordinal()] >= 0) {
                end(purpose);
            }
        }
    }

    /** Whether clients are being held back at all. */
    public boolean isActive() {
        return active != 0;
    }

    /**
     * Holds a client's next command back, if it is to be.
     *
     * @param mayReplicate    whether the command may change what replicas hold, or send something to them
     * @param isSentinelHello whether it changes nothing, and Sentinel's {@code REPLICAOF} waits behind it: a pause that
     *                        an operator begins for a failover by Sentinel must let it pass, or writes are granted here
     *                        when the pause is over and another server is the primary already
     */
    boolean holds(Connection connection, boolean mayReplicate, boolean isSentinelHello) {
        boolean passes = !mayReplicate || isSentinelHello && active == Purpose.CLIENT.bit;
        if (active == 0 || connection.isReplica() || all == 0 && passes) {
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
