package io.sluice.persistence;

import java.util.function.LongSupplier;

/**
 * Removes what is void in slices between commands: keys that have expired, and keys of flushed databases. It visits
 * only shards that may have some, at most a quarter of the time while much of what it sees is void, and rests up to
 * {@value #REST_NS_MAX} ns when little is. Reads never depend on it: to them an expired key is absent anyway.
 */
public final class ExpirySweeper {

    private static final long REST_NS_MIN = 1_000_000;
    private static final long REST_NS_MAX = 100_000_000;
    /** From one slice to the next, in multiples of what the first took. */
    private static final int PERIOD_FACTOR = 4;
    /** Of the entries seen, so many percent void are much, and so many little. */
    private static final int MUCH_PERCENT = 25;
    private static final int LITTLE_PERCENT = 10;
    /** At this time nothing has expired. */
    private static final long NEVER_MS = 0;
    private static final double SMOOTHING = 0.05;
    /** Entries that {@link #sweepSome} looks at, at most one shard more. */
    private static final int SOME_ENTRIES = 10_000;

    private final Core core;
    private final Purge purge;
    private final LongSupplier monotonicNs;
    private final long sliceNsMax;
    private final int sliceEntriesMax;

    private int cursor;
    private long restNs = REST_NS_MAX;
    private long nextRunNs = Long.MIN_VALUE;
    private long expiredInPass;
    private long expiringBeforePass;
    private double stalePercent;
    private long timeCapReached;
    private boolean expiring = true;
    private int examined;
    private int removed;

    /**
     * A sweeper for a keyspace.
     *
     * @param monotonicNs     measures how long a slice takes
     * @param sliceNsMax      longest slice, exceeded by one shard at most
     * @param sliceEntriesMax most entries that a slice looks at, exceeded by one shard at most
     */
    public ExpirySweeper(
        final Keyspace keyspace, final LongSupplier monotonicNs, final long sliceNsMax, final int sliceEntriesMax) {
        core = keyspace.core();
        purge = keyspace.purge();
        this.monotonicNs = monotonicNs;
        this.sliceNsMax = sliceNsMax;
        this.sliceEntriesMax = sliceEntriesMax;
    }

    /** Whether expired keys are removed, or only what flushed databases have left. */
    public void expiring(final boolean value) {
        expiring = value;
    }

    /**
     * Does a slice if it is time for one.
     *
     * @param nowNs time in ns since the epoch
     * @return number of keys removed
     */
    public int doWork(final long nowNs) {
        if (nowNs < nextRunNs) {
            return 0;
        }
        final long startNs = monotonicNs.getAsLong();
        final long nowMs = expiring ? Keyspace.toMs(nowNs) : NEVER_MS;
        examined = 0;
        removed = 0;
        int shard = next(nowMs);
        while (shard >= 0) {
            visit(shard, nowMs);
            cursor = shard + 1;
            shard = next(nowMs);
            if (shard >= 0
                && (examined >= sliceEntriesMax || monotonicNs.getAsLong() - startNs >= sliceNsMax)) {
                timeCapReached++;
                break;
            }
        }
        if (shard < 0) {
            endPass();
        }
        adapt();
        nextRunNs = nowNs + Math.max(restNs, PERIOD_FACTOR * (monotonicNs.getAsLong() - startNs));
        return removed;
    }

    /**
     * Does one bounded pass at the time of the running unit, so that small keyspaces are counted exactly.
     *
     * @return number of keys removed
     */
    public int sweepSome() {
        examined = 0;
        removed = 0;
        final long nowMs = expiring ? core.nowMs : NEVER_MS;
        for (int shard = core.bounds.nextDue(0, nowMs);
             shard >= 0 && examined < SOME_ENTRIES;
             shard = core.bounds.nextDue(shard + 1, nowMs)) {
            visit(shard, nowMs);
        }
        return removed;
    }

    /** Estimated share of keys with an expiry that have expired and are still stored, in percent. */
    public double expiredStalePercent() {
        return stalePercent;
    }

    /** Slices that ended because of their budget, with work left. */
    public long timeCapReachedCount() {
        return timeCapReached;
    }

    private int next(final long nowMs) {
        if (core.spaces.deadKeys() > 0) {
            return cursor & core.store.shards() - 1;
        }
        return cursor >= core.store.shards() ? -1 : core.bounds.nextDue(cursor, nowMs);
    }

    private void visit(final int shard, final long nowMs) {
        final long before = core.store.size();
        purge.shard(shard, nowMs);
        examined += purge.examined();
        removed += (int) (before - core.store.size());
        expiredInPass += purge.expired();
    }

    private void endPass() {
        final double percent = expiringBeforePass == 0
            ? 0 : Math.min(100, 100.0 * expiredInPass / expiringBeforePass);
        stalePercent += SMOOTHING * (percent - stalePercent);
        expiringBeforePass = core.spaces.expiring();
        expiredInPass = 0;
        cursor = 0;
    }

    private void adapt() {
        if (removed * 100L >= (long) examined * MUCH_PERCENT && removed > 0) {
            restNs = REST_NS_MIN;
        } else if (removed * 100L >= (long) examined * LITTLE_PERCENT && removed > 0) {
            restNs = Math.max(REST_NS_MIN, restNs / 2);
        } else {
            restNs = Math.min(REST_NS_MAX, restNs * 2);
        }
    }
}
