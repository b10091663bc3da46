package io.sluice.server.net;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.util.concurrent.Executor;

/**
 * The event loop, which can serve its sockets in the midst of a task: how others are told that a script keeps the
 * server busy, and how it can be ended.
 */
public final class ServerLoop extends SingleThreadIoEventLoop {
    private boolean serving;

    private ServerLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers) {
        super(parent, executor, handlers);
    }

    /** A group of one such loop. */
    public static MultiThreadIoEventLoopGroup group(String threadName, IoHandlerFactory handlers) {
        return new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(threadName), handlers) {
            @Override
            protected IoEventLoop newChild(Executor executor, IoHandlerFactory factory, Object... args) {
                return new ServerLoop(this, executor, factory);
            }
        };
    }

    /**
     * Serves the sockets that are ready and returns; waits for nothing and runs no other task. Only from inside a task
     * of this loop: while the loop itself is going through ready sockets, what it goes through must not be replaced.
     */
    public void serveReadySockets() {
        serving = true;
        try {
            runIo();
        } finally {
            serving = false;
        }
    }

    /** Pretends that something is waiting, so that the selector does not wait. */
    @Override
    protected boolean hasTasks() {
        return serving || super.hasTasks();
    }
}
