package io.sluice.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a server and its operating system tell of it. */
final class ServerStatus {
    private static final long KB_PER_MB = 1024;

    private ServerStatus() {
    }

    /** A number of INFO. */
    static long info(RespClient client, String field) {
        String text = (String) client.call("INFO", "all");
        for (String line : text.split("\r\n")) {
            if (line.startsWith(field + ":")) {
                return Long.parseLong(line.substring(field.length() + 1));
            }
        }
        throw new AssertionError("no " + field + " in\n" + text);
    }

    /** Resident memory outside of files, in MB. */
    static long privateMb(ServerProcess server) {
        return status(server, "RssAnon:") / KB_PER_MB;
    }

    private static long status(ServerProcess server, String field) {
        return lines(server, "status").lines().filter(line -> line.startsWith(field))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).findAny().orElseThrow();
    }

    /** Hundredths of a second of CPU that the process has used. */
    static long cpuTicks(ServerProcess server) {
        String stat = lines(server, "stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    private static String lines(ServerProcess server, String file) {
        try {
            return Files.readString(Path.of("/proc/" + server.pid() + "/" + file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
