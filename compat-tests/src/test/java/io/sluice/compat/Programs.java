package io.sluice.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs other people's programs to their end. */
final class Programs {
    private static final int SECONDS_MAX = 60;

    /** What a program left behind. Standard error is a part of the output. */
    record Result(int exitCode, String output) { }

    private Programs() {
    }

    /** Runs a program that must succeed. Returns its output. */
    static String run(Path directory, String... command) {
        Result result = tryRun(directory, new byte[0], command);
        if (result.exitCode() != 0) {
            throw new AssertionError(String.join(" ", command) + " ended with " + result.exitCode() + ":\n"
                + result.output());
        }
        return result.output();
    }

    /** Runs a program with the given bytes as standard input. */
    static Result tryRun(Path directory, byte[] input, String... command) {
        return tryRun(directory, SECONDS_MAX, input, command);
    }

    /** As above, for a program that may take so many seconds. */
    static Result tryRun(Path directory, int secondsMax, byte[] input, String... command) {
        List<String> bounded = new ArrayList<>(List.of("timeout", Integer.toString(secondsMax)));
        bounded.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(bounded)
                .directory(directory.toFile()).redirectErrorStream(true).start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input);
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
