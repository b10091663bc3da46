package io.sluice.server.stats;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;

/**
 * Which keys take most of the time and most of the bytes while somebody asks for it, see {@code HOTKEYS START}: a
 * session with a beginning and, unlike {@link DecisionStats}, an end. Costs one comparison a command while there is
 * none.
 */
public final class HotKeys {
    private static final long NS_PER_US = 1000;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    /** What a session measures: time, bytes, or both; how long at most (0: until stopped); one in how many. */
    public record Settings(boolean cpu, boolean net, int count, long durationSeconds, long sampleRatio) {
    }

    private HeavyKeys byTime;
    private HeavyKeys byBytes;
    private Settings settings;
    private boolean active;
    private long startedEpochNs;
    private long stoppedEpochNs;
    private long commands;
    private long totalNs;
    private long totalBytes;

    /** Whether commands are to be counted. */
    public boolean isActive() {
        return active;
    }

    /** The session that is running or has run; null if there is none. */
    public Settings settings() {
        return settings;
    }

    /** Begins a session; what the one before has found is gone. */
    public void start(Settings newSettings, long epochNs) {
        reset();
        if (byTime == null) {
            byTime = new HeavyKeys();
            byBytes = new HeavyKeys();
        }
        settings = newSettings;
        startedEpochNs = epochNs;
        active = true;
    }

    /** Ends counting and keeps what was found. */
    public void stop(long epochNs) {
        active = false;
        stoppedEpochNs = epochNs;
    }

    /** Forgets the session. */
    public void reset() {
        active = false;
        settings = null;
        commands = 0;
        totalNs = 0;
        totalBytes = 0;
        if (byTime != null) {
            byTime.reset();
            byBytes.reset();
        }
    }

    /**
     * A command has run.
     *
     * @return whether its keys are to be counted with {@link #key}
     */
    public boolean command(long durationNs, long bytes, long epochNs) {
        if (settings.durationSeconds() > 0
                && (epochNs - startedEpochNs) / NS_PER_SECOND >= settings.durationSeconds()) {
            stop(startedEpochNs + settings.durationSeconds() * NS_PER_SECOND);
            return false;
        }
        totalNs += durationNs;
        totalBytes += bytes;
        return commands++ % settings.sampleRatio() == 0;
    }

    /** Counts what a command has spent for a key. */
    public void key(Entry entry, long durationNs, long bytes, long epochNs) {
        if (settings.cpu()) {
            count(byTime, entry, (double) durationNs / NS_PER_US, epochNs);
        }
        if (settings.net()) {
            count(byBytes, entry, bytes, epochNs);
        }
    }

    private static void count(HeavyKeys keys, Entry entry, double weight, long epochNs) {
        int slot = keys.add(entry.hash(), weight);
        if (slot != HeavyKeys.NONE) {
            keys.describe(slot, entry, entry.exists() ? entry.type() : ValueType.STRING, epochNs);
        }
    }

    /** Keys by microseconds. */
    public HeavyKeys byTime() {
        return byTime;
    }

    /** Keys by bytes of arguments and replies. */
    public HeavyKeys byBytes() {
        return byBytes;
    }

    public long startedEpochNs() {
        return startedEpochNs;
    }

    /** How long the session has run, or did run. */
    public long durationNs(long epochNs) {
        return (active ? epochNs : stoppedEpochNs) - startedEpochNs;
    }

    /** Time of all commands of the session. */
    public long totalNs() {
        return totalNs;
    }

    /** Bytes of all commands of the session. */
    public long totalBytes() {
        return totalBytes;
    }
}
