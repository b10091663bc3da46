package io.sluice.server.replica;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.persistence.CollectionLimits;
import io.sluice.persistence.ExpirySweeper;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.snapshot.KeyspaceDigest;
import io.sluice.persistence.snapshot.SnapshotLoader;
import io.sluice.persistence.snapshot.SnapshotContents;
import io.sluice.persistence.snapshot.SnapshotSink;
import io.sluice.persistence.snapshot.Snapshots;
import io.sluice.persistence.store.HeapStore;
import io.sluice.persistence.store.StoreState;
import io.sluice.replication.FollowSettings;
import io.sluice.replication.ReplicaHost;
import io.sluice.replication.ReplicaPeer;
import io.sluice.replication.ReplicaSession;
import io.sluice.replication.ReplicationId;
import io.sluice.replication.ReplicationSettings;
import io.sluice.replication.ReplicationStream;
import io.sluice.replication.Replicas;
import io.sluice.replication.StoredSnapshot;
import io.sluice.replication.SyncSource;
import io.sluice.resp.Request;
import io.sluice.resp.RequestParser;
import io.sluice.resp.RespLimits;
import io.sluice.server.command.CommandTester;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A server in the simulation: the real sessions, stream, snapshots, commands and keyspace; around them what the
 * simulation is in command of.
 */
final class SimNode implements ReplicaHost, SyncSource {
    static final ReplicationSettings SETTINGS =
        new ReplicationSettings(3_000, 0, 3_000, 500, 20, 60_000, 20_000, 2_000, 10_000);
    private static final int SNAPSHOT_BYTES = 64 << 10;

    /** The process is killed: nothing of it but the store is left. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient SimNode node;

        private Killed(SimNode node) {
            this.node = node;
        }

        SimNode node() {
            return node;
        }
    }

    /** What has happened, kept when one seed is looked into; else null. */
    static List<String> events;

    final String name;
    private final HeapStore store = new HeapStore(7);
    private final Supplier<String> ids;
    private final long skewMs;
    private CommandTester tester;
    private CommandTester.Client primaryClient;
    ReplicationStream stream;
    Replicas replicas;
    private Snapshots snapshots;
    private ExpirySweeper sweeper;
    boolean isPrimary;
    SimNode primary;
    private ReplicaSession session;
    private ByteArrayOutputStream syncBytes;
    private final List<SimLink> accepted = new ArrayList<>();
    private boolean loading;
    private boolean repeatable;
    private long nowMs;
    /** Commands that are applied before the process is killed; negative for never. */
    int commandsToKill = -1;
    int fullSyncs;
    int partialSyncs;

    SimNode(String name, long skewMs, Supplier<String> ids) {
        this.name = name;
        this.skewMs = skewMs;
        this.ids = ids;
    }

    /** Starts the process on what the store holds. */
    void start(long now) {
        nowMs = now;
        tester = new CommandTester(store, KeyspaceLimits.NONE);
        tester.clock().advanceMs(now + skewMs);
        primaryClient = tester.newClient();
        stream = new ReplicationStream(ids);
        replicas = new Replicas(stream, this, SETTINGS, text -> { });
        snapshots = new Snapshots(tester.keyspace(), () -> 0, 1, SNAPSHOT_BYTES, Snapshots.Purpose.REPLICA);
        sweeper = new ExpirySweeper(tester.keyspace(), () -> 0, 1, 10);
        session = null;
        loading = false;
        byte[] id = new byte[StoreState.REPLICATION_ID_BYTES];
        store.state().replicationId(id);
        String text = new String(id, StandardCharsets.ISO_8859_1);
        if (!store.state().isApplying() && ReplicationId.isId(text) && !text.equals(ReplicationId.NONE)) {
            stream.restore(text, store.state().replicationOffset(), store.state().replicationDb(),
                SETTINGS.backlogBytes());
            stream.reach(store.state().replicationReach());
        }
        if (store.state().isApplying()) {
            store.state().replication(new byte[StoreState.REPLICATION_ID_BYTES], 0, 0);
        }
        store.state().applying(false);
        trace("starts");
        role();
    }

    private void trace(String what) {
        if (events != null) {
            events.add(nowMs + " " + name + " " + what + " " + stream.id().substring(0, 6) + ":" + stream.offset()
                + (stream.isActive() ? "" : " inactive") + (stream.isUnsure() ? " unsure" : "")
                + (isPrimary ? " primary" : ""));
        }
    }

    private void role() {
        replicas.decides(isPrimary);
        sweeper.expiring(isPrimary);
        if (isPrimary) {
            store.state().replication(new byte[StoreState.REPLICATION_ID_BYTES], 0, 0);
        }
        effects();
    }

    private void effects() {
        tester.keyspace().effects(isPrimary && stream.isActive() ? stream.encoder() : null);
    }

