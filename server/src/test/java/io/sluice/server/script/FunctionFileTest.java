package io.sluice.server.script;

import io.sluice.server.command.CommandTester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FunctionFileTest {
    private static final String LIBRARY = "#!lua name=lib\nredis.register_function('f', function() return 7 end)";

    @TempDir
    Path directory;

    private CommandTester start() throws IOException {
        CommandTester redis = new CommandTester();
        redis.parts().scripts().functions().keepIn(new FunctionFile(directory));
        return redis;
    }

    @Test
    void shouldKeepFunctionsOverARestart() throws IOException {
        try (CommandTester redis = start()) {
            redis.run("FUNCTION", "LOAD", LIBRARY);
        }
        try (CommandTester redis = start()) {
            assertEquals(":7", redis.run("FCALL", "f", "0"));
            redis.run("FUNCTION", "DELETE", "lib");
        }
        try (CommandTester redis = start()) {
            assertEquals("-ERR Function not found", redis.run("FCALL", "f", "0"));
        }
    }

    @Test
    void shouldReplaceAllLibrariesByThoseThatCanBeLoaded() throws IOException, ScriptException {
        List<String> refused = new ArrayList<>();
        try (CommandTester redis = start()) {
            redis.run("FUNCTION", "LOAD", LIBRARY.replace("lib", "old").replace("'f'", "'g'"));
            redis.parts().scripts().functions().replaceAll(Stream.of(LIBRARY, "#!lua name=bad\nnonsense(",
                    LIBRARY.replace("lib", "second"), "no library")
                    .map(text -> text.getBytes(StandardCharsets.US_ASCII)).toList(), (name, why) -> refused.add(name));
            assertEquals(":7", redis.run("FCALL", "f", "0"));
            assertEquals("-ERR Function not found", redis.run("FCALL", "g", "0"));
        }
        assertEquals(List.of("bad", "second", "?"), refused);
        try (CommandTester redis = start()) {
            assertEquals(":7", redis.run("FCALL", "f", "0"));
        }
    }

    @Test
    void shouldNotChangeWhatItCannotKeep() throws IOException {
        try (CommandTester redis = start()) {
            Files.createDirectory(directory.resolve("functions.dump.tmp"));
            assertTrue(redis.run("FUNCTION", "LOAD", LIBRARY).startsWith("-ERR functions cannot be kept: "));
            assertEquals("-ERR Function not found", redis.run("FCALL", "f", "0"));
        }
    }

    @Test
    void shouldRefuseAFileThatIsDamaged() throws IOException {
        try (CommandTester redis = start()) {
            redis.run("FUNCTION", "LOAD", LIBRARY);
        }
        Path file = directory.resolve("functions.dump");
        byte[] content = Files.readAllBytes(file);
        content[10] ^= 1;
        Files.write(file, content);
        assertEquals(refusal(file, "DUMP payload version or checksum are wrong"), refusal());
        Files.write(file, new byte[3]);
        assertEquals(refusal(file, "DUMP payload version or checksum are wrong"), refusal());
        Files.delete(file);
        Files.createDirectory(file);
        assertEquals(refusal(file, "Is a directory"), refusal());
    }

    private String refusal() {
        return assertThrows(IOException.class, this::start).getMessage();
    }

    private static String refusal(Path file, String reason) {
        return "cannot take the functions of " + file + ": " + reason
                + ". It has been left as it is; without it, the server starts with no functions";
    }
}
