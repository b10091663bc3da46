package io.sluice.lua;

/**
 * Compiled source: immutable, to be kept and run any number of times, in any runtime ({@link LuaRuntime#load}).
 */
public final class LuaScript {

    /** What a chunk takes however short it is, and for each byte of its source: 10 to 30 are usual, 70 the most. */
    private static final long CHUNK_BYTES = 1024;
    private static final long BYTES_PER_SOURCE_BYTE = 32;

    final Prototype main;

    private LuaScript(Prototype main) {
        this.main = main;
    }

    /**
     * What compiled source takes of the heap, estimated from above but for the densest source.
     *
     * @param sourceBytes length of the source
     * @return bytes
     */
    public static long heapBytes(int sourceBytes) {
        return CHUNK_BYTES + BYTES_PER_SOURCE_BYTE * sourceBytes;
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
