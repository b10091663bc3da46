package io.sluice.lua;

/** A function whose body is a Java lambda. */
public final class LuaHostFunction extends LuaFunction {

    private final LuaHost body;

    private LuaHostFunction(LuaHost body) {
        this.body = body;
    }

    /**
     * Wraps a body.
     *
     * @param body what to do
     * @return the function
     */
    public static LuaHostFunction of(LuaHost body) {
        return new LuaHostFunction(body);
    }

    @Override
    public Object call(LuaRuntime rt, Object[] args) {
        return body.call(rt, args);
    }
}
