package io.sluice.lua;

/**
 * Counts what a run allocates, from above: the count grows with everything that is made, and goes down when
 * {@link LiveMemory} is asked what is still reachable. It is asked at a loop's back-edge, when half the limit is
 * reached and
 * then each time an eighth of the limit has been added.
 */
final class RunMemory {

    private final long max;

    /** Bytes counted now. */
    long allocated;
    /** The next back-edge is to {@link #measure}. */
    boolean measureDue;

    /** Of the count, what stays for the run whatever is reachable: compiled code. */
    private long forRun;
    private long measureAt;

    RunMemory(long max) {
        this.max = max;
    }

    void startRun() {
        allocated = 0;
        forRun = 0;
        measureAt = max / 2;
        measureDue = false;
    }

    /** Counts if the limit allows it; may make {@link #measure} due. */
    boolean take(long bytes) {
        long total = allocated + bytes;
        if (total > max) {
            return false;
        }
        measureDue |= total > measureAt;
        allocated = total;
        return true;
    }

    void keepForRun(long bytes) {
        forRun += bytes;
    }

    /**
     * Sets the count to what is alive: what can be reached, and at most what the unfinished statements of the outer
     * activations have allocated.
     *
     * @param innermost the activation whose loop goes round
     * @param possible false to leave the count alone
     */
    void measure(LuaTable globals, Frame innermost, boolean possible) {
        measureDue = false;
        if (possible) {
            long live = LiveMemory.measure(globals, innermost) + forRun + unfinished(innermost);
            if (live < allocated) {
                allocated = live;
                rebase(innermost);
            }
        }
        measureAt = Math.max(max / 2, Math.min(max, allocated + max / 8));
    }

    private static long unfinished(Frame innermost) {
        long sum = 0;
        Frame f = innermost;
        for (Frame g = f.luaParent(); g != null; g = f.luaParent()) {
            sum += f.allocatedBefore - g.allocatedAtEdge;
            f = g;
        }
        return sum;
    }

    /** Moves the marks of all activations to the new count, the distances between them kept. */
    private void rebase(Frame innermost) {
        long base = allocated;
        Frame f = innermost;
        f.allocatedAtEdge = base;
        for (Frame g = f.luaParent(); g != null; g = f.luaParent()) {
            long statement = f.allocatedBefore - g.allocatedAtEdge;
            f.allocatedBefore = base;
            base -= statement;
            g.allocatedAtEdge = base;
            f = g;
        }
    }
}
