package io.sluice.limiter;

/** The answer to one request, and what to do with the stored state. Reusable. */
public final class Decision {
    /** {@link #retryAfterNs()} of a request that was granted or that can never be granted. */
    public static final long NO_RETRY = -1;

    private boolean limited;
    private long limit;
    private long remaining;
    private long retryAfterNs;
    private long resetAfterNs;
    private boolean changed;
    private boolean deleted;
    private long expireAtNs;

    /** @return true if the request is refused. */
    public boolean limited() {
        return limited;
    }

    /** @return the most that may ever be taken at once. */
    public long limit() {
        return limit;
    }

    /** @return what could be taken now, after this request; 0 to {@link #limit()}. */
    public long remaining() {
        return remaining;
    }

    /** @return the shortest wait after which this very request would pass, or {@link #NO_RETRY}. */
    public long retryAfterNs() {
        return retryAfterNs;
    }

    /** @return the time until the key is as good as new; 0 if it is already. */
    public long resetAfterNs() {
        return resetAfterNs;
    }

    /** @return true if the words in the state are to be stored, or the key to be removed if {@link #deleted()}. */
    public boolean changed() {
        return changed;
    }

    /** @return true if the key is to be removed. */
    public boolean deleted() {
        return deleted;
    }

    /** @return the moment from which the stored words mean the same as no key; only if changed and not deleted. */
    public long expireAtNs() {
        return expireAtNs;
    }

    /** @return {@link #expireAtNs()} in milliseconds, rounded up, so that nothing is forgotten early. */
    public long expireAtMs() {
        return Durations.ceilToMs(expireAtNs);
    }

    Decision answer(final boolean isLimited, final long limitUnits, final long remainingUnits,
        final long retryNs, final long resetNs) {
        limited = isLimited;
        limit = limitUnits;
        remaining = remainingUnits;
        retryAfterNs = retryNs;
        resetAfterNs = resetNs;
        changed = false;
        deleted = false;
        return this;
    }

    void store(final long voidFromNs) {
        changed = true;
        expireAtNs = voidFromNs;
    }

    void delete() {
        changed = true;
        deleted = true;
    }
}
