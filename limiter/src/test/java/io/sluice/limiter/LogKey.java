package io.sluice.limiter;

/** A key of {@link SlidingWindowLog}. */
final class LogKey implements Key {
    final HeapLog log = new HeapLog();
    private final SlidingWindowLog algorithm = new SlidingWindowLog();
    private final Decision decision = new Decision();
    private final LogChange change = new LogChange();
    private final boolean dropping;

    /** @param dropping whether dead entries are dropped at once or kept for ever. */
    LogKey(final boolean dropping) {
        this.dropping = dropping;
    }

    @Override
    public Decision ask(final Limit limit, final long quantity, final long nowNs) {
        algorithm.decide(log, limit, quantity, nowNs, decision, change);
        if (decision.changed()) {
            log.append(change);
            if (dropping) {
                log.drop(change.deadEntries());
            }
        }
        return decision;
    }

    @Override
    public long[] stored() {
        return log.stored();
    }
}
