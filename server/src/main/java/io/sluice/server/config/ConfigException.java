package io.sluice.server.config;

/** A setting that cannot be taken. The message is for the operator. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean placed;

    public ConfigException(String message) {
        this(message, false);
    }

    private ConfigException(String message, boolean placed) {
        super(message);
        this.placed = placed;
    }

    /** One whose message already names file and line. */
    static ConfigException placed(String message) {
        return new ConfigException(message, true);
    }

    boolean isPlaced() {
        return placed;
    }
}
