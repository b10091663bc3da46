package io.sluice.server.script;

import io.sluice.persistence.FileReplacement;
import io.sluice.server.config.FileErrors;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where libraries are kept: {@code functions.dump} in the data directory, written anew as a whole at every change. */
public final class FunctionFile {
    private static final String NAME = "functions.dump";

    private final Path path;

    /** The file of this data directory. */
    public FunctionFile(Path directory) {
        path = directory.resolve(NAME);
    }

    /**
     * Its content; null if there is none.
     *
     * @throws IOException if it cannot be read; the message names it
     */
    byte[] read() throws IOException {
        try {
            return Files.exists(path) ? Files.readAllBytes(path) : null;
        } catch (IOException e) {
            throw unusable(FileErrors.reason(e), e);
        }
    }

    /** Why a server does not start with this file, for the operator. */
    IOException unusable(String reason, Exception cause) {
        return new IOException("cannot take the functions of " + path + ": " + reason
                + ". It has been left as it is; without it, the server starts with no functions", cause);
    }

    /** Replaces its content: a kill leaves the old one or the new one. */
    void write(byte[] content) throws IOException {
        FileReplacement.write(path, content);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
