package io.sluice.server;

import org.jctools.queues.MpscArrayQueue;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How other threads hand results to the event loop: one bounded queue, which the loop drains. The loop is woken once
 * for what has gathered, so its own task queue holds at most one entry of ours.
 */
public final class LoopQueue {
    /** Completions that may wait. */
    public static final int CAPACITY = 1024;

    private final MpscArrayQueue<Runnable> queue = new MpscArrayQueue<>(CAPACITY);
    private final AtomicBoolean awake = new AtomicBoolean();
    private final Executor loop;

    /** @param loop runs tasks on the event loop */
    public LoopQueue(Executor loop) {
        this.loop = loop;
    }

    /** Hands over a task; false if the queue is full and the caller must try again later. */
    public boolean offer(Runnable task) {
        if (!queue.offer(task)) {
            return false;
        }
        wake();
        return true;
    }

    private void drain() {
        awake.set(false);
        try {
            for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
                task.run();
            }
        } finally {
            // One that fails must not make the others wait for the next to be offered.
            if (!queue.isEmpty()) {
                wake();
            }
        }
    }

    private void wake() {
        if (awake.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
    }
}
