package io.sluice.persistence.snapshot;

import static io.sluice.persistence.Entry.NO_EXPIRY;
import static io.sluice.persistence.KeyspaceDriver.START_MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.KeyspaceDriver.Held;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.store.HeapStore;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;

class DumpPayloadTest {

    private final KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1));
    private final DumpPayload payload = new DumpPayload();
    private final DumpPayload reader = new DumpPayload();

    @AfterEach
    void close() {
        driver.close();
        payload.close();
        reader.close();
    }

    private boolean restore(final String key, final long address, final int length) {
        return driver.unit(
            () -> reader.restore(driver.keyspace, driver.at(1, key), address, length, START_MS + 9));
    }

    @Test
    void shouldRestoreWhatItEncoded() {
        driver.put(0, "number", "-70000");
        driver.put(0, "big number", Long.toString(Long.MIN_VALUE));
        driver.put(0, "text", "text".repeat(10_000));
        driver.put(0, "empty", "");
        driver.putWords(0, "words", 5, NO_EXPIRY, 1, 2, 3);
        driver.putBlob(0, "blob", 6, "blob", NO_EXPIRY);
        for (final String key : driver.all(0).keySet()) {
            payload.encode(driver.at(0, key));
            assertTrue(DumpPayload.isIntact(payload.address(), payload.length()));
            assertTrue(restore(key, payload.address(), payload.length()));
            final Held held = driver.get(0, key);
            assertEquals(new Held(held.type(), held.payload(), START_MS + 9), driver.get(1, key));
        }
    }

    @Test
    void shouldEncodeTheNextValueWholeAfterADamagedOne() {
        driver.putBlob(0, "damaged", ValueType.ZSET, "\u00ff".repeat(200), NO_EXPIRY);
        driver.put(0, "text", "text");
        assertThrows(IllegalStateException.class, () -> payload.encode(driver.at(0, "damaged")));
        payload.encode(driver.at(0, "text"));
        assertTrue(restore("text", payload.address(), payload.length()));
        assertEquals("text", driver.get(1, "text").payload());
    }

    @Test
    void shouldTakeWhatRedisDumped() {
        // DUMP of SET k 5 and of SET k hello, redis-server 7.0.15.
        for (final String[] dump : new String[][] {
            {"00c0050a00632f5f66832fb351", "5"}, {"000568656c6c6f0a006372df766534200a", "hello"}}) {
            final byte[] bytes = HexFormat.of().parseHex(dump[0]);
            final long address = nativeCopy(bytes);
            assertTrue(DumpPayload.isIntact(address, bytes.length), dump[1]);
            assertTrue(restore("k", address, bytes.length));
            assertEquals(dump[1], driver.get(1, "k").payload());
            UnsafeApi.freeMemory(address);
        }
    }

    @Test
    void shouldFindDamage() {
        driver.put(0, "k", "some text");
        payload.encode(driver.at(0, "k"));
        for (int i = 0; i < payload.length(); i++) {
            final byte right = UnsafeApi.getByte(payload.address() + i);
            UnsafeApi.putByte(payload.address() + i, (byte) ~right);
            assertFalse(DumpPayload.isIntact(payload.address(), payload.length()));
            UnsafeApi.putByte(payload.address() + i, right);
            assertFalse(DumpPayload.isIntact(payload.address(), i));
        }
    }

    @Test
    void shouldRefuseWhatIsIntactAndMakesNoSense() {
        // A list cut off; a string with a byte too many; one too short; a string of another encoding; our module, cut.
        for (final String body : new String[] {"01020161", "00016161", "000261", "00c4", "0781b2", ""}) {
            final byte[] bytes = HexFormat.of().parseHex(body + "00000000000000000000");
            final long address = nativeCopy(bytes);
            assertFalse(restore("k", address, bytes.length), body);
            UnsafeApi.freeMemory(address);
        }
        assertNull(driver.get(1, "k"));
    }

    @Test
    void shouldNotTakeMoreMemoryThanAValueMayHave() {
        // 8 bytes that claim to be 4 GB when decompressed.
        final byte[] bytes = HexFormat.of().parseHex("00c30480ffffffff0061a00000000000000000000000");
        final long address = nativeCopy(bytes);
        assertThrows(ValueTooLargeException.class, () -> restore("k", address, bytes.length));
        UnsafeApi.freeMemory(address);
    }

    private static long nativeCopy(final byte[] bytes) {
        final long address = UnsafeApi.allocateMemory(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            UnsafeApi.putByte(address + i, bytes[i]);
        }
        return address;
    }
}
