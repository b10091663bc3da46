package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;

/** A key of an {@link Algorithm}. */
final class WordKey implements Key {
    private final Algorithm algorithm;
    private final LimiterState state = new LimiterState();
    private final Decision decision = new Decision();
    private long[] words = {};
    private LimitError error = LimitError.NONE;

    WordKey(final Algorithm algorithm) {
        this.algorithm = algorithm;
    }

    WordKey holding(final long... stored) {
        words = stored.clone();
        return this;
    }

    @Override
    public Decision ask(final Limit limit, final long quantity, final long nowNs) {
        assertEquals(LimitError.NONE, tryAsk(limit, quantity, nowNs));
        return decision;
    }

    /** As {@link #ask}, for requests that may end in an error. */
    LimitError tryAsk(final Limit limit, final long quantity, final long nowNs) {
        state.exists(words.length > 0);
        Arrays.fill(state.words(), 0);
        System.arraycopy(words, 0, state.words(), 0, words.length);
        error = algorithm.decide(state, limit, quantity, nowNs, decision);
        if (error == LimitError.NONE && decision.changed()) {
            words = decision.deleted() ? new long[0] : Arrays.copyOf(state.words(), algorithm.words());
        }
        return error;
    }

    Decision decision() {
        return decision;
    }

    @Override
    public long[] stored() {
        return words.clone();
    }
}
