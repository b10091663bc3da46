package io.sluice.lua;

/** {@code pcall} and {@code xpcall}: calls whose errors come back as results. */
final class ProtectedCall {

    private static final LuaString ERR = LuaString.name("err");
    private static final LuaString HANDLER_FAILED = LuaString.of("error in error handling");

    private ProtectedCall() {
    }

    /** {@code pcall(f, ...)}. As in Redis 7, an error table with a text in {@code err} comes back as that text. */
    static Object pcall(LuaRuntime rt, Object[] args) {
        Args.any(rt, args, 0);
        Object[] rest = new Object[args.length - 1];
        System.arraycopy(args, 1, rest, 0, rest.length);
        Object outcome = attempt(rt, args[0], rest);
        if (outcome instanceof LuaError e) {
            Object value = e.value();
            if (value instanceof LuaTable t && LuaValues.toLuaString(t.get(ERR)) != null) {
                value = t.get(ERR);
            }
            return new Object[] {Boolean.FALSE, value};
        }
        return success(outcome);
    }

    /** {@code xpcall(f, handler)}. */
    static Object xpcall(LuaRuntime rt, Object[] args) {
        Args.any(rt, args, 1);
        Object outcome = attempt(rt, args[0], LuaValues.NONE);
        if (outcome instanceof LuaError e) {
            Object handled = args[1] instanceof LuaFunction ? attempt(rt, args[1], new Object[] {e.value()}) : e;
            Object value = handled instanceof LuaError ? HANDLER_FAILED : LuaValues.first(handled);
            return new Object[] {Boolean.FALSE, value};
        }
        return success(outcome);
    }

    static Object success(Object results) {
        if (!(results instanceof Object[] many)) {
            return new Object[] {Boolean.TRUE, results};
        }
        Object[] all = new Object[many.length + 1];
        all[0] = Boolean.TRUE;
        System.arraycopy(many, 0, all, 1, many.length);
        return all;
    }

    /** Calls; gives the results, or the error as a {@link LuaError}. */
    static Object attempt(LuaRuntime rt, Object callee, Object[] args) {
        Frame frame = rt.frame;
        int depth = rt.depth();
        int hostDepth = rt.hostDepth();
        LuaError error;
        try {
            return rt.callValue(callee, args);
        } catch (LuaError e) {
            if (!e.catchable()) {
                throw e;
            }
            error = e;
        } catch (StackOverflowError e) {
            error = new LuaError("stack overflow");
        }
        rt.unwind(frame, depth, hostDepth);
        return error;
    }
}
