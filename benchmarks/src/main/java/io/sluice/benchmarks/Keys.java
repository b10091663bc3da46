package io.sluice.benchmarks;

import io.netty.buffer.ByteBuf;
import java.util.SplittableRandom;

/**
 * Keys of {@value #KEY_BYTES} bytes: {@value #PREFIX} and eight letters, a hexadecimal digit in each, which takes a
 * few instructions to write and so hardly adds to what is measured.
 */
final class Keys {
    static final int KEY_BYTES = 17;
    static final String PREFIX = "user:key:";
    /** Key number 0. */
    static final String FIRST = PREFIX + "aaaaaaaa";

    private static final long SEED = 42;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final long count;

    /** Keys with the numbers from 0 to {@code count - 1}. */
    Keys(int count) {
        this.count = count;
    }

    int count() {
        return (int) count;
    }

    /** A number of a key; each is as likely. */
    int random() {
        return (int) ((random.nextInt() & 0xffff_ffffL) * count >>> 32);
    }

    /** Makes the key at {@code offset}, which has its prefix already, that with this number. */
    static void number(ByteBuf bytes, int offset, int number) {
        bytes.setLongLE(offset + PREFIX.length(), letters(number));
    }

    private static long letters(int number) {
        long digits = number & 0xffff_ffffL;
        digits = (digits | digits << 16) & 0x0000_ffff_0000_ffffL;
        digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ffL;
        digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0fL;
        return digits + 0x6161_6161_6161_6161L;
    }
}
