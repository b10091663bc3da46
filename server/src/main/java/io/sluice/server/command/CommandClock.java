package io.sluice.server.command;

import io.sluice.server.ServerClock;

/**
 * The time of commands: one sample of the monotonic clock when a batch begins and one after each command. It is the end
 * of that command's duration and the start, hence the {@code now}, of the next.
 */
public final class CommandClock {
    private final ServerClock clock;
    private long sampleNs;

    CommandClock(ServerClock clock) {
        this.clock = clock;
        sample();
    }

    void sample() {
        sampleNs = clock.monotonicNs();
    }

    /** The last sample of the monotonic clock: when the running command started. */
    public long sampleNs() {
        return sampleNs;
    }

    /** The last sample as nanoseconds since the epoch. */
    long epochNs() {
        return clock.epochNs(sampleNs);
    }
}
