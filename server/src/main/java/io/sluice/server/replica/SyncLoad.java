package io.sluice.server.replica;

import io.netty.buffer.ByteBuf;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.snapshot.SnapshotException;
import io.sluice.persistence.snapshot.SnapshotLoader;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A snapshot that a primary sends: written to a file on the disk thread as it arrives, read through there when it is
 * complete, and only then loaded, in slices on the event loop. So what is stored stays until it is known to be
 * replaced by something whole.
 */
final class SyncLoad {
    private static final String FILE_NAME = "temp-sync.rdb";
    /** Bytes on their way to the disk thread; above this the primary is not read from. */
    private static final int PENDING_BYTES_MAX = 4 << 20;

    private final Path path;
    private final Executor disk;
    private final Consumer<Runnable> loop;
    private final Keyspace keyspace;
    private final Consumer<Boolean> reading;
    private FileChannel channel;
    private FileChannel source;
    private SnapshotLoader loader;
    /** Owned by the event loop. */
    private int pendingBytes;
    /** All bytes have come: whether the primary is read from is not decided here any more. */
    private boolean complete;
    private boolean cancelled;
    /** Why the disk thread gave up. */
    private volatile String failure;

    /**
     * @param disk    runs what touches the file while it is written, one task after the other
     * @param loop    hands tasks to the event loop
     * @param reading switches reading from the primary on and off
     */
    SyncLoad(Path directory, Executor disk, Consumer<Runnable> loop, Keyspace keyspace, Consumer<Boolean> reading) {
        path = directory.resolve(FILE_NAME);
        this.disk = disk;
        this.loop = loop;
        this.keyspace = keyspace;
        this.reading = reading;
    }

    /** Takes the next bytes. */
    void write(ByteBuf bytes) {
        int length = bytes.readableBytes();
        pendingBytes += length;
        if (pendingBytes > PENDING_BYTES_MAX) {
            reading.accept(false);
        }
        disk.execute(() -> {
            append(bytes);
            loop.accept(() -> written(length));
        });
    }

    private void written(int length) {
        boolean wasOver = pendingBytes > PENDING_BYTES_MAX;
        pendingBytes -= length;
        if (wasOver && pendingBytes <= PENDING_BYTES_MAX && !complete && !cancelled) {
            reading.accept(true);
        }
    }

    /** Why a snapshot cannot be loaded. */
    static String reason(Exception e) {
        return e instanceof SnapshotException ? e.getMessage() : e.toString();
    }

    private void append(ByteBuf bytes) {
        try {
            if (failure == null) {
                if (channel == null) {
                    Files.createDirectories(path.toAbsolutePath().getParent());
                    channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
                }
                while (bytes.isReadable()) {
                    bytes.readBytes(channel, bytes.readableBytes());
                }
            }
        } catch (IOException e) {
            failure = e.toString();
        } finally {
            bytes.release();
        }
    }

    /**
     * All bytes were written. Checks them on the disk thread.
     *
     * @param checked gets null when the snapshot can be loaded, else the reason why not
     */
    void check(Consumer<String> checked) {
        complete = true;
        disk.execute(() -> {
            if (failure == null) {
                try (FileChannel whole = FileChannel.open(path)) {
                    channel.close();
                    SnapshotLoader.check(whole, keyspace, Keyspace.BEFORE_ALL_EXPIRY_NS);
                } catch (IOException | RuntimeException e) {
                    failure = reason(e);
                }
            }
            loop.accept(() -> {
                if (!cancelled) {
                    checked.accept(failure);
                }
            });
        });
    }

    /**
     * Begins to load. What is stored must be gone.
     *
     * @param skippedKeys is told which keys the primary has and this server will not have
     */
    void begin(SnapshotLoader.SkippedKeys skippedKeys) throws IOException {
        source = FileChannel.open(path);
        loader = new SnapshotLoader(source, keyspace, Keyspace.BEFORE_ALL_EXPIRY_NS, skippedKeys);
    }

    boolean isLoading() {
        return loader != null;
    }

    /**
     * Loads for a while, and looks at the time after each entry, any of which may be large.
     *
     * @return whether all is loaded
     */
    boolean loadSome(BooleanSupplier timeIsUp) throws IOException {
        boolean atEnd = false;
        while (!atEnd && !timeIsUp.getAsBoolean()) {
            atEnd = loader.loadSome(1);
        }
        return atEnd;
    }

    SnapshotLoader.Report report() {
        return loader.report();
    }

    /** Ends, whatever it is at, and leaves no file. */
    void close() {
        cancelled = true;
        if (loader != null) {
            loader.close();
        }
        disk.execute(() -> {
            try {
                if (channel != null) {
                    channel.close();
                }
                if (source != null) {
                    source.close();
                }
                Files.deleteIfExists(path);
            } catch (IOException e) {
                failure = e.toString();
            }
        });
    }
}
