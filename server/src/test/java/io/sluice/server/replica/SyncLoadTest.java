package io.sluice.server.replica;

import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.server.command.CommandTester;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SyncLoadTest {
    private static final String OF_DATABASE_20 = "REDIS0010\u00fe\u0014\0\1a\1b\u00ff\0\0\0\0\0\0\0\0";

    @TempDir
    private Path directory;

    @Test
    void shouldSayWhatToDoAboutADatabaseThatIsNotConfigured() {
        List<String> failures = new ArrayList<>();
        try (CommandTester replica = new CommandTester()) {
            SyncLoad load = new SyncLoad(directory, Runnable::run, Runnable::run, replica.keyspace(), on -> { });
            load.write(PooledByteBufAllocator.DEFAULT.directBuffer()
                    .writeBytes(OF_DATABASE_20.getBytes(StandardCharsets.ISO_8859_1)));
            load.check(failures::add);
            load.close();
        }
        assertEquals(List.of("byte 11: database 20, but only 16 are configured: set databases to at least 21"),
                failures);
    }

    /** What comes then is of the stream, which would gather until the snapshot is loaded. */
    @Test
    void shouldNotLetThePrimaryBeReadAgainWhenAllOfTheSnapshotHasCome() {
        Queue<Runnable> disk = new ArrayDeque<>();
        List<Boolean> reading = new ArrayList<>();
        SyncLoad load = new SyncLoad(directory, disk::add, Runnable::run, null, reading::add);
        for (int i = 0; i < 5; i++) {
            load.write(PooledByteBufAllocator.DEFAULT.directBuffer().writeZero(1 << 20));
        }
        assertEquals(List.of(false), reading);
        disk.remove().run();
        assertEquals(List.of(false, true), reading);
        load.write(PooledByteBufAllocator.DEFAULT.directBuffer().writeZero(1 << 20));
        load.check(failure -> { });
        while (disk.size() > 1) {
            disk.remove().run();
        }
        assertEquals(List.of(false, true, false), reading);
        load.close();
        while (!disk.isEmpty()) {
            disk.remove().run();
        }
    }

    /** Any of them may be as large as a value can be. */
    @Test
    void shouldLookAtTheTimeAfterEachEntry() throws IOException {
        StringBuilder snapshot = new StringBuilder("REDIS0010");
        for (char key = 'a'; key <= 'z'; key++) {
            snapshot.append("\0\1").append(key).append("\1v");
        }
        snapshot.append("\u00ff\0\0\0\0\0\0\0\0");
        try (CommandTester replica = new CommandTester()) {
            SyncLoad load = new SyncLoad(directory, Runnable::run, Runnable::run, replica.keyspace(), on -> { });
            load.write(PooledByteBufAllocator.DEFAULT.directBuffer()
                    .writeBytes(snapshot.toString().getBytes(StandardCharsets.ISO_8859_1)));
            load.check(Assertions::assertNull);
            load.begin((db, keyAddress, keyLength) -> { });
            int[] looks = {0};
            assertFalse(load.loadSome(() -> looks[0]++ > 0));
            assertEquals(1, replica.keyspace().size());
            assertTrue(load.loadSome(() -> false));
            assertEquals(26, replica.keyspace().size());
            load.close();
        }
    }
}
