package io.sluice.limiter;

/**
 * Leaky bucket as a meter: {@code v = max(0, level - (now - last) * leak)}; a request of {@code n} passes iff
 * {@code v + n <= capacity} and leaves {@code v + n}. A new key is empty.
 *
 * <p>The words are those of {@link Amount}, which says why they are written in this order. The level is kept as a
 * count, so a lowered capacity forgives nothing: what is above it must drain first, and until then even a look is
 * limited. Time never runs backwards for a key.
 */
public final class LeakyMeter implements Algorithm {
    private final Amount level = new Amount();

    @Override
    public int code() {
        return 3;
    }

    @Override
    public int words() {
        return 4;
    }

    @Override
    public LimitError decide(final LimiterState state, final Limit limit, final long quantity, final long nowNs,
        final Decision decision) {
        assert nowNs >= 0 && quantity >= 0;
        final long capacity = limit.units();
        long timeNs = nowNs;
        level.set(0);
        if (state.exists()) {
            timeNs = Math.max(nowNs, state.word(0));
            level.load(state);
            level.rebaseUp(limit.periodNs());
            level.drain(Durations.elapsedNs(state.word(0), timeNs), limit);
        }
        final boolean fits = quantity <= capacity && level.ceil() <= capacity - quantity;
        if (fits) {
            level.move(quantity);
        }
        final long resetNs = level.nsToDrainTo(0, limit);
        if (resetNs == Long.MAX_VALUE) {
            return LimitError.OUT_OF_RANGE;
        }
        final long retryNs = fits || quantity > capacity
            ? Decision.NO_RETRY : level.nsToDrainTo(capacity - quantity, limit);
        decision.answer(!fits, capacity, Math.max(0, capacity - level.ceil()), retryNs, resetNs);
        if (fits && quantity > 0) {
            level.store(state, timeNs);
            decision.store(Durations.saturatedSum(timeNs, resetNs));
        }
        return LimitError.NONE;
    }
}
