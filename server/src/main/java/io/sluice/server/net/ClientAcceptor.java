package io.sluice.server.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.SocketChannel;
import io.sluice.server.ServerClock;
import io.sluice.server.stats.ServerStats;
import io.sluice.server.tls.TlsContexts;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Takes a socket that was accepted, or turns it away with the reason. */
final class ClientAcceptor extends ChannelInitializer<Channel> {
    private static final String TOO_MANY = "-ERR max number of clients reached\r\n";
    private static final String PROTECTED = "-DENIED Sluice is running in protected mode: it has no password, so it "
            + "takes connections from this machine only. To take others, set a password (requirepass), or switch the "
            + "protection off from this machine with CONFIG SET protected-mode no or in the configuration file.\r\n";
    /** Connections through the unix socket may exceed maxclients by this, so that an operator can always get in. */
    private static final int OPERATOR_SLOTS = 1;

    /** Linux takes no more, and refuses the option otherwise. */
    private static final int KEEP_ALIVE_SECONDS_MAX = 32_767;

    private static final int RECEIVE_BYTES_MIN = 512;
    private static final int RECEIVE_BYTES_INITIAL = 2048;
    private static final int RECEIVE_BYTES_MAX = 64 * 1024;

    private final RecvByteBufAllocator receiveBuffers =
            new AdaptiveRecvByteBufAllocator(RECEIVE_BYTES_MIN, RECEIVE_BYTES_INITIAL, RECEIVE_BYTES_MAX);
    private final Transport transport;
    private final RequestExecutor executor;
    private final NetSettings settings;
    private final ClientRegistry clients;
    private final ServerStats stats;
    private final ServerClock clock;
    private final String unixPath;
    private final TlsContexts tls;
    private final ReadAhead readAhead = new ReadAhead();

    /**
     * @param unixPath path of the unix socket that is listened on, or null for TCP
     * @param tls      what clients must begin with, or null for nothing
     */
    ClientAcceptor(Transport transport, RequestExecutor executor, NetSettings settings, ClientRegistry clients,
            ServerStats stats, ServerClock clock, String unixPath, TlsContexts tls) {
        this.transport = transport;
        this.executor = executor;
        this.settings = settings;
        this.clients = clients;
        this.stats = stats;
        this.clock = clock;
        this.unixPath = unixPath;
        this.tls = tls;
    }

    @Override
    protected void initChannel(Channel channel) {
        stats.connectionsReceived++;
        boolean local = unixPath != null || isLoopback(channel);
        if (isFull()) {
            turnAway(channel, TOO_MANY);
        } else if (settings.isProtectedMode() && !settings.isPasswordRequired() && !local) {
            turnAway(channel, PROTECTED);
        } else {
            channel.config().setRecvByteBufAllocator(receiveBuffers);
            if (channel instanceof SocketChannel) {
                keepAlive(channel);
            }
            Connection connection = new Connection(clients.nextId(), channel, address(channel, true),
                    address(channel, false), local, clock.monotonicNs());
            connection.authenticated(!settings.isPasswordRequired(), settings.defaultUser());
            if (tls != null) {
                tls.secureAccepted(channel);
            }
            channel.pipeline().addLast(new ConnectionHandler(connection, executor, settings, clients, stats,
                    readAhead));
        }
    }

    /**
     * At most half of the clients may be ones that have not authenticated: a flood of them must not lock the others
     * out.
     */
    private boolean isFull() {
        long max = (long) settings.clientsMax() + (unixPath == null ? 0 : OPERATOR_SLOTS);
        return clients.size() >= max
                || settings.isPasswordRequired() && clients.size() >= max / 2 && clients.unauthenticated() > max / 2;
    }

    private void turnAway(Channel channel, String reason) {
        stats.connectionsRejected++;
        channel.writeAndFlush(Unpooled.copiedBuffer(reason, StandardCharsets.US_ASCII))
                .addListener(ChannelFutureListener.CLOSE);
    }

    private void keepAlive(Channel channel) {
        int seconds = Math.min(settings.keepAliveSeconds(), KEEP_ALIVE_SECONDS_MAX);
        channel.config().setOption(ChannelOption.SO_KEEPALIVE, seconds > 0);
        if (seconds > 0) {
            channel.config().setOption(transport.keepAliveIdle(), seconds);
            channel.config().setOption(transport.keepAliveInterval(), Math.max(1, seconds / 3));
            channel.config().setOption(transport.keepAliveCount(), 3);
        }
    }

    private static boolean isLoopback(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address && address.getAddress().isLoopbackAddress();
    }

    private String address(Channel channel, boolean remote) {
        if (unixPath != null) {
            return unixPath + ":0";
        }
        if ((remote ? channel.remoteAddress() : channel.localAddress()) instanceof InetSocketAddress address) {
            String host = address.getAddress().getHostAddress();
            return host.indexOf(':') < 0 ? host + ":" + address.getPort() : shortened(host) + ":" + address.getPort();
        }
        return "?:0";
    }

    /** IPv6 in brackets as Redis prints it, without the zero groups that Java spells out, for the one common case. */
    private static String shortened(String host) {
        return "[" + ("0:0:0:0:0:0:0:1".equals(host) ? "::1" : host) + "]";
    }
}
