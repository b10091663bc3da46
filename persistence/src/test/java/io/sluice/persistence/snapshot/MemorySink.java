package io.sluice.persistence.snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;

/** A sink that keeps what it is given, and fails after so many bytes when told to. */
final class MemorySink implements SnapshotSink {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final long failAfter;
    boolean completed;
    boolean aborted;

    MemorySink() {
        this(Long.MAX_VALUE);
    }

    MemorySink(final long failAfter) {
        this.failAfter = failAfter;
    }

    @Override
    public void write(final ByteBuffer buffer) throws IOException {
        if (bytes.size() + buffer.remaining() > failAfter) {
            throw new IOException("no space left");
        }
        while (buffer.hasRemaining()) {
            bytes.write(buffer.get());
        }
    }

    @Override
    public void complete() {
        completed = true;
    }

    @Override
    public void abort() {
        aborted = true;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    static ReadableByteChannel channel(final byte[] bytes) {
        return Channels.newChannel(new ByteArrayInputStream(bytes));
    }
}
