package io.sluice.lua;

/** The names of metamethods, and where a value's metatable is. */
final class Metatables {

    static final LuaString INDEX = LuaString.name("__index");
    static final LuaString NEWINDEX = LuaString.name("__newindex");
    static final LuaString CALL = LuaString.name("__call");
    static final LuaString ADD = LuaString.name("__add");
    static final LuaString SUB = LuaString.name("__sub");
    static final LuaString MUL = LuaString.name("__mul");
    static final LuaString DIV = LuaString.name("__div");
    static final LuaString MOD = LuaString.name("__mod");
    static final LuaString POW = LuaString.name("__pow");
    static final LuaString UNM = LuaString.name("__unm");
    static final LuaString EQ = LuaString.name("__eq");
    static final LuaString LT = LuaString.name("__lt");
    static final LuaString LE = LuaString.name("__le");
    static final LuaString CONCAT = LuaString.name("__concat");
    static final LuaString TOSTRING = LuaString.name("__tostring");
    static final LuaString METATABLE = LuaString.name("__metatable");

    private Metatables() {
    }

    static LuaTable of(LuaRuntime rt, Object value) {
        if (value instanceof LuaTable t) {
            return t.metatable;
        }
        return value instanceof LuaString ? rt.stringMetatable : null;
    }

    static Object method(LuaRuntime rt, Object value, LuaString event) {
        LuaTable metatable = of(rt, value);
        return metatable == null ? null : metatable.get(event);
    }

    /** The metamethod that both operands share, as comparisons want it. */
    static Object shared(LuaRuntime rt, Object a, Object b, LuaString event) {
        Object first = method(rt, a, event);
        if (first == null) {
            return null;
        }
        return LuaValues.rawEquals(first, method(rt, b, event)) ? first : null;
    }
}
