package io.sluice.server;

/** How the process ends. Tests put something else in its place. */
public interface ProcessExit {
    /** Bad configuration. */
    int BAD_CONFIG = 1;
    /** An address cannot be listened on. */
    int CANNOT_LISTEN = 2;
    /** An invariant is broken, or memory has run out: the process stopped at once, as if killed. */
    int BROKEN = 70;

    /** Begins a clean stop and returns. */
    void stop();

    /** Ends the process at once: what is in memory cannot be trusted any more. */
    void fail(Throwable cause);
}
