package io.sluice.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * What a client has sent and nobody has executed yet: all of it in one direct buffer, so that a command lies in one
 * piece. While nothing is unread there is no buffer.
 */
final class QueryBuffer {
    /** A buffer is exchanged for a smaller one when more than this, and three quarters of it, is free. */
    private static final int SPARE_BYTES_MAX = 4096;

    private ByteBuf bytes;

    /** What is unread, or null. Whoever executes moves its reader index. */
    ByteBuf bytes() {
        return bytes;
    }

    boolean isEmpty() {
        return bytes == null;
    }

    int length() {
        return bytes == null ? 0 : bytes.readableBytes();
    }

    /** Takes over what was received: the first fragment as it came, later ones are copied behind it. */
    void add(ByteBuf received, ByteBufAllocator allocator) {
        if (bytes == null && received.hasMemoryAddress()) {
            bytes = received;
            return;
        }
        int length = received.readableBytes();
        int unread = length();
        if (bytes == null || bytes.writableBytes() < length) {
            move(Math.max(unread + length, 2 * unread), allocator);
        }
        bytes.writeBytes(received);
        received.release();
    }

    /** Takes over what another one holds. */
    void addAll(QueryBuffer other, ByteBufAllocator allocator) {
        ByteBuf taken = other.bytes;
        other.bytes = null;
        add(taken, allocator);
    }

    /** Gives memory back that unread bytes do not need. */
    void trim(ByteBufAllocator allocator) {
        int unread = length();
        if (unread == 0) {
            release();
        } else if (bytes.capacity() > 4 * unread + SPARE_BYTES_MAX) {
            move(unread, allocator);
        }
    }

    private void move(int capacity, ByteBufAllocator allocator) {
        ByteBuf moved = allocator.directBuffer(capacity);
        if (bytes != null) {
            moved.writeBytes(bytes);
            bytes.release();
        }
        bytes = moved;
    }

    void release() {
        if (bytes != null) {
            bytes.release();
            bytes = null;
        }
    }
}
