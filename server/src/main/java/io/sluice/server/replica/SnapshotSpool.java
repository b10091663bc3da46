package io.sluice.server.replica;

import io.sluice.persistence.snapshot.SnapshotSink;
import io.sluice.replication.StoredSnapshot;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A snapshot on its way to replicas by way of a file, which has no name any more once it is open: the disk thread
 * writes it, the event loop reads it when it is complete.
 */
final class SnapshotSpool implements SnapshotSink, StoredSnapshot {
    private static final String FILE_NAME = "temp-replica.rdb";
    private static final int PART_BYTES_MAX = 64 << 10;

    private final Path path;
    private final ByteBuffer part = ByteBuffer.allocateDirect(PART_BYTES_MAX);
    private FileChannel channel;
    private volatile long length = -1;

    SnapshotSpool(Path directory) {
        path = directory.resolve(FILE_NAME);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (channel == null) {
            channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.READ, StandardOpenOption.WRITE);
            Files.delete(path);
        }
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void complete() throws IOException {
        length = channel.position();
    }

    @Override
    public void abort() {
        closeFile();
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int read(long position, long target, int bytesMax) throws IOException {
        part.clear().limit(Math.min(bytesMax, PART_BYTES_MAX));
        int read = channel.read(part, position);
        if (read <= 0) {
            throw new EOFException("the snapshot has no byte " + position);
        }
        UnsafeApi.copyMemory(BufferUtil.address(part), target, read);
        return read;
    }

    @Override
    public void close() {
        if (length >= 0) {
            closeFile();
        }
    }

    private void closeFile() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
