package io.sluice.limiter;

import java.util.ArrayList;
import java.util.List;

/** Every granted unit with its time, kept for ever, for the models of the three window algorithms. */
final class WindowModel {
    private final List<Long> unitTimesNs = new ArrayList<>();

    void add(final long quantity, final long nowNs) {
        for (long unit = 0; unit < quantity; unit++) {
            unitTimesNs.add(nowNs);
        }
    }

    void startOver() {
        unitTimesNs.clear();
    }

    /** Units granted at or after the first instant and before the second. */
    long count(final long fromNs, final long beforeNs) {
        return unitTimesNs.stream().filter(timeNs -> timeNs >= fromNs && timeNs < beforeNs).count();
    }
}
