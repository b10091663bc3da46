package io.sluice.replication;

import org.agrona.UnsafeApi;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The replicas of this server, whether it is a primary or a replica itself. It decides for each how it gets up to
 * date, feeds all from the one backlog, and drops those that do not keep up: nobody here ever waits for a replica.
 *
 * <p>Owned by one thread. Times are ms of a monotonic clock.
 */
public final class Replicas implements AutoCloseable {

    private static final long HOUSEKEEPING_MS = 1_000;
    private static final String PING = "*1\r\n$4\r\nPING\r\n";
    private static final String GET_ACK = "*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n";

    private final ReplicationStream stream;
    private final FullSyncs syncs;
    private final Consumer<String> log;
    private final List<ReplicaPeer> peers = new ArrayList<>();
    private final LagClock lag = new LagClock();
    private final ReplicaFeed feed = new ReplicaFeed();
    private final long commandText = UnsafeApi.allocateMemory(GET_ACK.length());
    private ReplicationSettings settings;
    private Runnable ackListener = () -> { };
    private LongSupplier unitsSpent = () -> 0;
    private boolean decides = true;
    private boolean quiet;
    private int goodReplicas;
    private long housekeepingMs;
    private long pingedMs;
    private long aloneSinceMs = -1;
    private long partialSyncs;
    private long partialRefusals;
    private long outputLimitDrops;

    /**
     * The replicas of a server, none yet.
     *
     * @param log takes what an operator should read
     */
    public Replicas(
        final ReplicationStream stream, final SyncSource source, final ReplicationSettings settings,
        final Consumer<String> log) {
        this.stream = stream;
        this.settings = settings;
        this.log = log;
        syncs = new FullSyncs(peers, stream, source, lag, log);
    }

    /** Other settings from now on. */
    public void settings(final ReplicationSettings newSettings) {
        settings = newSettings;
        stream.resize(newSettings.backlogBytes());
    }

    /** Whether this server is the one that decides what is written, hence pings its replicas through the stream. */
    public void decides(final boolean isPrimary) {
        decides = isPrimary;
    }

    /** Whether to add nothing to the stream of one's own accord, so that replicas can reach its end. */
    public void quiet(final boolean on) {
        quiet = on;
    }

    /** Runs when a replica has acknowledged something. */
    public void onAck(final Runnable listener) {
        ackListener = listener;
    }

    /** @param counter tells how many units limiters have granted since the server began */
    public void unitsSpent(final LongSupplier counter) {
        unitsSpent = counter;
    }

    /** A client has begun to speak as a replica does. */
    public ReplicaPeer attach(final Link link, final String address) {
        final ReplicaPeer peer = new ReplicaPeer(link, address);
        peers.add(peer);
        return peer;
    }

    /** The link has ended. */
    public void detach(final ReplicaPeer peer) {
        if (peer.isAttached()) {
            log.accept("Replica " + name(peer) + " has gone");
        }
        peer.state(ReplicaPeer.State.GONE);
        peers.remove(peer);
        keep();
    }

    /** Ends the links of all who get the stream or will, so that they ask anew. */
    public void disconnectAll() {
        for (final ReplicaPeer peer : attached()) {
            peer.link.close();
            detach(peer);
        }
    }

    /**
     * {@code PSYNC}: goes on from where the replica is, or lets it wait for a full sync.
     *
     * @param id       the history it is at, or {@code ?}
     * @param nextByte number of the first byte that it wants
     */
    public void partialSync(final ReplicaPeer peer, final String id, final long nextByte, final long nowMs) {
        peer.silentSinceMs = nowMs;
        peer.ackedMs = nowMs;
        if (stream.canContinue(id, nextByte)) {
            peer.send(peer.takesIds ? "+CONTINUE " + stream.id() + "\r\n" : "+CONTINUE\r\n");
            peer.sentOffset = nextByte - 1;
            peer.ackedOffset = nextByte - 1;
            lag.attach(peer);
            peer.state(ReplicaPeer.State.ONLINE);
            partialSyncs++;
            log.accept("Replica " + name(peer) + " goes on from offset " + (nextByte - 1));
            keep();
            feed();
        } else {
            partialRefusals += ReplicationId.isId(id) ? 1 : 0;
            await(peer);
        }
    }

    /** {@code SYNC}: a full sync for one that knows neither ids nor offsets. */
    public void oldSync(final ReplicaPeer peer, final long nowMs) {
        peer.silentSinceMs = nowMs;
        peer.acknowledges = false;
        await(peer);
    }

    private void await(final ReplicaPeer peer) {
        stream.activate(settings.backlogBytes());
        peer.state(ReplicaPeer.State.WAITING);
        log.accept("Replica " + name(peer) + " asks for a full sync");
    }

