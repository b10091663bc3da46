package io.sluice.server.command;

import java.util.ArrayList;
import java.util.List;

/** Where every family that needs nothing but its {@link CommandContext} is listed. */
public final class Families {
    private Families() {
    }

    /** The rows of all such families. */
    public static List<CommandSpec> specs() {
        List<CommandSpec> specs = new ArrayList<>();
        specs.addAll(EchoCommands.specs());
        return specs;
    }
}
