package io.sluice.persistence.snapshot;

/**
 * Small collections before Redis 7: length (u32), offset of the last element (u32), count (u16, 65535 for unknown),
 * elements, {@code FF}. An element is the length of the one before (one byte, or {@code FE} and four), its encoding and
 * length (big-endian), its bytes.
 */
final class Ziplist extends CountedPack {

    private static final int HEAD_BYTES = 10;
    private static final int COUNT_OFFSET = 8;
    private static final int PREVIOUS_LONG = 0xFE;
    private static final int STRING_14 = 0x40;
    private static final int STRING_32 = 0x80;
    private static final int INT_16 = 0xC0;
    private static final int INT_32 = 0xD0;
    private static final int INT_64 = 0xE0;
    private static final int INT_24 = 0xF0;
    private static final int INT_4_FIRST = 0xF1;
    private static final int INT_4_LAST = 0xFD;
    private static final int INT_8 = 0xFE;

    Ziplist() {
        super(HEAD_BYTES, COUNT_OFFSET);
    }

    @Override
    boolean element(final RdbElement into) {
        if (isAtMark() || left() == 0 || !skip(byteAt(0) == PREVIOUS_LONG ? 1 + Integer.BYTES : 1) || left() == 0) {
            return false;
        }
        final int first = byteAt(0);
        if (first < STRING_14) {
            return string(1, first, into);
        } else if (first < STRING_32) {
            return left() > 1 && string(2, (first & 0x3F) << 8 | byteAt(1), into);
        } else if (first < INT_16) {
            return left() > Integer.BYTES && string(1 + Integer.BYTES, Integer.reverseBytes(intAt(1)), into);
        } else if (first >= INT_4_FIRST && first <= INT_4_LAST) {
            into.integer(first - INT_4_FIRST);
            return skip(1);
        }
        return switch (first) {
            case INT_8 -> integer(1, Byte.BYTES, into);
            case INT_16 -> integer(1, Short.BYTES, into);
            case INT_24 -> integer(1, 3, into);
            case INT_32 -> integer(1, Integer.BYTES, into);
            case INT_64 -> integer(1, Long.BYTES, into);
            default -> false;
        };
    }
}
