package io.sluice.server;

import io.sluice.persistence.Entry;
import io.sluice.persistence.store.HeapStore;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigReader;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How a snapshot file becomes a keyspace at the start. */
class DatabaseTest {
    private final ManualClock clock = new ManualClock();

    @TempDir
    Path directory;

    private Config config() throws Exception {
        return new ConfigReader(InputStream.nullInputStream()).read(new String[] {"--dir", directory.toString()});
    }

    private Database database() throws Exception {
        return new Database(config(), clock.serverClock(), new HeapStore(42));
    }

    /** Keys 0 to count - 1, each holding its own number, in a snapshot file. */
    private void snapshot(int count) throws Exception {
        Database database = database();
        Entry entry = new Entry();
        long key = UnsafeApi.allocateMemory(Long.BYTES);
        database.keyspace().begin(clock.serverClock().epochNs());
        for (int i = 0; i < count; i++) {
            UnsafeApi.putLong(key, i);
            database.keyspace().lookup(entry, 0, key, Long.BYTES);
            database.keyspace().putInt(entry, i, Entry.NO_EXPIRY);
        }
        database.keyspace().end();
        UnsafeApi.freeMemory(key);
        database.saveNow();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100_000, 100_001, 250_000})
    void shouldImportEveryKeyOfASnapshot(int count) throws Exception {
        snapshot(count);
        assertTrue(Database.awaitsImport(config()));
        Database database = database();
        database.importSnapshot(sources -> { });
        assertEquals(count, database.keyspace().size());
        assertFalse(Files.exists(directory.resolve("keyspace.importing")));
        database.close();
    }

    @Test
    void shouldImportAgainAfterAnImportThatDidNotEnd() throws Exception {
        snapshot(10);
        Path file = directory.resolve("dump.rdb");
        byte[] sound = Files.readAllBytes(file);
        byte[] damaged = sound.clone();
        damaged[damaged.length / 2] ^= 1;
        Files.write(file, damaged);
        assertTrue(Database.awaitsImport(config()));
        Database refused = database();
        assertThrows(IOException.class, () -> refused.importSnapshot(sources -> { }));
        refused.close();
        // The store has been made meanwhile, which would otherwise count as state of its own.
        Files.createFile(directory.resolve("keyspace.state"));
        assertTrue(Database.awaitsImport(config()));
        Files.write(file, sound);
        Database database = database();
        database.importSnapshot(sources -> { });
        assertEquals(10, database.keyspace().size());
        assertFalse(Database.awaitsImport(config()));
        database.close();
    }

    @Test
    void shouldTakeTheLastSnapshotAlthoughOneIsRunning() throws Exception {
        snapshot(1000);
        assertTrue(Database.awaitsImport(config()));
        Database database = database();
        database.importSnapshot(sources -> { });
        Files.delete(directory.resolve("dump.rdb"));
        assertTrue(database.beginSnapshot());
        database.saveLast();
        assertFalse(database.isSnapshotRunning());
        assertTrue(Files.exists(directory.resolve("dump.rdb")));
        assertFalse(Files.exists(directory.resolve("temp-dump.rdb")));
        assertTrue(Database.awaitsImport(config()));
        database.importSnapshot(sources -> { });
        assertEquals(1000, database.keyspace().size());
        database.close();
    }

    @Test
    void shouldImportNothingIntoAStoreThatIsThere() throws Exception {
        snapshot(1);
        Files.createFile(directory.resolve("keyspace.state"));
        assertFalse(Database.awaitsImport(config()));
    }

    @Test
    void shouldImportNothingWhereThereIsNoSnapshot() throws Exception {
        assertFalse(Database.awaitsImport(config()));
    }
}
