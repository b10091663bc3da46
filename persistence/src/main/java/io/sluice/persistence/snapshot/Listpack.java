package io.sluice.persistence.snapshot;

/**
 * Redis 7's small collections: length (u32), count (u16, 65535 for unknown), elements, {@code FF}. An element is its
 * encoding and length, its bytes, and how long that was, for reading backwards.
 */
final class Listpack extends CountedPack {

    private static final int HEAD_BYTES = 6;
    private static final int STRING_32 = 0xF0;
    private static final int INT_16 = 0xF1;
    private static final int INT_24 = 0xF2;
    private static final int INT_32 = 0xF3;
    private static final int INT_64 = 0xF4;

    Listpack() {
        super(HEAD_BYTES, Integer.BYTES);
    }

    @Override
    boolean element(final RdbElement into) {
        if (left() < 2) {
            return false;
        }
        final int start = position();
        return content(into) && skip(backLengthBytes(position() - start));
    }

    private boolean content(final RdbElement into) {
        final int first = byteAt(0);
        if (first < 0x80) {
            into.integer(first);
            return skip(1);
        } else if (first < 0xC0) {
            return string(1, first & 0x3F, into);
        } else if (first < 0xE0) {
            // Thirteen bits with a sign.
            into.integer((first << 8 | byteAt(1)) << 19 >> 19);
            return skip(2);
        } else if (first < 0xF0) {
            return string(2, (first & 0x0F) << 8 | byteAt(1), into);
        }
        return switch (first) {
            case STRING_32 -> left() > Integer.BYTES && string(1 + Integer.BYTES, intAt(1), into);
            case INT_16 -> integer(1, Short.BYTES, into);
            case INT_24 -> integer(1, 3, into);
            case INT_32 -> integer(1, Integer.BYTES, into);
            case INT_64 -> integer(1, Long.BYTES, into);
            default -> false;
        };
    }

    private static int backLengthBytes(final int elementBytes) {
        if (elementBytes <= 127) {
            return 1;
        } else if (elementBytes < 16_383) {
            return 2;
        } else if (elementBytes < 2_097_151) {
            return 3;
        }
        return elementBytes < 268_435_455 ? 4 : 5;
    }
}
