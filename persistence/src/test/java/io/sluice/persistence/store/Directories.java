package io.sluice.persistence.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Copies and compares data directories. */
final class Directories {

    private Directories() {
    }

    /** What a killed process leaves: the files as they are while a store has them open. */
    static Path crashImage(final Path directory, final Path image) throws IOException {
        Files.createDirectories(image);
        for (final Path file : files(directory)) {
            Files.copy(file, image.resolve(file.getFileName()));
        }
        return image;
    }

    static Path[] files(final Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toArray(Path[]::new);
        }
    }

    /** Names with a hash of the content. */
    static Map<String, Integer> content(final Path directory) throws IOException {
        final Map<String, Integer> content = new TreeMap<>();
        for (final Path file : files(directory)) {
            content.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
        return content;
    }

    static StoreConfig tiny(final Path directory) {
        return new StoreConfig(directory, 1, 0, 0, false);
    }

    static StoreConfig tinyAndExpendable(final Path directory) {
        return new StoreConfig(directory, 1, 0, 0, true);
    }
}
