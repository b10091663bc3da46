package io.sluice.server.command;

import java.util.List;

import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.STALE;

/** The smallest family, and the example for the others: handlers first, rows at the end. */
final class EchoCommands {
    private EchoCommands() {
    }

    private static void echo(CommandContext ctx) {
        int text = ctx.args().next();
        ctx.reply().bulk(ctx.request().argAddress(text), ctx.request().argLength(text));
    }

    static List<CommandSpec> specs() {
        return List.of(
            CommandSpec.named("echo", 2, EchoCommands::echo)
                .flags(LOADING, STALE, FAST).acl("connection")
                .group("connection").since("1.0.0").summary("Returns the given string.").complexity("O(1)")
                .args(Arg.string("message"))
                .build());
    }
}
