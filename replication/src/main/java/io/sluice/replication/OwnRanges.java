package io.sluice.replication;

/** Where in the stream the commands are that only Sluice servers understand: a queue of offsets and lengths. */
final class OwnRanges {

    private long[] offsets = new long[16];
    private int[] lengths = new int[16];
    private int first;
    private int end;

    /** Adds one behind all others. */
    void add(final long offset, final int length) {
        if (end - first == offsets.length) {
            grow();
        }
        offsets[index(end)] = offset;
        lengths[index(end)] = length;
        end++;
    }

    /** Those that end before or at this offset are of no interest any more. */
    void forget(final long offset) {
        while (first != end && offsets[index(first)] + lengths[index(first)] <= offset) {
            first++;
        }
    }

    int lengthAt(final long offset) {
        final int at = search(offset);
        return at != end && offsets[index(at)] == offset ? lengths[index(at)] : 0;
    }

    long next(final long offset) {
        final int at = search(offset);
        return at == end ? Long.MAX_VALUE : offsets[index(at)];
    }

    /** Whether the offset is behind the first byte of one and not behind its last. */
    boolean isInside(final long offset) {
        final int before = search(offset) - 1;
        return before - first >= 0 && offsets[index(before)] + lengths[index(before)] > offset;
    }

    /** The first that begins at the offset or behind it. */
    private int search(final long offset) {
        int low = first;
        int high = end;
        while (low != high) {
            final int middle = low + (high - low >>> 1);
            if (offsets[index(middle)] < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int index(final int position) {
        return position & offsets.length - 1;
    }

    private void grow() {
        final long[] moreOffsets = new long[2 * offsets.length];
        final int[] moreLengths = new int[2 * offsets.length];
        for (int i = first; i != end; i++) {
            moreOffsets[i & moreOffsets.length - 1] = offsets[index(i)];
            moreLengths[i & moreOffsets.length - 1] = lengths[index(i)];
        }
        offsets = moreOffsets;
        lengths = moreLengths;
    }
}
