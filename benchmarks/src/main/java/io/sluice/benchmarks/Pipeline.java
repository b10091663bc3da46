package io.sluice.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** One command several times in a row, as a client sends it, each with a key of its own. */
final class Pipeline implements AutoCloseable {
    private final ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final int[] keyOffsets;

    /**
     * Makes the requests.
     *
     * @param command words with blanks in between, {@link Keys#FIRST} one of them
     * @param size    how many times
     */
    Pipeline(String command, int size) {
        String request = RequestTemplate.encode(command);
        keyOffsets = new int[size];
        for (int i = 0; i < size; i++) {
            keyOffsets[i] = bytes.writerIndex() + request.indexOf(Keys.FIRST);
            bytes.writeCharSequence(request, StandardCharsets.ISO_8859_1);
        }
    }

    /** The requests with random keys, unread. */
    ByteBuf random(Keys keys) {
        for (int offset : keyOffsets) {
            Keys.number(bytes, offset, keys.random());
        }
        return bytes.readerIndex(0);
    }

    /** The requests with keys from this number on, the first key after the last, unread. */
    ByteBuf from(int number, Keys keys) {
        for (int i = 0; i < keyOffsets.length; i++) {
            Keys.number(bytes, keyOffsets[i], (number + i) % keys.count());
        }
        return bytes.readerIndex(0);
    }

    @Override
    public void close() {
        bytes.release();
    }
}
