package io.sluice.server;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The server's time: nanoseconds since the Unix epoch that never step and never run backwards.
 *
 * <p>Anchored to the wall clock once, at construction, and advanced by the monotonic clock. {@link #resample}
 * compares with the wall clock now and then and follows a correction only by slewing, at most {@link #SLEW_PPM_MAX}
 * parts per million: a step of the wall clock would lock every client out for its length, or hand out whole bursts
 * for nothing. {@link #freeze} stops the clock at an instant so that timing rules can be tested from outside; {@link
 * #release} lets the real one through again.
 *
 * <p>A reading costs one monotonic sample, which the caller takes with {@link #monotonicNs} and may use twice.
 */
public final class ServerClock {
    /** As ntpd: a limit admits at most 0.05 % more or less while the clock is being corrected. */
    static final long SLEW_PPM_MAX = 500;
    /**
     * A difference that appears between two samples and is larger than this is counted as a step of the wall clock.
     */
    static final long STEP_NS = 100_000_000;
    private static final long MILLION = 1_000_000;
    /** Readings of the two clocks that are no further apart count as one instant. */
    private static final long INSTANT_NS = 50_000;
    private static final int READINGS_MAX = 20;

    private final LongSupplier monotonic;
    private final LongSupplier wall;
    private long anchorMonotonicNs;
    private long anchorEpochNs;
    private long readMonotonicNs;
    private long readWallNs;
    private long slewPpm;
    private long offsetNs;
    private long wallSteps;
    private boolean frozen;
    private long frozenEpochNs;

    /** The machine's clocks. */
    public ServerClock() {
        this(System::nanoTime, ServerClock::wallNs);
    }

    /**
     * @param monotonic nanoseconds that only go forward, origin arbitrary
     * @param wall      nanoseconds since the Unix epoch, may step
     */
    public ServerClock(LongSupplier monotonic, LongSupplier wall) {
        this.monotonic = monotonic;
        this.wall = wall;
        readBoth();
        anchorMonotonicNs = readMonotonicNs;
        anchorEpochNs = readWallNs;
    }

    /** Reads both clocks at one instant: again where the thread was held up in between, which would seem a step. */
    private void readBoth() {
        long closestNs = Long.MAX_VALUE;
        for (int i = 0; i < READINGS_MAX && closestNs > INSTANT_NS; i++) {
            long beforeNs = monotonic.getAsLong();
            long wallNs = wall.getAsLong();
            long apartNs = monotonic.getAsLong() - beforeNs;
            if (apartNs < closestNs) {
                closestNs = apartNs;
                readMonotonicNs = beforeNs;
                readWallNs = wallNs;
            }
        }
    }

    /** One sample of the monotonic clock, for durations and for {@link #epochNs(long)}. Not affected by freezing. */
    public long monotonicNs() {
        return monotonic.getAsLong();
    }

    /** The server's time at a monotonic sample that is not older than the last {@link #resample}. */
    public long epochNs(long monotonicNs) {
        return frozen ? frozenEpochNs : runningEpochNs(monotonicNs);
    }

    /** The server's time now. */
    public long epochNs() {
        return epochNs(monotonic.getAsLong());
    }

    /** Compares with the wall clock and sets the slew that leads towards it. Call about every {@code periodNs}. */
    public void resample(long periodNs) {
        readBoth();
        anchorEpochNs = runningEpochNs(readMonotonicNs);
        anchorMonotonicNs = readMonotonicNs;
        long differenceNs = readWallNs - anchorEpochNs;
        if (Math.abs(differenceNs - offsetNs) > STEP_NS) {
            wallSteps++;
        }
        offsetNs = differenceNs;
        long neededPpm = differenceNs / Math.max(1, periodNs / MILLION);
        slewPpm = Math.max(-SLEW_PPM_MAX, Math.min(SLEW_PPM_MAX, neededPpm));
    }

    /** Stops the clock at an instant, nanoseconds since the epoch. */
    public void freeze(long epochNs) {
        frozen = true;
        frozenEpochNs = epochNs;
    }

    /** Ends {@link #freeze}. */
    public void release() {
        frozen = false;
    }

    /** Wall clock minus server's time at the last sample. */
    public long offsetNs() {
        return offsetNs;
    }

    /** How often the wall clock was seen to step. */
    public long wallSteps() {
        return wallSteps;
    }

    private long runningEpochNs(long monotonicNs) {
        long elapsedNs = monotonicNs - anchorMonotonicNs;
        return anchorEpochNs + elapsedNs + elapsedNs / MILLION * slewPpm;
    }

    private static long wallNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
