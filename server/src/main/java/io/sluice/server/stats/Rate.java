package io.sluice.server.stats;

/**
 * How fast a counter grows, averaged over the last {@link #SAMPLES} samples, as Redis's instantaneous metrics are.
 */
public final class Rate {
    private static final int SAMPLES = 16;
    private static final double NS_PER_SECOND = 1e9;

    private final double[] perSecond = new double[SAMPLES];
    private int next;
    private long lastCount;
    private long lastNs;
    private boolean started;

    /** The counter's value at a monotonic time. A value below the last one is a counter that was reset. */
    public void sample(long count, long nowNs) {
        if (started && nowNs > lastNs) {
            perSecond[next] = Math.max(0, count - lastCount) * NS_PER_SECOND / (nowNs - lastNs);
            next = (next + 1) % SAMPLES;
        }
        started = true;
        lastCount = count;
        lastNs = nowNs;
    }

    /** The mean of the newest samples. */
    public double perSecond() {
        double sum = 0;
        for (double sample : perSecond) {
            sum += sample;
        }
        return sum / SAMPLES;
    }
}
