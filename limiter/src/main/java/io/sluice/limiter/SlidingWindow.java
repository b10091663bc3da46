package io.sluice.limiter;

/**
 * Sliding window counter: the previous window's count is weighted by how much of it the sliding window still covers.
 * At {@code e} ns into the current window a request of {@code n} passes iff
 * {@code previous * (window - e) / window + current + n <= limit}, compared without rounding.
 *
 * <p>Word 0 is the start of the current window in ns (aligned to the epoch), word 1 its length, word 2 the previous
 * window's count, word 3 the current one's. They must be written in this order: every prefix counts units in full
 * that should only be weighted. Another length starts over, another limit counts at once. A key never returns to an
 * older window.
 */
public final class SlidingWindow implements Algorithm {
    @Override
    public int code() {
        return 5;
    }

    @Override
    public int words() {
        return 4;
    }

    @Override
    public LimitError decide(final LimiterState state, final Limit limit, final long quantity, final long nowNs,
        final Decision decision) {
        assert nowNs >= 0 && quantity >= 0;
        final long windowNs = limit.windowNs();
        final long timeNs = state.exists() ? Math.max(nowNs, state.word(0)) : nowNs;
        final long startNs = timeNs - timeNs % windowNs;
        final boolean known = state.exists() && state.word(1) == windowNs;
        final boolean same = known && state.word(0) >= startNs;
        final boolean next = known && !same && state.word(0) >= startNs - windowNs;
        final long previous = Math.max(0, same ? state.word(2) : next ? state.word(3) : 0);
        final long before = Math.max(0, same ? state.word(3) : 0);

        final long leftNs = windowNs - (timeNs - startNs);
        final long weighted = Wide.mulAddDivCeil(previous, leftNs, 0, windowNs);
        final long room = before >= limit.units() ? 0 : Math.max(0, limit.units() - before - weighted);
        final boolean fits = quantity <= room;
        final long current = fits ? before + quantity : before;
        final long retryNs = fits || quantity > limit.units()
            ? Decision.NO_RETRY : retryNs(previous, before, quantity, leftNs, limit);
        final long resetNs = current > 0 ? windowNs + leftNs : previous > 0 ? leftNs : 0;
        decision.answer(!fits, limit.units(), fits ? room - quantity : room, retryNs, resetNs);
        if (fits && quantity > 0) {
            state.word(0, startNs);
            state.word(1, windowNs);
            state.word(2, previous);
            state.word(3, current);
            decision.store(Durations.saturatedSum(startNs, 2 * windowNs));
        }
        return LimitError.NONE;
    }

    /**
     * A request that is refused passes within this window if the current count leaves room for it, as soon as the
     * previous count weighs little enough; otherwise in the next window, where the current count is the previous.
     */
    private static long retryNs(final long previous, final long current, final long quantity, final long leftNs,
        final Limit limit) {
        final long spare = limit.units() - quantity;
        if (current <= spare) {
            return leftNs - coveredNs(spare - current, previous, limit.windowNs());
        }
        return leftNs + limit.windowNs() - coveredNs(spare, current, limit.windowNs());
    }

    /** How much of the window before may still be covered so that its {@code count} weighs {@code units} at most. */
    private static long coveredNs(final long units, final long count, final long windowNs) {
        return units >= count ? windowNs : Wide.mulDivFloor(units, windowNs, count);
    }
}
