package io.sluice.persistence.snapshot;

import io.sluice.persistence.FileReplacement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A snapshot in a file. It is written under a temporary name beside its target, forced to the disk, and renamed when
 * it is complete, so that under the target's name there is a whole snapshot at any time.
 */
public final class SnapshotFile implements SnapshotSink {

    private final Path target;
    private final Path temporary;
    private FileChannel channel;

    /** A file that will replace what is at {@code target}. */
    public SnapshotFile(final Path target) {
        this.target = target;
        temporary = target.resolveSibling("temp-" + target.getFileName());
    }

    @Override
    public void write(final ByteBuffer bytes) throws IOException {
        if (channel == null) {
            channel = FileChannel.open(
                temporary,
                StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        }
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void complete() throws IOException {
        channel.force(true);
        channel.close();
        FileReplacement.rename(temporary, target);
    }

    @Override
    public void abort() {
        try {
            if (channel != null) {
                channel.close();
            }
            Files.deleteIfExists(temporary);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
