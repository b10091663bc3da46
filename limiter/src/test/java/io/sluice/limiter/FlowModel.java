package io.sluice.limiter;

import java.util.ArrayList;
import java.util.List;

/**
 * What GCRA, token bucket and leaky meter have in common, from first principles: a grant is right iff no interval that
 * ends with it holds more than the limit plus what flows during it. Looks at every past grant each time.
 */
final class FlowModel {
    private record Grant(long timeNs, long quantity) {
    }

    private final long limit;
    private final Ratio perNs;
    private final List<Grant> grants = new ArrayList<>();

    FlowModel(final long limit, final Ratio perNs) {
        this.limit = limit;
        this.perNs = perNs;
    }

    Answer ask(final long quantity, final long nowNs) {
        final Ratio room = Ratio.of(limit).minus(level(nowNs));
        final boolean limited = Ratio.of(quantity).compareTo(room) > 0;
        if (!limited && quantity > 0) {
            grants.add(new Grant(nowNs, quantity));
        }
        final Ratio after = level(nowNs);
        final long retryNs = limited && quantity <= limit
            ? Ratio.of(quantity).minus(room).dividedBy(perNs).ceil() : Decision.NO_RETRY;
        return new Answer(limited, limit, Ratio.of(limit).minus(after).floor(), retryNs, after.dividedBy(perNs).ceil());
    }

    /** The most by which any interval up to now exceeds its flow. */
    private Ratio level(final long nowNs) {
        Ratio level = Ratio.ZERO;
        long sum = 0;
        for (int from = grants.size() - 1; from >= 0; from--) {
            sum += grants.get(from).quantity();
            level = level.max(Ratio.of(sum).minus(perNs.times(Ratio.of(nowNs - grants.get(from).timeNs()))));
        }
        return level;
    }
}
