package io.sluice.persistence.store;

import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The contract, with a first file so small that every test grows over several. */
final class ChronicleStoreTest extends StoreContractTest {

    @TempDir
    Path directory;

    @Override
    Store open() throws StoreOpenException {
        return ChronicleStore.open(new StoreConfig(directory, 1, 0, 0, false));
    }
}
