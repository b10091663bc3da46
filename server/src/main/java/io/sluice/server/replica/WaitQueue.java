package io.sluice.server.replica;

import io.sluice.replication.Replicas;
import io.sluice.server.net.Connection;

import java.util.ArrayList;
import java.util.List;

/** Clients that wait until replicas have acknowledged what was written: {@code WAIT}. */
final class WaitQueue {
    private final Replicas replicas;
    private final List<Waiter> waiters = new ArrayList<>();

    /** @param muted whether the client does not want the reply */
    private record Waiter(Connection connection, int count, long offset, long deadlineMs, boolean muted) {
    }

    WaitQueue(Replicas replicas) {
        this.replicas = replicas;
    }

    /** Holds the client back. At most one entry per client, so there are no more than clients. */
    void add(Connection connection, int count, long offset, long deadlineMs) {
        waiters.add(new Waiter(connection, count, offset, deadlineMs, connection.settings().isMuted()));
        connection.block();
    }

    /** Answers those whose wait is over. */
    void check(long nowMs) {
        for (int i = waiters.size() - 1; i >= 0; i--) {
            Waiter waiter = waiters.get(i);
            int acked = replicas.countAcked(waiter.offset());
            if (acked >= waiter.count() || nowMs >= waiter.deadlineMs()) {
                waiters.remove(i);
                answer(waiter, acked);
            }
        }
    }

    private static void answer(Waiter waiter, int acked) {
        if (!waiter.muted()) {
            waiter.connection().reply().integer(acked);
        }
        waiter.connection().flush();
        waiter.connection().resume();
    }

    /** Whether anybody waits. */
    boolean isEmpty() {
        return waiters.isEmpty();
    }

    void forget(Connection connection) {
        waiters.removeIf(waiter -> waiter.connection() == connection);
    }

    /** The server has become a replica, and nobody can say any more who has what: each is told so and closed. */
    void closeAll(String error) {
        for (Waiter waiter : List.copyOf(waiters)) {
            waiter.connection().closeAfterReplies();
            if (!waiter.muted()) {
                waiter.connection().reply().error(error);
            }
            waiter.connection().resume();
        }
        waiters.clear();
    }
}
