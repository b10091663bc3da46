package io.sluice.persistence.snapshot;

/** Small sets of integers: bytes per integer (u32: 2, 4 or 8), count (u32), the integers. */
final class Intset extends RdbPack {

    private static final int HEAD_BYTES = 8;

    private int width;

    @Override
    boolean head() {
        if (length() < HEAD_BYTES) {
            return false;
        }
        width = intAt(0);
        final long count = Integer.toUnsignedLong(intAt(Integer.BYTES));
        return (width == Short.BYTES || width == Integer.BYTES || width == Long.BYTES)
            && count * width == length() - HEAD_BYTES && skip(HEAD_BYTES);
    }

    @Override
    boolean isAtEnd() {
        return left() == 0;
    }

    @Override
    boolean next(final RdbElement into) {
        return integer(0, width, into);
    }
}
