package io.sluice.server.command;

import java.util.List;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.STALE;

/** {@code MONITOR}. */
final class MonitorCommands {
    private MonitorCommands() {
    }

    private static void monitor(CommandContext ctx) {
        if (ctx.connection().transaction().isOpen()) {
            ctx.reply().error("ERR MONITOR isn't allowed for DENY BLOCKING client");
            return;
        }
        ctx.dispatcher().monitors().add(ctx.connection());
        ctx.reply().ok();
    }

    static List<CommandSpec> specs() {
        return List.of(CommandSpec.named("monitor", 1, MonitorCommands::monitor)
            .flags(ADMIN, NOSCRIPT, LOADING, STALE).group("server").since("1.0.0")
            .summary("Shows the client every command that runs from then on.").build());
    }
}
