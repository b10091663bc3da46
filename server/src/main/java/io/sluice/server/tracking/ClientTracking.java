package io.sluice.server.tracking;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What one client has asked for, and where it is. */
public final class ClientTracking {
    private static final byte[] EVERYTHING = {};

    private TrackingOptions options = new TrackingOptions(0, false, false, false, false, List.of());
    private final List<byte[]> prefixes = new ArrayList<>();
    private boolean caching;
    private boolean broken;

    void set(TrackingOptions newOptions) {
        options = newOptions;
        broken = false;
        if (options.broadcast()) {
            List<byte[]> wanted = options.prefixes().isEmpty() ? List.of(EVERYTHING) : options.prefixes();
            wanted.stream().filter(prefix -> prefixes.stream().noneMatch(each -> Arrays.equals(each, prefix)))
                    .forEach(prefixes::add);
        }
    }

    public boolean isBroadcast() {
        return options.broadcast();
    }

    public boolean isOptIn() {
        return options.optIn();
    }

    public boolean isOptOut() {
        return options.optOut();
    }

    public boolean isNoLoop() {
        return options.noLoop();
    }

    /** The client that gets the messages; 0: the client itself. */
    public long redirectId() {
        return options.redirectId();
    }

    /** The prefixes of broadcasts; the empty one means every key. */
    public List<byte[]> prefixes() {
        return prefixes;
    }

    /** Whether {@code CLIENT CACHING} was the last command, so that the next one is an exception. */
    public boolean isCaching() {
        return caching;
    }

    public void caching(boolean value) {
        caching = value;
    }

    /** Whether the client that messages went to is gone. */
    public boolean isRedirectBroken() {
        return broken;
    }

    void redirectBroken() {
        broken = true;
    }

    boolean remembersReads() {
        if (options.broadcast()) {
            return false;
        }
        return options.optIn() ? caching : !(options.optOut() && caching);
    }

    boolean wants(byte[] key) {
        for (byte[] prefix : prefixes) {
            if (key.length >= prefix.length
                    && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
                return true;
            }
        }
        return false;
    }
}
