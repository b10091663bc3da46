package io.sluice.server.replica;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import io.sluice.replication.FollowSettings;
import io.sluice.replication.ReplicaHost;
import io.sluice.replication.ReplicaSession;
import io.sluice.replication.ReplicationStream;
import io.sluice.server.ServerClock;
import io.sluice.server.net.Connection;
import io.sluice.server.net.Transport;
import io.sluice.server.tls.TlsContexts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One attempt to follow a primary: finds its address, connects, and feeds a session, until that ends. */
final class PrimaryLink {
    private static final int CONNECT_MS_MAX = 10_000;
    private static final long NS_PER_MS = 1_000_000;
    private static final Map<Integer, String> SYSTEM_ERRORS = Map.of(101, "Network is unreachable",
            104, "Connection reset by peer", 110, "Connection timed out", 111, "Connection refused",
            113, "No route to host");
    private static final long CONNECTION_ID = -1;

    private final String host;
    private final int port;
    private final EventLoop loop;
    private final Transport transport;
    private final TlsContexts tls;
    private final ServerClock clock;
    private final FollowSettings settings;
    private final ReplicationStream stream;
    private final ReplicaHost replicaHost;
    private final BooleanSupplier busy;
    /** What has come while a script kept the server busy. */
    private final Queue<ByteBuf> deferred = new ArrayDeque<>();
    private ChannelLink link;
    private Connection connection;
    private ReplicaSession session;
    private boolean closed;

    PrimaryLink(String host, int port, EventLoop loop, Transport transport, TlsContexts tls, ServerClock clock,
            FollowSettings settings, ReplicationStream stream, ReplicaHost replicaHost, BooleanSupplier busy) {
        this.host = host;
        this.port = port;
        this.loop = loop;
        this.transport = transport;
        this.tls = tls;
        this.clock = clock;
        this.settings = settings;
        this.stream = stream;
        this.replicaHost = replicaHost;
        this.busy = busy;
    }

    /**
     * Begins to connect.
     *
     * @param lookup resolves names, which may take long
     * @param toLoop hands tasks to the event loop
     */
    void connect(Executor lookup, Consumer<Runnable> toLoop) {
        if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
            connectTo(new InetSocketAddress(host, port));
            return;
        }
        lookup.execute(() -> {
            try {
                InetAddress address = InetAddress.getByName(host);
                toLoop.accept(() -> connectTo(new InetSocketAddress(address, port)));
            } catch (UnknownHostException e) {
                toLoop.accept(() -> fail("unknown host " + host));
            }
        });
    }

    private void connectTo(InetSocketAddress address) {
        if (closed) {
            return;
        }
        new Bootstrap().group(loop).channel(transport.tcpClientChannel())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MS_MAX)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls.isForReplication()) {
                            channel.pipeline().addLast(tls.newClientHandler(channel.alloc(), host, port));
                        }
                        channel.pipeline().addLast(new Handler());
                    }
                })
                .connect(address)
                .addListener((ChannelFuture connected) -> {
                    if (!connected.isSuccess()) {
                        fail(reason(connected.cause()));
                    }
                });
    }

    /** Some transports give the system's errors as numbers only. */
    private static String reason(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        return SYSTEM_ERRORS.entrySet().stream().filter(error -> text.contains("error(-" + error.getKey() + ")"))
                .map(Map.Entry::getValue).findFirst().orElse(text);
    }

    private void opened(Channel channel) {
        connection = new Connection(CONNECTION_ID, channel, host + ":" + port, "", false, clock.monotonicNs());
        link = new ChannelLink(channel, connection);
        session = new ReplicaSession(link, settings, stream, replicaHost);
        session.connected(nowMs());
    }

    /** Tasks of the loop do not run while a script does. */
    private void goOn() {
        try {
            while (!deferred.isEmpty()) {
                session.received(deferred.remove(), nowMs());
            }
        } catch (RuntimeException e) {
            fail(e.toString());
            return;
        }
        if (session.state() != ReplicaSession.State.LOADING) {
            link.reading(true);
        }
    }

    /** A script of the stream may be running and let the loop serve its sockets: its unit has to end first. */
    private void betweenUnits(Runnable end) {
        if (busy.getAsBoolean()) {
            loop.execute(end);
        } else {
            end.run();
        }
    }

    private void fail(String reason) {
        if (!closed) {
            closed = true;
            if (session != null) {
                session.close();
            }
            replicaHost.failed(reason);
        }
    }

    /** The session, or null while connecting. */
    ReplicaSession session() {
        return session;
    }

    /** Bytes received. */
    long bytesRead() {
        return link == null ? 0 : link.receivedBytes();
    }

    /** For which the stream's commands are executed. */
    Connection connection() {
        return connection;
    }

    /** Reads from the primary, or does not. */
    void reading(boolean on) {
        link.reading(on);
    }

    /** Ends it and tells nobody. */
    void close() {
        closed = true;
        if (session != null) {
            session.close();
        }
    }

    private long nowMs() {
        return clock.monotonicNs() / NS_PER_MS;
    }

    private final class Handler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            if (closed) {
                ctx.close();
            } else {
                opened(ctx.channel());
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            link.received(bytes.readableBytes());
            if (busy.getAsBoolean() || !deferred.isEmpty()) {
                deferred.add(bytes);
                if (deferred.size() == 1) {
                    link.reading(false);
                    loop.execute(PrimaryLink.this::goOn);
                }
            } else {
                session.received(bytes, nowMs());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (connection != null) {
                betweenUnits(() -> {
                    fail("the link has ended");
                    connection.release();
                });
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            betweenUnits(() -> fail(cause instanceof IOException ? reason(cause) : cause.toString()));
            ctx.close();
        }
    }
}
