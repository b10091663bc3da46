package io.sluice.lua;

/** A function whose body is a Java lambda. */
public final class LuaHostFunction extends LuaFunction {

    private final LuaHost body;
    /** Belongs to the engine itself, so any thread that is in the runtime may run it. */
    private final boolean internal;

    /** Values of the script that the body keeps, for the memory limit; null if none. */
    private final Object[] held;

    private LuaHostFunction(LuaHost body, boolean internal, Object[] held) {
        this.body = body;
        this.internal = internal;
        this.held = held;
    }

    Object[] held() {
        return held;
    }

    /**
     * Wraps a body. It runs on the thread that called {@link LuaRuntime#invoke}, also when a coroutine calls it.
     *
     * @param body what to do
     * @return the function
     */
    public static LuaHostFunction of(LuaHost body) {
        return new LuaHostFunction(body, false, null);
    }

    static LuaHostFunction internal(LuaHost body, Object... held) {
        return new LuaHostFunction(body, true, held.length == 0 ? null : held);
    }

    @Override
    public Object call(LuaRuntime rt, Object[] args) {
        if (internal || rt.coroutine() == null) {
            return body.call(rt, args);
        }
        return rt.onHostThread(() -> body.call(rt, args));
    }
}
