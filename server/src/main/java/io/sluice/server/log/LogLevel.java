package io.sluice.server.log;

import org.slf4j.event.Level;

import java.util.Locale;

/** The values of {@code loglevel}, which are Redis's, and what SLF4J calls them. */
public enum LogLevel {
    DEBUG('.', Level.TRACE),
    VERBOSE('-', Level.DEBUG),
    NOTICE('*', Level.INFO),
    WARNING('#', Level.WARN);

    private final char mark;
    private final Level least;

    LogLevel(char mark, Level least) {
        this.mark = mark;
        this.least = least;
    }

    /** The level of this name, in lower case. */
    public static LogLevel of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    boolean shows(Level level) {
        return level.toInt() >= least.toInt();
    }

    /** The character that stands for a level in a line, as in Redis's log. */
    static char markOf(Level level) {
        return switch (level) {
            case ERROR, WARN -> WARNING.mark;
            case INFO -> NOTICE.mark;
            case DEBUG -> VERBOSE.mark;
            case TRACE -> DEBUG.mark;
        };
    }
}
