package io.sluice.server.pubsub;

import java.nio.charset.StandardCharsets;

/** The three namespaces of subscriptions, with the words that open their messages. */
public enum SubscriptionKind {
    CHANNEL("subscribe", "unsubscribe", "message"),
    PATTERN("psubscribe", "punsubscribe", "pmessage"),
    SHARD_CHANNEL("ssubscribe", "sunsubscribe", "smessage");

    private final byte[] subscribed;
    private final byte[] unsubscribed;
    private final byte[] message;

    SubscriptionKind(String subscribed, String unsubscribed, String message) {
        this.subscribed = subscribed.getBytes(StandardCharsets.US_ASCII);
        this.unsubscribed = unsubscribed.getBytes(StandardCharsets.US_ASCII);
        this.message = message.getBytes(StandardCharsets.US_ASCII);
    }

    /** First word of the confirmation of a subscription. */
    public byte[] subscribed() {
        return subscribed;
    }

    /** First word of the confirmation of its end. */
    public byte[] unsubscribed() {
        return unsubscribed;
    }

    byte[] message() {
        return message;
    }
}
