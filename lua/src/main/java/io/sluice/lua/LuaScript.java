package io.sluice.lua;

/**
 * Compiled source: immutable, to be kept and run any number of times, in any runtime ({@link LuaRuntime#load}).
 */
public final class LuaScript {

    final Prototype main;

    private LuaScript(Prototype main) {
        this.main = main;
    }

    /**
     * Compiles a chunk.
     *
     * @param source Lua 5.1 source text; never bytecode
     * @param chunkName how messages call it: "@user_script" gives "user_script:1: ..."
     * @return the code
     * @throws LuaError with the message of a syntax error
     */
    public static LuaScript compile(byte[] source, String chunkName) {
        try {
            return new LuaScript(FunctionCompiler.compile(new Parser(source, chunkName).chunk(), chunkName));
        } catch (StackOverflowError e) {
            throw new LuaError("chunk has too many syntax levels");
        }
    }
}
