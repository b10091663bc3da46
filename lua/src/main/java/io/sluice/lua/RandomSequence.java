package io.sluice.lua;

/** The pseudo-random numbers of {@code math.random}: POSIX {@code lrand48}, so that a seed gives Redis's sequence. */
final class RandomSequence {

    static final int MAX = Integer.MAX_VALUE;

    private static final long MULTIPLIER = 0x5_deec_e66dL;
    private static final long INCREMENT = 0xb;
    private static final long MASK = (1L << 48) - 1;

    private long state = 0x1234_abcd_330eL;

    void seed(int seed) {
        state = (seed & 0xffff_ffffL) << 16 | 0x330e;
    }

    /** The next number, 0 to 2^31-1. */
    int next() {
        state = state * MULTIPLIER + INCREMENT & MASK;
        return (int) (state >>> 17);
    }
}
