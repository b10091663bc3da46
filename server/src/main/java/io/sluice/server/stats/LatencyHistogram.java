package io.sluice.server.stats;

import java.util.Arrays;

/**
 * Durations in buckets that are a sixteenth of a power of two wide, so that a percentile is at most 6 % too high.
 * Recording is a shift and an increment.
 */
public final class LatencyHistogram {
    private static final int SUB_BITS = 4;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    /** Up to 2^40 ns, some 18 minutes; what takes longer counts as that. */
    private static final int TOP_BIT = 40;
    private static final int BUCKETS = (TOP_BIT - SUB_BITS + 2) * SUB_BUCKETS;

    private long[] counts;
    private long total;

    /** Adds one duration. */
    public void record(long durationNs) {
        if (counts == null) {
            counts = new long[BUCKETS];
        }
        counts[bucketOf(Math.max(0, durationNs))]++;
        total++;
    }

    public long total() {
        return total;
    }

    /** The duration in ns that this share of all (0 to 100) did not exceed; 0 if there are none. */
    public long percentileNs(double percent) {
        long rank = Math.max(1, (long) Math.ceil(total * percent / 100));
        long seen = 0;
        for (int i = 0; counts != null && i < BUCKETS; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return upperNs(i);
            }
        }
        return 0;
    }

    /** How many took at most so many ns, exact where that is a power of two. */
    public long countUpTo(long ns) {
        long seen = 0;
        for (int i = 0; counts != null && i < BUCKETS && upperNs(i) <= ns; i++) {
            seen += counts[i];
        }
        return seen;
    }

    public void reset() {
        total = 0;
        if (counts != null) {
            Arrays.fill(counts, 0);
        }
    }

    private static int bucketOf(long ns) {
        int topBit = 63 - Long.numberOfLeadingZeros(ns | 1);
        if (topBit > TOP_BIT) {
            return BUCKETS - 1;
        }
        if (topBit < SUB_BITS) {
            return (int) ns;
        }
        int shift = topBit - SUB_BITS;
        return (shift + 1) * SUB_BUCKETS + (int) (ns >>> shift) - SUB_BUCKETS;
    }

    /** The largest duration of a bucket. */
    private static long upperNs(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int shift = bucket / SUB_BUCKETS - 1;
        return ((long) (bucket % SUB_BUCKETS + SUB_BUCKETS + 1) << shift) - 1;
    }
}
