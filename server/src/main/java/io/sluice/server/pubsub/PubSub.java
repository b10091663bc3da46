package io.sluice.server.pubsub;

import io.sluice.server.net.Connection;
import io.sluice.server.net.PushMessage;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who is subscribed to what. Messages are handed to the subscribers at once and sent when the event loop has done what
 * it is at; what a client does not take counts against its output limit. Owned by the event loop.
 */
public final class PubSub {
    /** Most memory that the subscriptions of all clients may take, by the count of {@link #cost}. */
    public static final long SUBSCRIPTION_BYTES_MAX = 64L << 20;

    /** What a subscription takes besides its name: its places in the tables, and a topic of its own. */
    private static final int SUBSCRIPTION_OVERHEAD_BYTES = 400;

    private final Map<SubscriptionKind, Map<ByteBuffer, Topic>> topics = new EnumMap<>(SubscriptionKind.class);
    private final Map<Connection, Map<SubscriptionKind, Set<Topic>>> byConnection = new IdentityHashMap<>();
    private final long bytesMax;
    private long bytesUsed;

    /** Nobody is subscribed to anything. */
    public PubSub() {
        this(SUBSCRIPTION_BYTES_MAX);
    }

    PubSub(long bytesMax) {
        this.bytesMax = bytesMax;
        for (SubscriptionKind kind : SubscriptionKind.values()) {
            topics.put(kind, new LinkedHashMap<>());
        }
    }

    /** Bytes that a subscription of this name counts for. */
    static long cost(byte[] name) {
        return SUBSCRIPTION_OVERHEAD_BYTES + name.length;
    }

    /** Whether there is room for subscriptions of these names, were they all new. */
    public boolean hasRoomFor(List<byte[]> names) {
        return bytesUsed + names.stream().mapToLong(PubSub::cost).sum() <= bytesMax;
    }

    /** Subscribes a client; doing so once more changes nothing. */
    public void subscribe(Connection connection, SubscriptionKind kind, byte[] name) {
        Topic topic = topics.get(kind).computeIfAbsent(ByteBuffer.wrap(name), key -> new Topic(kind, name));
        if (topic.subscribers().add(connection)) {
            byConnection.computeIfAbsent(connection, c -> new EnumMap<>(SubscriptionKind.class))
                    .computeIfAbsent(kind, k -> new LinkedHashSet<>()).add(topic);
            bytesUsed += cost(topic.name());
            count(connection);
        }
    }

    /** Ends a subscription, if there is one. */
    public void unsubscribe(Connection connection, SubscriptionKind kind, byte[] name) {
        Topic topic = topics.get(kind).get(ByteBuffer.wrap(name));
        if (topic != null && topic.subscribers().contains(connection)) {
            byConnection.get(connection).get(kind).remove(topic);
            leave(connection, topic);
            count(connection);
        }
    }

    /** Ends all subscriptions of a client. */
    public void unsubscribeAll(Connection connection) {
        Map<SubscriptionKind, Set<Topic>> own = byConnection.remove(connection);
        if (own != null) {
            own.values().forEach(set -> set.forEach(topic -> leave(connection, topic)));
            count(connection);
        }
    }

    private void leave(Connection connection, Topic topic) {
        topic.subscribers().remove(connection);
        bytesUsed -= cost(topic.name());
        if (topic.subscribers().isEmpty()) {
            topics.get(topic.kind()).remove(topic.key());
        }
    }

    /** Tells the connection how many subscriptions it has. */
    private void count(Connection connection) {
        connection.subscriptions(subscriptions(connection, SubscriptionKind.CHANNEL).size(),
                subscriptions(connection, SubscriptionKind.PATTERN).size(),
                subscriptions(connection, SubscriptionKind.SHARD_CHANNEL).size());
        if (!connection.isSubscribed()) {
            byConnection.remove(connection);
        }
    }

    private Set<Topic> subscriptions(Connection connection, SubscriptionKind kind) {
        return byConnection.getOrDefault(connection, Map.of()).getOrDefault(kind, Set.of());
    }

    /** What a client is subscribed to, in the order in which it did so. */
    public List<byte[]> names(Connection connection, SubscriptionKind kind) {
        return subscriptions(connection, kind).stream().map(Topic::name).toList();
    }

    /** Whether a published message would find nobody, whatever its channel. */
    public boolean isIdle() {
        return topics.get(SubscriptionKind.CHANNEL).isEmpty() && topics.get(SubscriptionKind.PATTERN).isEmpty();
    }

    /**
     * Sends a message to the subscribers of a channel, and to those of each pattern that matches it.
     *
     * @return how many times it was sent
     */
    public int publish(byte[] channel, byte[] message) {
        int receivers = 0;
        Topic named = topics.get(SubscriptionKind.CHANNEL).get(ByteBuffer.wrap(channel));
        if (named != null) {
            receivers += send(named, channel, message);
        }
        for (Topic pattern : topics.get(SubscriptionKind.PATTERN).values()) {
            if (pattern.matches(channel)) {
                receivers += send(pattern, channel, message);
            }
        }
        return receivers;
    }

    /**
     * Sends a message to the subscribers of a shard channel.
     *
     * @return how many there are
     */
    public int publishToShard(byte[] channel, byte[] message) {
        Topic topic = topics.get(SubscriptionKind.SHARD_CHANNEL).get(ByteBuffer.wrap(channel));
        return topic == null ? 0 : send(topic, channel, message);
    }

    private static int send(Topic topic, byte[] channel, byte[] message) {
        boolean byPattern = topic.kind() == SubscriptionKind.PATTERN;
        int receivers = 0;
        try (PushMessage push = new PushMessage(out -> {
            out.push(byPattern ? 4 : 3);
            out.bulk(topic.kind().message());
            if (byPattern) {
                out.bulk(topic.name());
            }
            out.bulk(channel);
            out.bulk(message);
        })) {
            for (Connection subscriber : topic.subscribers()) {
                // One that was closed is here until its socket has ended.
                if (!subscriber.isClosing()) {
                    subscriber.push(push);
                    receivers++;
                }
            }
        }
        return receivers;
    }

    /** Topics of this kind that have subscribers. */
    public int topics(SubscriptionKind kind) {
        return topics.get(kind).size();
    }

    /** The names of all topics of this kind, in the order in which they came up. */
    public List<byte[]> topicNames(SubscriptionKind kind) {
        return topics.get(kind).values().stream().map(Topic::name).toList();
    }

    /** Subscribers of one topic. */
    public int subscribers(SubscriptionKind kind, byte[] name) {
        Topic topic = topics.get(kind).get(ByteBuffer.wrap(name));
        return topic == null ? 0 : topic.subscribers().size();
    }
}
