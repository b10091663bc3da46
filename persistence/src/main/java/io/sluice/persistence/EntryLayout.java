package io.sluice.persistence;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.putByte;
import static org.agrona.UnsafeApi.putInt;
import static org.agrona.UnsafeApi.putLong;

/**
 * The bytes of a value in the store, little-endian: drawn in {@code docs/FORMATS.md}, "Entry". Static accessors by the
 * value's native address; the only place that knows an offset.
 */
public final class EntryLayout {

    static final int HEADER_BYTES = 12;
    static final int INT_BYTES = HEADER_BYTES + Long.BYTES;
    static final int SIZED_HEADER_BYTES = HEADER_BYTES + Integer.BYTES;

    /** Payload is one 64-bit integer. */
    static final int ENCODING_INT = 0;
    /** Payload is a 32-bit length and that many bytes; more may be allotted. */
    static final int ENCODING_SIZED = 1;
    /** Payload is the number of 64-bit words that the header tells. */
    static final int ENCODING_WORDS = 2;
    static final int WORDS_MAX = 255;

    private static final int TYPE_OFFSET = 0;
    private static final int FLAGS_OFFSET = 1;
    private static final int WORDS_OFFSET = 2;
    private static final int EXPIRE_AT_OFFSET = 4;

    private static final int ENCODING_MASK = 0x0F;
    /** Set while a running snapshot need not save the entry any more. */
    private static final int SAVED_FLAG = 0x10;
    /** Set while the payload is being replaced; found at start, it means that the value is torn. */
    private static final int WRITING_FLAG = 0x20;

    private EntryLayout() {
    }

    /** Type code, see {@link ValueType}. */
    public static int type(final long address) {
        return getByte(address + TYPE_OFFSET) & 0xFF;
    }

    static int encoding(final long address) {
        return getByte(address + FLAGS_OFFSET) & ENCODING_MASK;
    }

    /** Whether the value is a string held as an integer. */
    public static boolean isInt(final long address) {
        return encoding(address) == ENCODING_INT;
    }

    /** Expiry in ms since the epoch. */
    public static long expireAtMs(final long address) {
        return getLong(address + EXPIRE_AT_OFFSET);
    }

    static void expireAtMs(final long address, final long expireAtMs) {
        putLong(address + EXPIRE_AT_OFFSET, expireAtMs);
    }

    /** Address of the payload proper, behind a length if there is one. */
    public static long payloadAddress(final long address) {
        return address + (encoding(address) == ENCODING_SIZED ? SIZED_HEADER_BYTES : HEADER_BYTES);
    }

    /** Bytes of the payload proper. */
    public static int payloadLength(final long address) {
        return switch (encoding(address)) {
            case ENCODING_INT -> Long.BYTES;
            case ENCODING_SIZED -> getInt(address + HEADER_BYTES);
            default -> (getByte(address + WORDS_OFFSET) & 0xFF) * Long.BYTES;
        };
    }

    static void payloadLength(final long address, final int length) {
        putInt(address + HEADER_BYTES, length);
    }

    /** Whether a running snapshot need not save the entry any more. */
    public static boolean isSaved(final long address) {
        return (getByte(address + FLAGS_OFFSET) & SAVED_FLAG) != 0;
    }

    /** Sets or clears what {@link #isSaved} tells. */
    public static void saved(final long address, final boolean saved) {
        final int flags = getByte(address + FLAGS_OFFSET);
        putByte(address + FLAGS_OFFSET, (byte) (saved ? flags | SAVED_FLAG : flags & ~SAVED_FLAG));
    }

    static boolean isTorn(final long address) {
        return (getByte(address + FLAGS_OFFSET) & WRITING_FLAG) != 0;
    }
}
