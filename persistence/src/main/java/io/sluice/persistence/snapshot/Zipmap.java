package io.sluice.persistence.snapshot;

/**
 * Small hashes before Redis 2.6: count (one byte), fields and values in turn, {@code FF}. Each has its length in front
 * (one byte, or {@code FE} and four), a value also the number of unused bytes behind it.
 */
final class Zipmap extends RdbPack {

    private static final int LENGTH_LONG = 0xFE;

    private boolean value;

    @Override
    boolean head() {
        value = false;
        return length() >= 2 && skip(1);
    }

    @Override
    boolean isAtEnd() {
        return isAtMark() && !value;
    }

    @Override
    boolean next(final RdbElement into) {
        if (left() < 2 || byteAt(0) == END) {
            return false;
        }
        final boolean isLong = byteAt(0) == LENGTH_LONG;
        if (isLong && left() <= Integer.BYTES) {
            return false;
        }
        final long bytes = isLong ? Integer.toUnsignedLong(intAt(1)) : byteAt(0);
        final int lengthBytes = isLong ? 1 + Integer.BYTES : 1;
        final int unused = value && lengthBytes < left() ? byteAt(lengthBytes) : 0;
        final int headBytes = value ? lengthBytes + 1 : lengthBytes;
        value = !value;
        return string(headBytes, bytes, into) && skip(unused);
    }
}
