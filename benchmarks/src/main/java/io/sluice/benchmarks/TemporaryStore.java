package io.sluice.benchmarks;

import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.StoreConfig;
import io.sluice.persistence.store.StoreOpenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The store of a server, in a directory that goes when it is closed. */
final class TemporaryStore implements AutoCloseable {
    private final Path directory;
    private final ChronicleStore store;

    TemporaryStore() throws IOException, StoreOpenException {
        directory = Files.createTempDirectory("sluice-benchmark");
        store = ChronicleStore.open(StoreConfig.of(directory));
    }

    ChronicleStore store() {
        return store;
    }

    @Override
    public void close() throws IOException {
        store.close();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
