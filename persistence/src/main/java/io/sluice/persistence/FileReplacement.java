package io.sluice.persistence;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;

/** Files that are replaced as a whole: after a kill, or a loss of power, there is the old one or the new one. */
public final class FileReplacement {

    private FileReplacement() {
    }

    /** As {@link #write}, of a text in ISO-8859-1 whose lines all end. */
    public static void writeLines(final Path file, final List<String> lines) throws IOException {
        write(file, lines.stream().map(line -> line + "\n").collect(Collectors.joining())
            .getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Gives a file this content, and leaves it to those who could read it. A failure leaves the old one. */
    public static void write(final Path file, final byte[] content) throws IOException {
        final Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
            if (Files.exists(file)) {
                Files.setPosixFilePermissions(temporary, Files.getPosixFilePermissions(file));
            }
            final ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        rename(temporary, file);
    }

    /**
     * Gives a finished file its name, which another one may have, and returns when the disk knows of it. What is in the
     * file has to be there before.
     */
    public static void rename(final Path finished, final Path name) throws IOException {
        Files.move(finished, name, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(name.toAbsolutePath().getParent())) {
            directory.force(true);
        }
    }
}
