package io.sluice.server.command;

/**
 * What the dispatcher and {@code COMMAND INFO} need to know about a command, in the order in which Redis lists flags.
 */
public enum CommandFlag {
    WRITE("write"),
    READONLY("readonly"),
    DENYOOM("denyoom"),
    ADMIN("admin"),
    PUBSUB("pubsub"),
    NOSCRIPT("noscript"),
    BLOCKING("blocking"),
    /** Allowed while the keyspace is being loaded. */
    LOADING("loading"),
    /** Allowed on a replica that has lost its primary and must not serve stale data. */
    STALE("stale"),
    SKIP_MONITOR("skip_monitor"),
    SKIP_SLOWLOG("skip_slowlog"),
    ASKING("asking"),
    FAST("fast"),
    /** Allowed before the client has authenticated. */
    NO_AUTH("no_auth"),
    /** Not a flag that Redis shows. */
    MAY_REPLICATE(null),
    NO_MANDATORY_KEYS("no_mandatory_keys"),
    NO_ASYNC_LOADING("no_async_loading"),
    NO_MULTI("no_multi"),
    MOVABLEKEYS("movablekeys"),
    ALLOW_BUSY("allow_busy"),
    /** Runs at once even inside MULTI, instead of being queued. Not a flag that Redis shows. */
    NOT_QUEUED(null),
    /** Runs on a RESP2 connection that is subscribed to channels. Not a flag that Redis shows. */
    WHEN_SUBSCRIBED(null),
    /** Its answer is a push, which comes even where replies are off. Not a flag that Redis shows. */
    ANSWERS_BY_PUSH(null),
    /** Has arguments that nobody else may see: {@link Redaction} hides them. Not a flag that Redis shows. */
    SECRET(null),
    /** Runs a script, which may take long. Not a flag that Redis shows. */
    SCRIPT(null),
    /** Applied when a primary sends it, although it is not one that may change keys. Not a flag that Redis shows. */
    FROM_PRIMARY(null),
    /** Taken from a client that has become a replica. Not a flag that Redis shows. */
    FROM_REPLICA(null),
    /** Only with {@code enable-debug-command}. Not a flag that Redis shows. */
    PROTECTED(null);

    private final String text;

    CommandFlag(String text) {
        this.text = text;
    }

    /** The name in {@code COMMAND INFO}, or null if the flag is not shown. */
    public String text() {
        return text;
    }

    int bit() {
        return 1 << ordinal();
    }
}
