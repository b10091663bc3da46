/**
 * Lua 5.1 as Redis embeds it: an engine of our own, on the JDK alone, knowing of its host only the functions it is
 * given.
 *
 * <p>The way of a script: {@link io.sluice.lua.LuaScript#compile} reads tokens ({@code Lexer}), parses them and
 * resolves
 * every name to a slot, an upvalue or a global ({@code Parser}, {@code ExpressionParser}, {@code FunctionScope}; the
 * result
 * is {@code Syntax}), and makes a tree of nodes of it, the most special ones that fit ({@code FunctionCompiler},
 * {@code ExpressionCompiler}). The tree is immutable, so that one compiled script serves every run and every
 * {@link io.sluice.lua.LuaRuntime}. Running is {@code Expr.eval} and {@code Stat.exec} over a {@code Frame}.
 *
 * <p>What makes it quick: numbers go from node to node unboxed ({@code Expr.evalNumber}; a NaN with a note in the frame
 * stands for "not a number"); calls of up to three arguments make no array; a single result is no array; strings are
 * byte
 * arrays that remember their hash and the number they spell; a field is looked for where it was found last time.
 *
 * <p>What makes it safe: only what this package defines exists; there is no bytecode, no file, no clock. A run has a
 * limit of
 * memory, of nested evaluations (so that the Java stack cannot overflow) and of nested calls from Java
 * ({@link io.sluice.lua.LuaLimits}). Every loop, every call, every pattern and every library function that may take
 * long
 * reads a flag; {@link io.sluice.lua.LuaInterrupt} then decides. After {@link io.sluice.lua.LuaRuntime#seal} no
 * script can
 * leave anything behind for the next. Whatever a script does, nothing but a {@link io.sluice.lua.LuaError} comes out.
 *
 * <p>Faithful to the letter where scripts or clients could tell: texts of errors with their {@code user_script:1:}
 * positions
 * and the names of what failed, {@code %.14g}, C's printf, patterns, the order of unstable sorts, borders of arrays
 * with
 * holes. Different on purpose: {@code pairs} goes in insertion order; hashes are seeded; a pattern or expression
 * nested too
 * deeply is an error.
 */
package io.sluice.lua;
