package io.sluice.lua;

/** Protects what scripts share against them: see {@link LuaRuntime#seal()}. */
final class Sealing {

    private Sealing() {
    }

    /** Makes tables read-only, with every table that can be reached from them. */
    static void protect(LuaTable... tables) {
        for (LuaTable table : tables) {
            if (!table.isReadonly()) {
                table.makeReadonly();
                for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
                    if (table.valueAt(p) instanceof LuaTable inner) {
                        protect(inner);
                    }
                }
            }
        }
    }

    /** A metatable that makes reading an unknown global an error. */
    static LuaTable guard() {
        LuaTable guard = new LuaTable();
        guard.set(Metatables.INDEX, LuaHostFunction.internal((rt, args) -> {
            LuaString name = args.length > 1 ? LuaValues.toLuaString(args[1]) : null;
            throw rt.error("Script attempted to access nonexistent global variable '" + name + "'");
        }));
        return guard;
    }
}
