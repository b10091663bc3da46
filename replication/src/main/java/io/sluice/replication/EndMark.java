package io.sluice.replication;

import io.netty.buffer.ByteBuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The forty bytes by which the end of a snapshot of unknown length is known: the last ones that were received. */
final class EndMark {

    static final int LENGTH = ReplicationId.LENGTH;

    private final byte[] mark;
    private final byte[] last = new byte[LENGTH];

    EndMark(final String mark) {
        this.mark = mark.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Takes the next bytes, and tells whether the mark is what has come last. */
    boolean isReached(final ByteBuf part) {
        final int length = part.readableBytes();
        final int taken = Math.min(LENGTH, length);
        System.arraycopy(last, taken, last, 0, LENGTH - taken);
        part.getBytes(part.writerIndex() - taken, last, LENGTH - taken, taken);
        return Arrays.equals(mark, last);
    }
}
