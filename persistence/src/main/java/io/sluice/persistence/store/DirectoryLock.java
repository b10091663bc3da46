package io.sluice.persistence.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a data directory to one process. The operating system lets go of it when the process ends, however it ends. */
final class DirectoryLock implements AutoCloseable {

    static final String NAME = "keyspace.lock";

    private static final int PID_BYTES_MAX = 20;

    private final FileChannel channel;

    private DirectoryLock(final FileChannel channel) {
        this.channel = channel;
    }

    /** Locks it for a server, whose process others are told. */
    static DirectoryLock acquire(final Path directory) throws IOException, StoreOpenException {
        final DirectoryLock lock = acquireToRead(directory);
        lock.channel.truncate(0);
        final String pid = Long.toString(ProcessHandle.current().pid());
        lock.channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
        return lock;
    }

    /** Locks it and leaves the lock's file as it is. */
    static DirectoryLock acquireToRead(final Path directory) throws IOException, StoreOpenException {
        final FileChannel channel = FileChannel.open(
            directory.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (final OverlappingFileLockException ignored) {
            // This very process has it: refused as any other one.
        }
        if (lock == null) {
            final String owner = read(channel);
            channel.close();
            throw new StoreOpenException(
                StoreOpenException.Reason.LOCKED, directory + " is in use by process " + owner);
        }
        return new DirectoryLock(channel);
    }

    private static String read(final FileChannel channel) throws IOException {
        final ByteBuffer pid = ByteBuffer.allocate(PID_BYTES_MAX);
        channel.read(pid, 0);
        return new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
