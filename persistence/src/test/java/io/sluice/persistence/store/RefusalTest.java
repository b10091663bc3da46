package io.sluice.persistence.store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Directories that a store cannot have, or only in part. */
final class RefusalTest {

    private static final int KEYS = 4_000;

    @TempDir
    Path directory;

    @Test
    void shouldRefuseAnotherFormatVersionAndTouchNothing() throws Exception {
        ChronicleStore.open(Directories.tiny(directory)).close();
        Files.delete(directory.resolve(DirectoryLock.NAME));
        overwrite(directory.resolve(StateFile.NAME), 8, new byte[] {2, 0, 0, 0});
        final Map<String, Integer> before = Directories.content(directory);
        for (final StoreConfig config : new StoreConfig[] {
            Directories.tiny(directory), Directories.tinyAndExpendable(directory)}) {
            final StoreOpenException e = refused(config, StoreOpenException.Reason.OTHER_VERSION);
            assertTrue(e.getMessage().contains("format version 2"), e.getMessage());
            assertEquals(before, Directories.content(directory));
        }
    }

    @Test
    void shouldRefuseADirectoryThatThisProcessHasOpen() throws Exception {
        final ChronicleStore store = ChronicleStore.open(Directories.tiny(directory));
        final StoreDriver driver = new StoreDriver(store);
        driver.insert(0, "k", 20, 1);
        final StoreOpenException e = refused(Directories.tiny(directory), StoreOpenException.Reason.LOCKED);
        assertTrue(e.getMessage().contains("process " + ProcessHandle.current().pid()), e.getMessage());
        driver.check();
        store.close();
        ChronicleStore.open(Directories.tiny(directory)).close();
    }

    @Test
    void shouldRefuseAPathThatCannotBeADirectory() throws Exception {
        final Path file = Files.writeString(directory.resolve("file"), "content");
        refused(Directories.tiny(file), StoreOpenException.Reason.NOT_WRITABLE);
        refused(Directories.tiny(file.resolve("below")), StoreOpenException.Reason.NOT_WRITABLE);
        assertEquals("content", Files.readString(file));
    }

    @Test
    void shouldRefuseToStartOnADiskWithoutRoomAndMakeNothing() throws Exception {
        final Path fresh = directory.resolve("fresh");
        final StoreOpenException e = assertThrows(StoreOpenException.class,
            () -> new StoreOpening(Directories.tiny(fresh), path -> 1_000_000).open());
        assertEquals(StoreOpenException.Reason.NO_SPACE, e.reason());
        assertEquals(Map.of(), withoutLock(fresh));
    }

    @Test
    void shouldNotStartWithoutADamagedFileUnlessItIsExpendable() throws Exception {
        final StoreDriver driver = fill();
        overwrite(directory.resolve(MapFiles.name(SizeClass.SMALL, 1)), 0, new byte[64]);
        final Map<String, Integer> before = Directories.content(directory);
        final StoreOpenException e = refused(Directories.tiny(directory), StoreOpenException.Reason.DAMAGED);
        assertTrue(e.getMessage().contains("keyspace-small-1.map"), e.getMessage());
        assertEquals(withoutLock(before), withoutLock(directory));

        final Path aside = startWithout("keyspace-small-1.map", driver, false);
        assertEquals(before.get("keyspace-small-1.map"), Directories.content(directory).get(aside.toString()));
    }

