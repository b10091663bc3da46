package io.sluice.limiter;

/**
 * The parameters of one request's limit, validated and turned into what the algorithms calculate with. Reusable: set
 * per request by the method of the command's kind. After an error the limit keeps what it held before.
 *
 * <p>A client sends the same numbers with every request, so setting the same again is a comparison, not a division.
 */
public final class Limit {
    /** The longest period of {@link #setRate} and {@link #setWindow}: 10^9 seconds. */
    public static final long PERIOD_NS_MAX = 1_000_000_000L * Durations.NS_PER_SECOND;
    /** The period given to {@code GCRA} is shorter than this many seconds; rounded to ns it may be as long. */
    public static final long GCRA_PERIOD_SECONDS_END = 1_000_000_000_000L;

    /** Bound of interval times quantity in {@code GCRA}: 2^63-1 microseconds, in ns. */
    private static final long QUANTITY_BOUND_HIGH = Math.multiplyHigh(Long.MAX_VALUE, 1_000L);
    private static final long QUANTITY_BOUND_LOW = Long.MAX_VALUE * 1_000L;

    private enum Kind { UNSET, INTERVAL, RATE, WINDOW }

    private Kind kind = Kind.UNSET;
    private long units;
    private long givenAmount;
    private long givenPeriod;
    private long intervalNs;
    private long toleranceNs;

    /** @return the most units that can be granted at once. */
    public long units() {
        return units;
    }

    /**
     * {@code CL.THROTTLE}, {@code RL.THROTTLE}, {@code CL.PROBE}: {@code count} units per period, bursts of
     * {@code maxBurst + 1}; emission interval {@code floor(period / count)} ns.
     *
     * @return OUT_OF_RANGE for a negative number or a capacity of more than 2^63-1 ns, ZERO_RATE for a rate of zero or
     *     of more than one unit per ns.
     */
    public LimitError setClThrottle(final long maxBurst, final long count, final long periodSeconds) {
        if (maxBurst < 0) {
            return LimitError.OUT_OF_RANGE;
        }
        if (count == 0 || periodSeconds == 0) {
            return LimitError.ZERO_RATE;
        }
        if (count < 0 || periodSeconds < 0) {
            return LimitError.OUT_OF_RANGE;
        }
        if (kind == Kind.INTERVAL && units - 1 == maxBurst && givenAmount == count && givenPeriod == periodSeconds) {
            return LimitError.NONE;
        }
        final long high = Math.multiplyHigh(periodSeconds, Durations.NS_PER_SECOND);
        final long low = Wide.divideLow(high, periodSeconds * Durations.NS_PER_SECOND, count);
        if (high / count == 0 && low == 0) {
            return LimitError.ZERO_RATE;
        }
        if (!setInterval(maxBurst, high / count, low)) {
            return LimitError.OUT_OF_RANGE;
        }
        givenAmount = count;
        givenPeriod = periodSeconds;
        return LimitError.NONE;
    }

    /**
     * {@code THROTTLE}: as {@link #setClThrottle}, with {@code maxBurst} itself as the limit.
     *
     * @return OUT_OF_RANGE for any limit that cannot be.
     */
    public LimitError setThrottle(final long maxBurst, final long count, final long periodSeconds) {
        final boolean valid = maxBurst >= 1 && setClThrottle(maxBurst - 1, count, periodSeconds) == LimitError.NONE;
        return valid ? LimitError.NONE : LimitError.OUT_OF_RANGE;
    }

    /**
     * {@code GCRA}: {@code tokensPerPeriod} units per period, bursts of {@code maxBurst + 1}; emission interval
     * {@code max(1, floor(period / tokensPerPeriod))} ns. The period reaches 10^21 ns, hence two words.
     *
     * @param periodNsHigh upper 64 bits of the period in ns.
     * @param periodNsLow  lower 64 bits.
     * @param quantity     units this request asks for, at least 1; part of what may overflow.
     * @return NOT_POSITIVE, PERIOD_OUT_OF_RANGE, QUANTITY_OVERFLOW, BURST_OVERFLOW; checked in this order.
     */
    public LimitError setGcra(final long maxBurst, final long tokensPerPeriod,
        final long periodNsHigh, final long periodNsLow, final long quantity) {
        if (maxBurst < 0 || tokensPerPeriod < 1 || quantity < 1) {
            return LimitError.NOT_POSITIVE;
        }
        if (!isGcraPeriod(periodNsHigh, periodNsLow)) {
            return LimitError.PERIOD_OUT_OF_RANGE;
        }
        final long high = periodNsHigh / tokensPerPeriod;
        final long low = Wide.divideLow(periodNsHigh, periodNsLow, tokensPerPeriod);
        final long boundHigh = QUANTITY_BOUND_HIGH / quantity;
        final long boundLow = Wide.divideLow(QUANTITY_BOUND_HIGH, QUANTITY_BOUND_LOW, quantity);
        if (Wide.compare(high, low, boundHigh, boundLow) > 0) {
            return LimitError.QUANTITY_OVERFLOW;
        }
        if (!setInterval(maxBurst, high, high == 0 && low == 0 ? 1 : low)) {
            return LimitError.BURST_OVERFLOW;
        }
        givenAmount = 0;
        return LimitError.NONE;
    }

