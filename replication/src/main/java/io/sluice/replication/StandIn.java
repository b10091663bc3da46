package io.sluice.replication;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.putByte;

import io.sluice.persistence.DecimalText;
import org.agrona.UnsafeApi;

/**
 * What a stock Redis replica gets in the place of a command of ours: as many bytes, so that offsets stay what they
 * are, and nothing of the value. A key that takes on one of our types is absent there: {@code DEL key}, then a {@code
 * PING} that fills the rest.
 */
final class StandIn implements AutoCloseable {

    private static final byte[] DEL = CommandBuffer.ascii("*2\r\n$3\r\nDEL\r\n");
    private static final byte[] PING = CommandBuffer.ascii("*2\r\n$4\r\nPING\r\n$");
    private static final byte[] RESTORE = CommandBuffer.ascii("\r\n$7\r\nRESTORE\r\n");
    private static final int LINE_END_BYTES = 2;

    private long address;
    private int capacity;
    private int length;

    long address() {
        return address;
    }

    /** Replaces a command, which begins at {@link #address()}, where {@link #reserve} made room for it. */
    void replace(final int bytes) {
        final int name = skipLine(0);
        final int key = name + RESTORE.length - LINE_END_BYTES;
        int used = 0;
        if (matches(name - LINE_END_BYTES, RESTORE)) {
            final int keyEnd = skipLine(key) + number(key + 1) + LINE_END_BYTES;
            UnsafeApi.copyMemory(address + key, address + DEL.length, keyEnd - key);
            write(0, DEL);
            used = DEL.length + keyEnd - key;
        }
        fill(used, bytes - used);
        length = bytes;
    }

    /** Room for a command of so many bytes. */
    long reserve(final int bytes) {
        if (bytes > capacity) {
            capacity = bytes;
            address = address == 0 ? UnsafeApi.allocateMemory(bytes) : UnsafeApi.reallocateMemory(address, bytes);
        }
        return address;
    }

    int length() {
        return length;
    }

    private void fill(final int from, final int bytes) {
        int position = from;
        int left = bytes;
        int blanks = left - PING.length - 2 * LINE_END_BYTES - 1;
        while (blanks > 0 && pingBytes(blanks) > left) {
            blanks--;
        }
        if (blanks > 0) {
            left -= pingBytes(blanks);
            position = write(position, PING);
            position += DecimalText.write(blanks, address + position);
            position = lineEnd(position);
            UnsafeApi.setMemory(address + position, blanks, (byte) ' ');
            position = lineEnd(position + blanks);
        }
        // Empty lines are passed over and counted.
        UnsafeApi.setMemory(address + position, left, (byte) '\n');
    }

    private static int pingBytes(final int blanks) {
        return PING.length + DecimalText.length(blanks) + 2 * LINE_END_BYTES + blanks;
    }

    private int write(final int position, final byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            putByte(address + position + i, bytes[i]);
        }
        return position + bytes.length;
    }

    private int lineEnd(final int position) {
        putByte(address + position, (byte) '\r');
        putByte(address + position + 1, (byte) '\n');
        return position + LINE_END_BYTES;
    }

    private boolean matches(final int position, final byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (getByte(address + position + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    private int number(final int position) {
        int value = 0;
        for (int i = position; getByte(address + i) != '\r'; i++) {
            value = value * 10 + getByte(address + i) - '0';
        }
        return value;
    }

    private int skipLine(final int position) {
        int i = position;
        while (getByte(address + i) != '\n') {
            i++;
        }
        return i + 1;
    }

    @Override
    public void close() {
        if (address != 0) {
            UnsafeApi.freeMemory(address);
            address = 0;
        }
    }
}
