package io.sluice.server.command;

import io.sluice.server.net.Connection;
import io.sluice.server.net.Transaction;

import java.util.List;

import static io.sluice.server.command.CommandFlag.ALLOW_BUSY;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.NOT_QUEUED;
import static io.sluice.server.command.CommandFlag.SKIP_SLOWLOG;
import static io.sluice.server.command.CommandFlag.STALE;

/** Transactions: several commands in one unit, and only if watched keys are as they were. */
final class TransactionCommands {
    private TransactionCommands() {
    }

    private static void multi(CommandContext ctx) {
        Transaction transaction = ctx.connection().transaction();
        if (transaction.isOpen()) {
            ctx.reply().error("ERR MULTI calls can not be nested");
        } else {
            transaction.open();
            ctx.reply().ok();
        }
    }

    private static void exec(CommandContext ctx) {
        Connection connection = ctx.connection();
        Transaction transaction = connection.transaction();
        if (!transaction.isOpen()) {
            ctx.reply().error("ERR EXEC without MULTI");
            return;
        }
        WatchTable watches = ctx.dispatcher().watches();
        boolean changed = transaction.isTouched()
            || ctx.keyspace() != null && watches.isChanged(connection, ctx.keyspace());
        watches.unwatch(connection);
        if (transaction.isAborted()) {
            ctx.reply().error("EXECABORT Transaction discarded because of previous errors.");
        } else if (changed) {
            ctx.reply().nullArray();
        } else {
            ctx.reply().array(transaction.size());
            for (int i = 0; i < transaction.size(); i++) {
                ctx.dispatcher().runner().runQueued(transaction.next());
            }
        }
        transaction.close();
    }

    private static void discard(CommandContext ctx) {
        Connection connection = ctx.connection();
        if (!connection.transaction().isOpen()) {
            ctx.reply().error("ERR DISCARD without MULTI");
            return;
        }
        connection.transaction().close();
        ctx.dispatcher().watches().unwatch(connection);
        ctx.reply().ok();
    }

    private static void watch(CommandContext ctx) {
        Connection connection = ctx.connection();
        if (connection.transaction().isOpen()) {
            ctx.reply().error("ERR WATCH inside MULTI is not allowed");
            return;
        }
        for (int i = 1; i < ctx.request().argCount(); i++) {
            int length = ctx.keyLength(i);
            boolean exists = ctx.keyspace() != null && ctx.lookup(0, i).exists();
            if (!ctx.dispatcher().watches().watch(connection, ctx.db(), ctx.request().argAddress(i), length, exists)) {
                ctx.reply().error("ERR too many watched keys");
                return;
            }
        }
        ctx.reply().ok();
    }

    private static void unwatch(CommandContext ctx) {
        ctx.dispatcher().watches().unwatch(ctx.connection());
        ctx.reply().ok();
    }

    static List<CommandSpec> specs() {
        return List.of(
            row("multi", 1, TransactionCommands::multi).flags(FAST, ALLOW_BUSY, NOT_QUEUED).since("1.2.0")
                .complexity("O(1)").summary("Begins to queue commands.").build(),
            row("exec", 1, TransactionCommands::exec).flags(SKIP_SLOWLOG, NOT_QUEUED).since("1.2.0")
                .complexity("that of the queued commands").summary("Executes the queued commands in one unit.")
                .build(),
            row("discard", 1, TransactionCommands::discard).flags(FAST, ALLOW_BUSY, NOT_QUEUED).since("2.0.0")
                .complexity("O(1)").summary("Forgets the queued commands.").build(),
            row("watch", -2, TransactionCommands::watch).flags(FAST, ALLOW_BUSY, NOT_QUEUED).keys(1, -1, 1, "RO")
                .since("2.2.0").complexity("O(N) with N keys").args(Arg.key("key").multiple())
                .summary("Lets the next EXEC do nothing if one of the keys has changed.").build(),
            row("unwatch", 1, TransactionCommands::unwatch).flags(FAST, ALLOW_BUSY).since("2.2.0")
                .complexity("O(N) with N watched keys").summary("Forgets all watched keys.").build());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).flags(NOSCRIPT, LOADING, STALE).acl("transaction")
            .group("transactions");
    }
}
