package io.sluice.replication;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

import java.nio.charset.StandardCharsets;

/**
 * A replica's side of one link to its primary: introduces itself, asks for what it lacks, takes a snapshot if it must,
 * and follows the stream. A state machine that bytes and time are fed to; all else it does through its
 * {@link ReplicaHost}.
 */
public final class ReplicaSession implements AutoCloseable {

    /** By this word in {@code REPLCONF capa} a Sluice server says that it holds our types. */
    public static final String CAPABILITY = "sluice";

    private static final long ACK_PERIOD_MS = 1_000;
    /** A replica that has moved on says so after this, so that the primary knows how little it might lose. */
    private static final long ACK_MS_MIN = 100;
    private static final int LINE_BYTES_MAX = 1_024;
    private static final String END_MARK = "$EOF:";
    private static final String UNKNOWN_ID = "?";

    /** What the session is at. */
    public enum State {
        /** Nothing was said. */
        CONNECTING,
        /** Introducing itself. */
        GREETING,
        /** Waiting for the answer to {@code PSYNC}. */
        ASKED,
        /** The answer was a full sync; its snapshot has not begun to arrive. */
        SYNC_AWAITED,
        /** The snapshot arrives. */
        RECEIVING,
        /** The host loads the snapshot. */
        LOADING,
        /** Following. */
        STREAMING,
        /** Over. */
        ENDED
    }

    private final Link link;
    private final FollowSettings settings;
    private final ReplicationStream stream;
    private final ReplicaHost host;
    private final Greeting greeting;
    private final StreamReader reader;
    private State state = State.CONNECTING;
    private ByteBuf in;
    private String syncId;
    private long syncOffset;
    private long syncBytesLeft;
    private EndMark endMark;
    private long syncBytesRead;
    private long ackedMs;
    private long ackedOffset;
    private long heardMs;

    /** A session over a link that is about to be there. */
    public ReplicaSession(
        final Link link, final FollowSettings settings, final ReplicationStream stream, final ReplicaHost host) {
        this.link = link;
        this.settings = settings;
        this.stream = stream;
        this.host = host;
        greeting = new Greeting(settings);
        reader = new StreamReader(stream, host, this::sendAck);
    }

    /** The link is there. */
    public void connected(final long nowMs) {
        heardMs = nowMs;
        state = State.GREETING;
        send(greeting.next());
    }

    /** Bytes have come, which are released. */
    public void received(final ByteBuf bytes, final long nowMs) {
        heardMs = nowMs;
        if (state == State.ENDED) {
            bytes.release();
            return;
        }
        in = StreamReader.joined(in, bytes, reader.keptBytes());
        boolean more = true;
        while (more && in != null && state != State.ENDED) {
            more = switch (state) {
                case RECEIVING -> receive(nowMs);
                case LOADING, CONNECTING -> false;
                case STREAMING -> follow(nowMs);
                default -> line(nowMs);
            };
        }
        dropRead();
    }

    /** Gives back what was read. */
    private void dropRead() {
        if (in != null && !in.isReadable() && reader.keptBytes() == 0) {
            in.release();
            in = null;
        }
    }

    private boolean line(final long nowMs) {
        final int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
        if (end < 0) {
            if (in.readableBytes() > LINE_BYTES_MAX) {
                fail("the primary does not speak Redis's protocol");
            }
            return false;
        }
        final String line = in.toString(in.readerIndex(), end - in.readerIndex(), StandardCharsets.ISO_8859_1)
            .strip();
        in.readerIndex(end + 1);
        if (!line.isEmpty()) {
            answered(line, nowMs);
        }
        return true;
    }

    private void answered(final String line, final long nowMs) {
        switch (state) {
            case GREETING -> greeted(line);
            case ASKED -> psyncAnswered(line, nowMs);
            default -> snapshotAnnounced(line);
        }
    }

    private void greeted(final String answer) {
        final String refusal = greeting.refusal(answer);
        if (refusal != null) {
            fail("the primary answers: " + refusal);
            return;
        }
        final String next = greeting.next();
        if (next != null) {
            send(next);
            return;
        }
        state = State.ASKED;
        final boolean known = stream.isContinuable();
        final String id = known ? stream.id() : UNKNOWN_ID;
        final String from = Long.toString(known ? stream.offset() + 1 : -1);
        send(settings.takeOver() ? Greeting.command("PSYNC", id, from, "FAILOVER")
            : Greeting.command("PSYNC", id, from));
    }

