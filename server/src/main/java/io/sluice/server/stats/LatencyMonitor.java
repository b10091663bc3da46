package io.sluice.server.stats;

import java.util.Map;
import java.util.TreeMap;

/**
 * Events that held the server up for longer than {@code latency-monitor-threshold}, for {@code LATENCY}: for each
 * kind its worst ever and the newest in a ring, one per second at most.
 */
public final class LatencyMonitor {
    /** Samples kept for each kind, as in Redis. */
    static final int SAMPLES_MAX = 160;
    private static final long NS_PER_MS = 1_000_000;

    /** Events of one kind. */
    public static final class Series {
        private final long[] seconds = new long[SAMPLES_MAX];
        private final long[] latencyMs = new long[SAMPLES_MAX];
        private int size;
        private int newest = -1;
        private long maxMs;

        private void add(long second, long ms) {
            maxMs = Math.max(maxMs, ms);
            if (size > 0 && seconds[newest] == second) {
                latencyMs[newest] = Math.max(latencyMs[newest], ms);
                return;
            }
            newest = (newest + 1) % SAMPLES_MAX;
            size = Math.min(size + 1, SAMPLES_MAX);
            seconds[newest] = second;
            latencyMs[newest] = ms;
        }

        public int size() {
            return size;
        }

        /** When sample {@code i} was, the oldest first, in seconds since the epoch. */
        public long seconds(int i) {
            return seconds[slot(i)];
        }

        public long latencyMs(int i) {
            return latencyMs[slot(i)];
        }

        public long maxMs() {
            return maxMs;
        }

        private int slot(int i) {
            return (newest - size + 1 + i + SAMPLES_MAX) % SAMPLES_MAX;
        }
    }

    private final Map<String, Series> byEvent = new TreeMap<>();
    private long thresholdNs = Long.MAX_VALUE;

    /** From which latency on an event is kept; 0: none. */
    public void thresholdMs(long milliseconds) {
        thresholdNs = milliseconds == 0
                ? Long.MAX_VALUE : Math.min(milliseconds, Long.MAX_VALUE / NS_PER_MS) * NS_PER_MS;
    }

    /** Whether an event that took so long is kept. */
    public boolean isKept(long durationNs) {
        return durationNs >= thresholdNs;
    }

    /** Reports how long something took; cheap unless it is kept. */
    public void sample(String event, long durationNs, long epochNs) {
        if (isKept(durationNs)) {
            byEvent.computeIfAbsent(event, none -> new Series())
                    .add(Math.floorDiv(epochNs, 1_000_000_000L), durationNs / NS_PER_MS);
        }
    }

    /** The kinds of events that were kept, by name. */
    public Map<String, Series> series() {
        return byEvent;
    }

    /** Forgets events of one kind; false if there were none. */
    public boolean reset(String event) {
        return byEvent.remove(event) != null;
    }

    /** Forgets everything and tells how many kinds there were. */
    public int resetAll() {
        int kinds = byEvent.size();
        byEvent.clear();
        return kinds;
    }
}
