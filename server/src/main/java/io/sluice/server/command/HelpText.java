package io.sluice.server.command;

import io.sluice.resp.Reply;

import java.util.Locale;

/** The answer to {@code HELP} of a container, made from the rows of its subcommands. */
final class HelpText {
    private HelpText() {
    }

    /** The row of a container's {@code HELP}, which needs no rights beyond those of any command. */
    static CommandSpec.Builder row(String group, String since) {
        return CommandSpec.named("help", 2, HelpText::answer).flags(CommandFlag.LOADING, CommandFlag.STALE)
                .group(group).since(since).summary("Describes the subcommands.").complexity("O(1)");
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
