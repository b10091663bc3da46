package io.sluice.lua;

/**
 * Where a call is in the source and how it names the function, for messages.
 *
 * @param line the line
 * @param kind "local", "global", "method", "field", "upvalue"; null when the callee has no name
 * @param name the callee's name there
 */
record CallSite(int line, String kind, String name) {
}
