package io.sluice.lua;

/**
 * What a runtime asks after {@link LuaRuntime#interrupt()}: at the next loop back-edge or call of the running
 * script.
 */
@FunctionalInterface
public interface LuaInterrupt {

    /**
     * Called on the thread that runs the script. Return to let it go on; throw {@link LuaError#kill} to end it.
     *
     * @param runtime the runtime that was interrupted
     */
    void interrupted(LuaRuntime runtime);
}
