package io.sluice.server;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.store.Store;
import io.sluice.server.command.CommandTable;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.Families;
import io.sluice.server.command.Lifecycle;
import io.sluice.server.command.ServerParts;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.net.Listeners;
import io.sluice.server.net.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;

/** The parts of a running server and how they are connected. Built top-down; nothing is looked up. */
public final class Server implements AutoCloseable, Lifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private final Config config;
    private final ServerParts parts;
    private final Dispatcher dispatcher;
    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final Listeners listeners;
    private int port;

    public Server(Config config, ServerClock clock) {
        this.config = config;
        parts = ServerParts.of(config, clock, this);
        dispatcher = new Dispatcher(new CommandTable(Families.specs(parts)), parts);
        Transport transport = Transport.of(config.text(ConfigTable.IO_TRANSPORT));
        group = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("sluice-loop"),
                transport.newHandlerFactory());
        loop = group.next();
        listeners = new Listeners(transport, loop, dispatcher, parts.settings(), parts.clients(), parts.stats(), clock);
    }

    /** Listens on all configured addresses. */
    public void listen() throws IOException {
        for (String host : config.words(ConfigTable.BIND)) {
            boolean optional = host.startsWith("-");
            try {
                port = listeners.listen(optional ? host.substring(1) : host,
                        port == 0 ? config.integer(ConfigTable.PORT) : port, config.integer(ConfigTable.TCP_BACKLOG));
            } catch (IOException e) {
                if (!optional) {
                    throw e;
                }
                LOG.warn("Not listening on {}: {}", host.substring(1), e.getMessage());
            }
        }
    }

    @Override
    public void shutdown(Boolean save) {
        close();
    }

    @Override
    public int port() {
        return port;
    }

    /** The keyspace is there. */
    public void open(Store store, Keyspace keyspace) {
        loop.execute(() -> dispatcher.open(keyspace));
    }

    @Override
    public void close() {
        listeners.close();
        group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).syncUninterruptibly();
    }
}
