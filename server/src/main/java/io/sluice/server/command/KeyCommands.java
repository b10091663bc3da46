package io.sluice.server.command;

import io.netty.buffer.ByteBufUtil;
import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueType;
import io.sluice.resp.Request;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Keys as such, whatever they hold: remove, rename, copy, move, ask. */
final class KeyCommands {
    private static final byte[] DB = Words.lower("db");
    private static final byte[] REPLACE = Words.lower("replace");
    private static final String SAME_OBJECT = "ERR source and destination objects are the same";

    private KeyCommands() {
    }

    private static void del(CommandContext ctx) {
        Keyspace keyspace = ctx.keyspace();
        int removed = 0;
        for (int i = 1; i < ctx.request().argCount(); i++) {
            Entry entry = ctx.lookup(0, i);
            if (keyspace.remove(entry)) {
                keyspace.event(KeyEvent.DEL, entry);
                removed++;
            }
        }
        ctx.reply().integer(removed);
    }

    private static void exists(CommandContext ctx) {
        int present = 0;
        for (int i = 1; i < ctx.request().argCount(); i++) {
            if (ctx.lookupRead(0, i).exists()) {
                present++;
            }
        }
        ctx.reply().integer(present);
    }

    private static void type(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        ctx.reply().simple(entry.exists() ? ValueType.nameOf(entry.type()) : "none");
    }

    private static void rename(CommandContext ctx) {
        if (renameTo(ctx)) {
            ctx.reply().ok();
        }
    }

    private static void renameNx(CommandContext ctx) {
        Entry from = ctx.lookup(0, 1);
        if (from.exists() && ctx.lookup(1, 2).exists()) {
            ctx.reply().integer(0);
        } else if (renameTo(ctx)) {
            ctx.reply().integer(1);
        }
    }

    /** Renames, replacing what the new name holds. False if there is no such key, which then is the reply. */
    private static boolean renameTo(CommandContext ctx) {
        Entry from = ctx.lookup(0, 1);
        if (!from.exists()) {
            ctx.reply().error(Errors.NO_SUCH_KEY);
            return false;
        }
        Entry to = ctx.lookup(1, 2);
        if (isSameName(ctx.request(), 1, 2)) {
            return true;
        }
        Keyspace keyspace = ctx.keyspace();
        keyspace.rename(from, to);
        keyspace.event(KeyEvent.RENAME_FROM, from);
        keyspace.event(KeyEvent.RENAME_TO, to);
        return true;
    }

    /** Whether two arguments are the same bytes. */
    static boolean isSameName(Request request, int a, int b) {
        return request.argLength(a) == request.argLength(b) && ByteBufUtil.equals(request.buffer(),
            request.argOffset(a), request.buffer(), request.argOffset(b), request.argLength(a));
    }

    private static void copy(CommandContext ctx) {
        Args args = ctx.args();
        int source = args.next();
        int destination = args.next();
        int db = ctx.db();
        boolean replace = false;
        while (args.hasNext()) {
            if (args.accept(REPLACE)) {
                replace = true;
            } else if (args.remaining() > 1 && args.accept(DB)) {
                db = Databases.next(ctx);
                Databases.check(ctx, db);
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        if (args.error() == null && db == ctx.db() && isSameName(ctx.request(), source, destination)) {
            args.fail(SAME_OBJECT);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry from = ctx.lookupRead(0, source);
        Entry to = ctx.lookupIn(1, db, destination);
        boolean copies = from.exists() && (replace || !to.exists());
        if (copies) {
            ctx.keyspace().copy(from, to);
            ctx.keyspace().event(KeyEvent.COPY_TO, to);
        }
        ctx.reply().integer(copies ? 1 : 0);
    }

    private static void move(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        int db = Databases.next(ctx);
        Databases.check(ctx, db);
        if (args.error() == null && db == ctx.db()) {
            args.fail(SAME_OBJECT);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry from = ctx.lookup(0, key);
        Entry to = ctx.lookupIn(1, db, key);
        boolean moves = from.exists() && !to.exists();
        if (moves) {
            ctx.keyspace().rename(from, to);
            ctx.keyspace().event(KeyEvent.MOVE_FROM, from);
            ctx.keyspace().event(KeyEvent.MOVE_TO, to);
        }
        ctx.reply().integer(moves ? 1 : 0);
    }

    static List<CommandSpec> specs() {
        return List.of(
            generic("del", -2, KeyCommands::del).flags(WRITE).keys(1, -1, 1, "RM delete").since("1.0.0")
                .tips("request_policy:multi_shard", "response_policy:agg_sum").complexity("O(N) with N keys")
                .summary("Removes keys.").args(Arg.key("key").multiple()).build(),
            generic("unlink", -2, KeyCommands::del).flags(WRITE, FAST).keys(1, -1, 1, "RM delete").since("4.0.0")
                .tips("request_policy:multi_shard", "response_policy:agg_sum").complexity("O(N) with N keys")
                .summary("Removes keys; the same as DEL.").args(Arg.key("key").multiple()).build(),
            generic("exists", -2, KeyCommands::exists).flags(READONLY, FAST).keys(1, -1, 1, "RO").since("1.0.0")
                .tips("request_policy:multi_shard", "response_policy:agg_sum").complexity("O(N) with N keys")
                .summary("Counts how many of the given keys are there.").args(Arg.key("key").multiple()).build(),
            generic("touch", -2, KeyCommands::exists).flags(READONLY, FAST).keys(1, -1, 1, "RO").since("3.2.1")
                .tips("request_policy:multi_shard", "response_policy:agg_sum").complexity("O(N) with N keys")
                .summary("Counts how many of the given keys are there; times of access are not kept.")
                .args(Arg.key("key").multiple()).build(),
            generic("type", 2, KeyCommands::type).flags(READONLY, FAST).key(1, "RO").since("1.0.0").complexity("O(1)")
                .summary("Returns the type of the value at a key.").args(Arg.key("key")).build(),
            generic("rename", 3, KeyCommands::rename).flags(WRITE).key(1, "RW access delete").key(2, "OW update")
                .since("1.0.0").complexity("O(N) with N bytes of the value")
                .summary("Renames a key and replaces what the new name held.")
                .args(Arg.key("key"), Arg.key("newkey")).build(),
            generic("renamenx", 3, KeyCommands::renameNx).flags(WRITE, FAST).key(1, "RW access delete")
                .key(2, "OW insert").since("1.0.0").complexity("O(N) with N bytes of the value")
                .summary("Renames a key unless the new name is taken.").args(Arg.key("key"), Arg.key("newkey")).build(),
            generic("copy", -3, KeyCommands::copy).flags(WRITE, DENYOOM).key(1, "RO access").key(2, "OW update")
                .since("6.2.0").complexity("O(N) with N bytes of the value")
                .summary("Copies the value and expiry of a key to another key.")
                .args(Arg.key("source"), Arg.key("destination"), Arg.integer("destination-db").token("DB").optional(),
                    Arg.word("REPLACE").optional())
                .build(),
            generic("move", 3, KeyCommands::move).flags(WRITE, FAST).key(1, "RW access update").since("1.0.0")
                .complexity("O(N) with N bytes of the value").summary("Moves a key to another database.")
                .args(Arg.key("key"), Arg.integer("db")).build());
    }

    private static CommandSpec.Builder generic(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("keyspace").group("generic");
    }
}
