package io.sluice.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.sluice.persistence.KeyspaceDriver.Held;
import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.Store;
import io.sluice.persistence.store.StoreConfig;
import io.sluice.persistence.store.StoreOpenException;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The contract, with a first file so small that the keys spread over several. */
final class ChronicleStoreKeyspaceTest extends KeyspaceContractTest {

    @TempDir
    Path directory;

    @Override
    Store openStore() {
        return openStore("data");
    }

    private Store openStore(final String name) {
        try {
            return ChronicleStore.open(new StoreConfig(directory.resolve(name), 1, 0, 0, false));
        } catch (final StoreOpenException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldHoldEverythingAfterItWasClosedAndOpened() {
        final Random random = new Random(17);
        final List<Map<String, Held>> before = new ArrayList<>();
        final long advanceMs;
        try (KeyspaceDriver first = new KeyspaceDriver(openStore("again"))) {
            final KeyspaceModel model = new KeyspaceModel(first, random);
            for (int i = 0; i < 5_000; i++) {
                model.step();
            }
            first.put(0, "at least this", "one");
            for (int db = 0; db < first.keyspace.databases(); db++) {
                before.add(first.all(db));
            }
            advanceMs = first.nowMs() - KeyspaceDriver.START_MS;
        }
        try (KeyspaceDriver second = new KeyspaceDriver(openStore("again"))) {
            second.advanceMs(advanceMs);
            for (int db = 0; db < second.keyspace.databases(); db++) {
                assertEquals(before.get(db), second.all(db));
            }
            assertEquals(0, second.keyspace.damaged());
        }
    }

    @Test
    void shouldAllocateNothingWhenItDecides() {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final int rounds = 50_000;
        try (KeyspaceDriver own = new KeyspaceDriver(openStore("allocation"))) {
            final Keyspace keyspace = own.keyspace;
            final long key = UnsafeApi.allocateMemory(Long.BYTES);
            final Entry entry = new Entry();
            final long[] words = {1, 2, 3};
            long allocated = 0;
            for (int i = 0; i < 2 * rounds; i++) {
                if (i == rounds) {
                    allocated = threads.getCurrentThreadAllocatedBytes();
                }
                keyspace.begin(own.nowNs());
                UnsafeApi.putLong(key, i % 100);
                keyspace.lookupRead(entry, i % 3, key, Long.BYTES);
                if (i % 3 == 0) {
                    keyspace.putWords(entry, ValueType.BUCKET, words, words.length, own.nowMs() + i);
                } else {
                    keyspace.putInt(entry, i, own.nowMs() + i);
                }
                keyspace.end();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
            UnsafeApi.freeMemory(key);
            assertTrue(allocated < rounds, "bytes allocated by " + rounds + " decisions: " + allocated);
        }
    }
}
