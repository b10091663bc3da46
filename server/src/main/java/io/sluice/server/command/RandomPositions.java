package io.sluice.server.command;

import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntConsumer;

/** Positions of a collection's elements at random. Reused. */
final class RandomPositions {
    /** Most elements that one command answers with when it may repeat them. */
    static final int REPEATS_MAX = 1 << 20;

    /** Below this share of the elements it is cheaper to draw again what was drawn than to go through all. */
    private static final int SPARSE_SHARE = 3;
    private static final String OUT_OF_RANGE = "ERR value is out of range";

    private final BitSet drawn = new BitSet();

    /** Any position below the size. */
    static int any(int size) {
        return ThreadLocalRandom.current().nextInt(size);
    }

    /**
     * Takes how many elements are asked for: negative where they may repeat.
     *
     * @param perElement replies for each element, which halve the range as in Redis
     */
    static long nextCount(Args args, int perElement) {
        long count = args.nextLong();
        if (count == Long.MIN_VALUE) {
            args.fail("ERR value is out of range, value must between " + -Long.MAX_VALUE + " and " + Long.MAX_VALUE);
        } else if (count < -REPEATS_MAX || perElement > 1 && count > Long.MAX_VALUE / perElement) {
            args.fail(OUT_OF_RANGE);
        }
        return count;
    }

    /** Shows different positions, each choice of that many as likely as any other, in ascending order or in none. */
    void distinct(int size, int count, IntConsumer position) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (count < size / SPARSE_SHARE) {
            drawn.clear();
            for (int left = count; left > 0; left--) {
                int next = random.nextInt(size);
                while (drawn.get(next)) {
                    next = random.nextInt(size);
                }
                drawn.set(next);
                position.accept(next);
            }
            return;
        }
        int left = count;
        for (int i = 0; left > 0; i++) {
            if (random.nextInt(size - i) < left) {
                left--;
                position.accept(i);
            }
        }
    }
}
