package io.sluice.lua;

/** The body of a function written in Java. */
@FunctionalInterface
public interface LuaHost {

    /**
     * Does what the function does.
     *
     * @param rt the runtime it runs in
     * @param args the arguments, as many as were given
     * @return one value (null for nil), or an {@code Object[]} of any number
     */
    Object call(LuaRuntime rt, Object[] args);
}
