package io.sluice.server;

import java.util.Objects;

/** What this server says it is. */
public final class Version {
    /** Sluice's own version, from the jar's manifest. */
    public static final String SLUICE =
            Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "development");
    /** The Redis version whose commands and replies clients may expect; they switch features on by it. */
    public static final String REDIS = "7.2.0";

    private Version() {
    }
}
