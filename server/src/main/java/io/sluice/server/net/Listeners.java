package io.sluice.server.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.sluice.server.ServerClock;
import io.sluice.server.stats.ServerStats;
import io.sluice.server.tls.TlsContexts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The sockets that clients connect to: any number of TCP addresses and one unix socket. */
public final class Listeners {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private static final int ACCEPT_BACKOFF_MS = 1000;

    private final Transport transport;
    private final EventLoopGroup loop;
    private final RequestExecutor executor;
    private final NetSettings settings;
    private final ClientRegistry clients;
    private final ServerStats stats;
    private final ServerClock clock;
    private final List<Channel> channels = new ArrayList<>();
    private Path unixSocket;

    /** A server that listens nowhere yet. */
    public Listeners(Transport transport, EventLoopGroup loop, RequestExecutor executor, NetSettings settings,
            ClientRegistry clients, ServerStats stats, ServerClock clock) {
        this.transport = transport;
        this.loop = loop;
        this.executor = executor;
        this.settings = settings;
        this.clients = clients;
        this.stats = stats;
        this.clock = clock;
    }

    /**
     * Listens on a TCP address.
     *
     * @param host an address, {@code *} for all of IPv4, {@code ::*} for all of IPv6
     * @param tls  what clients must begin with, or null for nothing
     * @throws IOException if that is not possible
     */
    public void listen(String host, int port, int backlog, TlsContexts tls) throws IOException {
        channels.add(Transport.bind(bootstrap(null, tls).channel(transport.tcpChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, backlog)
                .childOption(ChannelOption.TCP_NODELAY, true), address(host, port)));
    }

    /**
     * The socket address that a word of {@code bind} means.
     *
     * @throws IOException if there is no such host
     */
    public static InetSocketAddress address(String host, int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(anyAddress(host), port);
        if (address.isUnresolved()) {
            throw new IOException("unknown address " + host);
        }
        return address;
    }

    private static String anyAddress(String host) {
        return switch (host) {
            case "*" -> "0.0.0.0";
            case "::*" -> "::";
            default -> host;
        };
    }

    /**
     * Listens on a unix socket, replacing a file that an earlier run has left.
     *
     * @param permissions such as {@code rwxrwx---}, or null for what the system gives
     * @throws IOException if that is not possible
     */
    public void listenUnix(String path, String permissions) throws IOException {
        Path file = Path.of(path);
        Files.deleteIfExists(file);
        channels.add(
                Transport.bind(bootstrap(path, null).channel(transport.unixChannel()), transport.unixAddress(path)));
        unixSocket = file;
        if (permissions != null) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        }
    }

    private ServerBootstrap bootstrap(String unixPath, TlsContexts tls) {
        return new ServerBootstrap()
                .group(loop, loop)
                .handler(new AcceptErrors())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(
                        NetSettings.UNSENT_BYTES_HIGH / 4, NetSettings.UNSENT_BYTES_HIGH))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ClientAcceptor(transport, executor, settings, clients, stats, clock, unixPath,
                        tls));
    }

    /** Takes no more clients. Those that are connected stay. */
    public void close() {
        channels.forEach(channel -> channel.close().syncUninterruptibly());
        channels.clear();
        try {
            if (unixSocket != null) {
                Files.deleteIfExists(unixSocket);
            }
        } catch (IOException e) {
            LOG.warn("Cannot remove the unix socket {}: {}", unixSocket, e.getMessage());
        }
    }

    /**
     * Counts what goes wrong with accepting, such as no file descriptor being left, and waits before it goes on, so
     * that the loop neither dies nor spins.
     */
    private final class AcceptErrors extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            stats.acceptErrors++;
            ChannelConfig acceptor = ctx.channel().config();
            if (acceptor.isAutoRead()) {
                LOG.warn("Cannot accept a client, trying again in {} ms: {}", ACCEPT_BACKOFF_MS, cause.getMessage());
                acceptor.setAutoRead(false);
                ctx.channel().eventLoop().schedule(() -> acceptor.setAutoRead(true), ACCEPT_BACKOFF_MS,
                        TimeUnit.MILLISECONDS);
            }
        }
    }
}
