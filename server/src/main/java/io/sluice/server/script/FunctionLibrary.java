package io.sluice.server.script;

import java.util.List;

/**
 * A library: its source and the functions that it has registered when it was loaded.
 *
 * @param code the whole source, first line included; not to be written to
 */
record FunctionLibrary(String name, byte[] code, List<LibraryFunction> functions) {
}
