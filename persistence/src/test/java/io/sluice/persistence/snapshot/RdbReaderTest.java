package io.sluice.persistence.snapshot;

import static io.sluice.persistence.KeyspaceDriver.START_MS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.persistence.EvictionPolicy;
import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.store.HeapStore;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Files are untrusted: whatever they hold, the worst that happens is an exception that says where. */
class RdbReaderTest {

    private static final long NOW_NS = START_MS * 1_000_000;
    private static final String HEAD = "524544495330303130";
    private static final String END_UNCHECKED = "ff0000000000000000";

    private static byte[] bytes(final String... hex) {
        return HexFormat.of().parseHex(String.join("", hex).replace(" ", ""));
    }

    private static SnapshotLoader.Report load(final byte[] file) throws IOException {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            return load(file, driver);
        }
    }

    private static SnapshotLoader.Report load(final byte[] file, final KeyspaceDriver driver) throws IOException {
        try (SnapshotLoader loader = new SnapshotLoader(MemorySink.channel(file), driver.keyspace, NOW_NS)) {
            loader.loadSome(Integer.MAX_VALUE);
            return loader.report();
        }
    }

    private static byte[] sample() throws IOException {
        try (SnapshotRig rig = new SnapshotRig()) {
            rig.driver.put(0, "text", "some text", START_MS + 1_000);
            rig.driver.put(1, "number", "123456");
            rig.driver.putWords(1, "bucket", 2, START_MS + 1_000, 5, 6);
            rig.driver.putBlob(2, "log", 6, "blob", START_MS + 1_000);
            final MemorySink sink = new MemorySink();
            rig.snapshots.saveNow(sink, Map.of(), rig.driver.nowNs());
            return sink.bytes();
        }
    }

    @Test
    void shouldFindEveryFlippedBit() throws IOException {
        final byte[] sample = sample();
        assertEquals(4, load(sample).loaded());
        for (int bit = 0; bit < sample.length * Byte.SIZE; bit++) {
            final byte[] damaged = sample.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            final int flipped = bit;
            final SnapshotException thrown =
                assertThrows(SnapshotException.class, () -> load(damaged), () -> "bit " + flipped);
            assertTrue(thrown.getMessage().startsWith("byte "), thrown.getMessage());
        }
    }

    @Test
    void shouldFindEveryCut() throws IOException {
        final byte[] sample = sample();
        for (int length = 0; length < sample.length; length++) {
            final byte[] cut = Arrays.copyOf(sample, length);
            assertThrows(SnapshotException.class, () -> load(cut));
            assertThrows(SnapshotException.class, () -> {
                try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
                    SnapshotLoader.check(MemorySink.channel(cut), driver.keyspace, NOW_NS);
                }
            });
        }
    }

    @Property(tries = 3_000)
    void shouldOnlyThrowItsOwnExceptionOnRandomBytes(@ForAll @Size(max = 200) final byte[] bytes) {
        final byte[] file = Arrays.copyOf(bytes(HEAD), 9 + bytes.length);
        System.arraycopy(bytes, 0, file, 9, bytes.length);
        try {
            load(file);
        } catch (final SnapshotException expected) {
            assertTrue(expected.getMessage().startsWith("byte "));
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldNotAllocateWhatIsOnlyAnnounced() {
        // A key, a string, a compressed string and a list of announced gigabytes.
        for (final String body : new String[] {
            "00 80ffffffff 61", "00 0161 80ffffffff 61", "00 0161 c3 80ffffffff 80ffffffff 61",
            "00 0161 817fffffffffffffff 61", "00 0161 81ffffffffffffffff 61", "01 0161 81ffffffffffffffff 61"}) {
            assertThrows(SnapshotException.class, () -> load(bytes(HEAD, body)), body);
        }
    }

    @Test
    void shouldReadEveryFormOfString() throws IOException {
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1))) {
            load(bytes(HEAD, "fe 03",
                "00 0161 c0 fe", "00 0162 c1 00ff", "00 0163 c2 00000080", "00 0164 4003 616263",
                "00 0165 8000000002 6162", "00 0166 c3 04 08 00 61 a0 00", "00 c0 7b 0178",
                "fc 0102030400000000 00 0167 0178", "fd ffffff7f 00 0168 0178",
                "f8 05 f9 01 fb 05 05 00 0169 0178", END_UNCHECKED), driver);
            assertEquals("-2", driver.get(3, "a").payload());
            assertEquals("-256", driver.get(3, "b").payload());
            assertEquals("-2147483648", driver.get(3, "c").payload());
            assertEquals("abc", driver.get(3, "d").payload());
            assertEquals("ab", driver.get(3, "e").payload());
            assertEquals("aaaaaaaa", driver.get(3, "f").payload());
            assertEquals("x", driver.get(3, "123").payload());
            assertEquals(Integer.MAX_VALUE * 1_000L, driver.get(3, "h").expireAtMs());
            assertEquals("x", driver.get(3, "i").payload());
            assertEquals(9, driver.keyspace.size(3), "g had expired in 1970");
        }
    }

    @Test
    void shouldTellTheKeysThatItPassesOver() throws IOException {
        final List<String> skipped = new ArrayList<>();
        final byte[] file = bytes(HEAD, "fe 03", "0f 016b 00 00 0000 00", "01 016c 00", "00 0178 0179", END_UNCHECKED);
        try (KeyspaceDriver driver = new KeyspaceDriver(new HeapStore(1));
             SnapshotLoader loader = new SnapshotLoader(MemorySink.channel(file), driver.keyspace, NOW_NS,
                 (db, address, length) -> skipped.add(db + " " + length + " " + (char) UnsafeApi.getByte(address)))) {
            loader.loadSome(Integer.MAX_VALUE);
        }
        assertEquals(List.of("3 1 k"), skipped, "an empty list is no key");
    }

    @Test
    void shouldNameWhatItPassesOver() throws IOException {
        final SnapshotLoader.Report report = load(bytes(HEAD,
            "0f 016b 00 00 0000 00", "01 016b 00", "0d 016b 0b 0b000000 0a000000 0000 ff", "f5 0161", "00 0178 0179",
            "02 0179 01 0161", END_UNCHECKED));
        assertEquals(2, report.loaded());
        assertEquals(Map.of("stream", 1L, "empty list", 1L, "empty hash", 1L), report.skipped());
        assertArrayEquals(new byte[] {'a'}, report.functions().get(0));
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        for (final String body : new String[] {
            "16 016b 00", "f0", "00 0161 c4", "00 0161 bf 00", "07 016b 81 0000000000000000 09", "fc ffffffffffffffff",
            "fe 10", "00 0161 c3 02 05 0061"}) {
            assertThrows(SnapshotException.class, () -> load(bytes(HEAD, body, END_UNCHECKED)), body);
        }
        for (final String head : new String[] {"REDIS0000", "REDIS0013", "REDIS00x1", "RODIS0010", "SLUICE"}) {
            final byte[] file = head.getBytes(StandardCharsets.US_ASCII);
            assertThrows(SnapshotException.class, () -> load(file), head);
        }
    }

    @Test
    void shouldRefuseAKeyThatComesTwice() {
        final SnapshotException thrown = assertThrows(
            SnapshotException.class, () -> load(bytes(HEAD, "00 0161 0162 00 0161 0162", END_UNCHECKED)));
        assertTrue(thrown.getMessage().contains("there already"), thrown.getMessage());
    }

    @Test
    void shouldPassOverStringsThatAreTooLong() throws IOException {
        final int length = 5 << 20;
        final byte[] head = bytes(HEAD, "00 0161 80 00500000");
        final byte[] tail = bytes("00 0162 0163", END_UNCHECKED);
        final byte[] file = Arrays.copyOf(head, head.length + length + tail.length);
        System.arraycopy(tail, 0, file, head.length + length, tail.length);
        final SnapshotLoader.Report report = load(file);
        assertEquals(1, report.loaded());
        assertEquals(1, report.skipped().size());
    }

    @Test
    void shouldPassOverCollectionsThatAreTooLarge() throws IOException {
        final int length = 3 << 20;
        final byte[] element = Arrays.copyOf(bytes("80 00300000"), 5 + length);
        final byte[] tail = bytes("00 0162 0163", END_UNCHECKED);
        for (final String collection : new String[] {"01 0161 02", "04 0161 01"}) {
            final byte[] head = bytes(HEAD, collection);
            final byte[] file = Arrays.copyOf(head, head.length + 2 * element.length + tail.length);
            System.arraycopy(element, 0, file, head.length, element.length);
            System.arraycopy(element, 0, file, head.length + element.length, element.length);
            System.arraycopy(tail, 0, file, head.length + 2 * element.length, tail.length);
            final SnapshotLoader.Report report = load(file);
            assertEquals(1, report.loaded());
            assertTrue(report.skipped().keySet().iterator().next().contains(" over "), report.skipped().toString());
        }
    }

    @Test
    void shouldTellWhenTheKeyspaceIsFull() throws IOException {
        final byte[] sample = sample();
        try (KeyspaceDriver driver = new KeyspaceDriver(
            new HeapStore(1), 16, new KeyspaceLimits(2, 0, EvictionPolicy.NOEVICTION))) {
            final SnapshotException thrown = assertThrows(SnapshotException.class, () -> load(sample, driver));
            assertTrue(thrown.getMessage().contains("full after 2 keys"), thrown.getMessage());
        }
    }
}
