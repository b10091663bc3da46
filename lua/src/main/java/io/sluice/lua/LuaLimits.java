package io.sluice.lua;

/**
 * What one run of a script may use.
 *
 * @param memoryBytesMax bytes of strings, tables and closures that may be alive at once, as this engine counts them;
 *     beyond it "not enough memory". Counted from above: what a run has allocated, less what {@link LiveMemory} has
 * found
 *     to be garbage
 * @param stackDepthMax nested evaluations (a call counts as many as the deepest statement of the function), beyond it
 *     "stack overflow". One costs up to 160 bytes of Java stack
 * @param hostDepthMax nested calls from library functions and metamethods back into functions, beyond it
 *     "C stack overflow"
 *     One costs up to 1 KiB of Java stack. The defaults of both fit a thread of 1 MiB with a quarter to spare
 * @param coroutinesMax coroutines that may be unfinished at once
 */
public record LuaLimits(long memoryBytesMax, int stackDepthMax, int hostDepthMax, int coroutinesMax) {

    /** Longest string any operation makes; beyond it "not enough memory", whatever memory there is. */
    static final int STRING_BYTES_MAX = 512 << 20;

    /** Most values one call can take or return: what Lua's C stack holds. */
    static final int VALUES_MAX = 8000;

    /** 64 MiB, at least 500 plain recursions, 200 callbacks in callbacks, 64 coroutines. */
    public static final LuaLimits DEFAULT = new LuaLimits(64L << 20, 4000, 200, 64);
}
