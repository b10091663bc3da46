package io.sluice.persistence;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.putByte;
import static org.agrona.UnsafeApi.putInt;
import static org.agrona.UnsafeApi.putLong;
import static org.agrona.UnsafeApi.storeFence;

/**
 * The bytes of a value in the store, little-endian: drawn in {@code docs/FORMATS.md}, "Entry". Static accessors by the
 * value's native address; the only place that knows an offset.
 */
final class EntryLayout {

    static final int HEADER_BYTES = 12;
    /** A string that is held as an integer. */
    static final int INT_BYTES = HEADER_BYTES + Long.BYTES;
    /** What is in front of a payload that has a length of its own. */
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

    /**
     * Expiry of an entry that is being written anew, and of one whose header was never written: a process killed in
     * between leaves a key that has expired.
     */
    private static final long VOID_EXPIRY = 0;

    private EntryLayout() {
    }

    /** Type code, see {@link ValueType}. */
    static int type(final long address) {
        return getByte(address + TYPE_OFFSET) & 0xFF;
    }

    static int encoding(final long address) {
        return getByte(address + FLAGS_OFFSET) & ENCODING_MASK;
    }

    /** Whether the value is a string held as an integer. */
    static boolean isInt(final long address) {
        return encoding(address) == ENCODING_INT;
    }

    /** Expiry in ms since the epoch. */
    static long expireAtMs(final long address) {
        return getLong(address + EXPIRE_AT_OFFSET);
    }

    static void expireAtMs(final long address, final long expireAtMs) {
        putLong(address + EXPIRE_AT_OFFSET, expireAtMs);
    }

    /** Address of the payload proper, behind a length if there is one. */
    static long payloadAddress(final long address) {
        return address + (encoding(address) == ENCODING_SIZED ? SIZED_HEADER_BYTES : HEADER_BYTES);
    }

    /** Bytes of the payload proper. */
    static int payloadLength(final long address) {
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
    static boolean isSaved(final long address) {
        return (getByte(address + FLAGS_OFFSET) & SAVED_FLAG) != 0;
    }

    /** Sets or clears what {@link #isSaved} tells. */
    static void saved(final long address, final boolean saved) {
        final int flags = getByte(address + FLAGS_OFFSET);
        putByte(address + FLAGS_OFFSET, (byte) (saved ? flags | SAVED_FLAG : flags & ~SAVED_FLAG));
    }

    /** Total bytes of the value that are in use. */
    static int valueBytes(final long address) {
        return (int) (payloadAddress(address) - address) + payloadLength(address);
    }

    /** Makes the entry expired until {@link #write} or {@link #expireAtMs(long, long)} is called. */
    static void beginReplace(final long address) {
        expireAtMs(address, VOID_EXPIRY);
        storeFence();
    }

    /** Writes the header of a string that is held as an integer, and the integer. */
    static void writeInt(final long address, final long value, final long expireAtMs) {
        header(address, ValueType.STRING, ENCODING_INT, 0);
        putLong(address + HEADER_BYTES, value);
        storeFence();
        expireAtMs(address, expireAtMs);
    }

    /** Writes everything in front of a payload that is there already, expiry last. */
    static void write(
        final long address, final int type, final int encoding, final int payloadBytes, final long expireAtMs) {
        header(address, type, encoding, encoding == ENCODING_WORDS ? payloadBytes / Long.BYTES : 0);
        if (encoding == ENCODING_SIZED) {
            payloadLength(address, payloadBytes);
        }
        storeFence();
        expireAtMs(address, expireAtMs);
    }

    /** Whether the entry can be what this class wrote, within the bytes that it has. */
    static boolean isValid(final long address, final int capacity) {
        if (capacity < HEADER_BYTES || type(address) >= ValueType.COUNT) {
            return false;
        }
        final boolean string = type(address) == ValueType.STRING;
        return switch (encoding(address)) {
            case ENCODING_INT -> string && capacity >= INT_BYTES;
            case ENCODING_SIZED -> capacity >= SIZED_HEADER_BYTES
                && Integer.compareUnsigned(payloadLength(address), capacity - SIZED_HEADER_BYTES) <= 0;
            case ENCODING_WORDS -> !string && HEADER_BYTES + payloadLength(address) <= capacity;
            default -> false;
        };
    }

    /** One store of four bytes, so that no kill comes between type and encoding. */
    private static void header(final long address, final int type, final int encoding, final int words) {
        final int savedFlag = getByte(address + FLAGS_OFFSET) & SAVED_FLAG;
        putInt(address + TYPE_OFFSET, type | (encoding | savedFlag) << 8 | words << 16);
    }
}
