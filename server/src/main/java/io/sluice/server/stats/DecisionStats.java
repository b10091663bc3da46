package io.sluice.server.stats;

import io.sluice.limiter.Limit;
import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;

import java.util.Arrays;

/**
 * What the limiters have decided: how many requests they let pass and how many they refused, by algorithm, and which
 * keys that was most often. An algorithm goes by the {@link ValueType} of its state; {@code CL.THROTTLE}, whose state
 * is a plain string, counts as GCRA. Peeks and refunds are not counted.
 *
 * <p>Totals are exact. Keys are counted one by one up to {@link #EXACT_PER_PERIOD} decisions in a period of sampling
 * the rates; of more than that, one in {@link #SAMPLE_RATIO}, taken at random, counts for all. So what keys cost has a
 * bound that does not grow with the load, and who asks most often still shows.
 */
public final class DecisionStats {
    /** The algorithms have the type codes from this one ... */
    public static final int FIRST_TYPE = ValueType.GCRA;
    /** ... to this one. */
    public static final int LAST_TYPE = ValueType.LOG;

    /** Decisions of a period that are counted for their key whatever the load; 50,000 a second. */
    public static final int EXACT_PER_PERIOD = 5_000;
    /** Of the rest, one in so many is. */
    public static final int SAMPLE_RATIO = 1 << HeavyKeys.SAMPLE_BITS;

    private final long[] allowed = new long[ValueType.COUNT];
    private final long[] denied = new long[ValueType.COUNT];
    private final long[] unitsGranted = new long[ValueType.COUNT];
    private long unitsGrantedBeforeReset;
    private final Rate[] allowedRates = new Rate[ValueType.COUNT];
    private final Rate[] deniedRates = new Rate[ValueType.COUNT];
    private final HeavyKeys allowedKeys = new HeavyKeys();
    private final HeavyKeys deniedKeys = new HeavyKeys();
    private boolean tracksKeys = true;
    private int exactLeft = EXACT_PER_PERIOD;
    private long random;

    /** One that has seen nothing. */
    public DecisionStats() {
        for (int type = FIRST_TYPE; type <= LAST_TYPE; type++) {
            allowedRates[type] = new Rate();
            deniedRates[type] = new Rate();
        }
    }

    /**
     * One decision.
     *
     * @param valueType type code of the algorithm
     * @param quantity  units that were asked for
     * @param entry     the key it was about
     * @param limit     the limit that held
     * @param nowNs     when, in ns since the epoch
     */
    public void count(int valueType, boolean limited, long quantity, Entry entry, Limit limit, long nowNs) {
        (limited ? denied : allowed)[valueType]++;
        unitsGranted[valueType] += limited ? 0 : quantity;
        boolean exact = exactLeft > 0;
        if (tracksKeys && (exact || isSampled())) {
            exactLeft -= exact ? 1 : 0;
            HeavyKeys keys = limited ? deniedKeys : allowedKeys;
            int slot = exact ? keys.add(entry.hash(), 1) : keys.addSample(entry.hash());
            if (slot != HeavyKeys.NONE) {
                keys.describe(slot, entry, valueType, nowNs);
                keys.limit(slot).set(limit);
            }
        }
    }

    /** A step of a linear congruential generator modulo 2^64 (Knuth's MMIX); its upper bits are the good ones. */
    private boolean isSampled() {
        random = random * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        return random >>> Long.SIZE - HeavyKeys.SAMPLE_BITS == 0;
    }

    /** Whether keys are counted, for {@code RL.TOP} and {@code RL.INSPECT}. */
    public void tracksKeys(boolean value) {
        tracksKeys = value;
    }

    /** Requests that passed, by the value type of their algorithm. */
    public long allowed(int valueType) {
        return allowed[valueType];
    }

    /** Requests that did not pass, by the value type of their algorithm. */
    public long denied(int valueType) {
        return denied[valueType];
    }

    /** Units of requests that passed. */
    public long unitsGranted(int valueType) {
        return unitsGranted[valueType];
    }

    /** Units of requests that passed since the server began, whatever was reset since. */
    public long unitsGrantedEver() {
        return unitsGrantedBeforeReset + Arrays.stream(unitsGranted).sum();
    }

    /** Decisions of a second, as they were lately. */
    public double allowedPerSecond(int valueType) {
        return allowedRates[valueType].perSecond();
    }

    /** Decisions of a second, as they were lately. */
    public double deniedPerSecond(int valueType) {
        return deniedRates[valueType].perSecond();
    }

    /** The keys that were let pass most often lately. */
    public HeavyKeys allowedKeys() {
        return allowedKeys;
    }

    /** The keys that were refused most often lately. */
    public HeavyKeys deniedKeys() {
        return deniedKeys;
    }

    /** Samples the rates; a new period begins. */
    public void sample(long monotonicNs) {
        exactLeft = EXACT_PER_PERIOD;
        for (int type = FIRST_TYPE; type <= LAST_TYPE; type++) {
            allowedRates[type].sample(allowed[type], monotonicNs);
            deniedRates[type].sample(denied[type], monotonicNs);
        }
    }

    /** A second has gone by: what is long ago counts for less. */
    public void decay() {
        allowedKeys.decay();
        deniedKeys.decay();
    }

    /** What is known of a key's refusals, or of its grants; null if nothing. */
    public HeavyKeys.HeavyKey find(boolean limited, long hash) {
        HeavyKeys keys = limited ? deniedKeys : allowedKeys;
        int slot = keys.find(hash);
        return slot == HeavyKeys.NONE ? null : keys.get(slot);
    }

    /**
     * The limit by which this algorithm has last decided about a key.
     *
     * @return false if that is not known
     */
    public boolean lastLimit(long hash, int valueType, Limit result) {
        HeavyKeys.HeavyKey passed = find(false, hash);
        HeavyKeys.HeavyKey refused = find(true, hash);
        boolean passedCounts = passed != null && passed.type() == valueType;
        boolean refusedCounts = refused != null && refused.type() == valueType;
        if (!passedCounts && !refusedCounts) {
            return false;
        }
        boolean last = passedCounts && (!refusedCounts || passed.lastNs() > refused.lastNs());
        HeavyKeys keys = last ? allowedKeys : deniedKeys;
        result.set(keys.limit(keys.find(hash)));
        return true;
    }

    /** Sets everything to zero. */
    public void reset() {
        unitsGrantedBeforeReset = unitsGrantedEver();
        Arrays.fill(allowed, 0);
        Arrays.fill(denied, 0);
        Arrays.fill(unitsGranted, 0);
        allowedKeys.reset();
        deniedKeys.reset();
        exactLeft = EXACT_PER_PERIOD;
    }
}
