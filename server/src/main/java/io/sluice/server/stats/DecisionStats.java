package io.sluice.server.stats;

import io.sluice.persistence.ValueType;

/**
 * How many requests the limiters let pass and how many they refused, by algorithm. An algorithm goes by the {@link
 * ValueType} of its state; {@code CL.THROTTLE}, whose state is a plain string, counts as GCRA. Peeks are not counted.
 */
public final class DecisionStats {
    private final long[] allowed = new long[ValueType.COUNT];
    private final long[] denied = new long[ValueType.COUNT];

    /** One decision. */
    public void count(int valueType, boolean limited) {
        (limited ? denied : allowed)[valueType]++;
    }

    public long allowed(int valueType) {
        return allowed[valueType];
    }

    public long denied(int valueType) {
        return denied[valueType];
    }

    public void reset() {
        java.util.Arrays.fill(allowed, 0);
        java.util.Arrays.fill(denied, 0);
    }
}
