package io.sluice.lua;

/**
 * A callable value; {@link LuaHostFunction} makes one of Java code. The variants of {@code call} with few arguments
 * spare the
 * array where a subclass overrides them.
 *
 * <p>Results: a single value is returned as it is; none or several as an {@code Object[]} (never itself a Lua value).
 */
public abstract class LuaFunction {

    LuaFunction() {
    }

    /**
     * Calls the function.
     *
     * @param rt the runtime it runs in
     * @param args the arguments; the callee may keep the array
     * @return one value, or an array of results
     */
    public abstract Object call(LuaRuntime rt, Object[] args);

    /**
     * Calls without arguments.
     *
     * @param rt the runtime it runs in
     * @return one value, or an array of results
     */
    public Object call0(LuaRuntime rt) {
        return call(rt, LuaValues.NONE);
    }

    /**
     * Calls with one argument.
     *
     * @param rt the runtime it runs in
     * @param a the argument
     * @return one value, or an array of results
     */
    public Object call1(LuaRuntime rt, Object a) {
        return call(rt, new Object[] {a});
    }

    /**
     * Calls with two arguments.
     *
     * @param rt the runtime it runs in
     * @param a the first argument
     * @param b the second argument
     * @return one value, or an array of results
     */
    public Object call2(LuaRuntime rt, Object a, Object b) {
        return call(rt, new Object[] {a, b});
    }

    /**
     * Calls with three arguments.
     *
     * @param rt the runtime it runs in
     * @param a the first argument
     * @param b the second argument
     * @param c the third argument
     * @return one value, or an array of results
     */
    public Object call3(LuaRuntime rt, Object a, Object b, Object c) {
        return call(rt, new Object[] {a, b, c});
    }

    @Override
    public String toString() {
        return "function: 0x" + String.format("%012x", System.identityHashCode(this));
    }
}
