package io.sluice.persistence.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Looks through a map file that no server uses. Where nothing is wrong with its parts, there is still what only
 * Chronicle Map knows. That cannot be asked to read only, so the file is then copied to the temporary directory and
 * recovered there: what that would have put right is what is wrong with the file.
 */
public final class MapFileCheck {

    /** Findings that a report keeps. */
    private static final int FINDINGS_MAX = 1_000;

    /**
     * Something that is not as it should be.
     *
     * @param offset where in the file; that of the segment where the entry is not known
     * @param text   what
     */
    public record Finding(long offset, String text) {
    }

    /**
     * What a file holds.
     *
     * @param keys     sound entries
     * @param bytes    length of the file
     * @param findings what is wrong with it, by offset; nothing for a sound file
     */
    public record Report(long keys, long bytes, List<Finding> findings) {
    }

    private MapFileCheck() {
    }

    /**
     * Checks a file and leaves it as it is.
     *
     * @throws StoreOpenException when a server uses it
     * @throws IOException        when it or its copy cannot be read or written
     */
    public static Report check(final Path file) throws IOException, StoreOpenException {
        final Path directory = file.toAbsolutePath().getParent();
        if (!Files.exists(directory.resolve(DirectoryLock.NAME))) {
            return checkUnused(file);
        }
        try (DirectoryLock lock = DirectoryLock.acquireToRead(directory)) {
            assert lock != null;
            return checkUnused(file);
        }
    }

    private static Report checkUnused(final Path file) throws IOException {
        final long bytes = Files.size(file);
        final Optional<MapFiles.Found> found = MapFiles.found(file);
        if (found.isEmpty()) {
            return new Report(0, bytes, List.of(new Finding(0, "its name is not that of a map file")));
        }
        final List<Finding> findings = new ArrayList<>();
        final long keys;
        try {
            keys = MapFileScan.check(
                file, found.get().sizeClass(), MapFileScan.Rule.AT_REST, (offset, text) -> add(findings, offset, text));
        } catch (final IOException e) {
            return new Report(0, bytes, List.of(new Finding(0, "cannot be opened: " + e.getMessage())));
        }
        return findings.isEmpty() ? checkCopy(file, bytes) : report(keys, bytes, findings);
    }

    private static Report checkCopy(final Path file, final long bytes) throws IOException {
        final Path scratch = Files.createTempDirectory("sluice-check");
        try {
            Files.copy(file, scratch.resolve(file.getFileName()));
            return checkIn(scratch, bytes);
        } finally {
            try (DirectoryStream<Path> copies = Files.newDirectoryStream(scratch)) {
                for (final Path copy : copies) {
                    Files.delete(copy);
                }
            }
            Files.delete(scratch);
        }
    }

    private static Report checkIn(final Path scratch, final long bytes) throws IOException {
        final MapFiles files = new MapFiles(scratch, MapFiles.USABLE_SPACE);
        final List<Finding> findings = new ArrayList<>();
        final List<Finding> bySegment = new ArrayList<>();
        try (Generation map = files.recover(files.find().get(0),
            corruption -> add(bySegment, corruption.segmentIndex(), corruption.message()))) {
            map.load(value -> { }, offset -> add(findings, offset, MapFileScan.UNSOUND));
            bySegment.forEach(each -> add(findings, map.segmentOffset((int) each.offset), each.text));
            return report(map.entries(), bytes, findings);
        } catch (final IOException | RuntimeException | AssertionError | InternalError e) {
            return new Report(0, bytes, List.of(new Finding(0, "cannot be opened: " + e)));
        }
    }

    private static Report report(final long keys, final long bytes, final List<Finding> findings) {
        findings.sort(Comparator.comparingLong(Finding::offset));
        return new Report(keys, bytes, List.copyOf(findings));
    }

    private static void add(final List<Finding> findings, final long offset, final String text) {
        if (findings.size() < FINDINGS_MAX) {
            findings.add(new Finding(offset, text));
        }
    }
}
