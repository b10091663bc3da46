package io.sluice.limiter;

/** One key of one algorithm, stored the way a server stores it: only what a decision says is written. */
interface Key {
    Decision ask(Limit limit, long quantity, long nowNs);

    /** A copy of all that is stored; empty if the key does not exist. */
    long[] stored();
}
