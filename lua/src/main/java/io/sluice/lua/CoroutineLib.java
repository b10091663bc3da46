package io.sluice.lua;

/** {@code coroutine}. */
final class CoroutineLib {

    private static final int COROUTINE_BYTES = 1024;

    private CoroutineLib() {
    }

    static void open(LuaRuntime rt) {
        Library lib = new Library()
            .add("create", CoroutineLib::create)
            .add("resume", CoroutineLib::resume)
            .add("running", (r, a) -> r.coroutine())
            .add("status", (r, a) -> LuaString.of(coroutine(r, a).status().text()))
            .add("wrap", CoroutineLib::wrap)
            .add("yield", CoroutineLib::yield);
        rt.define("coroutine", lib.table);
    }

    private static Coroutine create(LuaRuntime rt, Object[] args) {
        Args.check(rt, Args.get(args, 0) instanceof LuaClosure, 0, "Lua function expected");
        rt.allocate(COROUTINE_BYTES);
        return new Coroutine(rt, (LuaClosure) args[0]);
    }

    private static Coroutine coroutine(LuaRuntime rt, Object[] args) {
        Args.check(rt, Args.get(args, 0) instanceof Coroutine, 0, "coroutine expected");
        return (Coroutine) args[0];
    }

    private static Object resume(LuaRuntime rt, Object[] args) {
        Coroutine coroutine = coroutine(rt, args);
        Object[] rest = new Object[args.length - 1];
        System.arraycopy(args, 1, rest, 0, rest.length);
        try {
            return ProtectedCall.success(coroutine.resume(rest));
        } catch (LuaError e) {
            if (!e.catchable()) {
                throw e;
            }
            return new Object[] {Boolean.FALSE, e.value()};
        }
    }

    private static Object wrap(LuaRuntime rt, Object[] args) {
        Coroutine coroutine = create(rt, args);
        return LuaHostFunction.internal((r, values) -> {
            try {
                return coroutine.resume(values);
            } catch (LuaError e) {
                LuaString text = LuaValues.toLuaString(e.value());
                if (!e.catchable() || text == null) {
                    throw e;
                }
                throw r.error(text.toString());
            }
        });
    }

    private static Object yield(LuaRuntime rt, Object[] args) {
        Coroutine coroutine = rt.coroutine();
        if (coroutine == null || rt.hostDepth() > 0) {
            throw new LuaError("attempt to yield across metamethod/C-call boundary").at(rt);
        }
        return coroutine.yield(args);
    }
}
