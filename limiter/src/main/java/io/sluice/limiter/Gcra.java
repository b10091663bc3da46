package io.sluice.limiter;

/**
 * Generic cell rate algorithm in its virtual scheduling form (ITU-T I.371, annex A): one theoretical arrival time
 * (TAT) per key. With {@code debt = max(0, TAT - now)} a request of {@code q} units passes iff
 * {@code debt + q * interval <= interval * limit}, and then moves TAT to {@code now + debt + q * interval}.
 *
 * <p>Word 0 is TAT in ns since the epoch; any value is legal, an old one means "full". A single word cannot be torn.
 * TAT is all that is kept, so after a change of parameters the debt survives as time.
 *
 * <p>There is deliberately no guard against a clock that steps back: a debt above the tolerance cannot be told from a
 * lowered burst. A quantity below 0 returns units and is always granted; a key that becomes full by it is deleted.
 */
public final class Gcra implements Algorithm {
    @Override
    public int code() {
        return 1;
    }

    @Override
    public int words() {
        return 1;
    }

    @Override
    public LimitError decide(final LimiterState state, final Limit limit, final long quantity, final long nowNs,
        final Decision decision) {
        assert nowNs >= 0;
        final long debtNs = state.exists() && state.word(0) > nowNs ? state.word(0) - nowNs : 0;
        if (quantity > 0) {
            return take(state, limit, quantity, nowNs, debtNs, decision);
        }
        if (quantity == 0) {
            final long excessNs = debtNs - limit.toleranceNs();
            answer(decision, limit, excessNs > 0, excessNs, debtNs);
        } else {
            giveBack(state, limit, quantity, nowNs, debtNs, decision);
        }
        return LimitError.NONE;
    }

    private static LimitError take(final LimiterState state, final Limit limit, final long quantity, final long nowNs,
        final long debtNs, final Decision decision) {
        if (quantity > limit.units()) {
            answer(decision, limit, true, Decision.NO_RETRY, debtNs);
            return LimitError.NONE;
        }
        final long costNs = quantity * limit.intervalNs();
        final long excessNs = debtNs - (limit.toleranceNs() - costNs);
        if (excessNs > 0) {
            answer(decision, limit, true, excessNs, debtNs);
            return LimitError.NONE;
        }
        final long arrivalNs = nowNs + debtNs + costNs;
        if (arrivalNs < 0) {
            return LimitError.OUT_OF_RANGE;
        }
        answer(decision, limit, false, Decision.NO_RETRY, debtNs + costNs);
        state.word(0, arrivalNs);
        decision.store(arrivalNs);
        return LimitError.NONE;
    }

    private static void giveBack(final LimiterState state, final Limit limit, final long quantity, final long nowNs,
        final long debtNs, final Decision decision) {
        // Fewer whole units than the debt holds: only then is the product known to fit.
        final boolean partial = quantity >= -(debtNs / limit.intervalNs());
        final long restNs = partial ? debtNs + quantity * limit.intervalNs() : 0;
        answer(decision, limit, false, Decision.NO_RETRY, restNs);
        if (restNs > 0) {
            state.word(0, nowNs + restNs);
            decision.store(nowNs + restNs);
        } else if (state.exists()) {
            decision.delete();
        }
    }

    private static void answer(final Decision decision, final Limit limit, final boolean limited, final long retryNs,
        final long debtNs) {
        final long roomNs = limit.toleranceNs() - debtNs;
        final long remaining = roomNs > 0 ? roomNs / limit.intervalNs() : 0;
        decision.answer(limited, limit.units(), remaining, limited ? retryNs : Decision.NO_RETRY, debtNs);
    }
}
