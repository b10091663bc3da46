package io.sluice.server.replica;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.sluice.persistence.snapshot.SnapshotLoader;
import io.sluice.persistence.store.StoreState;
import io.sluice.replication.FollowSettings;
import io.sluice.replication.ReplicaHost;
import io.sluice.replication.ReplicaSession;
import io.sluice.replication.ReplicationStream;
import io.sluice.resp.Request;
import io.sluice.server.Database;
import io.sluice.server.LoopQueue;
import io.sluice.server.ServerClock;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.ServerState;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.net.Transport;
import io.sluice.server.script.ScriptException;
import io.sluice.server.tls.TlsContexts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Follows a primary: connects again and again until told otherwise, takes its snapshot, applies its stream. What
 * arrives is stored as it is; nothing is decided here.
 */
public final class Follower implements ReplicaHost {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final long RETRY_MS = 1_000;
    private static final long MS_PER_SECOND = 1_000;
    /** Clients are told to wait while a snapshot is loaded, so a slice may be longer than other duties' are. */
    private static final long LOAD_SLICE_NS = 5_000_000;
    private static final String STREAM_DB = "repl-stream-db";
    /** Names of what could not be stored here that are kept apart. */
    private static final int NAMES_MAX = 64;

    private final Replication replication;
    private final Config config;
    private final ServerClock clock;
    private final ServerState state;
    private final ReplicationStream stream;
    private final EventLoop loop;
    private final Transport transport;
    private final TlsContexts tls;
    private final LoopQueue completions;
    private final Dispatcher dispatcher;
    private final ThreadPoolExecutor disk = new ThreadPoolExecutor(0, 1, 10, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), task -> new Thread(task, "sluice-sync"));
    private final Map<String, Long> notHeld = new TreeMap<>();
    private final PrimaryWrites writes;
    private String host;
    private int port;
    private boolean takesOver;
    private PrimaryLink link;
    private SyncLoad load;
    private long retryMs;
    private long downSinceMs;
    /** What is stored is a part of the primary's snapshot. */
    private boolean filling;
    private boolean up;
    private long upSinceMs;
    private boolean repeatable;
    private String lastFailure;
    private long bytesRead;

    Follower(Replication replication, Config config, ServerClock clock, ServerState state, ReplicationStream stream,
            EventLoop loop, Transport transport, TlsContexts tls, LoopQueue completions, Dispatcher dispatcher) {
        this.replication = replication;
        this.config = config;
        this.clock = clock;
        this.state = state;
        this.stream = stream;
        this.loop = loop;
        this.transport = transport;
        this.tls = tls;
        this.completions = completions;
        this.dispatcher = dispatcher;
        writes = new PrimaryWrites(dispatcher);
    }

    /** Follows this primary from now on. */
    void follow(String newHost, int newPort, boolean newTakesOver, long nowMs) {
        drop();
        host = newHost;
        port = newPort;
        takesOver = newTakesOver;
        downSinceMs = nowMs;
        lastFailure = null;
        connect(nowMs);
    }

    /** Follows nobody from now on: what is missing here is not there at all. */
    void stop() {
        drop();
        writes.missing().clear();
        host = null;
    }

    /** The server stops. */
    void close() {
        stop();
        disk.shutdown();
    }

    private void drop() {
        up = false;
        if (link != null) {
            bytesRead += link.bytesRead();
            link.close();
            link = null;
        }
        if (load != null) {
            load.close();
            load = null;
        }
        if (filling) {
            // Of neither history: nothing is better than a part.
            database().keyspace().flushAll();
            filled();
        }
        replication.linkChanged();
    }

    private void connect(long nowMs) {
        retryMs = nowMs + RETRY_MS;
        int announcedPort = config.integer(ConfigTable.ANNOUNCE_PORT);
        FollowSettings settings = new FollowSettings(
                config.text(ConfigTable.MASTER_USER), config.text(ConfigTable.MASTER_AUTH),
                announcedPort > 0 ? announcedPort : ownPort(),
                config.text(ConfigTable.ANNOUNCE_IP), config.number(ConfigTable.REPL_TIMEOUT) * MS_PER_SECOND,
                takesOver);
        link = new PrimaryLink(host, port, loop, transport, tls, clock, settings, stream, this,
                dispatcher.runner()::isScriptRunning);
        link.connect(disk, this::toLoop);
    }

    private int ownPort() {
        int tlsPort = config.integer(ConfigTable.TLS_PORT);
        return tls.isForReplication() && tlsPort > 0 ? tlsPort : config.integer(ConfigTable.PORT);
    }

    private void toLoop(Runnable task) {
        while (!completions.offer(task)) {
            Thread.onSpinWait();
        }
    }

    /**
     * Does what is due.
     *
     * @return whether there is more to do soon
     */
    boolean doWork(long nowMs) {
        if (link == null) {
            if (host != null && nowMs >= retryMs) {
                connect(nowMs);
            }
            return false;
        }
        if (link.session() != null) {
            link.session().doWork(nowMs);
        }
        if (load != null && load.isLoading()) {
            loadSlice(nowMs);
            return true;
        }
        return false;
    }

    private Database database() {
        return dispatcher.database();
    }

    @Override
    public void syncBegins() {
        LOG.info("Full sync with {}:{} begins", host, port);
        load = new SyncLoad(Path.of(config.text(ConfigTable.DIR)), disk, this::toLoop, database().keyspace(),
                link::reading);
    }

    @Override
    public void syncBytes(ByteBuf bytes) {
        load.write(bytes);
    }

    @Override
    public void syncReceived() {
        SyncLoad received = load;
        received.check(failure -> {
            if (load == received) {
                checked(failure);
            }
        });
    }

    private void checked(String failure) {
        if (failure != null) {
            link.session().fail("the primary's snapshot cannot be loaded: " + failure);
            return;
        }
        stream.invalidate();
        replication.storeHistory();
        replication.replicas().disconnectAll();
        state.loading(true);
        filling = true;
        database().fillAnew();
        try {
            writes.missing().clear();
            load.begin(writes.missing()::add);
        } catch (IOException e) {
            link.session().fail("the primary's snapshot cannot be loaded: " + SyncLoad.reason(e));
        }
    }

    private void loadSlice(long nowMs) {
        long endNs = clock.monotonicNs() + LOAD_SLICE_NS;
        try {
            if (load.loadSome(() -> clock.monotonicNs() >= endNs)) {
                loaded(nowMs);
            }
        } catch (IOException | RuntimeException e) {
            link.session().fail("the primary's snapshot cannot be loaded: " + SyncLoad.reason(e));
        }
    }

    private void loaded(long nowMs) {
        SnapshotLoader.Report report = load.report();
        notHeld.clear();
        notHeld.putAll(report.skipped());
        try {
            dispatcher.functions().replaceAll(report.functions(), this::functionNotHeld);
        } catch (ScriptException e) {
            link.session().fail("the primary's functions cannot be kept: " + e.getMessage());
            return;
        }
        load.close();
        load = null;
        filled();
        LOG.info("Full sync with {}:{}: {} keys loaded", host, port, report.loaded());
        if (!notHeld.isEmpty()) {
            LOG.warn("The primary has what is not held here: {}", notHeld);
        }
        int db = Integer.parseInt(report.aux().getOrDefault(STREAM_DB, "0"));
        link.session().loaded(db, config.integer(ConfigTable.REPL_BACKLOG), nowMs);
    }

    private void filled() {
        filling = false;
        database().filled();
        state.loading(false);
    }

    private void functionNotHeld(String library, String why) {
        if (countNotHeld("function library " + library) == 1) {
            LOG.warn("Library {} of the primary's functions cannot be loaded here: {}", library, why);
        }
    }

    /** How often this has come by now. */
    private long countNotHeld(String name) {
        boolean known = notHeld.size() < NAMES_MAX || notHeld.containsKey(name);
        return notHeld.merge(known ? name : "other", 1L, Long::sum);
    }

    @Override
    public void streamBegins(boolean partial) {
        takesOver = false;
        up = true;
        upSinceMs = replication.nowMs();
        lastFailure = null;
        LOG.info("Follows {}:{} from offset {}{}", host, port, stream.offset(), partial ? ", nothing was lost" : "");
        replication.linkChanged();
        replication.takeover().followed();
    }

    @Override
    public void unitBegins(boolean isRepeatable) {
        repeatable = isRepeatable;
        if (!isRepeatable) {
            database().store().state().applying(true);
        }
        dispatcher.runner().beginPrimaryUnit();
    }

    @Override
    public void apply(Request command, int db) {
        link.connection().db(db);
        String error = writes.apply(link.connection(), command, db);
        if (error != null) {
            notApplied(command, error);
        }
    }

    private void notApplied(Request command, String error) {
        String name = "command " + command.argText(0).toLowerCase(Locale.ROOT);
        if (countNotHeld(name) == 1) {
            LOG.warn("Not applied here, {}: {} of the primary: {}. More of them are counted in INFO",
                    writes.consequence(command), name, error);
        }
    }

    @Override
    public void unitEnds() {
        dispatcher.runner().endPrimaryUnit();
        if (!repeatable) {
            replication.storeHistory();
            database().store().state().applying(false);
        }
    }

    @Override
    public void unitFailed() {
        dispatcher.runner().endPrimaryUnit();
        stream.invalidate();
        replication.storeHistory();
        database().store().state().applying(false);
    }

    @Override
    public void advancing(long reachedAtMost) {
        StoreState stored = database().store().state();
        stored.replicationReach(Math.max(reachedAtMost, stored.replicationReach()));
    }

    @Override
    public void renamed() {
        replication.replicas().disconnectAll();
    }

    @Override
    public void advanced() {
        replication.settleHistory();
    }

    @Override
    public void failed(String reason) {
        if (!reason.equals(lastFailure)) {
            LOG.warn("Not following {}:{}: {}", host, port, reason);
        }
        lastFailure = reason;
        long nowMs = replication.nowMs();
        downSinceMs = up ? nowMs : downSinceMs;
        // After a mere cut the backlog should not have to wait. What fails as soon as it is followed would else be one
        // full sync after another.
        long waitMs = up && nowMs - upSinceMs >= RETRY_MS ? 0 : RETRY_MS;
        drop();
        retryMs = nowMs + waitMs;
        takesOver = takesOver && replication.takeover().attemptFailed(reason);
    }

    /** Whether the stream is being followed. */
    public boolean isLinkUp() {
        return up;
    }

    /** State of the session, or null if there is none. */
    public ReplicaSession.State sessionState() {
        return link == null || link.session() == null ? null : link.session().state();
    }

    /** The session, or null. */
    public ReplicaSession session() {
        return link == null ? null : link.session();
    }

    public String host() {
        return host;
    }

    public int port() {
        return port;
    }

    /** Since when the primary has not been followed, in ms of the monotonic clock. */
    public long downSinceMs() {
        return downSinceMs;
    }

    /** Whether a snapshot is arriving or being loaded. */
    public boolean isSyncing() {
        return load != null;
    }

    /** What the primary has sent that could not be stored here, by name. */
    public Map<String, Long> notHeld() {
        return notHeld;
    }

    /** Keys that the primary has and that are known to be missing here. */
    public int missingKeys() {
        return writes.missing().size();
    }

    /** Bytes of streams and snapshots read from primaries. */
    public long bytesRead() {
        return bytesRead + (link == null ? 0 : link.bytesRead());
    }
}
