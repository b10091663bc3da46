package io.sluice.server.replica;

import io.netty.channel.EventLoop;
import io.sluice.persistence.store.StoreState;
import io.sluice.replication.Backlog;
import io.sluice.replication.ReplicaPeer;
import io.sluice.replication.ReplicationId;
import io.sluice.replication.ReplicationSettings;
import io.sluice.replication.ReplicationStream;
import io.sluice.replication.Replicas;
import io.sluice.server.Database;
import io.sluice.server.LoopQueue;
import io.sluice.server.ServerClock;
import io.sluice.server.command.BlockedClients;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.ServerState;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.log.LogFile;
import io.sluice.server.net.ClientRegistry;
import io.sluice.server.net.Connection;
import io.sluice.server.net.Transport;
import io.sluice.server.tls.TlsContexts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The server's part in replication: its role, its history, who follows it, whom it follows. Owned by the event loop.
 */
public final class Replication {
    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);
    private static final long NS_PER_MS = 1_000_000;
    private static final long MS_PER_SECOND = 1_000;
    private static final String NO_LONGER_PRIMARY =
            "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)";

    private final Config config;
    private final ServerClock clock;
    private final ServerState state;
    private final ClientRegistry clients;
    private final TlsContexts tls;
    private final ReplicationStream stream = new ReplicationStream();
    private final SnapshotSource source = new SnapshotSource();
    private final Replicas replicas;
    private final Map<Connection, ReplicaPeer> peers = new IdentityHashMap<>();
    private final WaitQueue waiting;
    private Follower follower;
    private Takeover takeover;
    private BlockedClients blocked;
    private EventLoop loop;
    private Database database;
    private boolean feedScheduled;
    private long checkedMs;

    /** Replication for these settings. */
    public Replication(Config config, ServerClock clock, ServerState state, ClientRegistry clients, TlsContexts tls) {
        this.config = config;
        this.clock = clock;
        this.state = state;
        this.clients = clients;
        this.tls = tls;
        replicas = new Replicas(stream, source, settings(), LOG::info);
        waiting = new WaitQueue(replicas);
        replicas.onAck(() -> waiting.check(nowMs()));
        stream.onAppend(this::scheduleFeed);
        config.follow(() -> replicas.settings(settings()), ConfigTable.REPL_BACKLOG, ConfigTable.REPL_BACKLOG_TTL,
                ConfigTable.REPL_TIMEOUT, ConfigTable.REPL_PING, ConfigTable.REPL_SYNC_DELAY,
                ConfigTable.MIN_REPLICAS_LAG, ConfigTable.OUTPUT_LIMIT);
        config.follow(this::restrict, ConfigTable.REPLICA_READ_ONLY, ConfigTable.MIN_REPLICAS,
                ConfigTable.REPLICA_STALE);
    }

    private ReplicationSettings settings() {
        long[] output = config.outputLimit("slave");
        return new ReplicationSettings(
                config.integer(ConfigTable.REPL_BACKLOG),
                config.number(ConfigTable.REPL_BACKLOG_TTL) * MS_PER_SECOND,
                config.number(ConfigTable.REPL_TIMEOUT) * MS_PER_SECOND,
                config.number(ConfigTable.REPL_PING) * MS_PER_SECOND,
                config.number(ConfigTable.REPL_SYNC_DELAY) * MS_PER_SECOND,
                output[0], output[1], output[2] * MS_PER_SECOND,
                config.number(ConfigTable.MIN_REPLICAS_LAG) * MS_PER_SECOND);
    }

    /** There are an event loop and sockets, and a dispatcher that executes what a primary sends. */
    public void attach(EventLoop newLoop, Transport transport, LoopQueue completions, Dispatcher dispatcher) {
        loop = newLoop;
        follower = new Follower(this, config, clock, state, stream, newLoop, transport, tls, completions,
                dispatcher);
        takeover = new Takeover(this, dispatcher.pause());
        blocked = dispatcher.blocked();
    }

    /** The database is there: goes on with the history that it holds, and follows whom the settings say. */
    public void open(Database opened) {
        database = opened;
        source.open(opened, clock, Path.of(config.text(ConfigTable.DIR)));
        restoreHistory();
        List<String> primary = config.words(ConfigTable.REPLICA_OF);
        if (primary.size() == 2 && !primary.get(0).equalsIgnoreCase("no")) {
            follow(primary.get(0), Integer.parseInt(primary.get(1)), false);
        } else {
            // Whoever wrote this history before may go on with it: what is written here is another one.
            stream.promote();
            storeHistory(ReplicationId.NONE, 0, 0);
            takeEffects();
        }
    }

    private void restoreHistory() {
        StoreState stored = database.store().state();
        byte[] bytes = new byte[StoreState.REPLICATION_ID_BYTES];
        stored.replicationId(bytes);
        String id = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean complete = !stored.isApplying() && database.isComplete();
        if (stored.isApplying()) {
            LOG.info("The last process ended amid a command of the primary's stream: the next sync is a full one");
        }
        if (!complete) {
            // Before the mark is taken away: nothing may be restored later that was not restored now.
            storeHistory(ReplicationId.NONE, 0, 0);
        }
        stored.applying(false);
        if (complete && ReplicationId.isId(id) && !id.equals(ReplicationId.NONE)) {
            stream.restore(id, stored.replicationOffset(), stored.replicationDb(),
                    config.integer(ConfigTable.REPL_BACKLOG));
            stream.reach(stored.replicationReach());
            LOG.info("Goes on with history {} at offset {}", id, stream.offset());
        }
    }

    private void storeHistory(String id, long offset, int db) {
        database.store().state().replication(id.getBytes(StandardCharsets.ISO_8859_1), offset, db);
    }

    /**
     * Notes where the history stands, so that a restart can go on from there; not if keys are missing here, since which
     * they are would be forgotten.
     */
    void storeHistory() {
        boolean whole = stream.isContinuable() && follower.missingKeys() == 0;
        storeHistory(whole ? stream.id() : ReplicationId.NONE, stream.offset(), stream.selectedDb());
    }

    /** Nothing has been applied beyond where the history stands. Only between two batches. */
    void settleHistory() {
        storeHistory();
        if (!stream.isUnsure()) {
            database.store().state().replicationReach(stream.offset());
        }
    }

    /** The server is about to stop, and writes are held back. Whether all replicas have everything. */
    public boolean prepareStop() {
        replicas.quiet(true);
        return state.isReplica() || replicas.allCaughtUp();
    }

    /** The server stops: nothing is written any more. */
    public void close() {
        if (database != null) {
            settleHistory();
        }
        follower.close();
    }

    /** Makes the server a replica of this primary. */
    public void replicaOf(String host, int port, Connection caller) {
        boolean wasPrimary = !state.isReplica();
        LOG.info("Becomes a replica of {}:{}", host, port);
        follow(host, port, false);
        config.replace(ConfigTable.REPLICA_OF, host + " " + port);
        if (wasPrimary) {
            demoted(caller);
        }
    }

    /** What its clients thought they were talking to is no primary any more. */
    void demoted(Connection caller) {
        waiting.closeAll(NO_LONGER_PRIMARY);
        blocked.closeAll(NO_LONGER_PRIMARY);
        if (config.flag(ConfigTable.DEMOTION_CLOSES)) {
            for (Connection client : clients.snapshot()) {
                // Who is closing already has something to read before.
                if (client != caller && !client.isReplica() && !client.isClosing()) {
                    client.close();
                }
            }
        }
    }

    /** A replica has become the primary, which is followed now. */
    void handedOver(String host, int port) {
        config.replace(ConfigTable.REPLICA_OF, host + " " + port);
        demoted(null);
    }

    /** @param takesOver whether that server, a replica so far, is to become the primary by being followed */
    void follow(String host, int port, boolean takesOver) {
        state.replica(true);
        LogFile.replica(true);
        database.ofReplica(true);
        replicas.decides(false);
        takeEffects();
        restrict();
        follower.follow(host, port, takesOver, nowMs());
    }

    /** Makes the server a primary; it keeps what it holds. */
    public void promote() {
        if (!state.isReplica()) {
            return;
        }
        LOG.info("Becomes a primary");
        follower.stop();
        stream.promote();
        replicas.disconnectAll();
        state.replica(false);
        LogFile.replica(false);
        database.ofReplica(false);
        replicas.decides(true);
        storeHistory(ReplicationId.NONE, 0, 0);
        takeEffects();
        restrict();
        config.replace(ConfigTable.REPLICA_OF, "");
    }

    /** Effects are recorded by a primary that somebody follows or has followed lately. */
    private void takeEffects() {
        if (database != null) {
            boolean records = !state.isReplica() && stream.isActive();
            if (!records && stream.isActive()) {
                stream.encoder().unitEnd();
            }
            database.keyspace().effects(records ? stream.encoder() : null);
        }
    }

    private void restrict() {
        state.readOnly(state.isReplica() && config.flag(ConfigTable.REPLICA_READ_ONLY));
        state.primaryMissing(state.isReplica() && !config.flag(ConfigTable.REPLICA_STALE) && !isLinkUp());
        state.tooFewReplicas(!state.isReplica() && replicas.goodReplicas() < config.number(ConfigTable.MIN_REPLICAS));
    }

    /** The link to the primary has come up or gone down. */
    void linkChanged() {
        restrict();
    }

    /** The client begins to speak as a replica. */
    public ReplicaPeer peer(Connection connection) {
        return peers.computeIfAbsent(connection, client -> {
            String address = client.address();
            return replicas.attach(new ChannelLink(client.channel(), client),
                    address.substring(0, Math.max(0, address.lastIndexOf(':'))));
        });
    }

    /** The client's replica, or null if it has not spoken as one. */
    public ReplicaPeer peerOrNull(Connection connection) {
        return peers.get(connection);
    }

    /** {@code PSYNC}. */
    public void partialSync(Connection connection, String id, long nextByte) {
        connection.replica(true);
        replicas.partialSync(peer(connection), id, nextByte, nowMs());
        takeEffects();
    }

    /** {@code SYNC}. */
    public void oldSync(Connection connection) {
        connection.replica(true);
        replicas.oldSync(peer(connection), nowMs());
        takeEffects();
    }

    /** The client has gone. */
    public void closed(Connection connection) {
        waiting.forget(connection);
        ReplicaPeer peer = peers.remove(connection);
        if (peer != null) {
            replicas.detach(peer);
        }
    }

    /**
     * {@code WAIT}: answers at once if enough replicas have everything, else later.
     *
     * @return how many have, or -1 if the client is held back
     */
    public int await(Connection connection, int count, long timeoutMs) {
        int acked = replicas.countAcked(stream.offset());
        if (acked >= count || connection.transaction().isOpen()) {
            return acked;
        }
        long nowMs = nowMs();
        waiting.add(connection, count, stream.offset(),
                deadlineMs(nowMs, timeoutMs));
        loop.execute(replicas::requestAcks);
        return -1;
    }

    /** The end of a time from now on; 0 is for ever. */
    static long deadlineMs(long nowMs, long timeMs) {
        return timeMs == 0 || timeMs > Long.MAX_VALUE - nowMs ? Long.MAX_VALUE : nowMs + timeMs;
    }

    /** What the stream has gained goes out when the loop has served all sockets that had something. */
    private void scheduleFeed() {
        if (!feedScheduled && loop != null) {
            feedScheduled = true;
            loop.execute(this::feed);
        }
    }

    private void feed() {
        feedScheduled = false;
        replicas.feed();
    }

    /**
     * Does what is due, in a bounded slice.
     *
     * @return whether there is more to do soon
     */
    public boolean doWork() {
        if (database == null) {
            return false;
        }
        long nowMs = nowMs();
        boolean busy = replicas.doWork(nowMs);
        // The stream may have ended just now: nothing may be written to it any more.
        takeEffects();
        busy |= state.isReplica() && follower.doWork(nowMs);
        if (!waiting.isEmpty()) {
            waiting.check(nowMs);
        }
        busy |= takeover.doWork(nowMs);
        if (nowMs - checkedMs >= MS_PER_SECOND / 10) {
            checkedMs = nowMs;
            restrict();
        }
        return busy;
    }

    /** Whether the primary is followed at this moment. */
    public boolean isLinkUp() {
        return follower != null && follower.isLinkUp();
    }

    public Replicas replicas() {
        return replicas;
    }

    public ReplicationStream stream() {
        return stream;
    }

    public Follower follower() {
        return follower;
    }

    public Takeover takeover() {
        return takeover;
    }

    /** Native memory that the stream takes. */
    public long backlogBytes() {
        Backlog backlog = stream.backlog();
        return backlog == null ? 0 : backlog.memoryBytes();
    }

    /** Ms of the monotonic clock. */
    public long nowMs() {
        return clock.monotonicNs() / NS_PER_MS;
    }
}
