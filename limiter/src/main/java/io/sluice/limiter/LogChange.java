package io.sluice.limiter;

/**
 * What to do with a log after a granted request; only meaningful if the decision is {@link Decision#changed()}.
 *
 * <p>To apply it: either write the units of the last entry ({@link #replacesLast()}), or append an entry and only then
 * publish the larger size; after that {@link #deadEntries()} leading entries may be dropped, at once or later: first
 * move the beginning past them, then set {@link UnitLog#unitsBefore()} to the total of the last one dropped. Broken
 * off at any point this counts too much, never too little.
 */
public final class LogChange {
    private int deadEntries;
    private boolean replacesLast;
    private long timeNs;
    private long unitsThrough;

    /** @return the number of leading entries that have left the window; may be dropped, need not be. */
    public int deadEntries() {
        return deadEntries;
    }

    /** @return true if the last entry has the same time and gets the new total, instead of a new entry. */
    public boolean replacesLast() {
        return replacesLast;
    }

    /** @return the time of the entry to append or to replace. */
    public long timeNs() {
        return timeNs;
    }

    /** @return the running total of the entry to append or to replace. */
    public long unitsThrough() {
        return unitsThrough;
    }

    /**
     * Sets what to do, as another log with the same entries was changed.
     *
     * @param dead              number of leading entries to drop
     * @param replace           whether the last entry gets the new total, instead of a new entry
     * @param entryTimeNs       time of the entry to append
     * @param entryUnitsThrough running total of the entry
     */
    public void set(final int dead, final boolean replace, final long entryTimeNs, final long entryUnitsThrough) {
        deadEntries = dead;
        replacesLast = replace;
        timeNs = entryTimeNs;
        unitsThrough = entryUnitsThrough;
    }
}
