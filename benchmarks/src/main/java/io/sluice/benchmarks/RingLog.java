package io.sluice.benchmarks;

import io.sluice.limiter.LogChange;
import io.sluice.limiter.UnitLog;

/** A log of at most {@value #ENTRIES_MAX} entries in a ring, as the server keeps it, but on the heap. */
final class RingLog implements UnitLog {
    static final int ENTRIES_MAX = 2048;
    private static final int MASK = ENTRIES_MAX - 1;

    private final long[] timesNs = new long[ENTRIES_MAX];
    private final long[] totals = new long[ENTRIES_MAX];
    private int first;
    private int size;
    private long unitsBefore;

    @Override
    public int size() {
        return size;
    }

    @Override
    public long timeNs(int index) {
        return timesNs[first + index & MASK];
    }

    @Override
    public long unitsThrough(int index) {
        return totals[first + index & MASK];
    }

    @Override
    public long unitsBefore() {
        return unitsBefore;
    }

    void apply(LogChange change) {
        if (change.deadEntries() > 0) {
            unitsBefore = unitsThrough(change.deadEntries() - 1);
            first += change.deadEntries();
            size -= change.deadEntries();
        }
        if (!change.replacesLast()) {
            if (size == ENTRIES_MAX) {
                throw new IllegalStateException("full");
            }
            size++;
        }
        timesNs[first + size - 1 & MASK] = change.timeNs();
        totals[first + size - 1 & MASK] = change.unitsThrough();
    }
}
