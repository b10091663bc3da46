package io.sluice.lua;

import java.util.ArrayList;
import java.util.List;

/** The coroutines that a run has started and not finished. They end with it. */
final class Coroutines {

    private final int max;
    private final List<Coroutine> started = new ArrayList<>();
    private boolean any;

    Coroutines(int max) {
        this.max = max;
    }

    void requireRoom() {
        if (started.size() >= max) {
            throw new LuaError("too many coroutines");
        }
    }

    void started(Coroutine coroutine) {
        started.add(coroutine);
        any = true;
    }

    void ended(Coroutine coroutine) {
        started.remove(coroutine);
    }

    /** Whether this run has had any. */
    boolean any() {
        return any;
    }

    void endRun() {
        for (Coroutine coroutine : started) {
            coroutine.kill();
        }
        started.clear();
        any = false;
    }
}