    /** {@code REPLCONF ACK}. */
    public void acknowledged(final ReplicaPeer peer, final long offset, final long nowMs) {
        peer.hasAcknowledged = true;
        peer.ackedOffset = Math.max(peer.ackedOffset, offset);
        peer.ackedMs = nowMs;
        lag.cover(peer);
        if (peer.state() == ReplicaPeer.State.LOADING) {
            peer.state(ReplicaPeer.State.ONLINE);
            log.accept("Replica " + name(peer) + " is online");
            feed();
        }
        ackListener.run();
    }

    /** Sends what the stream has and the replicas have not. Call once per turn. */
    public void feed() {
        stream.toldOfAppends();
        for (int i = peers.size() - 1; i >= 0; i--) {
            final ReplicaPeer peer = peers.get(i);
            if (peer.state() == ReplicaPeer.State.ONLINE && peer.sentOffset < stream.offset()) {
                feed.send(peer, stream.backlog());
            }
        }
        keep();
    }

    /** The backlog keeps what the slowest replica that is there still needs. */
    private void keep() {
        if (!stream.isActive()) {
            return;
        }
        long least = Long.MAX_VALUE;
        for (final ReplicaPeer peer : peers) {
            if (peer.reads()) {
                least = Math.min(least, peer.sentOffset);
            }
        }
        stream.backlog().keepFrom(least);
    }

    /**
     * Does what is due: a slice of a sync, pings, time-outs. Call every few ms.
     *
     * @return whether there is more to do soon
     */
    public boolean doWork(final long nowMs) {
        lag.sample(stream.offset(), nowMs, unitsSpent.getAsLong());
        if (syncs.doWork(nowMs, settings.syncDelayMs(), decides)) {
            keep();
        }
        for (int i = peers.size() - 1; i >= 0; i--) {
            checkOutput(peers.get(i), nowMs);
        }
        if (nowMs - housekeepingMs >= HOUSEKEEPING_MS) {
            housekeepingMs = nowMs;
            keepHouse(nowMs);
        }
        return syncs.isRunning() | feedThoseBehind();
    }

    /** A replica whose link was full gets the rest when it is not any more. */
    private boolean feedThoseBehind() {
        boolean behind = false;
        for (int i = 0; i < peers.size(); i++) {
            final ReplicaPeer peer = peers.get(i);
            behind |= peer.state() == ReplicaPeer.State.ONLINE && peer.sentOffset < stream.offset();
        }
        if (behind) {
            feed();
        }
        return behind;
    }

    private void checkOutput(final ReplicaPeer peer, final long nowMs) {
        if (!peer.reads()) {
            return;
        }
        final long waiting = stream.offset() - peer.sentOffset + peer.link.unsentBytes();
        final boolean overSoft = settings.outputSoftBytes() > 0 && waiting > settings.outputSoftBytes();
        if (!overSoft) {
            peer.overSoftSinceMs = -1;
        } else if (peer.overSoftSinceMs < 0) {
            peer.overSoftSinceMs = nowMs;
        }
        if (settings.outputHardBytes() > 0 && waiting > settings.outputHardBytes()
            || overSoft && nowMs - peer.overSoftSinceMs > settings.outputSoftMs()) {
            outputLimitDrops++;
            drop(peer, "does not take its " + waiting + " bytes");
        }
    }

    private void drop(final ReplicaPeer peer, final String why) {
        log.accept("Replica " + name(peer) + " " + why + ": dropped");
        peer.link.close();
        detach(peer);
    }

    private void keepHouse(final long nowMs) {
        syncs.keepAlive();
        int good = 0;
        boolean attached = false;
        for (int i = peers.size() - 1; i >= 0; i--) {
            final ReplicaPeer peer = peers.get(i);
            if (peer.state() == ReplicaPeer.State.WAITING) {
                peer.send("\n");
            }
            checkLife(peer, nowMs);
            attached |= peer.isAttached();
            good += isGood(peer, nowMs) ? 1 : 0;
        }
        goodReplicas = good;
        if (decides && !quiet && attached && stream.isActive() && nowMs - pingedMs >= settings.pingPeriodMs()) {
            pingedMs = nowMs;
            append(PING);
            feed();
        }
        expireBacklog(attached, nowMs);
    }

