package io.sluice.server;

/** A monotonic and a wall clock that stand still until a test moves them. */
public final class ManualClock {
    /** Where both start: an arbitrary round instant of 2023. */
    public static final long START_EPOCH_NS = 1_700_000_000_000_000_000L;

    /** Moved by the test's thread, read by the server's. */
    private volatile long monotonicNs = 1_000_000_000L;
    private volatile long wallNs = START_EPOCH_NS;

    /** The server's clock over this one. */
    public ServerClock serverClock() {
        return new ServerClock(() -> monotonicNs, () -> wallNs);
    }

    /** Time goes by. */
    public void advanceNs(long ns) {
        monotonicNs = monotonicNs + ns;
        wallNs = wallNs + ns;
    }

    /** Time goes by. */
    public void advanceMs(long ms) {
        advanceNs(ms * 1_000_000L);
    }

    /** The wall clock alone is set. */
    public void stepWallNs(long ns) {
        wallNs = wallNs + ns;
    }

    /** The monotonic clock. */
    public long monotonicNs() {
        return monotonicNs;
    }

    /** The wall clock. */
    public long wallNs() {
        return wallNs;
    }
}
