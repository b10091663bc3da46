package io.sluice.server.metrics;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.flow.FlowControlHandler;
import io.sluice.server.Database;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.ServerParts;
import io.sluice.server.net.Transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * HTTP for Prometheus and for probes, on the event loop of the server: {@code /metrics}, {@code /healthz} (the loop
 * turns), {@code /readyz} (commands are answered, and a replica has its primary). Whoever reaches the port may read
 * it; there is no password. A few connections, short requests, deadlines: all of it is bounded.
 */
public final class MetricsListener {
    /** Connections at a time; further ones are closed at once. */
    static final int CONNECTIONS_MAX = 32;
    /** From the connection to the end of its first request. */
    static final int FIRST_REQUEST_SECONDS = 5;
    /** From one answer to the end of the next request. */
    static final int NEXT_REQUEST_SECONDS = 120;
    /** For taking an answer. */
    static final int ANSWER_SECONDS = 10;

    private static final int LINE_BYTES_MAX = 1024;
    private static final int HEADER_BYTES_MAX = 8192;
    private static final int BACKLOG = 64;
    /** The text is made anew after so long at the earliest, so that many scrapes cost no more than one. */
    private static final long TEXT_AGE_NS = 100_000_000;

    private final Transport transport;
    private final EventLoop loop;
    private final ServerParts parts;
    private final Metrics metrics;
    private final List<Channel> channels = new ArrayList<>();
    private int connections;
    private byte[] text;
    private long textNs;

    /** Metrics of a server, not to be had yet: see {@link #listen}. */
    public MetricsListener(Transport transport, EventLoop loop, ServerParts parts, Dispatcher dispatcher) {
        this.transport = transport;
        this.loop = loop;
        this.parts = parts;
        metrics = new Metrics(parts, dispatcher);
    }

    /**
     * Listens on an address.
     *
     * @throws IOException if that is not possible
     */
    public void listen(InetSocketAddress address) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop, loop)
                .channel(transport.tcpChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                });
        channels.add(Transport.bind(bootstrap, address));
    }

    private void accept(Channel channel) {
        if (connections >= CONNECTIONS_MAX) {
            channel.close();
            return;
        }
        connections++;
        channel.pipeline().addLast(
                new HttpRequestDecoder(new HttpDecoderConfig().setMaxInitialLineLength(LINE_BYTES_MAX)
                        .setMaxHeaderSize(HEADER_BYTES_MAX)),
                new HttpResponseEncoder(), new FlowControlHandler(), new MetricsHandler(this));
    }

    void closed() {
        connections--;
    }

    /** There is a database from now on. */
    public void open(Database database) {
        metrics.open(database);
    }

    /** The text for a scrape. */
    byte[] text() {
        long nowNs = parts.clock().monotonicNs();
        if (text == null || nowNs - textNs > TEXT_AGE_NS) {
            text = metrics.text();
            textNs = nowNs;
        }
        return text;
    }

    /** Why this server should get no traffic now, or null. */
    String notReady() {
        if (parts.state().isLoading()) {
            return "loading";
        }
        return parts.state().isReplica() && !parts.replication().isLinkUp() ? "no link to the primary" : null;
    }

    /** Takes no more connections. */
    public void close() {
        channels.forEach(channel -> channel.close().syncUninterruptibly());
        channels.clear();
    }
}
