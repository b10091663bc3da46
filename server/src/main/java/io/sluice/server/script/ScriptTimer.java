package io.sluice.server.script;

import io.sluice.lua.LuaRuntime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Interrupts a script that has run for longer than it should, again and again until it ends: the script then asks
 * {@link ScriptEngine} what to do. On a thread of its own, which is there while scripts are run and ends when none
 * has run for a while.
 */
final class ScriptTimer {
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(5);
    /** Rounds without a script after which the thread ends. */
    private static final int IDLE_ROUNDS_MAX = 1_000;

    private final LongSupplier limitNs;
    private volatile LuaRuntime running;
    /** Written before {@link #running}, read behind it. */
    private long startNs;
    private volatile boolean watching;

    /** @param limitNs how long a script may run undisturbed; asked on the timer's thread */
    ScriptTimer(LongSupplier limitNs) {
        this.limitNs = limitNs;
    }

    /** A script begins. */
    void begin(LuaRuntime runtime) {
        startNs = System.nanoTime();
        running = runtime;
        if (!watching) {
            watching = true;
            Thread thread = new Thread(this::watch, "sluice-script-timer");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** It has ended. */
    void end() {
        running = null;
    }

    private void watch() {
        int idleRounds = 0;
        while (true) {
            LockSupport.parkNanos(this, PERIOD_NS);
            LuaRuntime runtime = running;
            if (runtime != null) {
                idleRounds = 0;
                if (System.nanoTime() - startNs >= limitNs.getAsLong()) {
                    runtime.interrupt();
                }
            } else if (++idleRounds > IDLE_ROUNDS_MAX) {
                watching = false;
                // A script that began just now has not seen it.
                if (running == null) {
                    return;
                }
                watching = true;
            }
        }
    }
}
