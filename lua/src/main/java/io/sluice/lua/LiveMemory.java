package io.sluice.lua;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures what a run can still reach, in the same rough bytes that {@link LuaRuntime#allocate} counts, so that a
 * loop that
 * makes garbage does not run out of its memory limit.
 *
 * <p>Reachable are the globals and what the slots of all activations hold. Values that only Java code holds at that
 * moment
 * (operands of an expression whose other half is a call) are not found; {@link LuaRuntime} adds what was allocated
 * in the
 * unfinished statements of all outer activations, which is the most those can be.
 */
final class LiveMemory {

    private static final AtomicInteger EPOCHS = new AtomicInteger();
    private static final int FUNCTION_BYTES = 64;
    private static final int CELL_BYTES = 24 + LuaTable.NUMBER_BYTES;

    private final int epoch = EPOCHS.incrementAndGet() & LuaString.MARK_MAX;
    private final ArrayDeque<Object> open = new ArrayDeque<>();
    private long bytes;

    private LiveMemory() {
    }

    static long measure(LuaTable globals, Frame innermost) {
        LiveMemory memory = new LiveMemory();
        memory.tableContent(globals);
        for (Frame f = innermost; f != null; f = f.parent) {
            memory.frame(f);
        }
        memory.follow();
        return memory.bytes;
    }

    /** What functions hold from one run to the next: themselves and what their captured variables lead to. */
    static long heldBy(Iterable<LuaFunction> functions) {
        LiveMemory memory = new LiveMemory();
        functions.forEach(memory::reach);
        memory.follow();
        return memory.bytes;
    }

    private void frame(Frame f) {
        bytes += 8L * f.slots.length;
        for (Object slot : f.slots) {
            reach(slot instanceof Cell cell ? cell.v : slot);
        }
        if (f.upvalues != null) {
            for (Cell cell : f.upvalues) {
                reach(cell.v);
            }
        }
        if (f.varargs != null) {
            reachAll(f.varargs);
        }
    }

    private void reachAll(Object[] values) {
        for (Object value : values) {
            reach(value);
        }
    }

    /** Counts a value if it is new and notes it for its content. Library tables (read-only) count for nothing. */
    private void reach(Object value) {
        if (value instanceof LuaString s) {
            if (s.mark(epoch)) {
                bytes += LuaString.OVERHEAD_BYTES + s.length();
            }
        } else if (value instanceof LuaTable t) {
            if (t.mark != epoch && !t.isReadonly()) {
                t.mark = epoch;
                bytes += t.footprint();
                open.push(t);
            }
        } else if (value instanceof LuaClosure c) {
            if (c.mark != epoch) {
                c.mark = epoch;
                bytes += FUNCTION_BYTES + (8L + CELL_BYTES) * c.upvalues.length;
                open.push(c);
            }
        } else if (value instanceof LuaHostFunction h && h.held() != null) {
            bytes += FUNCTION_BYTES;
            reachAll(h.held());
        }
    }

    private void follow() {
        while (!open.isEmpty()) {
            Object value = open.pop();
            if (value instanceof LuaTable t) {
                tableContent(t);
            } else {
                for (Cell cell : ((LuaClosure) value).upvalues) {
                    reach(cell.v);
                }
            }
        }
    }

    private void tableContent(LuaTable t) {
        reachAll(t.array);
        reachAll(t.entries);
        reach(t.metatable);
    }
}
