package io.sluice.lua;

/** Reads arguments of library functions with the checks and messages of Lua's auxiliary library. Indexes from 0. */
final class Args {

    private Args() {
    }

    static Object get(Object[] args, int i) {
        return i < args.length ? args[i] : null;
    }

    /** Nil or not there. */
    static boolean absent(Object[] args, int i) {
        return i >= args.length || args[i] == null;
    }

    static LuaError typeError(LuaRuntime rt, Object[] args, int i, String expected) {
        String got = i < args.length ? LuaValues.typeName(args[i]) : "no value";
        return rt.argumentError(i + 1, expected + " expected, got " + got);
    }

    static Object any(LuaRuntime rt, Object[] args, int i) {
        if (i >= args.length) {
            throw rt.argumentError(i + 1, "value expected");
        }
        return args[i];
    }

    static double number(LuaRuntime rt, Object[] args, int i) {
        if (i < args.length) {
            Object value = args[i];
            if (value instanceof Double d) {
                return d;
            }
            if (value instanceof LuaString s && s.isNumber()) {
                return s.number();
            }
        }
        throw typeError(rt, args, i, "number");
    }

    static double number(LuaRuntime rt, Object[] args, int i, double otherwise) {
        return absent(args, i) ? otherwise : number(rt, args, i);
    }

    /** A number as C's {@code int} after {@code ptrdiff_t}. */
    static int integer(LuaRuntime rt, Object[] args, int i) {
        return Numbers.toInt(number(rt, args, i));
    }

    static int integer(LuaRuntime rt, Object[] args, int i, int otherwise) {
        return absent(args, i) ? otherwise : integer(rt, args, i);
    }

    static long longInteger(LuaRuntime rt, Object[] args, int i) {
        return Numbers.toLong(number(rt, args, i));
    }

    static long longInteger(LuaRuntime rt, Object[] args, int i, long otherwise) {
        return absent(args, i) ? otherwise : longInteger(rt, args, i);
    }

    static LuaString string(LuaRuntime rt, Object[] args, int i) {
        LuaString s = LuaValues.toLuaString(get(args, i));
        if (s == null) {
            throw typeError(rt, args, i, "string");
        }
        return s;
    }

    static LuaString string(LuaRuntime rt, Object[] args, int i, LuaString otherwise) {
        return absent(args, i) ? otherwise : string(rt, args, i);
    }

    static LuaTable table(LuaRuntime rt, Object[] args, int i) {
        if (get(args, i) instanceof LuaTable t) {
            return t;
        }
        throw typeError(rt, args, i, "table");
    }

    static LuaFunction function(LuaRuntime rt, Object[] args, int i) {
        if (get(args, i) instanceof LuaFunction f) {
            return f;
        }
        throw typeError(rt, args, i, "function");
    }

    static void check(LuaRuntime rt, boolean condition, int i, String message) {
        if (!condition) {
            throw rt.argumentError(i + 1, message);
        }
    }
}
