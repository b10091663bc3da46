package io.sluice.lua;

/** Indexing with metamethods from library functions, where no node is there to name things. */
final class Indexer {

    private static final int CHAIN_MAX = 100;

    private Indexer() {
    }

    static Object get(LuaRuntime rt, Object table, Object key) {
        Object at = table;
        for (int i = 0; i < CHAIN_MAX; i++) {
            if (at instanceof LuaTable t) {
                Object value = t.get(key);
                if (value != null) {
                    return value;
                }
            }
            Object handler = Metatables.method(rt, at, Metatables.INDEX);
            if (handler == null && at instanceof LuaTable) {
                return null;
            }
            if (handler == null) {
                throw new LuaError("attempt to index a " + LuaValues.typeName(at) + " value").at(rt);
            }
            if (handler instanceof LuaFunction fn) {
                return LuaValues.first(rt.call(fn, at, key));
            }
            at = handler;
        }
        throw new LuaError("loop in gettable").at(rt);
    }
}
