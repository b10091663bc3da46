package io.sluice.limiter;

/**
 * Token bucket: {@code t = min(capacity, tokens + (now - last) * rate)}; a request of {@code n} passes iff
 * {@code n <= t} and leaves {@code t - n}. A new key is full.
 *
 * <p>The words are those of {@link Amount}, which says why they are written in this order. Tokens are kept as a count:
 * a lowered capacity cuts them, a raised one does not add any, and the current rate counts for all the time since the
 * last grant. Time never runs backwards for a key.
 */
public final class TokenBucket implements Algorithm {
    private final Amount tokens = new Amount();

    @Override
    public int code() {
        return 2;
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
        if (state.exists()) {
            timeNs = Math.max(nowNs, state.word(0));
            tokens.load(state);
            tokens.rebaseDown(limit.periodNs());
            tokens.fill(Durations.elapsedNs(state.word(0), timeNs), limit, capacity);
        } else {
            tokens.set(capacity);
        }
        if (quantity > tokens.floor()) {
            final long retryNs = quantity > capacity ? Decision.NO_RETRY : tokens.nsToFillTo(quantity, limit);
            decision.answer(true, capacity, tokens.floor(), retryNs, tokens.nsToFillTo(capacity, limit));
            return LimitError.NONE;
        }
        tokens.move(-quantity);
        final long resetNs = tokens.nsToFillTo(capacity, limit);
        decision.answer(false, capacity, tokens.floor(), Decision.NO_RETRY, resetNs);
        if (quantity > 0) {
            tokens.store(state, timeNs);
            decision.store(Durations.saturatedSum(timeNs, resetNs));
        }
        return LimitError.NONE;
    }
}
