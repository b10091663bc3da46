package io.sluice.server.command;

import io.sluice.resp.Reply;

import java.util.Locale;

/** The answer to {@code HELP} of a container, made from the rows of its subcommands. */
final class HelpText {
    private HelpText() {
    }

    static void answer(CommandContext ctx) {
        CommandSpec container = ctx.command().parent();
        Reply reply = ctx.reply();
        reply.array(1 + 2 * container.subcommands().size());
        reply.simple(container.name().toUpperCase(Locale.ROOT)
                + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        for (CommandSpec sub : container.subcommands()) {
            reply.simple(sub.syntax().substring(container.name().length() + 1));
            reply.simple("    " + sub.summary());
        }
    }
}
