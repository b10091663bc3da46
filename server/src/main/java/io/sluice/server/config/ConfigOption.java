package io.sluice.server.config;

/** One row of the configuration table. */
public final class ConfigOption {
    /** When a setting may change. */
    enum Mutability {
        /** In the file and on the command line only. */
        AT_START,
        /** By {@code CONFIG SET} too, where {@code enable-protected-configs} allows it. */
        PROTECTED,
        /** By {@code CONFIG SET} too. */
        ANY_TIME
    }

    private final int index;
    private final String section;
    private final String name;
    private final String defaultText;
    private final ConfigType type;
    private final Mutability mutability;
    private final String doc;
    private String alias;
    private boolean repeated;

    ConfigOption(int index, String section, String name, String defaultText, ConfigType type, Mutability mutability,
            String doc) {
        this.index = index;
        this.section = section;
        this.name = name;
        this.defaultText = defaultText;
        this.type = type;
        this.mutability = mutability;
        this.doc = doc;
    }

    /** Another name that means the same, for files and tools that know the older one. */
    ConfigOption alias(String otherName) {
        alias = otherName;
        return this;
    }

    /** Each line in a file adds to those before it. */
    ConfigOption repeated() {
        repeated = true;
        return this;
    }

    public String name() {
        return name;
    }

    /** The older name, or null. */
    public String alias() {
        return alias;
    }

    int index() {
        return index;
    }

    String section() {
        return section;
    }

    String defaultText() {
        return defaultText;
    }

    ConfigType type() {
        return type;
    }

    boolean isMutable() {
        return mutability != Mutability.AT_START;
    }

    /** Whether {@code enable-protected-configs} must allow a change. */
    boolean isProtected() {
        return mutability == Mutability.PROTECTED;
    }

    boolean isRepeated() {
        return repeated;
    }

    String doc() {
        return doc;
    }
}
