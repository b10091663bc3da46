package io.sluice.persistence.store;

final class HeapStoreTest extends StoreContractTest {

    @Override
    Store open() {
        return new HeapStore(42);
    }
}
