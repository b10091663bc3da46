package io.sluice.limiter;

/**
 * Why a limit or a request cannot be served. The texts a client sees belong to the command, not to the algorithm.
 */
public enum LimitError {
    /** No error. */
    NONE,
    /** A number is outside its range, or what follows from it does not fit 63 bits. */
    OUT_OF_RANGE,
    /** No tokens per period, no period, or more than one token per nanosecond where that cannot be expressed. */
    ZERO_RATE,
    /** A capacity, limit or rate below 1. */
    NOT_POSITIVE,
    /** A period or window outside (0, 10^9 s], or outside (0, 10^12 s) for {@code GCRA}. */
    PERIOD_OUT_OF_RANGE,
    /** {@code GCRA} only: interval times quantity is too large. */
    QUANTITY_OVERFLOW,
    /** {@code GCRA} only: interval times limit is too large. */
    BURST_OVERFLOW
}
