package io.sluice.persistence.snapshot;

/** A pack whose head has its length (u32) and how many elements follow (u16, 65535 for unknown). */
abstract class CountedPack extends RdbPack {

    private static final int COUNT_UNKNOWN = 0xFFFF;

    private final int headBytes;
    private final int countOffset;
    private int announced;
    private int read;

    CountedPack(final int headBytes, final int countOffset) {
        this.headBytes = headBytes;
        this.countOffset = countOffset;
    }

    @Override
    final boolean head() {
        if (length() <= headBytes || intAt(0) != length()) {
            return false;
        }
        announced = shortAt(countOffset) & 0xFFFF;
        read = 0;
        return skip(headBytes);
    }

    @Override
    final boolean isAtEnd() {
        return isAtMark() && (announced == COUNT_UNKNOWN || announced == read);
    }

    @Override
    final boolean next(final RdbElement into) {
        final boolean isRead = element(into);
        read += isRead ? 1 : 0;
        return isRead;
    }

    /** Reads the next element, as {@link #next}. */
    abstract boolean element(RdbElement into);
}
