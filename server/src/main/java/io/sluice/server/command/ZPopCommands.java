package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.ZSetValue;
import io.sluice.resp.Reply;

import java.util.List;

import static io.sluice.server.command.CommandFlag.BLOCKING;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Sorted sets: members taken from one end, of one key or of the first that has some. */
final class ZPopCommands {
    private static final byte[] MIN = Words.lower("min");
    private static final byte[] MAX = Words.lower("max");

    private final ZSetValue zset = new ZSetValue();
    private final FirstKeyPop pops = new FirstKeyPop(ValueType.ZSET, zset, MIN, MAX, 2, this::take);

    private void popLowest(CommandContext ctx) {
        pop(ctx, true);
    }

    private void popHighest(CommandContext ctx) {
        pop(ctx, false);
    }

    private void pop(CommandContext ctx, boolean lowest) {
        Args args = ctx.args();
        if (args.remaining() > 2) {
            args.fail(Errors.SYNTAX);
        }
        int key = args.next();
        boolean counted = args.hasNext();
        long count = counted ? args.nextLong(0, Long.MAX_VALUE, Errors.NOT_POSITIVE) : 1;
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, key);
        if (!Values.isType(ctx, entry, ValueType.ZSET)) {
            return;
        }
        zset.open(ctx.keyspace(), entry);
        int popped = (int) Math.min(count, zset.size());
        boolean nested = counted && ctx.reply().protocol() > 2;
        ctx.reply().array(nested ? popped : 2 * popped);
        take(ctx, entry, lowest, popped, nested);
    }

    /** Answers with members from one end, and removes them. */
    private void take(CommandContext ctx, Entry entry, boolean lowest, int members, boolean nested) {
        Reply reply = ctx.reply();
        for (int i = 0; i < members; i++) {
            int handle = zset.at(lowest ? i : zset.size() - 1 - i);
            if (nested) {
                reply.array(2);
            }
            Values.reply(ctx, zset, handle);
            reply.doubleValue(zset.score(handle));
        }
        if (members > 0) {
            zset.removeRange(lowest ? 0 : zset.size() - members, members);
            Values.changed(ctx, entry, lowest ? KeyEvent.ZPOPMIN : KeyEvent.ZPOPMAX);
        }
    }

    private void blockingPopLowest(CommandContext ctx) {
        pops.blocking(ctx, true);
    }

    private void blockingPopHighest(CommandContext ctx) {
        pops.blocking(ctx, false);
    }

    List<CommandSpec> specs() {
        return List.of(
            row("zpopmin", -2, this::popLowest).flags(WRITE, FAST).key(1, "RW access delete").since("5.0.0")
                .complexity("O(N) with N members returned")
                .summary("Removes and returns the members of a sorted set with the lowest scores.")
                .args(Arg.key("key"), Arg.integer("count").optional()).build(),
            row("zpopmax", -2, this::popHighest).flags(WRITE, FAST).key(1, "RW access delete").since("5.0.0")
                .complexity("O(N) with N members returned")
                .summary("Removes and returns the members of a sorted set with the highest scores.")
                .args(Arg.key("key"), Arg.integer("count").optional()).build(),
            row("zmpop", -4, pops::multi).flags(WRITE).countedKeys(1, "RW access delete").since("7.0.0")
                .complexity("O(N+M) with N keys and M members returned")
                .summary("Removes and returns members of the first sorted set that has some.")
                .args(Arg.integer("numkeys"), Arg.key("key").multiple(),
                    Arg.oneOf("where", Arg.word("MIN"), Arg.word("MAX")),
                    Arg.integer("count").token("COUNT").optional()).build(),
            row("bzpopmin", -3, this::blockingPopLowest).flags(WRITE, NOSCRIPT, BLOCKING, FAST)
                .keys(1, -2, 1, "RW access delete").since("5.0.0").complexity("O(N) with N keys")
                .summary("As ZPOPMIN, and waits for a member.")
                .args(Arg.key("key").multiple(), Arg.decimal("timeout")).build(),
            row("bzpopmax", -3, this::blockingPopHighest).flags(WRITE, NOSCRIPT, BLOCKING, FAST)
                .keys(1, -2, 1, "RW access delete").since("5.0.0").complexity("O(N) with N keys")
                .summary("As ZPOPMAX, and waits for a member.")
                .args(Arg.key("key").multiple(), Arg.decimal("timeout")).build(),
            row("bzmpop", -5, pops::blockingMulti).flags(WRITE, BLOCKING).countedKeys(2, "RW access delete")
                .since("7.0.0").complexity("O(N+M) with N keys and M members returned")
                .summary("As ZMPOP, and waits for members.")
                .args(Arg.decimal("timeout"), Arg.integer("numkeys"), Arg.key("key").multiple(),
                    Arg.oneOf("where", Arg.word("MIN"), Arg.word("MAX")),
                    Arg.integer("count").token("COUNT").optional()).build());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("sortedset").group("sorted-set");
    }
}
