package io.sluice.server.net;

import io.netty.util.concurrent.EventExecutor;

import java.util.concurrent.TimeUnit;

/** A client's next turn, when it cannot go on at once. One is ever scheduled, however many ask for it. */
final class Turn {
    private final Connection connection;
    private final Runnable work;
    private final Runnable task = this::take;
    private boolean scheduled;

    /** @param work what the client does in its turn */
    Turn(Connection connection, Runnable work) {
        this.connection = connection;
        this.work = work;
    }

    /**
     * Behind the turns of others: it is a timer that is due at once. A plain task would run before the loop looks at
     * its sockets again, and the other clients would wait for all of this one's turns.
     */
    void schedule(EventExecutor loop) {
        if (!scheduled) {
            scheduled = true;
            loop.schedule(task, 0, TimeUnit.NANOSECONDS);
        }
    }

    /** Soon, and before the loop looks at its sockets again. */
    void scheduleAsTask(EventExecutor loop) {
        if (!scheduled) {
            scheduled = true;
            loop.execute(task);
        }
    }

    /** Takes the turn, if it is scheduled and was not taken meanwhile. */
    void take() {
        if (scheduled) {
            scheduled = false;
            connection.inTask(true);
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                // What a timer throws is lost: it has to end the connection as what its socket's events throw.
                connection.channel().pipeline().fireExceptionCaught(e);
            } finally {
                connection.inTask(false);
            }
        }
    }
}
