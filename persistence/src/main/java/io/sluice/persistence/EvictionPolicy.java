package io.sluice.persistence;

/** What happens to a new key when the keyspace is full. */
public enum EvictionPolicy {
    /** It is refused. */
    NOEVICTION("noeviction"),
    /** The keys nearest to their expiry make room: for limiters those that carry the least information. */
    VOLATILE_TTL("volatile-ttl");

    private final String configName;

    EvictionPolicy(final String configName) {
        this.configName = configName;
    }

    /** The name that {@code CONFIG} and {@code INFO} use. */
    public String configName() {
        return configName;
    }

    /** The policy of that name (any case), or null. */
    public static EvictionPolicy of(final String configName) {
        for (final EvictionPolicy policy : values()) {
            if (policy.configName.equalsIgnoreCase(configName)) {
                return policy;
            }
        }
        return null;
    }
}
