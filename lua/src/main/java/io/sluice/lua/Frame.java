package io.sluice.lua;

/** One activation of a Lua function. */
final class Frame {

    /** Stands for nil in {@link #odd}. */
    static final Object NIL = new Object();

    final LuaRuntime rt;
    final Prototype proto;
    final Object[] slots;
    final Cell[] upvalues;

    /** The {@code ...} of a vararg function. */
    Object[] varargs;

    /** Result of the statement that returned: a value or an array; for a tail call its arguments. */
    Object result;
    /** The function a tail call goes to. */
    LuaClosure tailFunction;

    /** The operand that {@link Expr#evalNumber} found not to be a number; null when it was one. */
    Object odd;

    Frame parent;
    /** Entered by a tail call: the caller is gone. */
    boolean tail;

    /** Where it is: index of a call site, or ~line. */
    int site = -1;

    /** What the run had allocated when this activation began, and when its present statement began at the latest. */
    long allocatedBefore;
    long allocatedAtEdge;

    Frame(LuaRuntime rt, Prototype proto, Cell[] upvalues) {
        this.rt = rt;
        this.proto = proto;
        this.slots = new Object[proto.slotCount];
        this.upvalues = upvalues;
    }

    /** Marks that a library function calls back: nothing Lua runs between it and what it calls. */
    Frame(LuaRuntime rt, Frame parent) {
        this.rt = rt;
        this.proto = null;
        this.slots = LuaValues.NONE;
        this.upvalues = null;
        this.parent = parent;
    }

    /** The activation that this one was called from, library functions between them skipped. */
    Frame luaParent() {
        Frame f = parent;
        while (f != null && f.proto == null) {
            f = f.parent;
        }
        return f;
    }

    /** Notes a value where a number was wanted and returns the NaN that tells the asker to look at {@link #odd}. */
    double notNumber(Object value) {
        odd = value == null ? NIL : value;
        return Double.NaN;
    }

    /** Takes what {@link #notNumber} noted. */
    Object takeOdd() {
        Object value = odd;
        odd = null;
        return value == NIL ? null : value;
    }

    /** What it is calling; null where that has no site of its own. */
    CallSite callSite() {
        return site >= 0 && proto != null ? proto.sites[site] : null;
    }

    /** "user_script:3: " for the function {@code level} calls out, 1 being this one; or "". */
    String where(int level) {
        Frame f = this;
        boolean gone = false;
        for (int i = 1; i < level && f != null; i++) {
            if (f.tail && !gone) {
                gone = true;
            } else {
                gone = false;
                f = f.parent;
            }
        }
        return f == null || gone || f.proto == null ? "" : f.proto.position(f.line());
    }

    int line() {
        if (proto == null) {
            return -1;
        }
        return site < 0 ? ~site : proto.sites[site].line();
    }

    /** The error text with this frame's position at a line, as an error to throw. */
    LuaError error(int line, String message) {
        site = ~line;
        return new LuaError(LuaString.of(proto.position(line) + message)).at(proto.chunkName, line);
    }
}
