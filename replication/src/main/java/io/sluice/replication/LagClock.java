package io.sluice.replication;

/**
 * Where the stream ended at many instants of the last minute, and what had been spent by then: turns the offset that a
 * replica has acknowledged into a time and into units that would be forgotten if that replica took over.
 */
final class LagClock {

    private static final int SAMPLES = 8_192;
    private static final long PERIOD_MS = 10;

    private final long[] offsets = new long[SAMPLES];
    private final long[] timesMs = new long[SAMPLES];
    private final long[] spent = new long[SAMPLES];
    private long count;
    /** Of the first sample, which may have been overwritten since. */
    private long firstMs;
    private long firstSpent;

    /** The stream ends here now, and so many units were spent since the server began. */
    void sample(final long offset, final long nowMs, final long unitsSpent) {
        if (count > 0 && offset < offsets[index(count - 1)]) {
            count = 0;
        }
        if (count == 0) {
            firstMs = nowMs;
            firstSpent = unitsSpent;
        }
        final int last = index(count - 1);
        if (count > 0 && offset == offsets[last]) {
            timesMs[last] = nowMs;
            spent[last] = unitsSpent;
        } else if (count == 0 || nowMs - timesMs[last] >= PERIOD_MS) {
            final int next = index(count++);
            offsets[next] = offset;
            timesMs[next] = nowMs;
            spent[next] = unitsSpent;
        }
    }

    /** A replica has begun to follow: nothing older is known of it than of the stream itself. */
    void attach(final ReplicaPeer peer) {
        peer.coveredMs = firstMs;
        peer.coveredSpent = firstSpent;
        cover(peer);
    }

    /**
     * Notes in the replica until when it has everything, going by what it has acknowledged. Where that is older than
     * all samples, what was noted before stays: the replica then seems to lag by more than it does, never by less.
     */
    void cover(final ReplicaPeer peer) {
        final long oldest = Math.max(0, count - SAMPLES);
        long low = oldest;
        long high = count;
        while (low < high) {
            final long middle = low + high >>> 1;
            if (offsets[index(middle)] <= peer.ackedOffset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low > oldest) {
            final int newest = index(low - 1);
            peer.coveredMs = Math.max(peer.coveredMs, timesMs[newest]);
            peer.coveredSpent = Math.max(peer.coveredSpent, spent[newest]);
        }
    }

    private static int index(final long position) {
        return (int) (position & SAMPLES - 1);
    }
}
