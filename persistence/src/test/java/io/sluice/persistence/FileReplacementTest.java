package io.sluice.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReplacementTest {

    @TempDir
    private Path directory;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("settings");
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldReplaceTheContentAndLeaveNothingBeside() throws IOException {
        FileReplacement.write(file, bytes("one, which is longer"));
        FileReplacement.write(file, bytes("two"));
        assertEquals("two", Files.readString(file));
        assertEquals(List.of("settings"), names());
    }

    /** It may hold passwords. */
    @Test
    void shouldLeaveTheFileToThoseWhoCouldReadIt() throws IOException {
        Files.writeString(file, "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        FileReplacement.write(file, bytes("new"));
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        FileReplacement.write(file, bytes("newer"));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void shouldLeaveTheOldFileWhenItFails() throws IOException {
        FileReplacement.write(file, bytes("old"));
        Files.createDirectory(directory.resolve("settings.tmp"));
        assertThrows(IOException.class, () -> FileReplacement.write(file, bytes("new")));
        assertEquals("old", Files.readString(file));
    }
}
