package io.sluice.persistence;

import io.sluice.persistence.store.HeapStore;
import io.sluice.persistence.store.Store;

final class HeapStoreKeyspaceTest extends KeyspaceContractTest {

    @Override
    Store openStore() {
        return new HeapStore(42);
    }
}
