package io.sluice.server;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.snapshot.SnapshotFile;
import io.sluice.persistence.snapshot.Snapshots;
import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.StoreConfig;
import org.agrona.BufferUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FileCheckTest {
    private static final long NOW_NS = ManualClock.START_EPOCH_NS;
    private static final int KEYS = 100;

    @TempDir
    private Path directory;
    private Path map;
    private Path snapshot;
    private String output;

    @BeforeEach
    void fill() throws Exception {
        map = directory.resolve("keyspace-small-0.map");
        snapshot = directory.resolve("dump.rdb");
        try (ChronicleStore store = ChronicleStore.open(new StoreConfig(directory, 1_000, 0, 0, false))) {
            Keyspace keyspace = new Keyspace(store, 16, KeyspaceLimits.NONE, NOW_NS);
            Entry entry = new Entry();
            ByteBuffer key = ByteBuffer.allocateDirect(16);
            keyspace.begin(NOW_NS);
            for (int i = 0; i < KEYS; i++) {
                key.clear().put(String.format("key-%012d", i).getBytes(StandardCharsets.US_ASCII));
                keyspace.lookup(entry, 0, BufferUtil.address(key), 16);
                keyspace.putInt(entry, i, Entry.NO_EXPIRY);
            }
            keyspace.end();
            new Snapshots(keyspace, System::nanoTime, 1_000_000, 8 << 20, Snapshots.Purpose.FILE)
                .saveNow(new SnapshotFile(snapshot), Map.of(), NOW_NS);
        }
    }

    private int check(String... args) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int code = new FileCheck(new PrintStream(bytes, true, StandardCharsets.UTF_8)).run(args);
        output = bytes.toString(StandardCharsets.UTF_8);
        return code;
    }

    @Test
    void shouldFindSoundFilesSound() {
        assertEquals(0, check(directory.toString()), () -> output);
        assertTrue(output.contains("dump.rdb: sound, 100 keys, 0 expired ones"), output);
        assertTrue(output.contains("keyspace-small-0.map: sound, 100 keys"), output);
    }

    @Test
    void shouldNameTheByteAtWhichASnapshotIsDamaged() throws Exception {
        byte[] bytes = Files.readAllBytes(snapshot);
        bytes[bytes.length / 2] ^= 0x55;
        Files.write(snapshot, bytes);
        assertEquals(65, check(snapshot.toString()), () -> output);
        assertTrue(output.matches("(?s).*damaged, byte \\d+: .*"), output);
    }

    @Test
    void shouldNameTheOffsetOfADamagedEntryAndLeaveTheFileAsItIs() throws Exception {
        byte[] bytes = Files.readAllBytes(map);
        int key = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("key-000000000042");
        // Behind the key: the size of the value, then the length of the key as the value knows it.
        bytes[key + 17] ^= 0x3f;
        Files.write(map, bytes);
        assertEquals(65, check(map.toString()), () -> output);
        assertTrue(output.contains("at offset " + (key - 2) + ": an entry whose parts do not fit together"), output);
        assertTrue(output.contains("damaged, 99 keys"), output);
        assertArrayEquals(bytes, Files.readAllBytes(map));
    }

    @Test
    void shouldRefuseAFileThatIsCutOff() throws Exception {
        byte[] bytes = Files.readAllBytes(map);
        Files.write(map, Arrays.copyOf(bytes, bytes.length / 2));
        assertEquals(65, check(map.toString()), () -> output);
        assertTrue(output.contains("cut off"), output);
    }

    @Test
    void shouldRepairOnlyWhenToldTo() throws Exception {
        byte[] bytes = Files.readAllBytes(map);
        int key = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("key-000000000042");
        bytes[key + 17] ^= 0x3f;
        Files.write(map, bytes);
        assertEquals(0, check("--repair", directory.toString()), () -> output);
        assertTrue(output.contains("99 keys, 1 unsound entries removed"), output);
        String aside = output.replaceFirst("(?s).*set aside: (\\S+).*", "$1");
        assertArrayEquals(bytes, Files.readAllBytes(directory.resolve(aside)));
        assertEquals(0, check(map.toString()), () -> output);
    }

    @ParameterizedTest
    @ValueSource(ints = {4_096, 8_192, 10_240})
    void shouldNameTheOffsetOfADamagedBlockAndRepairAround(int offset) throws Exception {
        byte[] bytes = Files.readAllBytes(map);
        byte[] noise = new byte[4_096];
        new Random(1).nextBytes(noise);
        System.arraycopy(noise, 0, bytes, offset, noise.length);
        Files.write(map, bytes);
        assertEquals(65, check(map.toString()), () -> output);
        assertTrue(output.matches("(?s).*keyspace-small-0.map: at offset \\d+: .*"), output);
        assertArrayEquals(bytes, Files.readAllBytes(map));
        assertEquals(0, check("--repair", directory.toString()), () -> output);
        assertEquals(0, check(map.toString()), () -> output);
    }

    @Test
    void shouldNotTouchTheFilesOfARunningServer() throws Exception {
        try (ChronicleStore store = ChronicleStore.open(StoreConfig.of(directory))) {
            assertTrue(store.size() > 0);
            assertEquals(71, check(map.toString()), () -> output);
        }
    }

    @Test
    void shouldNotPassItselfOffAsTheServerThatRanLast() throws Exception {
        Path lock = directory.resolve("keyspace.lock");
        Files.writeString(lock, "the server's");
        assertEquals(0, check(map.toString()), () -> output);
        assertEquals("the server's", Files.readString(lock));
    }

    @Test
    void shouldSayHowItIsUsed() {
        assertEquals(1, check());
        assertEquals(0, check("--help"));
        assertEquals(66, check(directory.resolve("none.rdb").toString()));
    }
}
