package io.sluice.limiter;

/**
 * Sliding window log: every granted unit counts for exactly one window from its time on. A request of {@code n} passes
 * iff {@code count + n <= limit}.
 *
 * <p>Entries hold running totals, so that counting and finding the unit whose leaving makes room are binary searches:
 * a decision reads O(log n) entries. Units granted at one instant share an entry. Another limit or window counts at
 * once; entries that a shorter window has dropped do not come back. Time never runs backwards for a key.
 */
public final class SlidingWindowLog {
    /** @return the type code under which the state is stored. */
    public int code() {
        return 6;
    }

    /**
     * Decides one request. Reads the log only; what a granted request does to it is described by {@code change}.
     *
     * @param log      what is stored of the key.
     * @param limit    a limit set by {@link Limit#setWindow}.
     * @param quantity units asked for; 0 looks without taking.
     * @param nowNs    nanoseconds since the epoch, not negative.
     * @param decision receives the answer.
     * @param change   receives the change, if the decision is {@link Decision#changed()}.
     */
    public void decide(final UnitLog log, final Limit limit, final long quantity, final long nowNs,
        final Decision decision, final LogChange change) {
        assert nowNs >= 0 && quantity >= 0;
        final int size = log.size();
        final long windowNs = limit.windowNs();
        final long timeNs = size == 0 ? nowNs : Math.max(nowNs, log.timeNs(size - 1));
        final int dead = firstLive(log, timeNs, windowNs);
        final long unitsBefore = dead == 0 ? log.unitsBefore() : log.unitsThrough(dead - 1);
        final long unitsThrough = size == 0 ? unitsBefore : log.unitsThrough(size - 1);
        final long before = unitsThrough - unitsBefore;

        final boolean fits = quantity == 0 || quantity <= limit.units() - before;
        final long count = fits ? before + quantity : before;
        long retryNs = Decision.NO_RETRY;
        if (!fits && quantity <= limit.units()) {
            final int leaving = entryOfUnit(log, dead, unitsBefore, before - (limit.units() - quantity));
            retryNs = windowNs - (timeNs - log.timeNs(leaving));
        }
        final boolean takes = fits && quantity > 0;
        final long newestNs = takes || size == 0 ? timeNs : log.timeNs(size - 1);
        final long resetNs = count > 0 ? windowNs - (timeNs - newestNs) : 0;
        decision.answer(!fits, limit.units(), Math.max(0, limit.units() - count), retryNs, resetNs);
        if (takes) {
            final boolean replacesLast = size > 0 && log.timeNs(size - 1) == timeNs;
            change.set(dead, replacesLast, timeNs, unitsThrough + quantity);
            decision.store(Durations.saturatedSum(timeNs, windowNs));
        }
    }

    /** The number of leading entries that no longer count. */
    private static int firstLive(final UnitLog log, final long timeNs, final long windowNs) {
        int low = 0;
        int high = log.size();
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (timeNs - log.timeNs(middle) < windowNs) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The entry that holds the {@code unit}-th oldest live unit, counted from 1. */
    private static int entryOfUnit(final UnitLog log, final int firstLive, final long unitsBefore, final long unit) {
        int low = firstLive;
        int high = log.size() - 1;
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (log.unitsThrough(middle) - unitsBefore >= unit) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
