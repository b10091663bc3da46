package io.sluice.lua;

/**
 * The slow ways of Lua's operations: coercions, metamethods, and the errors when nothing applies. Nodes do the quick
 * ways
 * themselves.
 */
final class Operations {

    /** Longest chain of __index or __newindex tables. */
    private static final int CHAIN_MAX = 100;

    private Operations() {
    }

    /** {@code table[key]} with metamethods. */
    static Object index(Frame f, Object table, Object key, IndexNode node) {
        LuaRuntime rt = f.rt;
        Object at = table;
        for (int i = 0; i < CHAIN_MAX; i++) {
            Object handler;
            if (at instanceof LuaTable t) {
                Object value = t.get(key);
                if (value != null || t.metatable == null) {
                    return value;
                }
                handler = t.metatable.get(Metatables.INDEX);
                if (handler == null) {
                    return null;
                }
            } else {
                handler = Metatables.method(rt, at, Metatables.INDEX);
                if (handler == null) {
                    throw typeError(f, node.line(), "index", at, i == 0 ? node.base() : null);
                }
            }
            if (handler instanceof LuaFunction) {
                return LuaValues.first(callMeta(f, node.line(), handler, at, key));
            }
            at = handler;
        }
        throw f.error(node.line(), "loop in gettable");
    }

    /** {@code table[key] = value} with metamethods. */
    static void setIndex(Frame f, Object table, Object key, Object value, IndexNode node) {
        LuaRuntime rt = f.rt;
        Object at = table;
        for (int i = 0; i < CHAIN_MAX; i++) {
            Object handler;
            if (at instanceof LuaTable t) {
                handler = t.metatable == null || t.get(key) != null ? null : t.metatable.get(Metatables.NEWINDEX);
                if (handler == null) {
                    rawSet(f, node.line(), t, key, value);
                    return;
                }
            } else {
                handler = Metatables.method(rt, at, Metatables.NEWINDEX);
                if (handler == null) {
                    throw typeError(f, node.line(), "index", at, i == 0 ? node.base() : null);
                }
            }
            if (handler instanceof LuaFunction fn) {
                f.site = ~node.line();
                rt.enterHost();
                fn.call3(rt, at, key, value);
                rt.leaveHost();
                return;
            }
            at = handler;
        }
        throw f.error(node.line(), "loop in settable");
    }

    static void rawSet(Frame f, int line, LuaTable table, Object key, Object value) {
        if (table.isReadonly()) {
            throw f.error(line, "Attempt to modify a readonly table");
        }
        if (key == null) {
            throw f.error(line, "table index is nil");
        }
        if (key instanceof Double d && d.isNaN()) {
            throw f.error(line, "table index is NaN");
        }
        f.rt.set(table, key, value);
    }

    /** Calls a metamethod with two operands. */
    static Object callMeta(Frame f, int line, Object handler, Object a, Object b) {
        f.site = ~line;
        LuaRuntime rt = f.rt;
        LuaFunction function = handler instanceof LuaFunction fn ? fn : null;
        rt.enterHost();
        Object result = function != null ? function.call2(rt, a, b)
            : callValue(f, handler, new Object[] {a, b}, null, null);
        rt.leaveHost();
        return result;
    }

    /** Calls something that is not a function: through {@code __call}, or an error that names it. */
    static Object callValue(Frame f, Object callee, Object[] args, String kind, String name) {
        Object handler = Metatables.method(f.rt, callee, Metatables.CALL);
        if (!(handler instanceof LuaFunction fn)) {
            throw typeError(f, f.line(), "call", callee, kind, name);
        }
        Object[] all = new Object[args.length + 1];
        all[0] = callee;
        System.arraycopy(args, 0, all, 1, args.length);
        return fn.call(f.rt, all);
    }

    static Object arithmetic(Frame f, Arithmetic node, Object a, Object b) {
        if (LuaValues.isNumber(a) && LuaValues.isNumber(b)) {
            return node.apply(LuaValues.toNumber(a), LuaValues.toNumber(b));
        }
        Object handler = Metatables.method(f.rt, a, node.event());
        if (handler == null) {
            handler = Metatables.method(f.rt, b, node.event());
        }
        if (handler == null) {
            boolean blameLeft = !LuaValues.isNumber(a);
            throw typeError(f, node.line, "perform arithmetic on", blameLeft ? a : b,
                blameLeft ? node.left : node.right);
        }
        return LuaValues.first(callMeta(f, node.line, handler, a, b));
    }

    static boolean less(Frame f, int line, Object a, Object b) {
        if (a instanceof Double x && b instanceof Double y) {
            return x < y;
        }
        if (a instanceof LuaString x && b instanceof LuaString y) {
            return x.compareTo(y) < 0;
        }
        Object handler = sameType(a, b) ? Metatables.shared(f.rt, a, b, Metatables.LT) : null;
        if (handler == null) {
            throw compareError(f, line, a, b);
        }
        return LuaValues.isTrue(LuaValues.first(callMeta(f, line, handler, a, b)));
    }

    static boolean lessEqual(Frame f, int line, Object a, Object b) {
        if (a instanceof Double x && b instanceof Double y) {
            return x <= y;
        }
        if (a instanceof LuaString x && b instanceof LuaString y) {
            return x.compareTo(y) <= 0;
        }
        if (sameType(a, b)) {
            Object handler = Metatables.shared(f.rt, a, b, Metatables.LE);
            if (handler != null) {
                return LuaValues.isTrue(LuaValues.first(callMeta(f, line, handler, a, b)));
            }
            handler = Metatables.shared(f.rt, b, a, Metatables.LT);
            if (handler != null) {
                return !LuaValues.isTrue(LuaValues.first(callMeta(f, line, handler, b, a)));
            }
        }
        throw compareError(f, line, a, b);
    }

    static boolean equal(Frame f, int line, Object a, Object b) {
        if (LuaValues.rawEquals(a, b)) {
            return true;
        }
        if (!(a instanceof LuaTable x) || !(b instanceof LuaTable y) || x.metatable == null || y.metatable == null) {
            return false;
        }
        Object handler = Metatables.shared(f.rt, a, b, Metatables.EQ);
        return handler != null && LuaValues.isTrue(LuaValues.first(callMeta(f, line, handler, a, b)));
    }

    private static boolean sameType(Object a, Object b) {
        return LuaValues.typeName(a).equals(LuaValues.typeName(b));
    }

    private static LuaError compareError(Frame f, int line, Object a, Object b) {
        return f.error(line, compareMessage(a, b));
    }

    static String compareMessage(Object a, Object b) {
        String x = LuaValues.typeName(a);
        String y = LuaValues.typeName(b);
        return x.equals(y) ? "attempt to compare two " + x + " values" : "attempt to compare " + x + " with " + y;
    }

    static Object length(Frame f, int line, Object value, Expr operand) {
        if (value instanceof LuaString s) {
            return (double) s.length();
        }
        if (value instanceof LuaTable t) {
            return (double) t.length();
        }
        throw typeError(f, line, "get length of", value, operand);
    }

    static LuaError typeError(Frame f, int line, String action, Object value, Expr what) {
        return what == null ? typeError(f, line, action, value, null, null)
            : typeError(f, line, action, value, what.kind(), what.name());
    }

    static LuaError typeError(Frame f, int line, String action, Object value, String kind, String name) {
        String type = LuaValues.typeName(value);
        String what = kind == null ? " a " + type + " value" : " " + kind + " '" + name + "' (a " + type + " value)";
        return f.error(line, "attempt to " + action + what);
    }
}
