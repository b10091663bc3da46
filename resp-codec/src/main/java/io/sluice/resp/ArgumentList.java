package io.sluice.resp;

import java.util.Arrays;

/**
 * Where the arguments of the command being received lie. Grows as arguments arrive, so its size follows the bytes
 * received (an argument takes at least six), and gives the room back once a command with many has been dealt with.
 */
final class ArgumentList {
    private static final int CAPACITY_INITIAL = 16;
    private static final int CAPACITY_KEPT_MAX = 256;

    private int[] offsets = new int[CAPACITY_INITIAL];
    private int[] lengths = new int[CAPACITY_INITIAL];
    private int count;

    void add(int offset, int length) {
        if (count == offsets.length) {
            grow();
        }
        offsets[count] = offset;
        lengths[count] = length;
        count++;
    }

    void clear() {
        count = 0;
        if (offsets.length > CAPACITY_KEPT_MAX) {
            offsets = new int[CAPACITY_INITIAL];
            lengths = new int[CAPACITY_INITIAL];
        }
    }

    int count() {
        return count;
    }

    int capacity() {
        return offsets.length;
    }

    int[] offsets() {
        return offsets;
    }

    int[] lengths() {
        return lengths;
    }

    private void grow() {
        int capacity = offsets.length * 2;
        offsets = Arrays.copyOf(offsets, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
    }
}
