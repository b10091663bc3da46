package io.sluice.lua;

import java.util.Locale;
import java.util.concurrent.Semaphore;

/**
 * A coroutine: a Java thread of its own that runs only while somebody waits in {@link #resume}, so that there is
 * still one
 * thread at a time in the runtime. What belongs to the host (its functions, the interrupt hook) never runs here: it is
 * passed to the thread that called {@link LuaRuntime#invoke}.
 */
final class Coroutine {

    /** Where a coroutine can be; the names are what {@code coroutine.status} says. */
    enum Status {
        SUSPENDED, RUNNING, NORMAL, DEAD;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Java stack for one nested evaluation, with room to spare, and for what is below them. */
    private static final long STACK_BYTES_PER_DEPTH = 256;
    private static final long STACK_BYTES_BASE = 256 << 10;

    /** Work for the host's thread. */
    interface Task {
        Object run();
    }

    private final LuaRuntime rt;
    private final LuaFunction body;
    private final Semaphore toCoroutine = new Semaphore(0);
    private final Semaphore toResumer = new Semaphore(0);
    private Thread thread;

    private Status status = Status.SUSPENDED;
    private Coroutine resumer;
    private LuaRuntime.Position position = LuaRuntime.Position.START;

    /** What passes at a switch: arguments, results, or the answer to a task. */
    private Object passed;
    private RuntimeException failure;
    private Task task;
    private boolean killed;

    Coroutine(LuaRuntime rt, LuaFunction body) {
        this.rt = rt;
        this.body = body;
    }

    Status status() {
        return status;
    }

    /** Lets it run until it yields or ends; gives what it passed. Its error comes out as a LuaError. */
    Object resume(Object[] args) {
        if (status != Status.SUSPENDED) {
            throw new LuaError("cannot resume " + status.text() + " coroutine");
        }
        resumer = rt.coroutine();
        if (thread == null) {
            rt.coroutines().requireRoom();
            long stack = STACK_BYTES_BASE + STACK_BYTES_PER_DEPTH * rt.limits.stackDepthMax();
            thread = new Thread(null, this::main, "sluice-lua-coroutine", stack);
            thread.setDaemon(true);
            thread.start();
            rt.coroutines().started(this);
        }
        if (resumer != null) {
            resumer.status = Status.NORMAL;
        }
        status = Status.RUNNING;
        passed = args;
        LuaRuntime.Position here = rt.switchTo(this, position);
        toCoroutine.release();
        toResumer.acquireUninterruptibly();
        while (task != null) {
            serve();
        }
        position = rt.switchTo(resumer, here);
        if (resumer != null) {
            resumer.status = Status.RUNNING;
        }
        if (status == Status.DEAD) {
            rt.coroutines().ended(this);
        }
        RuntimeException error = failure;
        failure = null;
        if (error != null) {
            throw error;
        }
        return passed;
    }

    /** Runs a task that the coroutine asked for on this thread, or passes it on towards the host's. */
    private void serve() {
        Task work = task;
        task = null;
        LuaRuntime.Position inside = rt.switchTo(resumer, null);
        try {
            passed = rt.onHostThread(work);
        } catch (RuntimeException e) {
            failure = e;
        }
        rt.switchTo(this, inside);
        toCoroutine.release();
        toResumer.acquireUninterruptibly();
    }

    /** From the coroutine's own thread: has a task run on the host's thread. */
    Object ask(Task work) {
        task = work;
        toResumer.release();
        toCoroutine.acquireUninterruptibly();
        RuntimeException error = failure;
        failure = null;
        if (error != null) {
            throw error;
        }
        return passed;
    }

    /** From the coroutine's own thread: passes values to the resumer and waits to be resumed. */
    Object yield(Object[] values) {
        passed = values;
        status = Status.SUSPENDED;
        toResumer.release();
        toCoroutine.acquireUninterruptibly();
        if (killed) {
            throw LuaError.kill("coroutine ended with its script");
        }
        return passed;
    }

    private void main() {
        toCoroutine.acquireUninterruptibly();
        try {
            if (!killed) {
                passed = body.call(rt, (Object[]) passed);
            }
        } catch (StackOverflowError e) {
            failure = new LuaError("stack overflow");
        } catch (OutOfMemoryError e) {
            failure = new LuaError("not enough memory");
        } catch (RuntimeException e) {
            failure = e;
        }
        status = Status.DEAD;
        toResumer.release();
    }

    /** Ends a coroutine that waits in {@link #yield}; comes back when its thread is done with the runtime. */
    void kill() {
        killed = true;
        toCoroutine.release();
        toResumer.acquireUninterruptibly();
    }

    @Override
    public String toString() {
        return "thread: 0x" + String.format("%012x", System.identityHashCode(this));
    }
}
