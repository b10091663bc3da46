package io.sluice.server.replica;

import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.server.command.CommandTester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
