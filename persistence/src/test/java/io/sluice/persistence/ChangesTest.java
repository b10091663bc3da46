package io.sluice.persistence;

import static io.sluice.persistence.Entry.NO_EXPIRY;
import static io.sluice.persistence.KeyspaceDriver.START_MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.persistence.collection.ZSetValue;
import io.sluice.persistence.store.HeapStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What observers and the effect sink are told. */
class ChangesTest {

    private final KeyspaceDriver driver =
        new KeyspaceDriver(new HeapStore(3), 16, new KeyspaceLimits(100, 0, EvictionPolicy.VOLATILE_TTL));
    private final List<String> heard = new ArrayList<>();

    private final KeyObserver observer = new KeyObserver() {
        @Override
        public void keyTouched(final int db, final long keyAddress, final int keyLength) {
            heard.add("touched " + db + " " + KeyspaceDriver.text(keyAddress, keyLength));
        }

        @Override
        public void keyEvent(final KeyEvent event, final int db, final long keyAddress, final int keyLength) {
            heard.add(event.eventName() + " " + db + " " + KeyspaceDriver.text(keyAddress, keyLength));
        }

        @Override
        public void databaseReplaced(final int db) {
            heard.add("replaced " + db);
        }
    };

    private final EffectSink effects = new EffectSink() {
        @Override
        public void unitBegin() {
            heard.add("[");
        }

        @Override
        public void unitEnd() {
            heard.add("]");
        }

        @Override
        public void put(final Entry entry) {
            heard.add("put " + entry.db() + " " + KeyspaceDriver.key(entry) + " "
                + KeyspaceDriver.held(entry).payload() + (entry.hasExpiry() ? " " + entry.expireAtMs() : ""));
        }

        @Override
        public void ownChanged(final Entry entry, final byte[] command, final long[] numbers) {
            heard.add(new String(command, StandardCharsets.US_ASCII) + " " + entry.db() + " "
                + KeyspaceDriver.key(entry) + " " + Arrays.toString(numbers));
        }

        @Override
        public void relayed(final byte[]... words) {
            heard.add("relayed " + words.length);
        }

        @Override
        public void remove(final int db, final long keyAddress, final int keyLength) {
            heard.add("remove " + db + " " + KeyspaceDriver.text(keyAddress, keyLength));
        }

        @Override
        public void expireAt(final int db, final long keyAddress, final int keyLength, final long expireAtMs) {
            heard.add("expire " + db + " " + KeyspaceDriver.text(keyAddress, keyLength) + " " + expireAtMs);
        }

        @Override
        public void flushDb(final int db) {
            heard.add("flush " + db);
        }

        @Override
        public void flushAll() {
            heard.add("flush all");
        }

        @Override
        public void swapDb(final int a, final int b) {
            heard.add("swap " + a + " " + b);
        }

        @Override
        public void listPushed(final Entry entry, final boolean first, final long address, final int length) {
            heard.add("listPushed " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void listPopped(final Entry entry, final boolean first, final int elements) {
            heard.add("listPopped " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void listSet(final Entry entry, final int position, final long address, final int length) {
            heard.add("listSet " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void listInserted(
            final Entry entry, final boolean before, final long pivotAddress, final int pivotLength,
            final long address, final int length) {
            heard.add("listInserted " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void listRemoved(final Entry entry, final long count, final long address, final int length) {
            heard.add("listRemoved " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void hashPut(
            final Entry entry, final long fieldAddress, final int fieldLength, final long valueAddress,
            final int valueLength) {
            heard.add("hashPut " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void hashRemoved(final Entry entry, final long fieldAddress, final int fieldLength) {
            heard.add("hashRemoved " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void setAdded(final Entry entry, final long address, final int length) {
            heard.add("setAdded " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void setRemoved(final Entry entry, final long address, final int length) {
            heard.add("setRemoved " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void zsetPut(final Entry entry, final double score, final long address, final int length) {
            heard.add("zsetPut " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void zsetRemoved(final Entry entry, final long address, final int length) {
            heard.add("zsetRemoved " + entry.db() + " " + KeyspaceDriver.key(entry));
        }

        @Override
        public void zsetRunRemoved(final Entry entry, final int from, final int members) {
            heard.add("zsetRunRemoved " + entry.db() + " " + KeyspaceDriver.key(entry));
        }
    };

    @AfterEach
    void close() {
        driver.close();
    }

    private void expect(final String... expected) {
        assertEquals(List.of(expected), heard);
        heard.clear();
    }

    @Test
    void shouldTellObserversOfEveryChange() {
        driver.keyspace.observer(observer);
        driver.put(1, "k", "v");
        driver.append(1, "k", "w");
        driver.expireAt(1, "k", START_MS + 1_000);
        driver.persist(1, "k");
        driver.rename(1, "k", 2, "r");
        driver.remove(2, "r");
        expect("touched 1 k", "touched 1 k", "touched 1 k", "touched 1 k", "touched 2 r", "touched 1 k",
            "touched 2 r");
        driver.put(3, "k", "v");
        driver.swapDb(3, 4);
        driver.flushDb(4);
        driver.flushDb(4);
        expect("touched 3 k", "replaced 3", "replaced 4", "replaced 4");
    }

    @Test
    void shouldTellOfWhatChangesNothingToNobody() {
        driver.put(0, "k", "v");
        driver.keyspace.observer(observer);
        driver.keyspace.effects(effects);
        final long dirty = driver.keyspace.dirty();
        driver.remove(0, "absent");
        driver.expireAt(0, "absent", START_MS);
        driver.persist(0, "k");
        driver.setRange(0, "k", 5, "");
        driver.rename(0, "k", 0, "k");
        driver.copy(0, "k", 0, "k");
        driver.swapDb(5, 5);
        driver.flushDb(9);
        assertThrows(ValueTooLargeException.class, () -> driver.setRange(0, "k", 1L << 40, "x"));
        heard.removeIf(line -> line.equals("[") || line.equals("]"));
        expect();
        assertEquals(dirty, driver.keyspace.dirty());
    }

    @Test
    void shouldGiveEffectsInAbsoluteFormWithinTheirUnit() {
        driver.keyspace.effects(effects);
        driver.putInt(0, "k", 5, START_MS + 7);
        expect("[", "put 0 k 5 " + (START_MS + 7), "]");
        driver.append(0, "k", "x");
        expect("[", "put 0 k 5x " + (START_MS + 7), "]");
        driver.expireAt(0, "k", START_MS + 9);
        expect("[", "expire 0 k " + (START_MS + 9), "]");
        driver.persist(0, "k");
        expect("[", "expire 0 k " + NO_EXPIRY, "]");
        driver.rename(0, "k", 3, "r");
        expect("[", "put 3 r 5x", "remove 0 k", "]");
        driver.swapDb(3, 4);
        driver.flushDb(4);
        driver.put(0, "a", "v");
        driver.flushAll();
        expect("[", "swap 3 4", "]", "[", "flush 4", "]", "[", "put 0 a v", "]", "[", "flush all", "]");
    }

    @Test
    void shouldTellOfExpiryByTheSweeperOutsideAUnit() {
        driver.put(0, "k", "v", START_MS);
        driver.keyspace.observer(observer);
        driver.keyspace.effects(effects);
        driver.advanceMs(1);
        new ExpirySweeper(driver.keyspace, () -> 0, 1, 1).doWork(driver.nowNs());
        expect("expired 0 k", "touched 0 k", "remove 0 k");
    }

    @Test
    void shouldTellOfExpiryWhenAWriteFindsIt() {
        driver.put(0, "k", "v", START_MS);
        driver.keyspace.observer(observer);
        driver.keyspace.effects(effects);
        driver.advanceMs(1);
        driver.put(0, "k", "w");
        expect("[", "expired 0 k", "touched 0 k", "touched 0 k", "put 0 k w", "]");
    }

    @Test
    void shouldTellOfEviction() {
        driver.put(0, "k", "v", START_MS + 1);
        for (int i = 1; i < 100; i++) {
            driver.put(0, "k" + i, "v");
        }
        driver.keyspace.observer(observer);
        driver.keyspace.effects(effects);
        driver.put(1, "new", "v");
        expect("[", "evicted 0 k", "touched 0 k", "remove 0 k", "touched 1 new", "put 1 new v", "]");
    }

    @Test
    void shouldRaiseNamedEventsForHandlers() {
        driver.put(0, "k", "v");
        driver.keyspace.event(KeyEvent.SET, driver.at(0, "k"));
        driver.keyspace.observer(observer);
        driver.keyspace.event(KeyEvent.INCRBY, driver.at(0, "k"));
        expect("incrby 0 k");
    }

    @Test
    void shouldTellOfACollectionWhatChangedAndOfItsEndThatItIsGone() {
        final ZSetValue zset = new ZSetValue();
        driver.keyspace.observer(observer);
        driver.keyspace.effects(effects);
        driver.unit(() -> {
            zset.open(driver.keyspace, driver.at(1, "k"));
            final long bytes = driver.at(1, "k").keyAddress();
            zset.put(1, bytes, 1);
            zset.put(1, bytes, 1);
            zset.put(2, bytes, 0);
            zset.removeRange(0, 1);
            zset.removeRange(0, 1);
            return null;
        });
        expect("[", "touched 1 k", "zsetPut 1 k", "touched 1 k", "zsetPut 1 k", "zsetRunRemoved 1 k", "touched 1 k",
            "touched 1 k", "remove 1 k", "]");
    }
}
