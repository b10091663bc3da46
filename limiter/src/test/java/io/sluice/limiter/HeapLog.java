package io.sluice.limiter;

import java.util.Arrays;

/** A {@link UnitLog} on the heap. */
final class HeapLog implements UnitLog {
    private long[] times = new long[8];
    private long[] totals = new long[8];
    private int size;
    private long before;
    private int reads;

    HeapLog startingAt(final long total) {
        before = total;
        return this;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long timeNs(final int index) {
        reads++;
        return times[index];
    }

    @Override
    public long unitsThrough(final int index) {
        reads++;
        return totals[index];
    }

    @Override
    public long unitsBefore() {
        return before;
    }

    int reads() {
        return reads;
    }

    void append(final LogChange change) {
        if (change.replacesLast()) {
            totals[size - 1] = change.unitsThrough();
            return;
        }
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            totals = Arrays.copyOf(totals, size * 2);
        }
        times[size] = change.timeNs();
        totals[size] = change.unitsThrough();
        size++;
    }

    void drop(final int entries) {
        if (entries > 0) {
            before = totals[entries - 1];
            System.arraycopy(times, entries, times, 0, size - entries);
            System.arraycopy(totals, entries, totals, 0, size - entries);
            size -= entries;
        }
    }

    long[] stored() {
        final long[] all = Arrays.copyOf(times, 2 * size);
        System.arraycopy(totals, 0, all, size, size);
        return all;
    }
}
