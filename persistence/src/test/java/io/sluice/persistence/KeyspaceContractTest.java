package io.sluice.persistence;

import static io.sluice.persistence.Entry.NO_EXPIRY;
import static io.sluice.persistence.KeyspaceDriver.START_MS;
import static io.sluice.persistence.KeyspaceDriver.payloadOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.KeyspaceDriver.Held;
import io.sluice.persistence.store.Store;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** What a keyspace does over any store. */
abstract class KeyspaceContractTest {

    private KeyspaceDriver driver;
    private Keyspace keyspace;

    /** An empty store that has room for some thousand keys and for values of a few MB. */
    abstract Store openStore();

    @BeforeEach
    void open() {
        driver = new KeyspaceDriver(openStore());
        keyspace = driver.keyspace;
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private static Held string(final String text) {
        return new Held(ValueType.STRING, text, NO_EXPIRY);
    }

    @Test
    void shouldHoldCanonicalIntegersAsIntegers() {
        for (final String text : new String[] {"0", "-1", "9223372036854775807", "-9223372036854775808"}) {
            driver.put(0, "k", text);
            assertTrue(driver.at(0, "k").isInt(), text);
            assertEquals(Long.parseLong(text), driver.at(0, "k").intValue());
            assertEquals(text.length(), driver.at(0, "k").stringLength());
        }
    }

    @Test
    void shouldHoldOtherTextAsBytes() {
        final String[] texts = {"", "-", "+1", "01", "-0", "-01", " 1", "1 ", "1.0", "9223372036854775808",
            "-9223372036854775809", "99999999999999999999", "18446744073709551616", "1844674407370955161"  + "\0"};
        for (final String text : texts) {
            driver.put(0, "k", text);
            assertFalse(driver.at(0, "k").isInt(), text);
            assertEquals(string(text), driver.get(0, "k"));
        }
    }

    @Test
    void shouldBeThereThroughItsLastMillisecondAndGoneAfter() {
        driver.put(0, "k", "v", START_MS + 5);
        driver.advanceMs(5);
        assertNotNull(driver.get(0, "k"));
        driver.advanceMs(1);
        assertNull(driver.get(0, "k"));
        assertEquals(1, keyspace.size(0), "only the sweeper takes it away");
    }

    @Test
    void shouldOverwriteAnExpiredKeyWhereItIs() {
        driver.putInt(0, "k", 1, START_MS);
        final long address = driver.at(0, "k").payloadAddress();
        driver.advanceMs(1);
        driver.putInt(0, "k", 2, START_MS + 10);
        assertEquals(address, driver.at(0, "k").payloadAddress());
        assertEquals(2, driver.at(0, "k").intValue());
        assertEquals(1, keyspace.expired());
        assertEquals(1, keyspace.size(0));
    }

    @Test
    void shouldNotSeeWhatAnExpiredStringHeldWhenAppending() {
        driver.put(0, "k", "old text", START_MS);
        driver.advanceMs(1);
        assertEquals(3, driver.append(0, "k", "new"));
        assertEquals(string("new"), driver.get(0, "k"));
        driver.put(0, "r", "old text", START_MS + 1);
        driver.advanceMs(1);
        assertEquals(4, driver.setRange(0, "r", 2, "ab"));
        assertEquals(string("\0\0ab"), driver.get(0, "r"));
    }

    @Test
    void shouldKeepTheExpiryWhenAppending() {
        driver.put(0, "k", "12", START_MS + 9);
        assertEquals(4, driver.append(0, "k", "ab"));
        assertEquals(new Held(ValueType.STRING, "12ab", START_MS + 9), driver.get(0, "k"));
    }

    @Test
    void shouldAppendInPlaceWithinItsSlack() {
        driver.put(0, "k", "x".repeat(1_000));
        driver.append(0, "k", "y");
        final long address = driver.at(0, "k").payloadAddress();
        driver.append(0, "k", "z".repeat(100));
        assertEquals(address, driver.at(0, "k").payloadAddress());
        assertEquals(1_101, driver.at(0, "k").stringLength());
    }

    @Test
    void shouldKeepTheOldContentWhenAValueIsTooLarge() {
        driver.put(0, "k", "v");
        assertThrows(ValueTooLargeException.class,
            () -> driver.setRange(0, "k", keyspace.valueBytesMax(), "x"));
        assertThrows(ValueTooLargeException.class, () -> driver.setRange(0, "k", Long.MAX_VALUE, "x"));
        assertThrows(ValueTooLargeException.class,
            () -> driver.unit(() -> keyspace.putBlob(
                driver.at(0, "k"), ValueType.LOG, keyspace.valueBytesMax() + 1, NO_EXPIRY)));
        assertEquals(string("v"), driver.get(0, "k"));
        assertEquals(1, keyspace.dirty());
    }

    @Test
    void shouldHoldAValueOfTheMaximumSize() {
        final int last = keyspace.valueBytesMax() - 1;
        assertEquals(last + 1, driver.setRange(0, "k", last, "x"));
        assertEquals(last + 1, driver.at(0, "k").payloadLength());
        assertEquals("\0x", KeyspaceDriver.text(driver.at(0, "k").payloadAddress() + last - 1, 2));
    }

    @Test
    void shouldChangeTypeInPlace() {
        driver.putWords(0, "k", ValueType.SLIDING, START_MS + 7, 1, 2, 3);
        assertEquals(new Held(ValueType.SLIDING, payloadOf(1, 2, 3), START_MS + 7), driver.get(0, "k"));
        assertEquals(3, driver.at(0, "k").wordCount());
        assertEquals(3, driver.at(0, "k").word(2));
        assertEquals(1, keyspace.keysOfType(0, ValueType.SLIDING));
        driver.putInt(0, "k", -5, NO_EXPIRY);
        assertEquals(string("-5"), driver.get(0, "k"));
        assertEquals(0, keyspace.keysOfType(0, ValueType.SLIDING));
        assertEquals(1, keyspace.keysOfType(0, ValueType.STRING));
    }

    @Test
    void shouldKeepTheBytesOfABlobThatGrows() {
        driver.putBlob(0, "k", ValueType.LOG, "0123456789", NO_EXPIRY);
        driver.unit(() -> {
            final Entry e = driver.at(0, "k");
            final long address = keyspace.putBlob(e, ValueType.LOG, 5_000, NO_EXPIRY);
            assertEquals("0123456789\0", KeyspaceDriver.text(address, 11));
            keyspace.blobWritten(e);
            return null;
        });
        assertEquals("0123456789" + "\0".repeat(4_990), driver.get(0, "k").payload());
    }

    @Test
    void shouldCountKeysAndExpiriesPerDatabase() {
        driver.put(0, "a", "1", START_MS + 100);
        driver.put(0, "b", "1", START_MS + 300);
        driver.put(3, "a", "1");
        assertEquals(2, keyspace.size(0));
        assertEquals(2, keyspace.expiring(0));
        assertEquals(200, keyspace.avgTtlMs(0));
        assertEquals(1, keyspace.size(3));
        assertEquals(0, keyspace.expiring(3));
        assertEquals(0, keyspace.avgTtlMs(3));
        driver.persist(0, "a");
        assertEquals(1, keyspace.expiring(0));
        assertEquals(300, keyspace.avgTtlMs(0));
        driver.remove(0, "b");
        assertEquals(1, keyspace.size(0));
        assertEquals(0, keyspace.expiring(0));
    }

    @Test
    void shouldFlushAtOnceAndReclaimLater() {
        for (int i = 0; i < 500; i++) {
            driver.put(0, "k" + i, "v" + i);
            driver.put(1, "k" + i, "v" + i);
        }
        assertEquals(500, driver.flushDb(0));
        assertEquals(0, keyspace.size(0));
        assertNull(driver.get(0, "k1"));
        assertEquals(500, driver.all(1).size());
        driver.put(0, "k1", "new");
        assertEquals(1_001, driver.store().size());
        final ExpirySweeper sweeper = new ExpirySweeper(keyspace, () -> 0, 1_000_000, 100);
        for (int i = 0; driver.store().size() > 501; i++) {
            assertTrue(i < 1_000, "all is reclaimed in some time");
            driver.advanceMs(100);
            sweeper.doWork(driver.nowNs());
        }
        assertEquals(string("new"), driver.get(0, "k1"));
        assertEquals(0, keyspace.expired());
    }

    @Test
    void shouldFlushMoreOftenThanThereAreSpareSpaces() {
        for (int i = 0; i < 600; i++) {
            driver.put(2, "k", "v" + i);
            assertEquals(string("v" + i), driver.get(2, "k"));
            assertEquals(1, driver.flushAll());
            assertNull(driver.get(2, "k"));
        }
    }

    @Test
    void shouldSwapDatabases() {
        driver.put(0, "a", "zero");
        driver.put(1, "b", "one");
        driver.swapDb(0, 1);
        assertNull(driver.get(0, "a"));
        assertEquals(string("one"), driver.get(0, "b"));
        assertEquals(string("zero"), driver.get(1, "a"));
    }

    @Test
    void shouldCountOnlyLookupsForReading() {
        driver.put(0, "k", "v");
        driver.unit(() -> {
            final Entry e = driver.at(0, "k");
            keyspace.lookupRead(e, 0, e.keyAddress(), e.keyLength());
            keyspace.lookupRead(e, 1, e.keyAddress(), e.keyLength());
            keyspace.lookupRead(e, 2, e.keyAddress(), e.keyLength());
            return null;
        });
        assertEquals(1, keyspace.hits());
        assertEquals(2, keyspace.misses());
        keyspace.resetStats();
        assertEquals(0, keyspace.hits());
        assertEquals(0, keyspace.misses());
    }

    @Test
    void shouldFindEveryKeyAtRandom() {
        assertFalse(driver.unit(() -> keyspace.random(0, new Entry())));
        final Set<String> seen = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            driver.put(0, "k" + i, "v");
            driver.put(1, "other" + i, "v");
        }
        final Entry e = new Entry();
        for (int i = 0; i < 5_000; i++) {
            assertTrue(driver.unit(() -> keyspace.random(0, e)));
            seen.add(KeyspaceDriver.key(e));
        }
        assertEquals(driver.all(0).keySet(), seen);
    }

