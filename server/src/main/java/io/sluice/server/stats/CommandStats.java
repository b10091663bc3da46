package io.sluice.server.stats;

/** Counters of one command, written by the event loop only. */
public final class CommandStats {
    private long calls;
    private long durationNs;
    private long rejectedCalls;
    private long failedCalls;
    private final LatencyHistogram latency = new LatencyHistogram();

    /** One executed call and how long it took. */
    public void executed(long callDurationNs, boolean failed) {
        calls++;
        durationNs += callDurationNs;
        latency.record(callDurationNs);
        if (failed) {
            failedCalls++;
        }
    }

    /** One call that was refused before its handler ran. */
    public void rejected() {
        rejectedCalls++;
    }

    public long calls() {
        return calls;
    }

    public long durationNs() {
        return durationNs;
    }

    public long rejectedCalls() {
        return rejectedCalls;
    }

    public long failedCalls() {
        return failedCalls;
    }

    /** How long calls took. */
    public LatencyHistogram latency() {
        return latency;
    }

    /** Sets everything to zero. */
    public void reset() {
        latency.reset();
        calls = 0;
        durationNs = 0;
        rejectedCalls = 0;
        failedCalls = 0;
    }
}
