package io.sluice.limiter;

/**
 * A rate-limiting algorithm whose state is a few words. Implementations are pure up to scratch fields: equal inputs
 * give equal decisions, and an instance belongs to one thread.
 *
 * <p>The sliding window log, whose state grows with its limit, is {@link SlidingWindowLog}.
 */
public interface Algorithm {
    /** @return the type code under which the state is stored; never reused, never changed. */
    int code();

    /** @return the number of words of state, at most {@link LimiterState#WORDS_MAX}. */
    int words();

    /**
     * Decides one request. Only if the request is granted and takes or returns something is {@code state} altered;
     * the decision then is {@link Decision#changed()}. A denial, a quantity of 0 and an error leave it as it was.
     *
     * @param state    what is stored of the key.
     * @param limit    the limit, successfully set for this kind of algorithm.
     * @param quantity units asked for; 0 looks without taking.
     * @param nowNs    nanoseconds since the epoch, not negative.
     * @param decision receives the answer; undefined after an error.
     * @return {@link LimitError#NONE}, or {@link LimitError#OUT_OF_RANGE} if a resulting time does not fit 63 bits.
     */
    LimitError decide(LimiterState state, Limit limit, long quantity, long nowNs, Decision decision);
}
