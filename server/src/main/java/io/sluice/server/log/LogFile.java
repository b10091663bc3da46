package io.sluice.server.log;

import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.MessageFormatter;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The server's log: one line per event on standard output or in the file that {@code logfile} names, in Redis's form,
 * so that what reads Redis's log reads ours. The libraries below are only heard from warnings on.
 */
public final class LogFile {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd MMM yyyy HH:mm:ss.SSS", Locale.ENGLISH).withZone(ZoneId.systemDefault());
    private static final String OURS = "io.sluice.";
    /** Chronicle warns about optional native libraries that are left out on purpose. */
    private static final String TALKATIVE = "net.openhft.";
    private static final long PID = ProcessHandle.current().pid();

    private static volatile LogLevel level = LogLevel.NOTICE;
    private static volatile String path = "";
    private static volatile char role = 'M';

    private LogFile() {
    }

    /** Shows events from this level on. */
    public static void level(LogLevel from) {
        level = from;
    }

    /** What a line says the server is, as in Redis: {@code S} for a replica, else {@code M}. */
    public static void replica(boolean value) {
        role = value ? 'S' : 'M';
    }

    /**
     * Appends to a file from now on. Each line opens it, as in Redis, so whoever rotates it has only to move it away.
     *
     * @param newPath empty: standard output
     * @throws IOException if it cannot be written; the log stays where it was
     */
    public static void open(String newPath) throws IOException {
        if (!newPath.isEmpty()) {
            append(newPath).close();
        }
        path = newPath;
    }

    /**
     * Fails where {@link #open} would, and makes no file.
     *
     * @throws IOException if the file could not be written
     */
    public static void check(String newPath) throws IOException {
        Path folder = Path.of(newPath).toAbsolutePath().getParent();
        if (newPath.isEmpty()) {
            return;
        }
        if (Files.exists(Path.of(newPath))) {
            append(newPath).close();
        } else if (!Files.isDirectory(folder)) {
            throw new IOException(newPath + " (No such file or directory)");
        } else if (!Files.isWritable(folder)) {
            throw new IOException(newPath + " (Permission denied)");
        }
    }

    private static PrintStream append(String file) throws IOException {
        return new PrintStream(new FileOutputStream(file, true), true, StandardCharsets.UTF_8);
    }

    private static void write(Level eventLevel, String text, Throwable cause) {
        String line = PID + ":" + role + ' ' + TIME.format(ZonedDateTime.now()) + ' '
                + LogLevel.markOf(eventLevel) + ' ' + text;
        synchronized (LogFile.class) {
            if (path.isEmpty()) {
                print(System.out, line, cause);
                return;
            }
            try (PrintStream file = append(path)) {
                print(file, line, cause);
            } catch (IOException e) {
                print(System.err, line, cause);
            }
        }
    }

    private static void print(PrintStream to, String line, Throwable cause) {
        to.println(line);
        if (cause != null) {
            cause.printStackTrace(to);
        }
    }

    /** One logger. */
    static final class Named extends AbstractLogger {
        private static final long serialVersionUID = 1L;

        private final Level least;

        Named(String name) {
            this.name = name;
            least = name.startsWith(OURS) ? Level.TRACE : name.startsWith(TALKATIVE) ? Level.ERROR : Level.WARN;
        }

        private boolean shows(Level eventLevel) {
            return level.shows(eventLevel) && eventLevel.toInt() >= least.toInt();
        }

        @Override
        protected void handleNormalizedLoggingCall(Level eventLevel, Marker marker, String pattern, Object[] arguments,
                Throwable cause) {
            write(eventLevel, MessageFormatter.basicArrayFormat(pattern, arguments), cause);
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        public boolean isTraceEnabled() {
            return shows(Level.TRACE);
        }

        @Override
        public boolean isTraceEnabled(Marker marker) {
            return shows(Level.TRACE);
        }

        @Override
        public boolean isDebugEnabled() {
            return shows(Level.DEBUG);
        }

        @Override
        public boolean isDebugEnabled(Marker marker) {
            return shows(Level.DEBUG);
        }

        @Override
        public boolean isInfoEnabled() {
            return shows(Level.INFO);
        }

        @Override
        public boolean isInfoEnabled(Marker marker) {
            return shows(Level.INFO);
        }

        @Override
        public boolean isWarnEnabled() {
            return shows(Level.WARN);
        }

        @Override
        public boolean isWarnEnabled(Marker marker) {
            return shows(Level.WARN);
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled(Marker marker) {
            return true;
        }
    }
}
