package io.sluice.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Tells systemd what the server is about, for units of {@code Type=notify}: a datagram to the socket that the
 * environment names, see sd_notify(3). Does nothing where there is no systemd, or no epoll to send with.
 */
final class SystemdNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(SystemdNotifier.class);
    private static final int SEND_SECONDS_MAX = 5;

    private final String socket;

    /** @param socket path of the socket, or null; an abstract one begins with {@code @} */
    SystemdNotifier(String socket) {
        this.socket = socket;
    }

    /** The one that the environment names. */
    static SystemdNotifier ofEnvironment() {
        return new SystemdNotifier(System.getenv("NOTIFY_SOCKET"));
    }

    /** Clients are answered. */
    void ready(String status) {
        send("READY=1\nSTATUS=" + status);
    }

    /** The end has begun. */
    void stopping() {
        send("STOPPING=1\nSTATUS=Stopping");
    }

    private void send(String state) {
        if (socket == null || socket.isEmpty() || !Epoll.isAvailable()) {
            return;
        }
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1,
                new DefaultThreadFactory("sluice-notify", true), EpollIoHandler.newFactory());
        try {
            DomainSocketAddress to = new DomainSocketAddress(
                    socket.charAt(0) == '@' ? '\0' + socket.substring(1) : socket);
            ChannelFuture connected = new Bootstrap().group(group).channel(EpollDomainDatagramChannel.class)
                    .handler(new ChannelInboundHandlerAdapter()).connect(to);
            ChannelFuture last = connected;
            if (connected.await(SEND_SECONDS_MAX, TimeUnit.SECONDS) && connected.isSuccess()) {
                last = connected.channel().writeAndFlush(Unpooled.copiedBuffer(state, StandardCharsets.UTF_8));
                last.await(SEND_SECONDS_MAX, TimeUnit.SECONDS);
            }
            if (!last.isSuccess()) {
                LOG.warn("Cannot tell systemd at {}: {}", socket, String.valueOf(last.cause()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
