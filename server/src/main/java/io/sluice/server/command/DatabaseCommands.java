package io.sluice.server.command;

import java.util.List;

import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Whole databases: empty them, swap them. All take the same time however many keys there are. */
final class DatabaseCommands {
    private static final byte[] ASYNC = Words.lower("async");
    private static final byte[] SYNC = Words.lower("sync");

    private DatabaseCommands() {
    }

    private static void swapDb(CommandContext ctx) {
        int a = Databases.next(ctx, "ERR invalid first DB index");
        int b = Databases.next(ctx, "ERR invalid second DB index");
        Databases.check(ctx, a);
        Databases.check(ctx, b);
        if (!ctx.args().failed(ctx.reply())) {
            ctx.keyspace().swapDb(a, b);
            if (a != b) {
                ctx.dispatcher().watches().swapped(a, b, ctx.keyspace());
            }
            ctx.reply().ok();
        }
    }

    private static void flushDb(CommandContext ctx) {
        if (parseMode(ctx)) {
            ctx.keyspace().flushDb(ctx.db());
            ctx.reply().ok();
        }
    }

    private static void flushAll(CommandContext ctx) {
        if (parseMode(ctx)) {
            ctx.keyspace().flushAll();
            ctx.reply().ok();
        }
    }

    /** Both modes do the same, since no key is touched: the database gets a new space. */
    private static boolean parseMode(CommandContext ctx) {
        Args args = ctx.args();
        if (!args.accept(ASYNC)) {
            args.accept(SYNC);
        }
        args.expectEnd();
        return !args.failed(ctx.reply());
    }

    static List<CommandSpec> specs() {
        return List.of(
            row("swapdb", 3, DatabaseCommands::swapDb).flags(FAST).since("4.0.0")
                .summary("Lets two databases change places.")
                .args(Arg.integer("index1"), Arg.integer("index2")).build(),
            flush("flushdb", DatabaseCommands::flushDb).summary("Empties the selected database.").build(),
            flush("flushall", DatabaseCommands::flushAll).summary("Empties all databases.").build());
    }

    private static CommandSpec.Builder flush(String name, CommandHandler handler) {
        return row(name, -1, handler).since("1.0.0").tips("request_policy:all_shards", "response_policy:all_succeeded")
            .args(Arg.oneOf("async", Arg.word("ASYNC"), Arg.word("SYNC")).optional());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).flags(WRITE).acl("keyspace", "dangerous").group("server")
            .complexity("O(1)");
    }
}