    private void checkLife(final ReplicaPeer peer, final long nowMs) {
        if (peer.link.receivedBytes() != peer.receivedBytes || takesSnapshot(peer)) {
            peer.receivedBytes = peer.link.receivedBytes();
            peer.silentSinceMs = peer.state() == ReplicaPeer.State.WAITING ? peer.silentSinceMs : nowMs;
        }
        final boolean must = peer.isSyncing() || peer.acknowledges
            && (peer.state() == ReplicaPeer.State.ONLINE || peer.state() == ReplicaPeer.State.LOADING);
        if (must && nowMs - peer.silentSinceMs > settings.timeoutMs()) {
            drop(peer, peer.isSyncing() ? "takes nothing of its snapshot" : "is silent");
        }
    }

    /** Who gets a snapshot may have nothing to say for as long as that takes. Who does not take it holds others up. */
    private static boolean takesSnapshot(final ReplicaPeer peer) {
        if (!peer.isSyncing() && peer.state() != ReplicaPeer.State.LOADING) {
            return false;
        }
        final long takenBefore = peer.snapshotTaken;
        peer.snapshotTaken = Math.max(takenBefore, peer.snapshotPosition - peer.link.unsentBytes());
        return peer.snapshotTaken > takenBefore || peer.isSyncing() && peer.link.isWritable();
    }

    private boolean isGood(final ReplicaPeer peer, final long nowMs) {
        return peer.state() == ReplicaPeer.State.ONLINE && nowMs - peer.ackedMs <= settings.lagMsMax();
    }

    private void expireBacklog(final boolean attached, final long nowMs) {
        if (attached || !decides || !stream.isActive()) {
            aloneSinceMs = -1;
        } else if (aloneSinceMs < 0) {
            aloneSinceMs = nowMs;
        } else if (settings.backlogTtlMs() > 0 && nowMs - aloneSinceMs > settings.backlogTtlMs()) {
            log.accept("No replica for long: the stream is not recorded any more");
            stream.deactivate();
        }
    }

    private void append(final String command) {
        for (int i = 0; i < command.length(); i++) {
            UnsafeApi.putByte(commandText + i, (byte) command.charAt(i));
        }
        stream.append(commandText, command.length());
    }

    /** Asks all replicas to acknowledge at once. */
    public void requestAcks() {
        if (stream.isActive() && decides && !quiet) {
            append(GET_ACK);
            feed();
        }
    }

    /** How many replicas have acknowledged this offset. */
    public int countAcked(final long offset) {
        int count = 0;
        for (final ReplicaPeer peer : peers) {
            count += peer.state() == ReplicaPeer.State.ONLINE && peer.ackedOffset >= offset ? 1 : 0;
        }
        return count;
    }

    /** Whether all replicas that are online have everything. */
    public boolean allCaughtUp() {
        return peers.stream().filter(peer -> peer.state() == ReplicaPeer.State.ONLINE && peer.acknowledges)
            .allMatch(peer -> peer.ackedOffset >= stream.offset());
    }

    /** Those that get the stream or a snapshot, in the order in which they came. */
    public List<ReplicaPeer> attached() {
        return peers.stream().filter(ReplicaPeer::isAttached).toList();
    }

    /** How long at most there have been writes that this replica has not acknowledged. */
    public long lagMs(final ReplicaPeer peer, final long nowMs) {
        lag.cover(peer);
        return peer.ackedOffset >= stream.offset() ? 0 : nowMs - peer.coveredMs;
    }

    /**
     * How many units at most would be forgotten, and might be granted again, if this server were lost now and the
     * slowest of its replicas that are online took over; -1 if none is.
     */
    public long unitsAtRisk() {
        long most = -1;
        for (final ReplicaPeer peer : peers) {
            if (peer.state() == ReplicaPeer.State.ONLINE) {
                lag.cover(peer);
                final boolean all = peer.ackedOffset >= stream.offset();
                most = Math.max(most, all ? 0 : unitsSpent.getAsLong() - peer.coveredSpent);
            }
        }
        return most;
    }

    /** Replicas that are online and have answered lately; as of the last second. */
    public int goodReplicas() {
        return goodReplicas;
    }

    /** Replicas that got a snapshot. */
    public long fullSyncs() {
        return syncs.count();
    }

    /** Replicas that went on from where they were. */
    public long partialSyncs() {
        return partialSyncs;
    }

    /** Replicas that wanted to go on and could not. */
    public long partialRefusals() {
        return partialRefusals;
    }

    /** Replicas dropped since they did not take what they were sent. */
    public long outputLimitDrops() {
        return outputLimitDrops;
    }

    /** Bytes of the stream that were sent to all replicas together. */
    public long bytesSent() {
        return feed.bytesSent();
    }

    private static String name(final ReplicaPeer peer) {
        return peer.ip() + ":" + peer.port();
    }

    @Override
    public void close() {
        feed.close();
        syncs.close();
        UnsafeApi.freeMemory(commandText);
    }
}
