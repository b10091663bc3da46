package io.sluice.server.script;

import io.sluice.lua.LuaFunction;

/**
 * A function of a library.
 *
 * @param description null for none
 * @param flags       bits of {@link ScriptFlags}
 */
record LibraryFunction(String name, LuaFunction callback, byte[] description, int flags) {
}
