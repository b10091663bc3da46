package io.sluice.server.command;

/** Index ranges as Redis takes them: both ends included, negative ones counted from the end. */
final class Ranges {
    private Ranges() {
    }

    /** The first position of the range, which may lie behind the end. */
    static int from(long start, int size) {
        long from = start < 0 ? Math.max(0, start + size) : start;
        return (int) Math.min(from, size);
    }

    /** How many positions the range has from there on. */
    static int length(int from, long stop, int size) {
        long last = Math.min(stop < 0 ? stop + size : stop, size - 1L);
        return (int) Math.max(0, last - from + 1);
    }
}
