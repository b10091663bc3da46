package io.sluice.limiter;

/**
 * Fixed window: units are counted in windows aligned to the epoch; a request of {@code n} passes iff
 * {@code count + n <= limit}. Around an edge up to twice the limit may pass.
 *
 * <p>Word 0 is the start of the window in ns, word 1 its length, word 2 the count. The start must be written first: an
 * old count in a new window refuses too much, a new count in an old window would grant too much. Another length starts
 * over, another limit counts at once. A key never returns to an older window.
 */
public final class FixedWindow implements Algorithm {
    @Override
    public int code() {
        return 4;
    }

    @Override
    public int words() {
        return 3;
    }

    @Override
    public LimitError decide(final LimiterState state, final Limit limit, final long quantity, final long nowNs,
        final Decision decision) {
        assert nowNs >= 0 && quantity >= 0;
        final long windowNs = limit.windowNs();
        final long timeNs = state.exists() ? Math.max(nowNs, state.word(0)) : nowNs;
        final long startNs = timeNs - timeNs % windowNs;
        final boolean counting = state.exists() && state.word(1) == windowNs && state.word(0) >= startNs;
        final long before = counting ? Math.max(0, state.word(2)) : 0;
        final boolean fits = quantity == 0 || quantity <= limit.units() - before;
        final long count = fits ? before + quantity : before;
        final long leftNs = windowNs - (timeNs - startNs);
        final long retryNs = fits || quantity > limit.units() ? Decision.NO_RETRY : leftNs;
        decision.answer(!fits, limit.units(), Math.max(0, limit.units() - count), retryNs, count > 0 ? leftNs : 0);
        if (fits && quantity > 0) {
            state.word(0, startNs);
            state.word(1, windowNs);
            state.word(2, count);
            decision.store(Durations.saturatedSum(startNs, windowNs));
        }
        return LimitError.NONE;
    }
}
