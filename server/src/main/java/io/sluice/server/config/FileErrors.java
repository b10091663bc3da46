package io.sluice.server.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says why a file cannot be used. What the JDK says of that is mostly the file's name and nothing else. */
public final class FileErrors {
    private FileErrors() {
    }

    /** What cannot be used, and why. */
    public static String describe(Exception failure) {
        return failure instanceof FileSystemException of
            ? of.getFile() + ": " + reason(of) : String.valueOf(failure.getMessage());
    }

    /** The reason without the name of the file, as the operating system words it. */
    public static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "No such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "Permission denied";
        }
        if (failure instanceof FileSystemException of && of.getReason() != null) {
            return of.getReason();
        }
        return String.valueOf(failure.getMessage());
    }
}