    private static boolean isGcraPeriod(final long periodNsHigh, final long periodNsLow) {
        final long endHigh = Math.multiplyHigh(GCRA_PERIOD_SECONDS_END, Durations.NS_PER_SECOND);
        final long endLow = GCRA_PERIOD_SECONDS_END * Durations.NS_PER_SECOND;
        return periodNsHigh >= 0 && (periodNsHigh | periodNsLow) != 0
            && Wide.compare(periodNsHigh, periodNsLow, endHigh, endLow) <= 0;
    }

    /**
     * {@code RL.BUCKET}, {@code RL.LEAKY}: {@code capacity} units, {@code amount} of which come back per period.
     *
     * @return NOT_POSITIVE, PERIOD_OUT_OF_RANGE, or OUT_OF_RANGE if filling up would take 2^63-1 ns or more.
     */
    public LimitError setRate(final long capacity, final long amount, final long periodNs) {
        if (capacity < 1 || amount < 1) {
            return LimitError.NOT_POSITIVE;
        }
        if (periodNs < 1 || periodNs > PERIOD_NS_MAX) {
            return LimitError.PERIOD_OUT_OF_RANGE;
        }
        if (kind == Kind.RATE && units == capacity && givenAmount == amount && givenPeriod == periodNs) {
            return LimitError.NONE;
        }
        if (Wide.mulAddDivCeil(capacity, periodNs, 0, amount) == Long.MAX_VALUE) {
            return LimitError.OUT_OF_RANGE;
        }
        kind = Kind.RATE;
        units = capacity;
        givenAmount = amount;
        givenPeriod = periodNs;
        return LimitError.NONE;
    }

    /**
     * {@code RL.FIXED}, {@code RL.SLIDING}, {@code RL.LOG}: {@code limit} units per window.
     *
     * @return NOT_POSITIVE or PERIOD_OUT_OF_RANGE.
     */
    public LimitError setWindow(final long limit, final long windowNs) {
        if (limit < 1) {
            return LimitError.NOT_POSITIVE;
        }
        if (windowNs < 1 || windowNs > PERIOD_NS_MAX) {
            return LimitError.PERIOD_OUT_OF_RANGE;
        }
        kind = Kind.WINDOW;
        units = limit;
        givenPeriod = windowNs;
        return LimitError.NONE;
    }

    /** False, and nothing set, if the interval times the limit does not fit 63 bits. */
    private boolean setInterval(final long maxBurst, final long intervalHigh, final long intervalLow) {
        if (intervalHigh != 0 || intervalLow < 0 || maxBurst == Long.MAX_VALUE
            || !Wide.productFits(intervalLow, maxBurst + 1)) {
            return false;
        }
        kind = Kind.INTERVAL;
        units = maxBurst + 1;
        intervalNs = intervalLow;
        toleranceNs = intervalLow * (maxBurst + 1);
        return true;
    }

    /** Becomes the same as another limit; mostly it is already, and then nothing is written. */
    public void set(final Limit other) {
        if (units == other.units && givenPeriod == other.givenPeriod && givenAmount == other.givenAmount
            && intervalNs == other.intervalNs && toleranceNs == other.toleranceNs && kind == other.kind) {
            return;
        }
        kind = other.kind;
        units = other.units;
        givenAmount = other.givenAmount;
        givenPeriod = other.givenPeriod;
        intervalNs = other.intervalNs;
        toleranceNs = other.toleranceNs;
    }

    /** @return units that come back per {@link #refillPeriodNs()}; 0 before any limit was set. */
    public long refillUnits() {
        return switch (kind) {
            case UNSET -> 0;
            case INTERVAL -> 1;
            case RATE -> givenAmount;
            case WINDOW -> units;
        };
    }

    /** @return the period of {@link #refillUnits()} in ns: emission interval, refill period or window. */
    public long refillPeriodNs() {
        return kind == Kind.INTERVAL ? intervalNs : givenPeriod;
    }

    /** Emission interval of {@link Gcra}. */
    long intervalNs() {
        assert kind == Kind.INTERVAL;
        return intervalNs;
    }

    /** Capacity of {@link Gcra} as time: interval times limit. */
    long toleranceNs() {
        assert kind == Kind.INTERVAL;
        return toleranceNs;
    }

    /** Units that flow per {@link #periodNs()}. */
    long amountPerPeriod() {
        assert kind == Kind.RATE;
        return givenAmount;
    }

    /** Period of {@link #amountPerPeriod()}. */
    long periodNs() {
        assert kind == Kind.RATE;
        return givenPeriod;
    }

    /** Window length. */
    long windowNs() {
        assert kind == Kind.WINDOW;
        return givenPeriod;
    }
}