    @Test
    void shouldNotFindExpiredKeysAtRandom() {
        driver.put(0, "k", "v", START_MS);
        driver.advanceMs(1);
        assertFalse(driver.unit(() -> keyspace.random(0, new Entry())));
    }

    @Test
    void shouldStayTrueForEntriesThatOtherWritesHaveOvertaken() {
        driver.put(0, "k", "v");
        driver.unit(() -> {
            final Entry mine = driver.at(0, "k");
            final Entry other = new Entry();
            keyspace.lookup(other, 0, mine.keyAddress(), mine.keyLength());
            keyspace.remove(other);
            assertFalse(keyspace.remove(mine));
            keyspace.putInt(other, 1, NO_EXPIRY);
            keyspace.putInt(mine, 2, NO_EXPIRY);
            return null;
        });
        assertEquals(string("2"), driver.get(0, "k"));
        assertEquals(1, keyspace.size(0));
    }

    @Test
    void shouldCountWhatItFindsInTheStore() {
        driver.put(0, "a", "1", START_MS + 50);
        driver.putWords(5, "b", ValueType.BUCKET, NO_EXPIRY, 1, 2);
        driver.swapDb(5, 6);
        final Keyspace again = new Keyspace(driver.store(), 16, KeyspaceLimits.NONE, driver.nowNs());
        assertEquals(1, again.size(0));
        assertEquals(50, again.avgTtlMs(0));
        assertEquals(1, again.keysOfType(6, ValueType.BUCKET));
        final ExpirySweeper sweeper = new ExpirySweeper(again, () -> 0, 1_000_000, 100);
        driver.advanceMs(51);
        assertEquals(1, sweeper.doWork(driver.nowNs()));
        assertEquals(0, again.size(0));
    }

