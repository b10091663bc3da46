package io.sluice.lua;

/**
 * A compiled function: what all closures made of it share. Immutable once compiled, apart from lookup hints in
 * nodes.
 */
final class Prototype {

    final String chunkName;
    final int slotCount;
    final int parameterCount;
    final boolean vararg;
    /** Slot of the table {@code arg} that Lua 5.1 gives to a vararg function that does not use {@code ...}; or -1. */
    final int argSlot;
    /** Parameters that closures capture; null if none. */
    final int[] cellParameters;
    final Stat body;
    final CallSite[] sites;
    /** Evaluations its deepest statement nests: what an activation counts against the stack limit. */
    final int depth;

    private final String shortName;

    Prototype(FunctionCompiler compiled, Stat body) {
        this.chunkName = compiled.chunkName();
        this.shortName = ChunkName.display(chunkName, ChunkName.DISPLAY_MAX);
        this.slotCount = compiled.body().slotCount();
        this.parameterCount = compiled.body().parameters().size();
        this.vararg = compiled.body().vararg();
        this.argSlot = compiled.body().argSlot();
        this.cellParameters = compiled.cellParameters();
        this.body = body;
        this.sites = compiled.sites();
        this.depth = compiled.depth();
    }

    /** "user_script:3: ". */
    String position(int line) {
        return shortName + ":" + line + ": ";
    }
}
