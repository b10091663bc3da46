package io.sluice.replication;

/** Until when the stream ended at which offset, as seen at a few instants: turns an offset into a time. */
final class LagClock {

    private static final int SAMPLES = 1_024;
    private static final long PERIOD_MS = 10;

    private final long[] offsets = new long[SAMPLES];
    private final long[] timesMs = new long[SAMPLES];
    private long count;

    /** The stream ends here now. */
    void sample(final long offset, final long nowMs) {
        if (count > 0 && offset == offsets[index(count - 1)]) {
            timesMs[index(count - 1)] = nowMs;
        } else if (count == 0 || nowMs - timesMs[index(count - 1)] >= PERIOD_MS) {
            offsets[index(count)] = offset;
            timesMs[index(count)] = nowMs;
            count++;
        }
    }

    void reset() {
        count = 0;
    }

    /** For how long at most there have been bytes behind this offset. */
    long ageMs(final long offset, final long endOffset, final long nowMs) {
        if (offset >= endOffset || count == 0) {
            return 0;
        }
        long at = Math.max(0, count - SAMPLES);
        long sinceMs = timesMs[index(at)];
        for (; at < count && offsets[index(at)] <= offset; at++) {
            sinceMs = timesMs[index(at)];
        }
        return Math.max(0, nowMs - sinceMs);
    }

    private static int index(final long position) {
        return (int) (position & SAMPLES - 1);
    }
}
