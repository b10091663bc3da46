package io.sluice.server.pubsub;

import io.sluice.resp.Glob;
import io.sluice.server.net.Connection;

import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;

/** A channel, pattern or shard channel with its subscribers in the order in which they came; there is at least one. */
final class Topic {
    private final SubscriptionKind kind;
    private final byte[] name;
    private final Glob glob;
    private final Set<Connection> subscribers = new LinkedHashSet<>();

    Topic(SubscriptionKind kind, byte[] name) {
        this.kind = kind;
        this.name = name;
        glob = kind == SubscriptionKind.PATTERN ? Glob.of(name) : null;
    }

    SubscriptionKind kind() {
        return kind;
    }

    byte[] name() {
        return name;
    }

    ByteBuffer key() {
        return ByteBuffer.wrap(name);
    }

    Set<Connection> subscribers() {
        return subscribers;
    }

    /** Whether a channel of this name is meant; for patterns only. */
    boolean matches(byte[] channel) {
        return glob.matches(channel);
    }
}
