package io.sluice.lua;

import java.util.Arrays;

/** The basic functions, as far as Redis has them, and the opening of all libraries. */
final class BaseLib {

    static final LuaFunction NEXT = LuaHostFunction.internal(BaseLib::next);
    static final LuaFunction IPAIRS_STEP = LuaHostFunction.internal(BaseLib::ipairsStep);

    private BaseLib() {
    }

    static void open(LuaRuntime rt) {
        LuaTable globals = rt.globals;
        globals.set("_G", globals);
        globals.set("_VERSION", LuaString.of("Lua 5.1"));
        new Library(globals)
            .add("assert", BaseLib::assertTrue)
            .add("collectgarbage", BaseLib::collectGarbage)
            .add("error", BaseLib::error)
            .add("gcinfo", (r, a) -> (double) (r.allocated() >> 10))
            .add("getmetatable", BaseLib::getMetatable)
            .add("ipairs", BaseLib::ipairs)
            .add("load", Loading::load)
            .add("loadstring", Loading::loadString)
            .add("next", NEXT)
            .add("pairs", BaseLib::pairs)
            .add("pcall", ProtectedCall::pcall)
            .add("rawequal", (r, a) -> LuaValues.rawEquals(Args.any(r, a, 0), Args.any(r, a, 1)))
            .add("rawget", (r, a) -> Args.table(r, a, 0).get(Args.any(r, a, 1)))
            .add("rawset", BaseLib::rawSet)
            .add("select", BaseLib::select)
            .add("setmetatable", BaseLib::setMetatable)
            .add("tonumber", new Conversions.ToNumber())
            .add("tostring", new Conversions.ToText())
            .add("type", new Conversions.TypeName())
            .add("unpack", BaseLib::unpack)
            .add("xpcall", ProtectedCall::xpcall);
        StringLib.open(rt);
        TableLib.open(rt);
        MathLib.open(rt);
        BitLib.open(rt);
        StructLib.open(rt);
        CoroutineLib.open(rt);
        Cjson.open(rt);
        Cmsgpack.open(rt);
    }

    private static Object assertTrue(LuaRuntime rt, Object[] args) {
        if (!LuaValues.isTrue(Args.any(rt, args, 0))) {
            throw rt.error(Args.string(rt, args, 1, LuaString.of("assertion failed!")).toString());
        }
        return args;
    }

    private static Object collectGarbage(LuaRuntime rt, Object[] args) {
        String option = Args.string(rt, args, 0, LuaString.of("collect")).toString();
        return switch (option) {
            case "count" -> rt.allocated() / 1024.0;
            case "step" -> Boolean.TRUE;
            case "collect", "stop", "restart", "setpause", "setstepmul" -> 0.0;
            default -> throw rt.argumentError(1, "invalid option '" + option + "'");
        };
    }

    private static Object error(LuaRuntime rt, Object[] args) {
        int level = Args.integer(rt, args, 1, 1);
        Object value = Args.get(args, 0);
        LuaString text = LuaValues.toLuaString(value);
        if (text != null && level > 0) {
            value = LuaString.of(rt.where(level) + text);
        }
        throw new LuaError(value).at(rt);
    }

    private static Object getMetatable(LuaRuntime rt, Object[] args) {
        LuaTable metatable = Metatables.of(rt, Args.any(rt, args, 0));
        if (metatable == null) {
            return null;
        }
        Object shown = metatable.get(Metatables.METATABLE);
        return shown != null ? shown : metatable;
    }

    private static Object setMetatable(LuaRuntime rt, Object[] args) {
        LuaTable table = Args.table(rt, args, 0);
        Object metatable = Args.get(args, 1);
        Args.check(rt, metatable instanceof LuaTable || metatable == null && args.length > 1, 1,
            "nil or table expected");
        if (table.metatable != null && table.metatable.get(Metatables.METATABLE) != null) {
            throw rt.error("cannot change a protected metatable");
        }
        requireWritable(rt, table);
        table.metatable = (LuaTable) metatable;
        return table;
    }

    /** What the engine itself says about a read-only table: no position, since no Lua code runs at that point. */
    static void requireWritable(LuaRuntime rt, LuaTable table) {
        if (table.isReadonly()) {
            throw new LuaError("Attempt to modify a readonly table").at(rt);
        }
    }

    private static Object rawSet(LuaRuntime rt, Object[] args) {
        LuaTable table = Args.table(rt, args, 0);
        Object key = Args.any(rt, args, 1);
        Object value = Args.any(rt, args, 2);
        requireWritable(rt, table);
        if (key == null || key instanceof Double d && d.isNaN()) {
            throw new LuaError("table index is " + (key == null ? "nil" : "NaN")).at(rt);
        }
        rt.set(table, key, value);
        return table;
    }

    private static Object next(LuaRuntime rt, Object[] args) {
        LuaTable table = Args.table(rt, args, 0);
        int position = table.positionOf(Args.get(args, 1));
        if (position < 0) {
            throw new LuaError("invalid key to 'next'").at(rt);
        }
        int following = table.nextPosition(position);
        return following < 0 ? null : new Object[] {table.keyAt(following), table.valueAt(following)};
    }

    private static Object pairs(LuaRuntime rt, Object[] args) {
        return new Object[] {NEXT, Args.table(rt, args, 0), null};
    }

    private static Object ipairs(LuaRuntime rt, Object[] args) {
        return new Object[] {IPAIRS_STEP, Args.table(rt, args, 0), 0.0};
    }

    private static Object ipairsStep(LuaRuntime rt, Object[] args) {
        int i = Args.integer(rt, args, 1) + 1;
        Object value = Args.table(rt, args, 0).get(i);
        return value == null ? null : new Object[] {(double) i, value};
    }

    private static Object select(LuaRuntime rt, Object[] args) {
        if (Args.get(args, 0) instanceof LuaString s && s.length() > 0 && s.bytes[0] == '#') {
            return (double) (args.length - 1);
        }
        int n = Args.integer(rt, args, 0);
        int from = n < 0 ? args.length + n : Math.min(n, args.length);
        Args.check(rt, from >= 1, 0, "index out of range");
        return Arrays.copyOfRange(args, from, args.length);
    }

    private static Object unpack(LuaRuntime rt, Object[] args) {
        LuaTable table = Args.table(rt, args, 0);
        int from = Args.integer(rt, args, 1, 1);
        int to = Args.absent(args, 2) ? table.length() : Args.integer(rt, args, 2);
        if (from > to) {
            return LuaValues.NONE;
        }
        long count = (long) to - from + 1;
        if (count > LuaLimits.VALUES_MAX - args.length) {
            throw rt.error("too many results to unpack");
        }
        Object[] values = new Object[(int) count];
        for (int i = 0; i < values.length; i++) {
            values[i] = table.get(from + i);
        }
        return values;
    }
}
