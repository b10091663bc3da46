package io.sluice.server;

import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.sluice.server.command.ClientPause;
import io.sluice.server.command.CommandTable;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.Families;
import io.sluice.server.command.Lifecycle;
import io.sluice.server.command.ServerParts;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.metrics.MetricsListener;
import io.sluice.server.net.Connection;
import io.sluice.server.net.Listeners;
import io.sluice.server.net.ServerLoop;
import io.sluice.server.net.Transport;
import io.sluice.server.script.FunctionFile;
import io.sluice.server.script.FunctionLibraries;
import io.sluice.server.script.ScriptException;
import io.sluice.server.tls.TlsContexts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The parts of a running server and how they are connected. Built top-down; nothing is looked up. */
public final class Server implements AutoCloseable, Lifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    private static final long REPLICA_POLL_NS = 10_000_000;
    private static final int DESCRIPTORS_RESERVED = 64;
    /** How long the end waits for clients to take their last replies. */
    private static final int LAST_REPLIES_SECONDS = 2;

    private final Config config;
    private final ServerParts parts;
    private final Dispatcher dispatcher;
    private final Transport transport;
    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final LoopQueue completions;
    private final Listeners listeners;
    private final Duties duties;
    private final MetricsListener metrics;
    private final CollectorPauses collectorPauses;
    private final ProcessExit exit;
    private Database database;
    private int port;
    private boolean closed;

    /**
     * Builds a server that does not listen yet and has no database.
     *
     * @param exit how the process ends when a client asks for it or all is lost
     * @throws IllegalArgumentException if a setting cannot be had on this machine
     */
    public Server(Config config, ServerClock clock, ProcessExit exit) {
        this.config = config;
        this.exit = exit;
        parts = ServerParts.of(config, clock, this);
        dispatcher = new Dispatcher(new CommandTable(Families.specs(parts), config.renamedCommands()), parts);
        transport = Transport.of(config.text(ConfigTable.IO_TRANSPORT));
        group = ServerLoop.group("sluice-loop", transport.newHandlerFactory());
        loop = group.next();
        parts.scripts().serveOthersBy(this::serveOthers);
        completions = new LoopQueue(loop);
        listeners = new Listeners(transport, loop, dispatcher, parts.settings(), parts.clients(), parts.stats(), clock);
        duties = new Duties(loop, parts, dispatcher);
        metrics = new MetricsListener(transport, loop, parts, dispatcher);
        collectorPauses = new CollectorPauses(completions, parts);
        parts.replication().attach(loop, transport, completions, dispatcher);
    }

    /**
     * Listens on all configured addresses. Clients are answered from then on, with {@code -LOADING} until {@link
     * #open}.
     *
     * @throws IOException if one cannot be listened on; the message names it
     */
    public void listen() throws IOException {
        limitClients();
        port = config.integer(ConfigTable.PORT);
        if (port > 0) {
            listenTcp(port, null);
        }
        int tlsPort = config.integer(ConfigTable.TLS_PORT);
        if (tlsPort > 0) {
            listenTcp(tlsPort, parts.tls());
        }
        String unixSocket = config.text(ConfigTable.UNIX_SOCKET);
        if (!unixSocket.isEmpty()) {
            listenUnix(unixSocket);
        }
        listenForMetrics();
        duties.start();
        collectorPauses.start();
    }

    private void listenTcp(int tcpPort, TlsContexts tls) throws IOException {
        listenOnAll(tcpPort, host -> listeners.listen(host, tcpPort, config.integer(ConfigTable.TCP_BACKLOG), tls));
    }

    private void listenForMetrics() throws IOException {
        int metricsPort = config.integer(ConfigTable.METRICS_PORT);
        if (metricsPort > 0) {
            listenOnAll(metricsPort, host -> metrics.listen(Listeners.address(host, metricsPort)));
        }
    }

    /** How to listen on one address. */
    private interface Listening {
        void on(String host) throws IOException;
    }

    private void listenOnAll(int port, Listening listening) throws IOException {
        int count = 0;
        for (String host : config.words(ConfigTable.BIND)) {
            boolean optional = host.startsWith("-");
            String address = optional ? host.substring(1) : host;
            try {
                listening.on(address);
                count++;
            } catch (IOException e) {
                if (!optional) {
                    throw new IOException("Could not listen on " + address + ":" + port + ": " + e.getMessage(), e);
                }
                LOG.info("Not listening on {}: {}", address, e.getMessage());
            }
        }
        if (count == 0) {
            throw new IOException("None of the addresses of bind can be listened on");
        }
    }

    private void listenUnix(String path) throws IOException {
        try {
            int mode = config.integer(ConfigTable.UNIX_SOCKET_PERM);
            listeners.listenUnix(path, mode == 0 ? null : permissions(mode));
        } catch (IOException e) {
            throw new IOException("Could not listen on the unix socket " + path + ": " + e.getMessage(), e);
        }
    }

    /** The text form of the lowest nine bits: {@code rwxrwx---} for octal 770. */
    static String permissions(int mode) {
        Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values();
        for (int i = 0; i < all.length; i++) {
            if ((mode & 1 << all.length - 1 - i) != 0) {
                set.add(all[i]);
            }
        }
        return PosixFilePermissions.toString(set);
    }

    /** There must be a file descriptor for each client. */
    private void limitClients() {
        long possible = Math.max(1, ProcessInfo.fileDescriptorsMax() - DESCRIPTORS_RESERVED);
        if (possible < config.number(ConfigTable.MAX_CLIENTS)) {
            LOG.warn("maxclients is {}: this process may open no more than {} files (ulimit -n)", possible,
                    ProcessInfo.fileDescriptorsMax());
            config.reduce(ConfigTable.MAX_CLIENTS, possible);
        }
    }

    /** Serves the sockets from inside a script, and the clients whose next turn the loop has not come to. */
    private void serveOthers() {
        ((ServerLoop) loop).serveReadySockets();
        parts.clients().snapshot().forEach(Connection::takeDueTurn);
    }

    /**
     * Loads the functions that the data directory holds and keeps every change of them there. Before {@link #open}.
     *
     * @throws IOException if they cannot be loaded
     */
    public void keepFunctions() throws IOException {
        parts.scripts().functions().keepIn(new FunctionFile(Path.of(config.text(ConfigTable.DIR))));
    }

    /**
     * Takes functions of a snapshot, where the data directory has none.
     *
     * @throws IOException if they cannot be kept
     */
    void importFunctions(List<byte[]> sources) throws IOException {
        FunctionLibraries functions = parts.scripts().functions();
        if (functions.libraryCount() > 0) {
            return;
        }
        try {
            functions.replaceAll(sources,
                    (name, why) -> LOG.warn("Library {} of functions cannot be loaded: {}", name, why));
        } catch (ScriptException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Takes the database, on any thread; commands are executed from then on. */
    public void open(Database opened) {
        while (!completions.offer(() -> openedOrEnd(opened))) {
            Thread.onSpinWait();
        }
    }

    /** Where that fails the process has to end: clients would be told for ever that it is loading. */
    private void openedOrEnd(Database opened) {
        try {
            opened(opened);
        } catch (RuntimeException | Error e) {
            exit.fail(e);
        }
    }

    private void opened(Database opened) {
        database = opened;
        opened.followConfig();
        opened.functions(parts.scripts().functions()::codes);
        dispatcher.open(opened);
        parts.replication().open(opened);
        duties.open(opened);
        metrics.open(opened);
        LOG.info("Ready to accept connections");
    }

    @Override
    public int port() {
        return port > 0 ? port : config.integer(ConfigTable.TLS_PORT);
    }

    /** What does the work of TLS. */
    String tlsEngine() {
        return parts.tls().engine();
    }

    @Override
    public String transport() {
        return transport.settingName();
    }

    @Override
    public void shutdown(Boolean save, boolean evenIfSaveFails) throws IOException {
        try {
            if (database != null && (save == null ? !config.text(ConfigTable.SAVE).isEmpty() : save)) {
                database.saveLast();
            }
        } catch (IOException e) {
            if (!evenIfSaveFails) {
                throw e;
            }
        }
        exit.stop();
    }

    @Override
    public void fail(Throwable cause) {
        exit.fail(cause);
    }

    /**
     * Stops: takes no more clients, sends what replies there are, closes the database. A snapshot is taken where save
     * points are configured and the changes since the last one are not in any.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        // No less than a second: what nobody would call busy may come to its end.
        parts.scripts().stop(TimeUnit.SECONDS.toNanos(Math.max(1, config.number(ConfigTable.SHUTDOWN_TIMEOUT))));
        listeners.close();
        awaitReplicas();
        metrics.close();
        collectorPauses.stop();
        List<ChannelFuture> sending = loop.submit(this::closeClients).syncUninterruptibly().getNow();
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LAST_REPLIES_SECONDS);
        for (ChannelFuture sent : sending) {
            sent.awaitUninterruptibly(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
        loop.submit(this::closeDatabase).syncUninterruptibly();
        parts.tls().close();
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Holds writes back and gives the replicas time to get everything, so that any of them can take over. */
    private void awaitReplicas() {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(config.number(ConfigTable.SHUTDOWN_TIMEOUT));
        boolean ready = loop.submit(() -> {
            dispatcher.pause().begin(ClientPause.Purpose.SHUTDOWN, true, Long.MAX_VALUE / 2);
            return parts.replication().prepareStop();
        }).syncUninterruptibly().getNow();
        while (!ready && System.nanoTime() < deadlineNs) {
            LockSupport.parkNanos(REPLICA_POLL_NS);
            ready = loop.submit(parts.replication()::prepareStop).syncUninterruptibly().getNow();
        }
        if (!ready) {
            LOG.warn("Stopping although not all replicas have everything");
        }
    }

    private List<ChannelFuture> closeClients() {
        duties.stop();
        dispatcher.stop();
        return parts.clients().snapshot().stream().map(Connection::closeWhenSent).toList();
    }

    private void closeDatabase() {
        if (database != null) {
            parts.replication().close();
            saveLast();
            database.close();
            LOG.info("Keyspace closed cleanly, {} keys", database.keyspace().size());
        }
    }

    private void saveLast() {
        if (config.text(ConfigTable.SAVE).isEmpty() || database.keyspace().dirty() == 0) {
            return;
        }
        try {
            database.saveLast();
        } catch (IOException e) {
            LOG.warn("No snapshot at the end: {}", e.getMessage());
        }
    }
}