    private void psyncAnswered(final String line, final long nowMs) {
        final String[] words = line.split(" ");
        if (words[0].equals("+CONTINUE") && stream.isContinuable()) {
            final boolean renamed = words.length > 1 && ReplicationId.isId(words[1]) && !words[1].equals(stream.id());
            if (renamed && stream.isUnsure()) {
                stream.invalidate();
                fail("the primary goes on with another history, and what was applied of the old one is not known");
                return;
            }
            if (renamed) {
                stream.rename(words[1]);
                host.renamed();
            }
            stream(true, nowMs);
        } else if (words[0].equals("+FULLRESYNC") && words.length == 3 && ReplicationId.isId(words[1])
            && words[2].matches("[0-9]{1,18}")) {
            syncId = words[1];
            syncOffset = Long.parseLong(words[2]);
            state = State.SYNC_AWAITED;
        } else {
            fail("the primary answers PSYNC with: " + line);
        }
    }

    private void snapshotAnnounced(final String line) {
        if (line.startsWith(END_MARK) && line.length() == END_MARK.length() + EndMark.LENGTH) {
            endMark = new EndMark(line.substring(END_MARK.length()));
        } else if (line.matches("\\$[0-9]{1,18}")) {
            syncBytesLeft = Long.parseLong(line.substring(1));
        } else {
            fail("the primary sends no snapshot but: " + line);
            return;
        }
        state = State.RECEIVING;
        host.syncBegins();
    }

    private boolean receive(final long nowMs) {
        final int length = endMark != null ? in.readableBytes() : (int) Math.min(in.readableBytes(), syncBytesLeft);
        final ByteBuf part = in.readRetainedSlice(length);
        boolean complete;
        if (endMark != null) {
            complete = endMark.isReached(part);
        } else {
            syncBytesLeft -= length;
            complete = syncBytesLeft == 0;
        }
        syncBytesRead += length;
        if (!in.isReadable()) {
            in.release();
            in = null;
        }
        host.syncBytes(part);
        if (complete) {
            state = State.LOADING;
            ackedMs = nowMs;
            link.reading(false);
            host.syncReceived();
        }
        return !complete;
    }

    /**
     * What the snapshot holds is stored now.
     *
     * @param db the database that the stream had selected when it was taken
     */
    public void loaded(final int db, final int backlogBytes, final long nowMs) {
        if (state != State.LOADING) {
            return;
        }
        stream.restore(syncId, syncOffset, db, backlogBytes);
        stream(false, nowMs);
        link.reading(true);
        received(PooledByteBufAllocator.DEFAULT.directBuffer(), nowMs);
    }

    private void stream(final boolean partial, final long nowMs) {
        state = State.STREAMING;
        heardMs = nowMs;
        host.streamBegins(partial);
        host.advanced();
        acknowledge(nowMs);
    }

    private boolean follow(final long nowMs) {
        final String error = reader.read(in);
        if (error != null) {
            fail(error);
            return false;
        }
        if (stream.offset() != ackedOffset && nowMs - ackedMs >= ACK_MS_MIN) {
            acknowledge(nowMs);
        }
        return false;
    }

    /** Does what is due. Call some times a second. */
    public void doWork(final long nowMs) {
        if (state == State.ENDED) {
            return;
        }
        if (state != State.LOADING && nowMs - heardMs > settings.timeoutMs()) {
            fail("the primary is silent");
        } else if (state == State.STREAMING) {
            final long sinceMs = nowMs - ackedMs;
            if (sinceMs >= ACK_PERIOD_MS || sinceMs >= ACK_MS_MIN && stream.offset() != ackedOffset) {
                acknowledge(nowMs);
            }
        } else if ((state == State.LOADING || state == State.RECEIVING) && nowMs - ackedMs >= ACK_PERIOD_MS) {
            ackedMs = nowMs;
            send("\n");
        }
    }

    private void acknowledge(final long nowMs) {
        ackedMs = nowMs;
        sendAck();
    }

    private void sendAck() {
        ackedOffset = stream.offset();
        send(Greeting.command("REPLCONF", "ACK", Long.toString(ackedOffset)));
    }

    private void send(final String text) {
        link.sendText(text);
        link.flush();
    }

    /** Ends the session; the host is told why. */
    public void fail(final String reason) {
        if (state != State.ENDED) {
            close();
            host.failed(reason);
        }
    }

    /** How far it has come. */
    public State state() {
        return state;
    }

    /** When the primary was last heard, in ms of the monotonic clock. */
    public long heardMs() {
        return heardMs;
    }

    /** Bytes of the snapshot that have come. */
    public long syncBytesRead() {
        return syncBytesRead;
    }

    /** Bytes of the snapshot that have not come, or -1 when its length is not known. */
    public long syncBytesLeft() {
        return endMark != null ? -1 : syncBytesLeft;
    }

    /** Ends the session and tells nobody. */
    @Override
    public void close() {
        if (state != State.ENDED) {
            state = State.ENDED;
            link.close();
            if (in != null) {
                in.release();
                in = null;
            }
        }
    }
}
