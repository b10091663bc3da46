package io.sluice.persistence.snapshot;

import static io.sluice.persistence.Entry.NO_EXPIRY;
import static io.sluice.persistence.snapshot.Packs.element;
import static io.sluice.persistence.snapshot.Packs.hex;
import static io.sluice.persistence.snapshot.Packs.listpack;
import static io.sluice.persistence.snapshot.Packs.string;
import static io.sluice.persistence.snapshot.Packs.textHex;
import static io.sluice.persistence.snapshot.Packs.ziplist;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.store.HeapStore;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Every form in which a release of Redis has written lists, sets, sorted sets and hashes; and what is none. */
class RdbCollectionsTest {

    private final KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1));
    private final DumpPayload payload = new DumpPayload();

    @AfterEach
    void close() {
        driver.close();
        payload.close();
    }

    private boolean restore(final String... hex) {
        final byte[] bytes = HexFormat.of().parseHex(String.join("", hex).replace(" ", ""));
        return restore(bytes);
    }

    /** Ten bytes of footer are not looked at here. */
    private boolean restore(final byte[] bytes) {
        final long address = UnsafeApi.allocateMemory(bytes.length + 10);
        try {
            for (int i = 0; i < bytes.length; i++) {
                UnsafeApi.putByte(address + i, bytes[i]);
            }
            return driver.unit(() -> payload.restore(
                driver.keyspace, driver.at(0, "k"), address, bytes.length + 10, NO_EXPIRY));
        } finally {
            UnsafeApi.freeMemory(address);
        }
    }

    private void assertHolds(final List<String> expected, final String... hex) {
        driver.remove(0, "k");
        assertTrue(restore(hex), String.join("", hex));
        assertEquals(expected, Contents.of(driver, 0, "k"));
    }

    @Test
    void shouldReadPlainForms() {
        assertHolds(List.of("a", "bc", "-5", "a"), "01 04 0161 026263 c0fb 0161");
        assertHolds(List.of("a", "bc", "7"), "02 03 0161 026263 c007");
        assertHolds(List.of("f=v", "g="), "04 02 0166 0176 0167 00");
        assertHolds(List.of("a=-1.5", "b=0.0"), "05 02 0162 0000000000000000 0161 000000000000f8bf");
        assertHolds(List.of("d=-Infinity", "c=-0.25", "a=1.0E10", "b=Infinity"),
            "03 04 0161 04 31653130 0162 fe 0163 05 2d302e3235 0164 ff");
    }

    @Test
    void shouldReadEveryElementOfAZiplist() {
        final String[] elements = {
            "0161", "f1", "fd", "fe80", "c0feff", "f0ffffff", "f0000080", "d0ffffff7f", "e00000000000000080",
            "4041" + "78".repeat(65), "8000000040" + "79".repeat(64), "00"};
        final List<String> expected = List.of(
            "a", "0", "12", "-128", "-2", "-1", "-8388608", "2147483647", "-9223372036854775808",
            "x".repeat(65), "y".repeat(64), "");
        assertHolds(expected, "0a", string(ziplist(elements)));
        assertHolds(expected, "0e 01", string(ziplist(elements)));
    }

    @Test
    void shouldReadEveryElementOfAListpack() {
        final String[] elements = {
            "8161", "00", "7f", "c000", "cfff", "dfff", "d000", "f1feff", "f2ffffff", "f2000080", "f3ffffff7f",
            "f40000000000000080", "e041" + "78".repeat(65), "f040000000" + "79".repeat(64), "80",
            "e0ff" + "7a".repeat(255)};
        final List<String> expected = List.of(
            "a", "0", "127", "0", "4095", "-1", "-4096", "-2", "-1", "-8388608", "2147483647",
            "-9223372036854775808", "x".repeat(65), "y".repeat(64), "", "z".repeat(255));
        assertHolds(expected, "12 01 02", string(listpack(elements)));
    }

    @Test
    void shouldReadListsOfSeveralNodes() {
        final String first = string(listpack("8161", "8162"));
        final String second = string(listpack("01"));
        assertHolds(List.of("a", "b", "large", "1"), "12 03 02", first, "01 05", textHex("large"), "02", second);
        assertHolds(List.of("1", "x"), "0e 02", string(ziplist("f2")), string(ziplist("0178")));
    }

    @Test
    void shouldReadSmallHashesAndSortedSets() {
        for (final boolean listpack : new boolean[] {false, true}) {
            final String[] pairs = {element(listpack, "b"), element(listpack, "2.5"), element(listpack, "a"),
                element(listpack, "-inf"), element(listpack, "c"), listpack ? "7f" : "fe7f"};
            final String pack = string(listpack ? listpack(pairs) : ziplist(pairs));
            assertHolds(List.of("b=2.5", "a=-inf", "c=127"), listpack ? "10" : "0d", pack);
            assertHolds(List.of("a=-Infinity", "b=2.5", "c=127.0"), listpack ? "11" : "0c", pack);
        }
    }

    @Test
    void shouldReadZipmapsAndSmallSets() {
        assertHolds(List.of("a=foo", "b=hi"), "09",
            string("02" + "0161" + "0300666f6f" + "0162" + "0201686900" + "ff"));
        assertHolds(List.of("k=" + "v".repeat(4)), "09", string("01" + "fe01000000" + "6b" + "fe0400000000" + "76767676"
            + "ff"));
        assertHolds(List.of("-2", "1", "300"), "0b", string("02000000" + "03000000" + "feff" + "0100" + "2c01"));
        assertHolds(List.of("-70000"), "0b", string("04000000" + "01000000" + hex(-70_000, 4)));
        assertHolds(List.of("9223372036854775807"), "0b", string("08000000" + "01000000" + hex(Long.MAX_VALUE, 8)));
        assertHolds(List.of("a", "5"), "14", string(listpack("8161", "05")));
    }

    @Test
    void shouldReadCompressedPacks() {
        // LZF: the ziplist with "aaaa..." of forty characters.
        final String pack = ziplist("28" + "61".repeat(40));
        final String head = pack.substring(0, 26);
        final String compressed = "0c" + head + "e01d00" + "01" + "61ff";
        assertHolds(List.of("a".repeat(40)), "0a c3", hex(compressed.length() / 2, 1), hex(pack.length() / 2, 1),
            compressed);
    }

    @Test
    void shouldRefuseWhatIsNoCollection() {
        final String[] damaged = {
            "01 00", "01 02 0161", "01 01", "02 02 0161 0161", "04 01 0161", "04 02 0161 00 0161 00", "05 01 0161 00",
            "05 01 0161 000000000000f87f", "03 01 0161 fd", "03 01 0161 01 78", "03 02 0161 0130 0161 0131",
            "0a 00", "0a" + string("ff"), "0a" + string(ziplist()), "0a" + string(ziplist("ff00")),
            "0a" + string("0c000000 0a000000 0100 00 ff".replace(" ", "")),
            "0a" + string("0b000000 0a000000 0100 ff".replace(" ", "")),
            "0a" + string("0e000000 0a000000 0100 00 05 61 ff".replace(" ", "")),
            "0c" + string(ziplist("0161")), "0c" + string(ziplist("0161", "0178")), "0d" + string(ziplist("0161")),
            "0d" + string(ziplist("0161", "0162", "0161", "0163")), "0b" + string("0300000001000000" + "010000"),
            "0b" + string("02000000ffffff7f" + "0100"), "0b" + string("0200000002000000" + "01000100"), "0b 00",
            "09" + string("00ff"), "09" + string("010161ff"), "09" + string("01fe"), "09" + string("01016105ff"),
            "10" + string(listpack("8161")), "10" + string("07000000 0000".replace(" ", "")),
            "11" + string(listpack("8161", "8178")), "12 01 03 0161", "12 01 02" + string(listpack("f5")),
            "12 01 02" + string("09000000 0200 0101 ff".replace(" ", "")), "12 01 02" + string(listpack("f0ffffffff")),
            "14" + string(listpack("8161", "8161")), "0e 01 00", "01 01 0161 00"};
        for (final String hex : damaged) {
            assertFalse(restore(hex), hex);
        }
        assertNull(driver.get(0, "k"));
    }

    @Test
    void shouldRefuseWhatIsLargerThanAValueAndKeepTheOldOne() {
        driver.put(0, "k", "old");
        final int length = 3 << 20;
        final byte[] list = new byte[2 + 2 * (5 + length)];
        list[0] = 1;
        list[1] = 2;
        for (int i = 0; i < 2; i++) {
            final int at = 2 + i * (5 + length);
            list[at] = (byte) Rdb.LENGTH_32;
            list[at + 2] = (byte) (length >> 16);
            list[at + 3] = (byte) (length >> 8);
        }
        assertThrows(ValueTooLargeException.class, () -> restore(list));
        assertEquals("old", driver.get(0, "k").payload());
    }

    @Test
    void shouldSurviveAnyDamage() {
        final String[] sound = {
            "01 03 0161 026263 c0fb", "03 02 0161 0131 0162 fe", "05 01 0161 000000000000f8bf",
            "0a" + string(ziplist("0161", "f3", "c0feff", "4041" + "78".repeat(65))),
            "0d" + string(ziplist("0161", "0162", "0163", "fe05")), "0e 01" + string(ziplist("0161")),
            "10" + string(listpack("8161", "05", "8162", "f1feff")), "11" + string(listpack("8161", "05")),
            "12 02 01 0161 02" + string(listpack("e041" + "78".repeat(65), "00")),
            "09" + string("02016103" + "00666f6f" + "01620201" + "686900ff"),
            "0b" + string("0200000002000000" + "01000200"), "0a c3 10 2e" + "00".repeat(16)};
        final Random random = new Random(11);
        for (int i = 0; i < 60_000; i++) {
            final byte[] bytes = HexFormat.of().parseHex(sound[i % sound.length].replace(" ", ""));
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) (random.nextInt(3) == 0 ? 0xFF : random.nextInt(256));
            }
            try {
                if (restore(bytes) && driver.get(0, "k").type() >= io.sluice.persistence.ValueType.LIST) {
                    assertFalse(Contents.of(driver, 0, "k").isEmpty());
                }
            } catch (final ValueTooLargeException announced) {
                assertTrue(driver.keyspace.size(0) <= 1);
            }
        }
    }
}
