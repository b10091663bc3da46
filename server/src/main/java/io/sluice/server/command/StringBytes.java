package io.sluice.server.command;

import io.sluice.persistence.DecimalText;
import io.sluice.persistence.Entry;
import org.agrona.BufferUtil;

import java.nio.ByteBuffer;

/** The bytes of a string, also of one that is held as an integer: valid until the next write. */
final class StringBytes {
    /** Text of a string that is held as an integer. */
    private final ByteBuffer integerText = ByteBuffer.allocateDirect(DecimalText.BYTES_MAX);
    private final long integerTextAddress = BufferUtil.address(integerText);
    private long address;
    private int length;

    /** Shows the string of an entry; of one that is not there, nothing. */
    StringBytes of(Entry entry) {
        if (!entry.exists()) {
            length = 0;
        } else if (entry.isInt()) {
            address = integerTextAddress;
            length = DecimalText.write(entry.intValue(), integerTextAddress);
        } else {
            address = entry.payloadAddress();
            length = entry.payloadLength();
        }
        return this;
    }

    /** Native address of the first byte. */
    long address() {
        return address;
    }

    int length() {
        return length;
    }
}
