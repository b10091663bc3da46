package io.sluice.replication;

import org.agrona.UnsafeApi;

/**
 * Sends replicas what the stream has and they have not: to one of our kind as it is, to a stock one with stand-ins for
 * the types that it does not have.
 */
final class ReplicaFeed implements AutoCloseable {

    private static final int FEED_BYTES = 64 << 10;

    private final StandIn standIn = new StandIn();
    private final long scratch = UnsafeApi.allocateMemory(FEED_BYTES);
    private long bytesSent;

    /** Sends as much as the link takes. */
    void send(final ReplicaPeer peer, final Backlog backlog) {
        final long before = peer.sentOffset;
        while (peer.sentOffset < backlog.endOffset() && peer.link.isWritable()) {
            final int own = peer.isSluice ? 0 : backlog.ownLengthAt(peer.sentOffset);
            if (own > 0) {
                backlog.read(peer.sentOffset, standIn.reserve(own), own);
                standIn.replace(own);
                peer.link.send(standIn.address(), own);
                peer.sentOffset += own;
            } else {
                final long until = peer.isSluice ? Long.MAX_VALUE : backlog.nextOwn(peer.sentOffset);
                final int read = backlog.read(
                    peer.sentOffset, scratch, (int) Math.min(FEED_BYTES, until - peer.sentOffset));
                peer.link.send(scratch, read);
                peer.sentOffset += read;
            }
        }
        bytesSent += peer.sentOffset - before;
        peer.link.flush();
    }

    /** Bytes of the stream that were sent to all replicas together. */
    long bytesSent() {
        return bytesSent;
    }

    @Override
    public void close() {
        standIn.close();
        UnsafeApi.freeMemory(scratch);
    }
}
