package io.sluice.limiter;

/** A decision's five numbers, to compare with; times in ns. */
record Answer(boolean limited, long limit, long remaining, long retryAfterNs, long resetAfterNs) {
    static Answer of(final Decision decision) {
        return new Answer(decision.limited(), decision.limit(), decision.remaining(), decision.retryAfterNs(),
            decision.resetAfterNs());
    }

    /** With times in seconds, as a reply shows them: limited, limit, remaining, retry, reset. */
    static String seconds(final Decision decision) {
        return (decision.limited() ? 1 : 0) + " " + decision.limit() + " " + decision.remaining() + " "
            + Durations.ceilToSeconds(decision.retryAfterNs()) + " " + Durations.ceilToSeconds(decision.resetAfterNs());
    }

    /** With times in milliseconds. */
    static String ms(final Decision decision) {
        return (decision.limited() ? 1 : 0) + " " + decision.limit() + " " + decision.remaining() + " "
            + Durations.ceilToMs(decision.retryAfterNs()) + " " + Durations.ceilToMs(decision.resetAfterNs());
    }
}
