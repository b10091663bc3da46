package io.sluice.persistence;

import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.Store;
import io.sluice.persistence.store.StoreConfig;
import io.sluice.persistence.store.StoreOpenException;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The contract, with a first file so small that the keys spread over several. */
final class ChronicleStoreKeyspaceTest extends KeyspaceContractTest {

    @TempDir
    Path directory;

    @Override
    Store openStore() {
        try {
            return ChronicleStore.open(new StoreConfig(directory, 1, 0, 0, false));
        } catch (final StoreOpenException e) {
            throw new IllegalStateException(e);
        }
    }
}
