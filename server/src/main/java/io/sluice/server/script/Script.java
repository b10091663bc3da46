package io.sluice.server.script;

import io.sluice.lua.LuaFunction;

/**
 * A compiled script.
 *
 * @param sha   SHA-1 of its source, 40 hexadecimal digits in lower case
 * @param flags bits of {@link ScriptFlags}
 * @param heapBytes what it takes, at most
 */
record Script(String sha, LuaFunction function, int flags, long heapBytes) {
}
