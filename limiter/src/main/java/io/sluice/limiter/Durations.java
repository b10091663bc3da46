package io.sluice.limiter;

/** Nanoseconds to coarser units, always rounding up: a client that waits as long as it was told is served. */
public final class Durations {
    /** Nanoseconds in one second. */
    public static final long NS_PER_SECOND = 1_000_000_000L;
    /** Nanoseconds in one millisecond. */
    public static final long NS_PER_MS = 1_000_000L;

    private Durations() {
    }

    /** @return {@code ceil(ns / 10^9)}; -1 ns, which stands for "none", stays -1. */
    public static long ceilToSeconds(final long ns) {
        return ns <= 0 ? ns : (ns - 1) / NS_PER_SECOND + 1;
    }

    /** @return {@code ceil(ns / 10^6)}; -1 ns, which stands for "none", stays -1. */
    public static long ceilToMs(final long ns) {
        return ns <= 0 ? ns : (ns - 1) / NS_PER_MS + 1;
    }

    /** @return {@code a + b} for two numbers that are not negative, or {@code Long.MAX_VALUE} if that is too large. */
    static long saturatedSum(final long a, final long b) {
        final long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** @return {@code laterNs - earlierNs} for {@code laterNs >= earlierNs}, or {@code Long.MAX_VALUE}. */
    static long elapsedNs(final long earlierNs, final long laterNs) {
        final long elapsedNs = laterNs - earlierNs;
        return elapsedNs < 0 ? Long.MAX_VALUE : elapsedNs;
    }
}
