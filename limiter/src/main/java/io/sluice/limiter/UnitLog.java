package io.sluice.limiter;

/**
 * The stored log of one key as {@link SlidingWindowLog} reads it: entries in the order of their times, each with the
 * running total of units up to and including it. Totals may wrap around; only their differences count.
 */
public interface UnitLog {
    /** @return the number of entries; 0 if the key does not exist. */
    int size();

    /** @return the time of entry {@code index} in ns; not less than that of the entry before. */
    long timeNs(int index);

    /** @return the running total up to and including entry {@code index}. */
    long unitsThrough(int index);

    /** @return the running total before entry 0: that of the last entry dropped, or 0. */
    long unitsBefore();
}
