package io.sluice.server.script;

import io.sluice.lua.LuaString;
import io.sluice.resp.Request;
import io.sluice.server.command.CommandSpec;
import io.sluice.server.command.CommandTable;

/**
 * Remembers which command a string of a script was last time: the name in {@code redis.call('GET', ...)} is one object
 * for as long as the script is there. A container is looked up anew, since its command depends on the next word.
 */
final class CommandNames {
    private static final int SLOTS = 256;

    private final LuaString[] names = new LuaString[SLOTS];
    private final CommandSpec[] specs = new CommandSpec[SLOTS];

    /** The command that the request names in its first words, or null. */
    CommandSpec find(CommandTable table, Request request, Object name) {
        if (!(name instanceof LuaString text)) {
            return table.resolve(request);
        }
        int slot = text.hashCode() & SLOTS - 1;
        if (names[slot] == text) {
            return specs[slot];
        }
        CommandSpec spec = table.resolve(request);
        if (spec != null && spec.subcommands().isEmpty() && spec.name().equals(spec.fullName())) {
            names[slot] = text;
            specs[slot] = spec;
        }
        return spec;
    }
}
