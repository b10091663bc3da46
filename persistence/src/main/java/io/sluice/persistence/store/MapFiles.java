package io.sluice.persistence.store;

import io.sluice.persistence.FileReplacement;
import net.openhft.chronicle.hash.ChronicleHashCorruption;
import net.openhft.chronicle.hash.impl.SizePrefixedBlob;
import net.openhft.chronicle.hash.impl.VanillaChronicleHash;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.agrona.UnsafeApi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes, finds and opens map files. Has no state, so any thread may make the next file. */
final class MapFiles {

    /** Left free on the disk by a new file. */
    static final long DISK_RESERVE_BYTES = 32L << 20;

    static final DiskSpace USABLE_SPACE = directory -> Files.getFileStore(directory).getUsableSpace();

    private static final Pattern NAME = Pattern.compile(
        "keyspace-(small|medium|large)-([0-9]|[1-5][0-9]|6[0-3])\\.map");
    private static final String UNFINISHED = ".creating";
    private static final int COPY_BYTES = 1 << 20;

    private final Path directory;
    private final DiskSpace diskSpace;

    /** Tells how many bytes of a disk are usable. */
    @FunctionalInterface
    interface DiskSpace {

        long usableBytes(Path directory) throws IOException;
    }

    /** A map file that is there. */
    record Found(SizeClass sizeClass, int number, Path path) {
    }

    MapFiles(final Path directory, final DiskSpace diskSpace) {
        this.directory = directory;
        this.diskSpace = diskSpace;
    }

    static String name(final SizeClass sizeClass, final int number) {
        return "keyspace-" + sizeClass.label + "-" + number + ".map";
    }

