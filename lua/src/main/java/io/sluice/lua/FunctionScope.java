package io.sluice.lua;

import io.sluice.lua.Syntax.Local;
import io.sluice.lua.Syntax.Upvalue;
import java.util.ArrayList;
import java.util.List;

/** The resolver: names visible in the function being parsed, and the slots they get. */
final class FunctionScope {

    private static final int LOCALS_MAX = 200;
    private static final int UPVALUES_MAX = 60;

    final FunctionScope parent;
    final int lineDefined;
    final List<Upvalue> upvalues = new ArrayList<>();
    boolean vararg;
    boolean usesVararg;
    Local argLocal;
    /** Loops around the current statement, within this function. */
    int loopDepth;
    int slotCount;

    private final List<Local> visible = new ArrayList<>();
    private final Lexer lexer;
    private int freeSlot;

    FunctionScope(FunctionScope parent, int lineDefined, Lexer lexer) {
        this.parent = parent;
        this.lineDefined = lineDefined;
        this.lexer = lexer;
    }

    /** A mark to {@link #close} at the end of the block that begins here. */
    int open() {
        return visible.size();
    }

    void close(int mark) {
        while (visible.size() > mark) {
            Local gone = visible.remove(visible.size() - 1);
            freeSlot = gone.slot;
        }
    }

    /** Makes a name visible from here to the end of the block. */
    Local declare(String name) {
        checkRoom(1);
        Local local = new Local(name, freeSlot++);
        slotCount = Math.max(slotCount, freeSlot);
        visible.add(local);
        return local;
    }

    void checkRoom(int more) {
        if (visible.size() + more > LOCALS_MAX) {
            throw limit(LOCALS_MAX, "local variables");
        }
    }

    Local findLocal(String name) {
        for (int i = visible.size() - 1; i >= 0; i--) {
            if (visible.get(i).name.equals(name)) {
                return visible.get(i);
            }
        }
        return null;
    }

    /** The index of the upvalue of this name, captured through all functions between; -1 for a global. */
    int findUpvalue(String name) {
        for (int i = 0; i < upvalues.size(); i++) {
            if (upvalues.get(i).name().equals(name)) {
                return i;
            }
        }
        if (parent == null) {
            return -1;
        }
        Local local = parent.findLocal(name);
        int outer = -1;
        if (local != null) {
            local.captured = true;
        } else {
            outer = parent.findUpvalue(name);
            if (outer < 0) {
                return -1;
            }
        }
        if (upvalues.size() >= UPVALUES_MAX) {
            throw limit(UPVALUES_MAX, "upvalues");
        }
        upvalues.add(new Upvalue(name, local, outer));
        return upvalues.size() - 1;
    }

    private LuaError limit(int max, String what) {
        String where = lineDefined == 0 ? "main function" : "function at line " + lineDefined;
        return lexer.error(where + " has more than " + max + " " + what);
    }
}
