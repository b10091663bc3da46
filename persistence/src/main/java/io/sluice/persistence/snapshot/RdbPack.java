package io.sluice.persistence.snapshot;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.getShort;

/**
 * Elements that Redis keeps in one string, as {@code redis/src} defines it: read one after the other from untrusted
 * bytes. Nothing outside the string is touched, whatever it holds.
 */
abstract class RdbPack {

    /** Last byte of all packs but one. */
    static final int END = 0xFF;

    private long address;
    private int length;
    private int position;

    /**
     * Begins to read a string.
     *
     * @return false if it cannot be a pack of this kind
     */
    final boolean open(final long newAddress, final int newLength) {
        address = newAddress;
        length = newLength;
        position = 0;
        return head();
    }

    /** Passes over what comes before the first element. Returns false if it is not right. */
    abstract boolean head();

    /** Whether all elements were read, and nothing follows them. */
    abstract boolean isAtEnd();

    /** Reads the next element. Returns false if there is none or it is damaged. */
    abstract boolean next(RdbElement into);

    final int length() {
        return length;
    }

    final int position() {
        return position;
    }

    final int left() {
        return length - position;
    }

    /** Passes over so many bytes. Returns false if there are not so many. */
    final boolean skip(final long bytes) {
        if (bytes < 0 || bytes > left()) {
            return false;
        }
        position += (int) bytes;
        return true;
    }

    /** The byte so many behind the current one, which must be there. */
    final int byteAt(final int ahead) {
        return getByte(address + position + ahead) & 0xFF;
    }

    final int shortAt(final int ahead) {
        return getShort(address + position + ahead);
    }

    /** Three bytes with a sign. */
    final int mediumAt(final int ahead) {
        return byteAt(ahead) | byteAt(ahead + 1) << 8 | (byte) byteAt(ahead + 2) << 16;
    }

    final int intAt(final int ahead) {
        return getInt(address + position + ahead);
    }

    final long longAt(final int ahead) {
        return getLong(address + position + ahead);
    }

    /** Whether only the end mark is left. */
    final boolean isAtMark() {
        return left() == 1 && byteAt(0) == END;
    }

    /** Takes a string behind a head of so many bytes; passes over both. Returns false if they are not there. */
    final boolean string(final int headBytes, final long bytes, final RdbElement into) {
        if (bytes < 0 || headBytes + bytes > left()) {
            return false;
        }
        into.bytes(address + position + headBytes, (int) bytes);
        return skip(headBytes + bytes);
    }

    /** Takes an integer of so many bytes behind a head; passes over both. Returns false if they are not there. */
    final boolean integer(final int headBytes, final int bytes, final RdbElement into) {
        if (headBytes + bytes > left()) {
            return false;
        }
        into.integer(switch (bytes) {
            case Byte.BYTES -> (byte) byteAt(headBytes);
            case Short.BYTES -> shortAt(headBytes);
            case Integer.BYTES -> intAt(headBytes);
            case Long.BYTES -> longAt(headBytes);
            default -> mediumAt(headBytes);
        });
        return skip(headBytes + bytes);
    }
}
