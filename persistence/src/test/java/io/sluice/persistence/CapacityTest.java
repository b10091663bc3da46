package io.sluice.persistence;

import static io.sluice.persistence.Entry.NO_EXPIRY;
import static io.sluice.persistence.EvictionPolicy.NOEVICTION;
import static io.sluice.persistence.EvictionPolicy.VOLATILE_TTL;
import static io.sluice.persistence.KeyspaceDriver.START_MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.store.HeapStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Random;

/** What happens when the keyspace is full. */
class CapacityTest {

    private KeyspaceDriver driver;

    private void open(final long maxKeys, final long maxMemoryBytes, final EvictionPolicy policy) {
        driver = new KeyspaceDriver(new HeapStore(7), 16, new KeyspaceLimits(maxKeys, maxMemoryBytes, policy));
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void shouldRefuseOnlyNewKeys() {
        open(2, 0, NOEVICTION);
        driver.put(0, "a", "1", START_MS + 5);
        driver.put(1, "b", "1");
        assertThrows(KeyspaceFullException.class, () -> driver.put(0, "c", "1"));
        assertNull(driver.get(0, "c"));
        driver.put(0, "a", "a longer text than before");
        driver.append(1, "b", "more");
        assertEquals(2, driver.keyspace.size());
        assertEquals(0, driver.keyspace.evicted());
        assertEquals(4, driver.keyspace.dirty());
    }

    @Test
    void shouldReplaceExpiredKeysWhateverThePolicy() {
        open(2, 0, NOEVICTION);
        driver.put(0, "a", "1", START_MS);
        driver.put(0, "b", "1");
        driver.advanceMs(1);
        driver.put(0, "c", "1");
        assertNull(driver.get(0, "a"));
        assertNotNull(driver.get(0, "b"));
        assertEquals(1, driver.keyspace.expired());
    }

    @Test
    void shouldReplaceKeysOfFlushedDatabases() {
        open(2, 0, NOEVICTION);
        driver.put(0, "a", "1");
        driver.put(0, "b", "1");
        driver.flushDb(0);
        driver.advanceMs(1);
        driver.put(0, "c", "1");
        driver.put(0, "d", "1");
        assertEquals(2, driver.keyspace.size());
    }

    @Test
    void shouldRenameAndMoveAtTheLimit() {
        open(1, 0, NOEVICTION);
        driver.put(0, "a", "text");
        assertTrue(driver.rename(0, "a", 0, "b"));
        assertTrue(driver.rename(0, "b", 4, "b"));
        assertEquals("text", driver.get(4, "b").payload());
        assertThrows(KeyspaceFullException.class, () -> driver.copy(4, "b", 4, "c"));
        assertThrows(KeyspaceFullException.class, () -> driver.put(0, "x", "1"), "the limit is back");
    }

    @Test
    void shouldRefuseGrowthBeyondTheMemoryLimitAndKeepTheValue() {
        open(0, 1_000, NOEVICTION);
        driver.put(0, "a", "x".repeat(400));
        assertThrows(KeyspaceFullException.class, () -> driver.put(0, "a", "y".repeat(2_000)));
        assertThrows(KeyspaceFullException.class, () -> driver.append(0, "a", "y".repeat(2_000)));
        assertEquals("x".repeat(400), driver.get(0, "a").payload());
        driver.append(0, "a", "y".repeat(400));
        assertEquals(800, driver.at(0, "a").stringLength());
        assertThrows(KeyspaceFullException.class, () -> driver.put(0, "b", "z".repeat(400)));
        assertTrue(driver.keyspace.memoryUsed() <= 1_000);
    }

    @Test
    void shouldTellBeforehandWhetherSeveralKeysFit() {
        open(10, 0, NOEVICTION);
        driver.unit(() -> {
            driver.keyspace.ensureRoom(10, 100);
            return null;
        });
        assertThrows(KeyspaceFullException.class, () -> driver.unit(() -> {
            driver.keyspace.ensureRoom(11, 100);
            return null;
        }));
    }

    @Test
    void shouldEvictTheKeysNearestToTheirExpiry() {
        open(100, 0, VOLATILE_TTL);
        final Random random = new Random(3);
        for (int i = 0; i < 100; i++) {
            driver.put(i % 16, "k" + i, "v", START_MS + 1_000 + i);
        }
        // Move expiries up, so that what the keyspace remembers of them is out of date.
        for (int i = 0; i < 100; i++) {
            driver.put(i % 16, "k" + i, "v", START_MS + 1_000_000 + i);
        }
        for (int i = 0; i < 60; i++) {
            driver.put(0, "new" + i, "v".repeat(random.nextInt(5)), START_MS + 9_000_000);
        }
        assertEquals(60, driver.keyspace.evicted());
        int soonest = 0;
        for (int i = 0; i < 60; i++) {
            soonest += driver.get(i % 16, "k" + i) == null ? 1 : 0;
        }
        assertTrue(soonest >= 45, "of the 60 that expire first were evicted: " + soonest);
    }

    @Test
    void shouldNeverEvictAKeyInDebtWhileAVoidOneIsThere() {
        open(1_000, 0, VOLATILE_TTL);
        for (int i = 0; i < 1_000; i++) {
            final boolean debt = i % 2 == 0;
            driver.putInt(0, "k" + i, i, debt ? START_MS + 1_000_000 : START_MS + i % 50);
        }
        driver.advanceMs(60);
        for (int i = 0; i < 500; i++) {
            driver.putInt(1, "new" + i, i, START_MS + 2_000_000);
            assertEquals(0, driver.keyspace.evicted());
        }
        for (int i = 0; i < 1_000; i += 2) {
            assertNotNull(driver.get(0, "k" + i));
        }
    }

    @Test
    void shouldNotEvictKeysWithoutExpiry() {
        open(2, 0, VOLATILE_TTL);
        driver.put(0, "a", "1");
        driver.put(0, "b", "1");
        assertThrows(KeyspaceFullException.class, () -> driver.put(0, "c", "1"));
    }

    @Test
    void shouldNotEvictTheKeyThatIsCopied() {
        open(2, 0, VOLATILE_TTL);
        driver.put(0, "source", "text", START_MS + 1);
        driver.put(0, "other", "text", START_MS + 1_000);
        assertTrue(driver.copy(0, "source", 0, "copy"));
        assertEquals("text", driver.get(0, "copy").payload());
        assertNotNull(driver.get(0, "source"));
        assertNull(driver.get(0, "other"));
        driver.persist(0, "copy");
        driver.put(0, "new", "text");
        assertNull(driver.get(0, "source"), "it is the nearest to its expiry again");
    }

    @Test
    void shouldNotEvictTheKeyThatGrows() {
        open(0, 3_000, VOLATILE_TTL);
        driver.put(0, "soon", "x".repeat(1_000), START_MS + 1);
        driver.put(0, "later", "x".repeat(1_000), START_MS + 1_000);
        driver.append(0, "soon", "y".repeat(1_000));
        assertEquals(2_000, driver.at(0, "soon").stringLength());
        assertFalse(driver.at(0, "later").exists());
        driver.put(0, "third", "x".repeat(1_500), NO_EXPIRY);
        assertFalse(driver.at(0, "soon").exists());
    }

    @Test
    void shouldNotPurgeTheExpiredKeyThatIsBeingReplaced() {
        open(0, 3_000, NOEVICTION);
        driver.put(0, "k", "x".repeat(1_000), START_MS);
        driver.put(0, "gone", "x".repeat(1_000), START_MS);
        driver.advanceMs(1);
        driver.put(0, "k", "y".repeat(2_500));
        assertEquals("y".repeat(2_500), driver.get(0, "k").payload());
        assertEquals(1, driver.keyspace.size());
        assertEquals(2, driver.keyspace.expired());
    }

    @Test
    void shouldStillExpireAKeyThatCouldNotGrow() {
        open(0, 3_000, VOLATILE_TTL);
        driver.put(0, "filler", "x".repeat(1_500));
        driver.put(0, "k", "x".repeat(1_000), START_MS);
        assertThrows(KeyspaceFullException.class, () -> driver.append(0, "k", "y".repeat(1_000)));
        driver.advanceMs(1);
        assertEquals(1, new ExpirySweeper(driver.keyspace, () -> 0, 1, 1).doWork(driver.nowNs()));
    }

    @Test
    void shouldEvictNothingForWhatCanNeverFit() {
        open(0, 3_000, VOLATILE_TTL);
        driver.put(0, "k", "v", START_MS + 1);
        assertThrows(KeyspaceFullException.class, () -> driver.put(0, "large", "x".repeat(5_000)));
        assertNotNull(driver.get(0, "k"));
    }

    @Test
    void shouldEvictTheNearestOfALargeShard() {
        open(20_000, 0, VOLATILE_TTL);
        final Random random = new Random(8);
        final long[] expiries = new long[20_000];
        for (int i = 0; i < expiries.length; i++) {
            expiries[i] = START_MS + 1_000 + random.nextInt(1_000_000);
            driver.putInt(0, "k" + i, i, expiries[i]);
        }
        for (int i = 0; i < 1_000; i++) {
            driver.putInt(1, "new" + i, i, START_MS + 9_000_000);
        }
        assertTrue(driver.keyspace.evicted() >= 1_000 && driver.keyspace.evicted() < 1_050);
        for (int i = 0; i < expiries.length; i++) {
            if (expiries[i] > START_MS + 1_000 + 250_000) {
                assertNotNull(driver.get(0, "k" + i), "not among the quarter that expires first");
            }
        }
    }

    @Test
    void shouldStayWithinItsMemoryUnderAFlood() {
        open(0, 100_000, VOLATILE_TTL);
        final Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            driver.put(0, "k" + i, "v".repeat(random.nextInt(200)), START_MS + 1_000 + random.nextInt(60_000));
            assertTrue(driver.keyspace.memoryUsed() <= 100_000);
        }
        assertTrue(driver.keyspace.evicted() > 10_000);
    }
}