    @Test
    void shouldRemoveWhatNoKeyspaceWrote() {
        driver.put(0, "sound", "text");
        for (final String key : new String[] {"type", "encoding", "length", "words", "integer"}) {
            driver.put(0, key, "text");
        }
        UnsafeApi.putByte(driver.at(0, "type").valueAddress, (byte) ValueType.COUNT);
        UnsafeApi.putByte(driver.at(0, "encoding").valueAddress + 1, (byte) 9);
        UnsafeApi.putInt(driver.at(0, "length").valueAddress + 12, Integer.MAX_VALUE);
        UnsafeApi.putInt(driver.at(0, "words").valueAddress, ValueType.GCRA | 2 << 8 | 255 << 16);
        UnsafeApi.putInt(driver.at(0, "integer").valueAddress, ValueType.GCRA);
        final Keyspace again = new Keyspace(driver.store(), 16, KeyspaceLimits.NONE, driver.nowNs());
        assertEquals(5, again.damaged());
        assertEquals(1, again.size(0));
    }

    @Test
    void shouldTakeAValueThatWasBeingReplacedForExpired() {
        driver.put(0, "k", "text");
        EntryLayout.beginReplace(driver.at(0, "k").valueAddress);
        final Keyspace again = new Keyspace(driver.store(), 16, KeyspaceLimits.NONE, driver.nowNs());
        assertFalse(again.lookup(driver.at(0, "k"), 0, driver.at(0, "k").keyAddress(), 1));
        assertEquals(0, again.damaged());
    }

    @Test
    void shouldRefuseFewerDatabasesThanHaveKeys() {
        driver.put(9, "k", "v");
        assertThrows(IllegalStateException.class,
            () -> new Keyspace(driver.store(), 9, KeyspaceLimits.NONE, driver.nowNs()));
    }

    @Test
    void shouldDoAsTheModelDoes() {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final KeyspaceModel model = new KeyspaceModel(driver, random);
        final ExpirySweeper sweeper = new ExpirySweeper(keyspace, () -> 0, 1_000_000, 20);
        try {
            for (int i = 0; i < 40_000; i++) {
                model.step();
                if (random.nextInt(100) == 0) {
                    sweeper.doWork(driver.nowNs());
                }
                if (random.nextInt(200) == 0) {
                    model.verify();
                }
            }
            model.verify();
            driver.advanceMs(1_000);
            driver.unit(sweeper::sweepSome);
            for (int db = 0; db < keyspace.databases(); db++) {
                assertEquals(model.all(db).size(), keyspace.size(db));
                assertEquals(0, keyspace.expiring(db), "nothing lives longer than 200 ms");
                long ofTypes = 0;
                for (int type = 0; type < ValueType.COUNT; type++) {
                    ofTypes += keyspace.keysOfType(db, type);
                }
                assertEquals(keyspace.size(db), ofTypes);
            }
        } catch (final AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }
}
