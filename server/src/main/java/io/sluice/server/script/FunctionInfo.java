package io.sluice.server.script;

import java.util.List;

/**
 * What clients are told of a library.
 *
 * @param code not to be written to
 */
public record FunctionInfo(String name, byte[] code, List<Function> functions) {

    /**
     * What clients are told of a function.
     *
     * @param description null for none
     */
    public record Function(String name, byte[] description, List<String> flags) {
    }
}
