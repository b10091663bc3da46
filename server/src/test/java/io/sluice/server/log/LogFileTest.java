package io.sluice.server.log;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LogFileTest {
    private static final Logger LOG = LoggerFactory.getLogger(LogFileTest.class);

    @TempDir
    private Path directory;

    @AfterEach
    void backToStandardOutput() throws IOException {
        LogFile.open("");
    }

    @Test
    void shouldGoOnInANewFileWhenTheOldOneWasMovedAway() throws IOException {
        Path file = directory.resolve("sluice.log");
        LogFile.open(file.toString());
        LOG.warn("first");
        Files.move(file, directory.resolve("sluice.log.1"));
        LOG.warn("second");
        assertTrue(Files.readString(directory.resolve("sluice.log.1")).endsWith(" # first\n"));
        assertTrue(Files.readString(file).endsWith(" # second\n"));
    }

    @Test
    void shouldStayWhereItIsWhenAFileCannotBeWritten() throws IOException {
        Path file = directory.resolve("sluice.log");
        LogFile.open(file.toString());
        assertThrows(IOException.class, () -> LogFile.open(directory.resolve("none/sluice.log").toString()));
        LOG.warn("still here");
        assertEquals(1, Files.readAllLines(file).size());
    }
}
