package io.sluice.server.command;

import io.sluice.server.config.ConfigTable;
import io.sluice.server.stats.LatencyMonitor;

import java.util.Locale;
import java.util.Map;

import static java.util.Map.entry;

/** What {@code LATENCY DOCTOR} and {@code GRAPH} print. */
final class LatencyReport {
    private static final int GRAPH_SAMPLES_MAX = 40;
    private static final int GRAPH_WIDTH = 60;

    /** What an event means, and what to do about it. */
    private static final Map<String, String> ADVICE = Map.ofEntries(
        entry("command",
            "Commands that are not meant to be fast were slow: see SLOWLOG GET. KEYS, large SORTs and scripts "
            + "hold everybody up; SCAN does not."),
        entry("fast-command",
            "Commands that cost next to nothing took long, so the process was not running: another process on "
            + "its processor, a container's quota, or memory that was not there (see loop-turn)."),
        entry("loop-turn",
            "The loop came back late. Look for an event of the same second: if there is none, the thread did "
            + "not get the processor, or it waited for a page of a map file. Give it a processor of its own, "
            + "enough memory, and a disk that writes back evenly."),
        entry("gc-pause",
            "The JVM stopped all threads. The heap holds no state: give it more room "
            + "(SLUICE_JAVA_OPTS='-Xms.. -Xmx..') or let ZGC collect it."),
        entry("expire-cycle",
            "Removing expired keys took longer than its slice, which is 0.5 ms: the thread was interrupted or "
            + "waited for pages of a map file."),
        entry("snapshot-slice",
            "A slice of a snapshot took longer than its 0.5 ms: a shard with large values, or pages of a map "
            + "file that were not in memory."),
        entry("resize",
            "A new key waited for the next map file to be made. Files are made ahead, by another thread: the "
            + "disk was too slow for so many new keys at once. maxkeys makes the first file large enough for all "
            + "of them."),
        entry("disk-write",
            "Writing a piece of a snapshot took long. The loop does not wait for it; a snapshot that the disk "
            + "cannot keep up with fails."),
        entry("disk-sync",
            "The disk took long to have all of a snapshot. The loop does not wait for it, unless SAVE or "
            + "SHUTDOWN asked for it."));

    private LatencyReport() {
    }

    static String diagnosis(LatencyMonitor monitor, ServerParts parts) {
        long thresholdMs = parts.config().number(ConfigTable.LATENCY_THRESHOLD);
        if (thresholdMs == 0) {
            return "Events are not kept, since latency-monitor-threshold is 0. CONFIG SET latency-monitor-threshold 10 "
                + "keeps those of 10 ms and more. The longest pause of the loop so far was "
                + parts.stats().longestPauseNs / 1000 + " us.\n";
        }
        if (monitor.series().isEmpty()) {
            return "Nothing took " + thresholdMs + " ms or longer. The longest pause of the loop was "
                + parts.stats().longestPauseNs / 1000 + " us.\n";
        }
        StringBuilder text = new StringBuilder();
        monitor.series().forEach((event, series) -> {
            long sum = 0;
            for (int i = 0; i < series.size(); i++) {
                sum += series.latencyMs(i);
            }
            text.append(String.format(Locale.ROOT, "%s: %d times, mean %d ms, worst %d ms.\n", event, series.size(),
                sum / series.size(), series.maxMs()));
            text.append("  ").append(ADVICE.getOrDefault(event, "")).append('\n');
        });
        return text.toString();
    }

    /** A bar for each of the newest samples. */
    static String graph(String event, LatencyMonitor.Series series, long nowSeconds) {
        int first = Math.max(0, series.size() - GRAPH_SAMPLES_MAX);
        long high = 1;
        for (int i = first; i < series.size(); i++) {
            high = Math.max(high, series.latencyMs(i));
        }
        StringBuilder text = new StringBuilder(event + ": highest " + high + " ms, ever " + series.maxMs() + " ms\n");
        for (int i = first; i < series.size(); i++) {
            int width = (int) (series.latencyMs(i) * GRAPH_WIDTH / high);
            text.append(String.format(Locale.ROOT, "%8ds ago %8d ms %s\n", nowSeconds - series.seconds(i),
                series.latencyMs(i), "#".repeat(width)));
        }
        return text.toString();
    }
}
