package io.sluice.persistence.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.collection.HashValue;
import io.sluice.persistence.collection.ListValue;
import io.sluice.persistence.collection.SetValue;
import io.sluice.persistence.store.HeapStore;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Digests are equal where the contents are, and only there. */
class KeyspaceDigestTest {

    private final KeyspaceDriver one = new KeyspaceDriver(new HeapStore(1));
    private final KeyspaceDriver other = new KeyspaceDriver(new HeapStore(2));
    private final long scratch = UnsafeApi.allocateMemory(1 << 10);

    @AfterEach
    void close() {
        one.close();
        other.close();
        UnsafeApi.freeMemory(scratch);
    }

    private long write(final String text) {
        for (int i = 0; i < text.length(); i++) {
            UnsafeApi.putByte(scratch + i, (byte) text.charAt(i));
        }
        return scratch;
    }

    private void addToSet(final KeyspaceDriver driver, final String... members) {
        final SetValue set = new SetValue();
        for (final String member : members) {
            driver.unit(() -> {
                set.open(driver.keyspace, driver.at(0, "set"));
                return set.add(write(member), member.length());
            });
        }
    }

    private void push(final KeyspaceDriver driver, final String... elements) {
        final ListValue list = new ListValue();
        for (final String element : elements) {
            driver.unit(() -> {
                list.open(driver.keyspace, driver.at(0, "list"));
                list.pushLast(write(element), element.length());
                return null;
            });
        }
    }

    private void put(final KeyspaceDriver driver, final String field, final String value) {
        final HashValue hash = new HashValue();
        driver.unit(() -> {
            hash.open(driver.keyspace, driver.at(0, "hash"));
            final long address = write(field + value);
            return hash.put(address, field.length(), address + field.length(), value.length());
        });
    }

    private static String digest(final KeyspaceDriver driver) {
        return KeyspaceDigest.of(driver.keyspace);
    }

    @Test
    void shouldBeZeroForNothing() {
        assertEquals("0".repeat(40), digest(one));
    }

    @Test
    void shouldTakeNoNoticeOfTheOrderAndTheFormOfASet() {
        addToSet(one, "1", "2", "word");
        addToSet(other, "word", "2", "1");
        assertEquals(digest(one), digest(other));
        addToSet(one, "3");
        assertNotEquals(digest(one), digest(other));
        addToSet(other, "3");
        assertEquals(digest(one), digest(other));
    }

    @Test
    void shouldTellFieldsFromValues() {
        put(one, "ab", "c");
        put(other, "a", "bc");
        assertNotEquals(digest(one), digest(other));
        put(one, "a", "bc");
        put(other, "ab", "c");
        assertEquals(digest(one), digest(other));
    }

    @Test
    void shouldTakeNoticeOfTheOrderOfAList() {
        push(one, "a", "b");
        push(other, "b", "a");
        assertNotEquals(digest(one), digest(other));
    }

    @Test
    void shouldTakeNoticeOfKeysDatabasesAndExpiries() {
        one.put(0, "k", "v");
        other.put(1, "k", "v");
        assertNotEquals(digest(one), digest(other));
        other.remove(1, "k");
        other.put(0, "k", "v", one.nowMs() + 5);
        assertNotEquals(digest(one), digest(other));
        other.persist(0, "k");
        assertEquals(digest(one), digest(other));
    }
}
