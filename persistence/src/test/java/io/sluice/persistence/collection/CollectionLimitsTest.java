package io.sluice.persistence.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.Entry;
import io.sluice.persistence.EvictionPolicy;
import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.KeyspaceFullException;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.store.HeapStore;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

/** Where a collection ends, and what it does with bytes that nobody can have written. */
class CollectionLimitsTest {

    private final long scratch = UnsafeApi.allocateMemory(Long.BYTES);

    private long member(final long number) {
        UnsafeApi.putLong(scratch, number);
        return scratch;
    }

    @Test
    void shouldRefuseMoreThanTheLargestValueAndKeepWhatThereIs() {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            final ZSetValue zset = new ZSetValue();
            final int held = driver.unit(() -> {
                zset.open(driver.keyspace, driver.at(0, "k"));
                assertThrows(ValueTooLargeException.class, () -> {
                    for (long i = 0; i < 1 << 20; i++) {
                        zset.put(i, member(i), Long.BYTES);
                    }
                });
                return zset.size();
            });
            assertTrue(held > 100_000, held + " members");
            driver.unit(() -> {
                zset.open(driver.keyspace, driver.at(0, "k"));
                assertEquals(held, zset.size());
                for (int i = 0; i < held; i++) {
                    assertEquals(i, zset.score(zset.find(member(i), Long.BYTES)));
                }
                zset.removeRange(0, held / 2);
                assertTrue(zset.put(-1, member(1L << 40), Long.BYTES), "there is room again");
                return null;
            });
        }
    }

    @Test
    void shouldRefuseAllOrNothingWhenRoomWasReserved() {
        try (KeyspaceDriver driver = new KeyspaceDriver(
            new HeapStore(1), 16, new KeyspaceLimits(0, 4_000, EvictionPolicy.NOEVICTION))) {
            final ListValue list = new ListValue();
            driver.unit(() -> {
                list.open(driver.keyspace, driver.at(0, "k"));
                assertThrows(KeyspaceFullException.class, () -> list.reserve(100, 5_000));
                list.reserve(100, 1_000);
                for (int i = 0; i < 100; i++) {
                    list.pushLast(member(i), Long.BYTES);
                }
                assertThrows(KeyspaceFullException.class, () -> list.reserve(1, 5_000));
                assertEquals(100, list.size());
                return null;
            });
        }
    }

    /** A hash that becomes large amid the command is written anew then, with what is added already. */
    @Test
    void shouldAddAllOfWhatWasReservedAlsoWhereTheFormChangesOnTheWay() {
        final int smallFields = 300;
        final int most = valueBytesMax();
        final long value = UnsafeApi.allocateMemory(most);
        UnsafeApi.setMemory(value, most, (byte) 'v');
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            final HashValue hash = new HashValue();
            int added = 0;
            int refused = 0;
            for (int large = most - 60_000; large < most; large += 1_000) {
                final int largeBytes = large;
                final boolean fits = driver.unit(() -> {
                    hash.open(driver.keyspace, driver.at(0, "k" + largeBytes));
                    try {
                        hash.reserve(smallFields + 1, smallFields * (Long.BYTES + 60L) + Long.BYTES + largeBytes);
                    } catch (ValueTooLargeException e) {
                        return false;
                    }
                    for (int i = 0; i < smallFields; i++) {
                        hash.put(member(i), Long.BYTES, value, 60);
                    }
                    hash.put(member(smallFields), Long.BYTES, value, largeBytes);
                    assertEquals(smallFields + 1, hash.size());
                    return true;
                });
                added += fits ? 1 : 0;
                refused += fits ? 0 : 1;
            }
            assertTrue(added > 0 && refused > 0, added + " added, " + refused + " refused");
        } finally {
            UnsafeApi.freeMemory(value);
        }
    }

    private static int valueBytesMax() {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            return driver.keyspace.blobs().bytesMax();
        }
    }

    @Test
    void shouldGiveMemoryBackThatAShorterListDoesNotNeed() {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            final ListValue list = new ListValue();
            driver.unit(() -> {
                list.open(driver.keyspace, driver.at(0, "k"));
                for (int i = 0; i < 10_000; i++) {
                    list.pushLast(member(i), Long.BYTES);
                }
                list.removeFirst(9_990);
                return null;
            });
            assertTrue(driver.keyspace.memoryUsed() < 2_000, driver.keyspace.memoryUsed() + " bytes");
        }
    }

    @Test
    void shouldNotFollowDamagedBytesOutOfTheValue() {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            final ZSetValue zset = new ZSetValue();
            driver.unit(() -> {
                zset.open(driver.keyspace, driver.at(0, "k"));
                for (int i = 0; i < 300; i++) {
                    zset.put(i, member(i), Long.BYTES);
                }
                return null;
            });
            final int length = driver.unit(() -> driver.at(0, "k").payloadLength());
            int damages = 0;
            for (int offset = 0; offset < length; offset += 3) {
                damages += touchDamaged(driver, zset, offset) ? 1 : 0;
            }
            assertTrue(damages > 100, damages + " times noticed");
        }
    }

    /** Damages a byte, looks at everything, and puts the byte back. Returns whether it was noticed. */
    private boolean touchDamaged(final KeyspaceDriver driver, final ZSetValue zset, final int offset) {
        return driver.unit(() -> {
            final Entry entry = driver.at(0, "k");
            final long at = entry.payloadAddress() + offset;
            final byte old = UnsafeApi.getByte(at);
            UnsafeApi.putByte(at, (byte) ~old);
            boolean noticed = false;
            try {
                zset.open(driver.keyspace, entry);
                for (int i = 0; i < zset.size(); i++) {
                    zset.address(zset.at(i));
                    zset.find(member(i), Long.BYTES);
                }
            } catch (final IllegalStateException e) {
                noticed = true;
            }
            UnsafeApi.putByte(at, old);
            return noticed;
        });
    }

    @Test
    void shouldTellItsFormAsRedisDoes() {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            final SetValue set = new SetValue();
            driver.unit(() -> {
                set.open(driver.keyspace, driver.at(0, "k"));
                set.add(digits(7), 1);
                assertEquals("intset", CollectionEncoding.nameOf(driver.at(0, "k")));
                set.add(digits('x' - '0'), 1);
                assertEquals("listpack", CollectionEncoding.nameOf(driver.at(0, "k")));
                assertFalse(set.isLarge());
                for (int i = 0; i < 200; i++) {
                    set.add(member(i), Long.BYTES);
                }
                assertEquals("hashtable", CollectionEncoding.nameOf(driver.at(0, "k")));
                return null;
            });
        }
    }

    private long digits(final int number) {
        UnsafeApi.putByte(scratch, (byte) ('0' + number));
        return scratch;
    }
}