    void follow(SimNode newPrimary) {
        isPrimary = false;
        primary = newPrimary;
        dropSession();
        role();
        trace("follows " + newPrimary.name);
    }

    void promote() {
        dropSession();
        stream.promote();
        replicas.disconnectAll();
        isPrimary = true;
        primary = null;
        role();
        trace("promoted");
    }

    private void dropSession() {
        if (session != null) {
            session.close();
            session = null;
        }
        if (loading) {
            loading = false;
            tester.keyspace().flushAll();
        }
    }

    boolean isFollowing() {
        return session != null && session.state() == ReplicaSession.State.STREAMING;
    }

    boolean wantsLink() {
        return primary != null && session == null;
    }

    /** Begins a session over one end; the other end is the primary's. */
    void connect(SimLink end) {
        session = new ReplicaSession(end, new FollowSettings("", "", name.charAt(0), "", 3_000, false), stream, this);
        ReplicaSession mine = session;
        end.attach(bytes -> mine.received(bytes, nowMs), () -> {
            if (session == mine) {
                mine.fail("closed");
            }
        });
        session.connected(nowMs);
    }

    /** A replica has connected. */
    void accept(SimLink end) {
        accepted.add(end);
        ReplicaPeer peer = replicas.attach(end, end.toString());
        RequestParser parser = new RequestParser();
        ByteBuf all = PooledByteBufAllocator.DEFAULT.directBuffer();
        Replicas mine = replicas;
        end.attach(bytes -> {
            all.writeBytes(bytes);
            bytes.release();
            while (parser.parse(all, RespLimits.of(1 << 20), true) == RequestParser.Result.COMPLETE) {
                answer(peer, end, parser.request());
            }
            all.discardReadBytes();
        }, () -> {
            mine.detach(peer);
            all.release();
        });
    }

    private void answer(ReplicaPeer peer, SimLink end, Request request) {
        switch (request.argText(0).toLowerCase(Locale.ROOT)) {
            case "ping" -> end.send("+PONG\r\n");
            case "psync" -> {
                if (!isPrimary && !isFollowing()) {
                    end.send("-NOMASTERLINK\r\n");
                } else {
                    replicas.partialSync(peer, request.argText(1), Long.parseLong(request.argText(2)), nowMs);
                    effects();
                    trace("asked " + request.argText(1).substring(0, 1) + " " + request.argText(2) + " "
                        + peer.state());
                }
            }
            default -> {
                if (request.argText(1).equalsIgnoreCase("ack")) {
                    replicas.acknowledged(peer, Long.parseLong(request.argText(2)), nowMs);
                } else {
                    for (int i = 1; i + 1 < request.argCount(); i += 2) {
                        boolean old = request.argText(i + 1).equals("eof") && end.isOld();
                        if (request.argText(i).equals("capa") && !old) {
                            peer.capability(request.argText(i + 1));
                        }
                    }
                    end.send("+OK\r\n");
                }
            }
        }
    }

    /** Time goes by; what is due is done. */
    void doWork(long now) {
        tester.clock().advanceMs(now - nowMs);
        nowMs = now;
        tester.dispatcher().beginBatch();
        sweeper.doWork(tester.clock().wallNs());
        replicas.doWork(now);
        replicas.feed();
        if (session != null) {
            session.doWork(now);
        }
    }

    /** Collections change their form early. */
    void smallForms() {
        CollectionLimits limits = tester.keyspace().blobs().limits();
        limits.hashEntries = 6;
        limits.hashValueBytes = 40;
        limits.setEntries = 6;
        limits.setValueBytes = 40;
        limits.intsetEntries = 8;
        limits.zsetEntries = 6;
        limits.zsetValueBytes = 40;
        limits.listSize = 8;
    }

    String run(String... words) {
        return tester.run(words);
    }

    /** Writes as a Redis does that sends on the command itself: one that must not be applied twice. */
    void runVerbatim(String... words) {
        run("SELECT", "0");
        run("SET", "selects", "0");
        tester.keyspace().effects(null);
        run(words);
        effects();
        if (stream.isActive()) {
            StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
            for (String word : words) {
                text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
            }
            append(text.toString());
        }
    }

    private void append(String text) {
        long scratch = org.agrona.UnsafeApi.allocateMemory(text.length());
        for (int i = 0; i < text.length(); i++) {
            org.agrona.UnsafeApi.putByte(scratch + i, (byte) text.charAt(i));
        }
        stream.append(scratch, text.length());
        org.agrona.UnsafeApi.freeMemory(scratch);
    }

    String digest() {
        return KeyspaceDigest.of(tester.keyspace());
    }

