package io.sluice.server;

import io.sluice.persistence.Entry;
import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.HeapStore;
import io.sluice.persistence.store.StoreConfig;
import io.sluice.persistence.store.StoreState;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigReader;
import io.sluice.server.log.LogFile;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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

    private static void put(Database database, String name) {
        long key = UnsafeApi.allocateMemory(name.length());
        for (int i = 0; i < name.length(); i++) {
            UnsafeApi.putByte(key + i, (byte) name.charAt(i));
        }
        Entry entry = new Entry();
        database.keyspace().begin(0);
        database.keyspace().lookup(entry, 0, key, name.length());
        database.keyspace().putInt(entry, 1, Entry.NO_EXPIRY);
        database.keyspace().end();
        UnsafeApi.freeMemory(key);
    }

    private Database stored() throws Exception {
        return new Database(config(), clock.serverClock(),
                ChronicleStore.open(new StoreConfig(directory, 1_000, 0, 0, false)));
    }

    @Test
    void shouldStartWithNothingWhereALoadDidNotEnd() throws Exception {
        Path log = directory.resolve("log");
        Database database = stored();
        put(database, "old");
        database.store().state().replication("a".repeat(40).getBytes(StandardCharsets.US_ASCII), 7, 0);
        database.fillAnew();
        assertEquals(0, database.keyspace().size());
        put(database, "part");
        database.close();
        LogFile.open(log.toString());
        try {
            database = stored();
        } finally {
            LogFile.open("");
        }
        assertEquals(0, database.keyspace().size());
        assertTrue(Files.readString(log).contains("the 1 keys of the part that is there are removed"));
        byte[] id = new byte[StoreState.REPLICATION_ID_BYTES];
        database.store().state().replicationId(id);
        assertArrayEquals(new byte[StoreState.REPLICATION_ID_BYTES], id);
        put(database, "new");
        database.close();
        database = stored();
        assertEquals(1, database.keyspace().size());
        database.close();
    }

    @Test
    void shouldKeepWhatWasLoadedToItsEnd() throws Exception {
        Database database = stored();
        database.fillAnew();
        put(database, "whole");
        database.filled();
        database.close();
        database = stored();
        assertEquals(1, database.keyspace().size());
        database.close();
    }

    @Test
    void shouldStartWithNothingWhenTheSnapshotHasGoneOfAnImportThatDidNotEnd() throws Exception {
        snapshot(10);
        assertTrue(Database.awaitsImport(config()));
        Database refused = stored();
        assertThrows(IOException.class, () -> refused.importSnapshot(sources -> {
            throw new IOException();
        }));
        assertEquals(10, refused.keyspace().size());
        refused.close();
        Files.delete(directory.resolve("dump.rdb"));
        assertFalse(Database.awaitsImport(config()));
        Database database = stored();
        assertEquals(0, database.keyspace().size());
        put(database, "new");
        database.saveNow();
        assertFalse(Database.awaitsImport(config()));
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