    /** All map files by class and age. Files whose making was cut short, which never held a key, are deleted. */
    List<Found> find() throws IOException {
        final List<Found> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "keyspace-*")) {
            for (final Path path : files) {
                final Optional<Found> file = found(path);
                file.ifPresent(found::add);
                if (path.getFileName().toString().endsWith(".map" + UNFINISHED)) {
                    Files.delete(path);
                }
            }
        }
        found.sort(Comparator.comparing(Found::sizeClass).thenComparingInt(Found::number));
        return found;
    }

    /** What the name of a file says; nothing if it is not that of a map file. */
    static Optional<Found> found(final Path path) {
        final Matcher matcher = NAME.matcher(path.getFileName().toString());
        return matcher.matches()
            ? Optional.of(new Found(
                SizeClass.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)), Integer.parseInt(matcher.group(2)), path))
            : Optional.empty();
    }

    /** Throws unless a file of so many bytes leaves the reserve. */
    void checkSpace(final long bytes) throws IOException, StoreOpenException {
        final long usable = diskSpace.usableBytes(directory);
        if (usable - bytes < DISK_RESERVE_BYTES) {
            throw new StoreOpenException(
                StoreOpenException.Reason.NO_SPACE,
                "no space on the disk of " + directory + ": " + bytes + " bytes wanted besides a reserve of "
                    + DISK_RESERVE_BYTES + ", " + usable + " usable");
        }
    }

    /**
     * Makes a file, with every block allocated, so that a full disk is an error here and not a signal later. The file
     * gets its name when it is complete.
     */
    Generation create(final SizeClass sizeClass, final int number, final int segments)
        throws IOException, StoreOpenException {
        checkSpace(sizeClass.fileBytes(segments));
        final Path path = directory.resolve(name(sizeClass, number));
        final Path unfinished = directory.resolve(name(sizeClass, number) + UNFINISHED);
        Files.deleteIfExists(unfinished);
        ChronicleMap<byte[], byte[]> map = null;
        try {
            map = builder()
                .actualSegments(segments)
                .entries((long) segments * sizeClass.entriesPerSegmentAsked)
                .entriesPerSegment(sizeClass.entriesPerSegmentAsked)
                .actualChunkSize(sizeClass.chunkBytes)
                .actualChunksPerSegmentTier(sizeClass.chunksPerSegment)
                .createPersistedTo(unfinished.toFile());
            allocateBlocks(unfinished, ((VanillaChronicleHash<?, ?, ?, ?>) map).bsAddress());
            FileReplacement.rename(unfinished, path);
            return generation(sizeClass, number, path, map);
        } catch (final IOException | RuntimeException | InternalError e) {
            if (map != null) {
                map.close();
            }
            Files.deleteIfExists(unfinished);
            throw cannotMake(path, e);
        }
    }

    /** A disk that fills up meanwhile shows as an I/O error, or as an internal one where a mapping was written to. */
    private static StoreOpenException cannotMake(final Path path, final Throwable cause) {
        final String message = String.valueOf(cause.getMessage());
        final boolean full = cause instanceof InternalError
            || message.contains("No space left") || message.contains("Not enough space");
        return new StoreOpenException(
            full ? StoreOpenException.Reason.NO_SPACE : StoreOpenException.Reason.NOT_WRITABLE,
            "cannot make " + path + (full ? ": no space on the disk" : ": " + message), cause);
    }

    /** Opens a file that was closed cleanly. */
    Generation open(final Found found) throws IOException {
        return generation(found.sizeClass, found.number, found.path, builder().createPersistedTo(found.path.toFile()));
    }

    /** Opens a file whose last user may have been killed at any time: clears locks, rebuilds what is derived. */
    Generation recover(final Found found, final ChronicleHashCorruption.Listener listener) throws IOException {
        markReady(found.path);
        return generation(
            found.sizeClass, found.number, found.path,
            builder().recoverPersistedTo(found.path.toFile(), false, corruption -> {
                // Where to look for free chunks is only a hint, and often behind.
                if (!corruption.message().contains("lowest free chunk")) {
                    listener.onCorruption(corruption);
                }
            }));
    }

    /**
     * Replaces a damaged file by a copy that has its sound entries. It keeps its bytes and gets another name.
     *
     * @param aside the other name
     * @return how many entries were left out
     */
    long salvage(final Found found, final Path aside) throws IOException, StoreOpenException {
        checkSpace(Files.size(found.path));
        final Path copy = directory.resolve(found.path.getFileName() + UNFINISHED);
        try {
            Files.copy(found.path, copy, StandardCopyOption.REPLACE_EXISTING);
            final long left = MapFileScan.clearUnsound(copy, found.sizeClass);
            Files.move(found.path, aside);
            FileReplacement.rename(copy, found.path);
            return left;
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /** Has the operating system write everything to disk. */
    void sync() throws IOException {
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, "keyspace-*.map")) {
            for (final Path path : paths) {
                try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                    channel.force(true);
                }
            }
        }
    }

    private static Generation generation(
        final SizeClass sizeClass, final int number, final Path path, final ChronicleMap<byte[], byte[]> map)
        throws IOException {
        final VanillaChronicleHash<?, ?, ?, ?> internals = (VanillaChronicleHash<?, ?, ?, ?>) map;
        if (internals.chunkSize != sizeClass.chunkBytes
            || internals.actualChunksPerSegmentTier != sizeClass.chunksPerSegment
            || internals.maxEntriesPerHashLookup < sizeClass.entriesPerSegment) {
            map.close();
            throw new IOException(path + " is cut into other pieces than a file of its name");
        }
        return new Generation(sizeClass, number, path, Files.size(path), map);
    }

    private static ChronicleMapBuilder<byte[], byte[]> builder() {
        return ChronicleMapBuilder.of(byte[].class, byte[].class)
            .name("sluice")
            // With checksums, a kill between value and checksum makes recovery delete the key.
            .checksumEntries(false)
            .allowSegmentTiering(false)
            // The hook would unmap the file under the thread that owns the store.
            .skipCloseOnExitHook(true);
    }

    /**
     * Writes every page of a fresh file once, which allocates its blocks or fails cleanly, then touches every page of
     * the mapping, so that the owner does not pay for the faults.
     */
    private static void allocateBlocks(final Path path, final long address) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            final ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
            final long size = channel.size();
            for (long at = 0; at < size;) {
                buffer.clear().limit((int) Math.min(COPY_BYTES, size - at));
                while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {
                    continue;
                }
                buffer.flip();
                while (buffer.hasRemaining()) {
                    at += channel.write(buffer, at);
                }
            }
            for (long at = 0; at < size; at += UnsafeApi.pageSize()) {
                UnsafeApi.putByteOpaque(null, address + at, UnsafeApi.getByte(address + at));
            }
        }
    }

    /**
     * Marks the header ready, which a recovery that was killed leaves undone. Chronicle Map would wait a minute for
     * somebody else to do it.
     */
    private static void markReady(final Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            channel.read(word, SizePrefixedBlob.SIZE_WORD_OFFSET);
            if (!SizePrefixedBlob.isReady(word.getInt(0))) {
                word.putInt(0, word.getInt(0) & ~SizePrefixedBlob.NOT_COMPLETE).rewind();
                channel.write(word, SizePrefixedBlob.SIZE_WORD_OFFSET);
            }
        }
    }
}
