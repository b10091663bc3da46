package io.sluice.compat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process does in its own time. */
final class Await {
    private static final long POLL_NS = Duration.ofMillis(5).toNanos();

    private Await() {
    }

    /** Returns when the condition holds; fails where it does not within the limit. */
    static void until(String what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited " + limit + " in vain for " + what);
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }
}
