package io.sluice.lua;

/** A function written in Lua, with the variables it captured. */
final class LuaClosure extends LuaFunction {

    final Prototype proto;
    final Cell[] upvalues;
    /** {@link LiveMemory}'s. */
    int mark;

    LuaClosure(Prototype proto, Cell[] upvalues) {
        this.proto = proto;
        this.upvalues = upvalues;
    }

    @Override
    public Object call0(LuaRuntime rt) {
        if (proto.vararg) {
            return call(rt, LuaValues.NONE);
        }
        return run(rt, new Frame(rt, proto, upvalues));
    }

    @Override
    public Object call1(LuaRuntime rt, Object a) {
        if (proto.vararg) {
            return call(rt, new Object[] {a});
        }
        Frame frame = new Frame(rt, proto, upvalues);
        if (proto.parameterCount > 0) {
            frame.slots[0] = a;
        }
        return run(rt, frame);
    }

    @Override
    public Object call2(LuaRuntime rt, Object a, Object b) {
        if (proto.vararg) {
            return call(rt, new Object[] {a, b});
        }
        Frame frame = new Frame(rt, proto, upvalues);
        int count = proto.parameterCount;
        if (count > 0) {
            frame.slots[0] = a;
            if (count > 1) {
                frame.slots[1] = b;
            }
        }
        return run(rt, frame);
    }

    @Override
    public Object call3(LuaRuntime rt, Object a, Object b, Object c) {
        int count = proto.parameterCount;
        if (proto.vararg || count < 3) {
            return call(rt, new Object[] {a, b, c});
        }
        Frame frame = new Frame(rt, proto, upvalues);
        frame.slots[0] = a;
        frame.slots[1] = b;
        frame.slots[2] = c;
        return run(rt, frame);
    }

    @Override
    public Object call(LuaRuntime rt, Object[] args) {
        return run(rt, newFrame(rt, args));
    }

    private Frame newFrame(LuaRuntime rt, Object[] args) {
        Frame frame = new Frame(rt, proto, upvalues);
        int count = proto.parameterCount;
        System.arraycopy(args, 0, frame.slots, 0, Math.min(count, args.length));
        if (proto.vararg) {
            int extra = args.length - count;
            if (extra > 0) {
                frame.varargs = new Object[extra];
                System.arraycopy(args, count, frame.varargs, 0, extra);
            } else {
                frame.varargs = LuaValues.NONE;
            }
            if (proto.argSlot >= 0) {
                frame.slots[proto.argSlot] = argTable(frame.varargs);
            }
        }
        return frame;
    }

    private static LuaTable argTable(Object[] varargs) {
        LuaTable table = LuaTable.ofArray(varargs.clone());
        table.set("n", (double) varargs.length);
        return table;
    }

    private static Object run(LuaRuntime rt, Frame first) {
        Frame frame = first;
        Frame parent = rt.frame;
        while (true) {
            Prototype proto = frame.proto;
            frame.parent = parent;
            rt.enter(frame);
            if (proto.cellParameters != null) {
                for (int slot : proto.cellParameters) {
                    frame.slots[slot] = new Cell(frame.slots[slot]);
                }
            }
            int outcome = proto.body.exec(frame);
            rt.leave(frame);
            if (outcome == Stat.NORMAL) {
                return LuaValues.NONE;
            }
            if (outcome != Stat.TAIL_CALL) {
                return frame.result;
            }
            frame = frame.tailFunction.newFrame(rt, (Object[]) frame.result);
            frame.tail = true;
        }
    }
}
