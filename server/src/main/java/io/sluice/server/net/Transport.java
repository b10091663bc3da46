package io.sluice.server.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import jdk.net.ExtendedSocketOptions;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.function.Supplier;

/**
 * How the event loop talks to the kernel, as the setting {@code io-transport} names it. The order is that of their
 * measured CPU per request, the cheapest first; the README has the figures.
 */
public enum Transport {
    IO_URING("io_uring", IoUringServerSocketChannel.class, IoUringServerDomainSocketChannel.class,
            IoUringSocketChannel.class, IoUringIoHandler::newFactory, IoUring::unavailabilityCause,
            IoUringChannelOption.TCP_KEEPIDLE, IoUringChannelOption.TCP_KEEPINTVL, IoUringChannelOption.TCP_KEEPCNT),
    NIO("nio", NioServerSocketChannel.class, NioServerDomainSocketChannel.class, NioSocketChannel.class,
            NioIoHandler::newFactory, () -> null,
            NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE),
            NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
            NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT)),
    EPOLL("epoll", EpollServerSocketChannel.class, EpollServerDomainSocketChannel.class, EpollSocketChannel.class,
            EpollIoHandler::newFactory, Epoll::unavailabilityCause,
            EpollChannelOption.TCP_KEEPIDLE, EpollChannelOption.TCP_KEEPINTVL, EpollChannelOption.TCP_KEEPCNT);

    /** The setting that takes the first of these that loads. */
    public static final String AUTO = "auto";

    private final String settingName;
    private final Class<? extends ServerChannel> tcpChannel;
    private final Class<? extends ServerChannel> unixChannel;
    private final Class<? extends Channel> tcpClientChannel;
    private final Supplier<IoHandlerFactory> handlerFactory;
    private final Supplier<Throwable> unavailability;
    private final ChannelOption<Integer> keepAliveIdle;
    private final ChannelOption<Integer> keepAliveInterval;
    private final ChannelOption<Integer> keepAliveCount;

    Transport(String settingName, Class<? extends ServerChannel> tcpChannel, Class<? extends ServerChannel> unixChannel,
            Class<? extends Channel> tcpClientChannel, Supplier<IoHandlerFactory> handlerFactory,
            Supplier<Throwable> unavailability,
            ChannelOption<Integer> keepAliveIdle, ChannelOption<Integer> keepAliveInterval,
            ChannelOption<Integer> keepAliveCount) {
        this.settingName = settingName;
        this.tcpChannel = tcpChannel;
        this.unixChannel = unixChannel;
        this.tcpClientChannel = tcpClientChannel;
        this.handlerFactory = handlerFactory;
        this.unavailability = unavailability;
        this.keepAliveIdle = keepAliveIdle;
        this.keepAliveInterval = keepAliveInterval;
        this.keepAliveCount = keepAliveCount;
    }

    /**
     * The transport that a setting means on this machine.
     *
     * @throws IllegalArgumentException if the one it names does not work here; the message says why
     */
    public static Transport of(String setting) {
        for (Transport transport : values()) {
            Throwable cause = null;
            boolean named = transport.settingName.equals(setting);
            if (named || AUTO.equals(setting)) {
                cause = transport.unavailability.get();
                if (cause == null) {
                    return transport;
                }
            }
            if (named) {
                throw new IllegalArgumentException("io-transport " + setting + " does not work here: "
                        + cause.getMessage(), cause);
            }
        }
        throw new IllegalArgumentException("unknown io-transport " + setting);
    }

    /** Whether it works on this machine. */
    public boolean isAvailable() {
        return unavailability.get() == null;
    }

    /** The value of {@code io-transport} that names this one. */
    public String settingName() {
        return settingName;
    }

    public IoHandlerFactory newHandlerFactory() {
        return handlerFactory.get();
    }

    /** The class of its listening TCP sockets. */
    public Class<? extends ServerChannel> tcpChannel() {
        return tcpChannel;
    }

    Class<? extends ServerChannel> unixChannel() {
        return unixChannel;
    }

    /** What connects to another server. */
    public Class<? extends Channel> tcpClientChannel() {
        return tcpClientChannel;
    }

    /** The address of a unix socket in the class that this transport's channels want. */
    SocketAddress unixAddress(String path) {
        return this == NIO ? UnixDomainSocketAddress.of(path)
                : new io.netty.channel.unix.DomainSocketAddress(path);
    }

    ChannelOption<Integer> keepAliveIdle() {
        return keepAliveIdle;
    }

    ChannelOption<Integer> keepAliveInterval() {
        return keepAliveInterval;
    }

    ChannelOption<Integer> keepAliveCount() {
        return keepAliveCount;
    }

    /**
     * Listens at an address.
     *
     * @throws IOException if that is not possible
     */
    public static Channel bind(ServerBootstrap bootstrap, SocketAddress address) throws IOException {
        try {
            return bootstrap.bind(address).sync().channel();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
