package io.sluice.replication;

import io.sluice.persistence.snapshot.SnapshotContents;

/** A replica of this server: what it has said of itself, and how far it has got. */
public final class ReplicaPeer {

    /** What a replica is waiting for. */
    public enum State {
        /** It has not asked for the stream yet. */
        GREETING("handshake"),
        /** A full sync has to begin. */
        WAITING("wait_bgsave"),
        /** The snapshot is on its way. */
        SYNCING("send_bulk"),
        /** The snapshot is sent; the replica loads it and answers then. */
        LOADING("send_bulk"),
        /** It gets the stream. */
        ONLINE("online"),
        /** The link has ended. */
        GONE("gone");

        private final String text;

        State(final String text) {
            this.text = text;
        }

        /** The word in {@code INFO}. */
        public String text() {
            return text;
        }
    }

    final Link link;
    private final String address;
    private State state = State.GREETING;
    private int listeningPort;
    private String announcedAddress;
    boolean takesEndMark;
    boolean takesIds;
    boolean isSluice;
    boolean snapshotOnly;
    private SnapshotContents filter;
    boolean acknowledges = true;
    boolean hasAcknowledged;
    long sentOffset;
    long ackedOffset;
    long ackedMs;
    /** Bytes of a snapshot that were sent, and how many of them it had taken when it was looked at last. */
    long snapshotPosition;
    long snapshotTaken;
    /** Until when it has everything that was written, and what had been spent by then. */
    long coveredMs;
    long coveredSpent;
    /** Since when the link has shown no sign of life, and what it had received by then. */
    long silentSinceMs;
    long receivedBytes;
    /** Since when the output has been over the soft limit, or -1. */
    long overSoftSinceMs = -1;

    ReplicaPeer(final Link link, final String address) {
        this.link = link;
        this.address = address;
    }

    /** {@code REPLCONF listening-port}. */
    public void listeningPort(final int port) {
        listeningPort = port;
    }

    /** {@code REPLCONF ip-address}. */
    public void announcedAddress(final String ip) {
        announcedAddress = ip;
    }

    /** {@code REPLCONF capa}: unknown ones are passed over. */
    public void capability(final String name) {
        switch (name) {
            case "eof" -> takesEndMark = true;
            case "psync2" -> takesIds = true;
            case ReplicaSession.CAPABILITY -> isSluice = true;
            default -> { }
        }
    }

    /** {@code REPLCONF rdb-only}: it wants a snapshot, not the stream. */
    public void snapshotOnly(final boolean only) {
        snapshotOnly = only;
    }

    /** {@code REPLCONF rdb-filter-only}: of a snapshot it wants nothing, or the functions and nothing else. */
    public void functionsAtMost(final boolean functions) {
        filter = new SnapshotContents(false, false, functions);
    }

    /** Whether it asks for less than everything, which only one that takes a snapshot of unknown length may. */
    public boolean isFilterMisplaced() {
        return filter != null && !takesEndMark;
    }

    /** What its snapshot is to have. */
    SnapshotContents wanted() {
        if (filter != null) {
            return filter;
        }
        return isSluice || snapshotOnly ? SnapshotContents.ALL : SnapshotContents.FOR_REDIS;
    }

    /** How far it has come. */
    public State state() {
        return state;
    }

    void state(final State newState) {
        state = newState;
    }

    /** A snapshot begins that is of this offset. */
    void beginSync(final String id, final long offset) {
        if (acknowledges) {
            send("+FULLRESYNC " + id + " " + offset + "\r\n");
        }
        sentOffset = offset;
        ackedOffset = offset;
        snapshotPosition = 0;
        snapshotTaken = Long.MIN_VALUE;
        state = State.SYNCING;
    }

    /** Whether a snapshot is on its way to it. */
    boolean isSyncing() {
        return state == State.SYNCING;
    }

    /** There is no snapshot after all: it is to ask again. */
    void abortSync() {
        link.close();
        state = State.GONE;
    }

    /** The snapshot is sent. */
    void snapshotSent() {
        if (snapshotOnly) {
            link.closeWhenSent();
        }
        state = snapshotOnly ? State.GONE : State.LOADING;
    }

    /** Whether a link is there whose replica gets or will get the stream. */
    boolean isAttached() {
        return state != State.GREETING && state != State.GONE;
    }

    /** Whether the bytes behind {@link #sentOffset} must be kept. */
    boolean reads() {
        return state == State.SYNCING || state == State.LOADING || state == State.ONLINE;
    }

    /** The address that others reach it at. */
    public String ip() {
        return announcedAddress != null ? announcedAddress : address;
    }

    /** The port that it says it listens on. */
    public int port() {
        return listeningPort;
    }

    /**
     * Whether it has said itself that it follows. Before that its offset is what it asked to go on from, and it may
     * still be handing over to this server.
     */
    public boolean hasAcknowledged() {
        return hasAcknowledged;
    }

    /** The offset that it has acknowledged. */
    public long ackedOffset() {
        return ackedOffset;
    }

    /** When it did, in ms of the monotonic clock. */
    public long ackedMs() {
        return ackedMs;
    }

    /** Tells it a line, which goes out at once: nothing else may follow for long. */
    void send(final String text) {
        link.sendText(text);
        link.flush();
    }
}
