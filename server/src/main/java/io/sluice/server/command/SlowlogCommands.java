package io.sluice.server.command;

import io.sluice.resp.Reply;
import io.sluice.server.stats.SlowLog;

import java.util.List;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.STALE;

/** {@code SLOWLOG}. */
final class SlowlogCommands {
    private static final int COUNT_DEFAULT = 10;
    private static final String BAD_COUNT = "ERR count should be greater than or equal to -1";

    private final SlowLog slowLog;

    SlowlogCommands(ServerParts parts) {
        slowLog = parts.slowLog();
    }

    private void get(CommandContext ctx) {
        Args args = ctx.args();
        long count = args.hasNext() ? args.nextLong(-1, Long.MAX_VALUE, BAD_COUNT) : COUNT_DEFAULT;
        args.expectEnd();
        if (args.failed(ctx.reply())) {
            return;
        }
        int left = (int) (count < 0 ? slowLog.size() : Math.min(count, slowLog.size()));
        ctx.reply().array(left);
        for (SlowLog.Entry entry : slowLog.entries()) {
            if (left-- == 0) {
                break;
            }
            show(ctx.reply(), entry);
        }
    }

    private static void show(Reply reply, SlowLog.Entry entry) {
        reply.array(6);
        reply.integer(entry.id());
        reply.integer(entry.epochSeconds());
        reply.integer(entry.durationUs());
        reply.array(entry.args().length);
        for (byte[] arg : entry.args()) {
            reply.bulk(arg);
        }
        reply.bulkText(entry.address());
        reply.bulkText(entry.name());
    }

    private void length(CommandContext ctx) {
        ctx.reply().integer(slowLog.size());
    }

    private void reset(CommandContext ctx) {
        slowLog.clear();
        ctx.reply().ok();
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String summary) {
        return CommandSpec.named(name, arity, handler).flags(ADMIN, LOADING, STALE).group("server").since("2.2.12")
                .summary(summary).complexity("O(N) in the number of entries");
    }

    List<CommandSpec> specs() {
        return List.of(CommandSpec.container("slowlog").group("server").since("2.2.12")
            .summary("A container for slow log commands.").complexity("Depends on subcommand.")
            .subcommands(
                sub("get", -2, this::get, "Returns the newest slow commands.")
                    .args(Arg.integer("count").optional()).build(),
                sub("len", 2, this::length, "Returns the number of slow commands kept.").build(),
                sub("reset", 2, this::reset, "Forgets all slow commands.").build(),
                HelpText.row("server", "6.2.0").build())
            .build());
    }
}
