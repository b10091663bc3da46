package io.sluice.persistence.store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Map files with wrong bytes anywhere: the process lives, the file is named, nothing but what is damaged is lost. */
final class DamageTest {

    private static final String FILE = MapFiles.name(SizeClass.SMALL, 0);
    private static final int DAMAGE_BYTES = 4_096;
    private static final int FEW_KEYS = 6;
    private static final int MANY_KEYS = 1_200;
    private static final int MUTATIONS = Integer.getInteger("sluice.seeds", 300);

    @TempDir
    Path directory;

    @TempDir
    Path images;

    @ParameterizedTest
    @ValueSource(longs = {0, 1_600, 4_096, 8_192})
    void shouldNameAFileWithDamagedHeaders(final long offset) throws Exception {
        fill(new StoreConfig(directory, StoreConfig.INITIAL_KEYS_DEFAULT, 0, 0, false), FEW_KEYS);
        damage(offset, DAMAGE_BYTES, new Random(1));
        shouldRefuseThenSave(FEW_KEYS);
    }

    @Test
    void shouldNameAFileWhoseLookupIsDamaged() throws Exception {
        fill(new StoreConfig(directory, StoreConfig.INITIAL_KEYS_DEFAULT, 0, 0, false), FEW_KEYS);
        damage(20_480, DAMAGE_BYTES, new Random(1));
        shouldRefuseThenSave(FEW_KEYS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldNameAFileThatIsDamagedAllOver(final long seed) throws Exception {
        fill(new StoreConfig(directory, StoreConfig.INITIAL_KEYS_DEFAULT, 0, 0, false), MANY_KEYS);
        final Random random = new Random(seed);
        for (long at = 50_000; at < Files.size(directory.resolve(FILE)); at += 50_000) {
            damage(at, 4_000, random);
        }
        shouldRefuseThenSave(MANY_KEYS);
    }

    @Test
    void shouldKeepWhatIsSoundOfAFileWhoseSegmentHeadersAreDamaged() throws Exception {
        final StoreDriver driver = fill(Directories.tiny(directory), MANY_KEYS);
        damage(4_096, 64, new Random(1));
        try (ChronicleStore store = ChronicleStore.open(Directories.tinyAndExpendable(directory))) {
            assertEquals(1, store.recovery().setAside().size());
            driver.store(store);
            driver.check();
        }
    }

    @Test
    void shouldNotEndTheProcessOverAFileThatWasDamagedAfterAKill() throws Exception {
        final Path image;
        try (ChronicleStore store = ChronicleStore.open(Directories.tiny(directory))) {
            final StoreDriver driver = new StoreDriver(store);
            for (int i = 0; i < MANY_KEYS; i++) {
                driver.insert(0, "key" + i, 20, i);
            }
            image = Directories.crashImage(directory, images.resolve("image"));
        }
        final byte[] sound = Files.readAllBytes(image.resolve(FILE));
        for (int seed = 0; seed < MUTATIONS / 4; seed++) {
            final Path mutated = Directories.crashImage(image, images.resolve("mutated" + seed));
            mutate(mutated.resolve(FILE), sound, new Random(seed));
            if (mustOpenOrRefuse(mutated)) {
                mustOpen(mutated);
            }
        }
    }

    /** Whatever is damaged of a file that was closed: it is refused untouched, or its entries can be worked with. */
    @Test
    void shouldRefuseOrWorkWithFilesThatAreDamagedAnywhere() throws Exception {
        fill(Directories.tiny(directory), MANY_KEYS);
        final Path original = Directories.crashImage(directory, images.resolve("original"));
        final byte[] sound = Files.readAllBytes(original.resolve(FILE));
        int refused = 0;
        for (int seed = 0; seed < MUTATIONS; seed++) {
            final Path mutated = Directories.crashImage(original, images.resolve("mutated" + seed));
            mutate(mutated.resolve(FILE), sound, new Random(seed));
            final Map<String, Integer> before = content(mutated);
            if (mustOpenOrRefuse(mutated)) {
                refused++;
                assertEquals(before, content(mutated), "seed " + seed);
                assertTrue(!MapFileCheck.check(mutated.resolve(FILE)).findings().isEmpty(), "seed " + seed);
                mustOpen(mutated);
                assertTrue(content(mutated).containsValue(before.get(FILE)), "seed " + seed);
            }
        }
        assertTrue(refused > MUTATIONS / 4 && refused < MUTATIONS, "refused " + refused);
    }

    private StoreDriver fill(final StoreConfig config, final int keys) throws StoreOpenException {
        try (ChronicleStore store = ChronicleStore.open(config)) {
            final StoreDriver driver = new StoreDriver(store);
            for (int i = 0; i < keys; i++) {
                driver.insert(0, "key" + i, 20, i);
            }
            return driver;
        }
    }

    /** Refuses, finds, sets aside and then is sound; at every step the damaged bytes are there. */
    private void shouldRefuseThenSave(final int keys) throws Exception {
        final Path file = directory.resolve(FILE);
        final byte[] damaged = Files.readAllBytes(file);
        final Map<String, Integer> before = content(directory);
        final StoreOpenException e = assertThrows(
            StoreOpenException.class, () -> ChronicleStore.open(Directories.tiny(directory)));
        assertEquals(StoreOpenException.Reason.DAMAGED, e.reason());
        assertTrue(e.getMessage().contains(FILE + ": "), e.getMessage());
        assertTrue(MapFileCheck.check(file).findings().size() > 0);
        assertEquals(before, content(directory));
        try (ChronicleStore store = ChronicleStore.open(Directories.tinyAndExpendable(directory))) {
            assertTrue(store.size() <= keys);
            assertEquals(1, store.recovery().setAside().size());
            assertArrayEquals(damaged, Files.readAllBytes(directory.resolve(store.recovery().setAside().get(0))));
        }
        ChronicleStore.open(Directories.tiny(directory)).close();
        for (final Path map : Directories.files(directory)) {
            if (map.toString().endsWith(".map")) {
                assertEquals(0, MapFileCheck.check(map).findings().size());
            }
        }
    }

    private static boolean mustOpenOrRefuse(final Path mutated) {
        try (ChronicleStore store = ChronicleStore.open(Directories.tiny(mutated))) {
            work(store);
            return false;
        } catch (final StoreOpenException e) {
            assertEquals(StoreOpenException.Reason.DAMAGED, e.reason());
            assertTrue(e.getMessage().contains(FILE + ": "), e.getMessage());
            return true;
        } catch (final DamagedFileException e) {
            assertTrue(e.getMessage().contains(FILE), e.getMessage());
            return false;
        }
    }

    private static void mustOpen(final Path mutated) throws StoreOpenException {
        try (ChronicleStore store = ChronicleStore.open(Directories.tinyAndExpendable(mutated))) {
            assertTrue(store.size() <= MANY_KEYS);
            work(store);
        }
    }

    private static void work(final ChronicleStore store) {
        final StoreDriver driver = new StoreDriver(store);
        for (int i = 0; i < MANY_KEYS; i++) {
            if (driver.find(0, "key" + i) != Store.NOT_FOUND) {
                driver.remove(0, "key" + i);
            }
            driver.insert(0, "key" + i, 20, i);
        }
    }

    private void damage(final long offset, final int bytes, final Random random) throws IOException {
        final byte[] noise = new byte[bytes];
        random.nextBytes(noise);
        try (FileChannel channel = FileChannel.open(directory.resolve(FILE), StandardOpenOption.WRITE)) {
            final long size = channel.size();
            channel.write(ByteBuffer.wrap(noise, 0, (int) Math.min(bytes, size - offset)), offset);
        }
    }

    /** Half of the time where the file leads to its entries: in headers, lookup, counters. */
    private static void mutate(final Path file, final byte[] sound, final Random random) throws IOException {
        final byte[] bytes = sound.clone();
        final int at = random.nextInt(random.nextBoolean() ? 16_384 : bytes.length);
        final int length = Math.min(new int[] {1, 8, 64, DAMAGE_BYTES}[random.nextInt(4)], bytes.length - at);
        for (int i = at; i < at + length; i++) {
            bytes[i] ^= (byte) (1 + random.nextInt(255));
        }
        Files.write(file, bytes);
    }

    private static Map<String, Integer> content(final Path directory) throws IOException {
        final Map<String, Integer> content = Directories.content(directory);
        content.remove(DirectoryLock.NAME);
        return content;
    }
}