    @Test
    void shouldNotStartWithADamagedEntryHoweverOftenUnlessItIsExpendable() throws Exception {
        final StoreDriver driver = fill();
        final Path file = directory.resolve(MapFiles.name(SizeClass.SMALL, 0));
        final int at = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).lastIndexOf("key");
        overwrite(file, at + 8, new byte[] {-1, -1, -1, -1});
        final Map<String, Integer> before = Directories.content(directory);
        for (int i = 0; i < 3; i++) {
            final StoreOpenException e = refused(Directories.tiny(directory), StoreOpenException.Reason.DAMAGED);
            assertTrue(e.getMessage().contains("keyspace-small-0.map: an entry"), e.getMessage());
            assertEquals(withoutLock(before), withoutLock(directory));
        }
        final ChronicleStore store = ChronicleStore.open(Directories.tinyAndExpendable(directory));
        assertEquals(1, store.recovery().dropped());
        assertEquals(KEYS - 1, store.size());
        final String aside = store.recovery().setAside().get(0);
        assertEquals(before.get(file.getFileName().toString()), Directories.content(directory).get(aside));
        store.close();
    }

    @Test
    void shouldNameTheFileOfAnEntryThatCannotBeRemoved() throws Exception {
        fill();
        final Path file = directory.resolve(MapFiles.name(SizeClass.SMALL, 0));
        final int at = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).lastIndexOf("key");
        overwrite(file, at, new byte[] {'d'});
        final String key = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).substring(at)
            .replaceFirst("(?s)(dey[0-9]+).*", "$1");
        try (ChronicleStore store = ChronicleStore.open(Directories.tiny(directory))) {
            final StoreDriver driver = new StoreDriver(store);
            final DamagedFileException e = assertThrows(
                DamagedFileException.class, () -> driver.remove(0, key));
            assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
        }
    }

    @Test
    void shouldNotStartWithATruncatedFileUnlessItIsExpendable() throws Exception {
        final StoreDriver driver = fill();
        final Path file = directory.resolve(MapFiles.name(SizeClass.SMALL, 0));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(10);
        }
        refused(Directories.tiny(directory), StoreOpenException.Reason.DAMAGED);
        startWithout("keyspace-small-0.map", driver, false);
    }

    @Test
    void shouldNotStartWithoutAMissingFileUnlessItIsExpendable() throws Exception {
        final StoreDriver driver = fill();
        Files.delete(directory.resolve(MapFiles.name(SizeClass.SMALL, 0)));
        final StoreOpenException e = refused(Directories.tiny(directory), StoreOpenException.Reason.DAMAGED);
        assertTrue(e.getMessage().contains("keyspace-small-0.map: is missing"), e.getMessage());
        startWithout("keyspace-small-0.map", driver, true);
        ChronicleStore.open(Directories.tiny(directory)).close();
    }

    @Test
    void shouldNotStartWithADamagedStateFileUnlessItIsExpendable() throws Exception {
        final StoreDriver driver = fill();
        overwrite(directory.resolve(StateFile.NAME), 64, new byte[1_000]);
        refused(Directories.tiny(directory), StoreOpenException.Reason.DAMAGED);
        overwrite(directory.resolve(StateFile.NAME), 0, new byte[8]);
        refused(Directories.tiny(directory), StoreOpenException.Reason.DAMAGED);
        final ChronicleStore store = ChronicleStore.open(Directories.tinyAndExpendable(directory));
        assertEquals(1, store.recovery().setAside().size());
        assertFalse(store.recovery().clean());
        driver.store(store);
        driver.check();
        store.close();
    }

    @Test
    void shouldTakeTheOlderRecordWhenTheNewerOneIsTorn() throws Exception {
        final Path path = directory.resolve(StateFile.NAME);
        StateFile.create(path);
        try (StateFile state = StateFile.open(path)) {
            state.replication("a".repeat(40).getBytes(), 1, 0);
            state.replication("b".repeat(40).getBytes(), 2, 0);
        }
        try (StateFile state = StateFile.open(path)) {
            assertEquals(2, state.replicationOffset());
        }
        overwrite(path, 64 + 200, new byte[] {99});
        try (StateFile state = StateFile.open(path)) {
            assertEquals(1, state.replicationOffset());
        }
    }

    private StoreDriver fill() throws StoreOpenException {
        final ChronicleStore store = ChronicleStore.open(Directories.tiny(directory));
        final StoreDriver driver = new StoreDriver(store);
        for (int i = 0; i < KEYS; i++) {
            driver.insert(0, "key" + i, 20, i);
        }
        assertTrue(store.capacity().files().size() >= 3);
        store.close();
        return driver;
    }

    /** Starts without a file, checks what is left, and returns the name under which the file was set aside. */
    private Path startWithout(final String name, final StoreDriver driver, final boolean missing) throws Exception {
        final ChronicleStore store = ChronicleStore.open(Directories.tinyAndExpendable(directory));
        assertEquals(missing ? 0 : 1, store.recovery().setAside().size());
        driver.store(store);
        driver.model.keySet().removeIf(key -> driver.find(key.space(), key.key()) == Store.NOT_FOUND);
        assertTrue(driver.model.size() > KEYS / 3 && driver.model.size() < KEYS);
        driver.check();
        for (int i = 0; i < KEYS; i++) {
            if (!driver.has(0, "key" + i)) {
                driver.insert(0, "key" + i, 20, i);
            }
        }
        driver.check();
        final Path aside = missing ? null : Path.of(store.recovery().setAside().get(0));
        store.close();
        final ChronicleStore again = ChronicleStore.open(Directories.tiny(directory));
        driver.store(again);
        driver.check();
        again.close();
        assertTrue(missing || aside.toString().startsWith(name + ".damaged-"));
        return aside;
    }

    private static StoreOpenException refused(final StoreConfig config, final StoreOpenException.Reason reason) {
        final StoreOpenException e = assertThrows(StoreOpenException.class, () -> ChronicleStore.open(config));
        assertEquals(reason, e.reason(), e.getMessage());
        return e;
    }

    private static Map<String, Integer> withoutLock(final Path directory) throws IOException {
        return withoutLock(Directories.content(directory));
    }

    private static Map<String, Integer> withoutLock(final Map<String, Integer> content) {
        content.remove(DirectoryLock.NAME);
        return content;
    }

    private static void overwrite(final Path file, final long at, final byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), at);
        }
    }
}