    /** Every stored entry as text, in order. */
    String contents() {
        List<String> lines = new ArrayList<>();
        tester.keyspace().forEachStored(e -> {
            StringBuilder key = new StringBuilder();
            for (int i = 0; i < e.keyLength(); i++) {
                key.append((char) org.agrona.UnsafeApi.getByte(e.keyAddress() + i));
            }
            lines.add(e.db() + " " + key + " " + e.expireAtMs() + " "
                + (e.isInt() ? e.intValue() : e.payloadLength() + " bytes"));
        });
        return String.join("\n", lines.stream().sorted().toList());
    }

    boolean isLoading() {
        return loading;
    }

    boolean hasReceived() {
        return session != null && session.state() == ReplicaSession.State.LOADING && !loading;
    }

    /** What is stored begins to be replaced. */
    void beginLoading() {
        trace("loads");
        loading = true;
        stream.invalidate();
        storeHistory();
        replicas.disconnectAll();
        tester.keyspace().flushAll();
    }

    void finishLoading() {
        try (SnapshotLoader loader = new SnapshotLoader(
            Channels.newChannel(new ByteArrayInputStream(syncBytes.toByteArray())), tester.keyspace(), 0)) {
            while (!loader.loadSome(1_000)) {
                Thread.onSpinWait();
            }
            loading = false;
            session.loaded(Integer.parseInt(loader.report().aux().get("repl-stream-db")), SETTINGS.backlogBytes(),
                nowMs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean begin(SnapshotSink sink, SnapshotContents parts, Map<String, String> aux) {
        trace("gives a snapshot");
        return snapshots.beginUndrained(sink, aux, tester.clock().wallNs(), parts);
    }

    @Override
    public StoredSnapshot beginStored(SnapshotContents parts, Map<String, String> aux) {
        trace("stores a snapshot");
        SimSpool spool = new SimSpool();
        return snapshots.beginUndrained(spool, aux, tester.clock().wallNs(), parts) ? spool : null;
    }

    @Override
    public void work(BooleanSupplier sinkReady) {
        snapshots.doWork(tester.clock().wallNs());
        snapshots.drain(sinkReady);
    }

    @Override
    public boolean isRunning() {
        return snapshots.isRunning();
    }

    @Override
    public void cancel() {
        snapshots.cancel();
    }

    @Override
    public void syncBegins() {
        syncBytes = new ByteArrayOutputStream();
    }

    @Override
    public void syncBytes(ByteBuf bytes) {
        byte[] copy = new byte[bytes.readableBytes()];
        bytes.readBytes(copy);
        bytes.release();
        syncBytes.writeBytes(copy);
    }

    @Override
    public void syncReceived() {
        fullSyncs++;
    }

    @Override
    public void streamBegins(boolean partial) {
        partialSyncs += partial ? 1 : 0;
        trace(partial ? "continues" : "synced");
    }

    @Override
    public void unitBegins(boolean isRepeatable) {
        repeatable = isRepeatable;
        if (!repeatable) {
            store.state().applying(true);
        }
        tester.dispatcher().runner().beginPrimaryUnit();
    }

    @Override
    public void apply(Request command, int db) {
        if (commandsToKill == 0) {
            throw new Killed(this);
        }
        commandsToKill--;
        primaryClient.connection().db(db);
        String error = tester.dispatcher().runner().applyFromPrimary(primaryClient.connection(), command);
        if (error != null) {
            throw new AssertionError(name + " cannot apply " + command.argText(0) + ": " + error);
        }
    }

    @Override
    public void unitEnds() {
        tester.dispatcher().runner().endPrimaryUnit();
        if (!repeatable) {
            storeHistory();
            store.state().applying(false);
        }
    }

    @Override
    public void unitFailed() {
        // Only by a kill, which leaves everything as it is.
    }

    private void storeHistory() {
        String id = stream.isContinuable() ? stream.id() : ReplicationId.NONE;
        store.state().replication(id.getBytes(StandardCharsets.ISO_8859_1), stream.offset(), stream.selectedDb());
    }

    @Override
    public void advanced() {
        storeHistory();
        if (!stream.isUnsure()) {
            store.state().replicationReach(stream.offset());
        }
    }

    @Override
    public void advancing(long reachedAtMost) {
        store.state().replicationReach(Math.max(reachedAtMost, store.state().replicationReach()));
    }

    @Override
    public void renamed() {
        replicas.disconnectAll();
    }

    @Override
    public void failed(String reason) {
        dropSession();
    }

    /** The process is gone at once; its connections end. */
    void kill() {
        if (session != null) {
            session.close();
            session = null;
        }
        trace("killed");
        tester.closeClients();
        accepted.forEach(SimLink::close);
        accepted.clear();
        stream.close();
        replicas.close();
        loading = false;
        commandsToKill = -1;
    }

    void close() {
        dropSession();
        replicas.disconnectAll();
        stream.close();
        replicas.close();
        tester.close();
    }
}
