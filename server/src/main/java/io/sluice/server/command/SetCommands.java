package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.SetValue;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Sets: different members under one key. */
final class SetCommands {

    private final SetValue set = new SetValue();
    private final SetValue source = new SetValue();
    private final ElementScan scan = new ElementScan();
    private final ElementScan.Answer member = this::member;
    private final ElementScan.Step step = set::scan;
    private final RandomPositions random = new RandomPositions();

    /** Shows the set in argument 1 for reading, an empty one if it is not there. False after an error. */
    private boolean read(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (!Values.isType(ctx, entry, ValueType.SET)) {
            return false;
        }
        set.open(ctx.keyspace(), entry);
        return true;
    }

    /** Shows the set in argument 1 for writing. False after an error. */
    private boolean write(CommandContext ctx) {
        Entry entry = ctx.lookup(0, 1);
        if (!Values.isType(ctx, entry, ValueType.SET)) {
            return false;
        }
        set.open(ctx.keyspace(), entry);
        return true;
    }

    private boolean contains(Request request, int arg) {
        return set.size() > 0 && set.find(request.argAddress(arg), request.argLength(arg)) != SetValue.ABSENT;
    }

    private void member(Reply reply, int handle) {
        reply.bulk(set.address(handle), set.length(handle));
    }

    /** Adds all members or none. */
    private void sAdd(CommandContext ctx) {
        if (!write(ctx)) {
            return;
        }
        Request request = ctx.request();
        Values.reserve(ctx, set, 2, 1);
        int added = 0;
        for (int i = 2; i < request.argCount(); i++) {
            added += set.add(request.argAddress(i), request.argLength(i)) ? 1 : 0;
        }
        if (added > 0) {
            ctx.keyspace().event(KeyEvent.SADD, ctx.entry(0));
        }
        ctx.reply().integer(added);
    }

    private void sRem(CommandContext ctx) {
        if (!write(ctx)) {
            return;
        }
        Request request = ctx.request();
        int removed = 0;
        for (int i = 2; i < request.argCount() && set.size() > 0; i++) {
            removed += set.remove(request.argAddress(i), request.argLength(i)) ? 1 : 0;
        }
        if (removed > 0) {
            Values.changed(ctx, ctx.entry(0), KeyEvent.SREM);
        }
        ctx.reply().integer(removed);
    }

    private void sIsMember(CommandContext ctx) {
        if (read(ctx)) {
            ctx.reply().integer(contains(ctx.request(), 2) ? 1 : 0);
        }
    }

    private void sMIsMember(CommandContext ctx) {
        if (read(ctx)) {
            Request request = ctx.request();
            ctx.reply().array(request.argCount() - 2);
            for (int i = 2; i < request.argCount(); i++) {
                ctx.reply().integer(contains(request, i) ? 1 : 0);
            }
        }
    }

    private void sCard(CommandContext ctx) {
        if (read(ctx)) {
            ctx.reply().integer(set.size());
        }
    }

    private void sMembers(CommandContext ctx) {
        if (read(ctx)) {
            ctx.reply().set(set.size());
            allMembers(ctx.reply());
        }
    }

    private void allMembers(Reply reply) {
        for (int i = 0; i < set.size(); i++) {
            member(reply, set.at(i));
        }
    }

    private void sPop(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        if (!args.hasNext()) {
            if (write(ctx)) {
                popOne(ctx);
            }
            return;
        }
        if (args.remaining() > 1) {
            args.fail(Errors.SYNTAX);
        }
        long count = args.nextLong(0, Long.MAX_VALUE, Errors.NOT_POSITIVE);
        if (!args.failed(ctx.reply()) && write(ctx)) {
            popMany(ctx, (int) Math.min(count, set.size()));
        }
    }

    private void popOne(CommandContext ctx) {
        if (set.size() == 0) {
            ctx.reply().nullValue();
            return;
        }
        popAny(ctx.reply());
        Values.changed(ctx, ctx.entry(0), KeyEvent.SPOP);
    }

    private void popMany(CommandContext ctx, int count) {
        ctx.reply().set(count);
        if (count == 0) {
            return;
        }
        if (count == set.size()) {
            allMembers(ctx.reply());
            ctx.keyspace().remove(ctx.entry(0));
        } else {
            for (int left = count; left > 0; left--) {
                popAny(ctx.reply());
            }
        }
        Values.changed(ctx, ctx.entry(0), KeyEvent.SPOP);
    }

    private void popAny(Reply reply) {
        int handle = set.at(RandomPositions.any(set.size()));
        member(reply, handle);
        set.remove(handle);
    }

    private void sRandMember(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        if (!args.hasNext()) {
            if (!read(ctx)) {
                return;
            }
            if (set.size() == 0) {
                ctx.reply().nullValue();
            } else {
                member(ctx.reply(), set.at(RandomPositions.any(set.size())));
            }
            return;
        }
        if (args.remaining() > 1) {
            args.fail(Errors.SYNTAX);
        }
        long count = RandomPositions.nextCount(args, 1);
        if (!args.failed(ctx.reply()) && read(ctx)) {
            manyAtRandom(ctx.reply(), count);
        }
    }

    private void manyAtRandom(Reply reply, long count) {
        int size = set.size();
        int answered = size == 0 ? 0 : (int) (count < 0 ? -count : Math.min(count, size));
        reply.array(answered);
        if (count < 0) {
            for (int i = 0; i < answered; i++) {
                member(reply, set.at(RandomPositions.any(size)));
            }
        } else {
            random.distinct(size, answered, position -> member(reply, set.at(position)));
        }
    }

    /** Adds before it removes: should there be no room, nothing has changed. */
    private void sMove(CommandContext ctx) {
        Request request = ctx.request();
        Keyspace keyspace = ctx.keyspace();
        Entry from = ctx.lookup(0, 1);
        if (!from.exists()) {
            ctx.reply().integer(0);
            return;
        }
        Entry to = ctx.lookup(1, 2);
        if (!Values.isType(ctx, from, ValueType.SET) || !Values.isType(ctx, to, ValueType.SET)) {
            return;
        }
        source.open(keyspace, from);
        boolean moves = source.find(request.argAddress(3), request.argLength(3)) != SetValue.ABSENT;
        if (moves && !KeyCommands.isSameName(request, 1, 2)) {
            set.open(keyspace, to);
            boolean added = set.add(request.argAddress(3), request.argLength(3));
            if (ctx.lookup(0, 1).exists()) {
                source.open(keyspace, from);
                source.remove(request.argAddress(3), request.argLength(3));
                Values.changed(ctx, from, KeyEvent.SREM);
            }
            if (added) {
                keyspace.event(KeyEvent.SADD, to);
            }
        }
        ctx.reply().integer(moves ? 1 : 0);
    }

    private void sScan(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        long cursor = ScanOptions.nextCursor(args, ctx.request());
        if (args.failed(ctx.reply()) || !read(ctx)) {
            return;
        }
        if (set.size() == 0) {
            ElementScan.answerAbsent(ctx.reply());
        } else {
            scan.run(ctx, cursor, set, step, 1, member);
        }
    }

    List<CommandSpec> specs() {
        return List.of(
            row("sadd", -3, this::sAdd).flags(WRITE, DENYOOM, FAST).key(1, "RW insert").since("1.0.0")
                .complexity("O(1) for each member").summary("Adds members to a set.")
                .args(Arg.key("key"), Arg.string("member").multiple()).build(),
            row("srem", -3, this::sRem).flags(WRITE, FAST).key(1, "RW delete").since("1.0.0")
                .complexity("O(1) for each member").summary("Removes members of a set, with the last one the key.")
                .args(Arg.key("key"), Arg.string("member").multiple()).build(),
            row("sismember", 3, this::sIsMember).flags(READONLY, FAST).key(1, "RO").since("1.0.0").complexity("O(1)")
                .summary("Tells whether a set has a member.").args(Arg.key("key"), Arg.string("member")).build(),
            row("smismember", -3, this::sMIsMember).flags(READONLY, FAST).key(1, "RO access").since("6.2.0")
                .complexity("O(1) for each member").summary("Tells which of the given members a set has.")
                .args(Arg.key("key"), Arg.string("member").multiple()).build(),
            row("scard", 2, this::sCard).flags(READONLY, FAST).key(1, "RO").since("1.0.0").complexity("O(1)")
                .summary("Returns the number of members of a set.").args(Arg.key("key")).build(),
            row("smembers", 2, this::sMembers).flags(READONLY).key(1, "RO access").since("1.0.0")
                .tips("nondeterministic_output_order").complexity("O(N) with N members")
                .summary("Returns all members of a set.").args(Arg.key("key")).build(),
            row("spop", -2, this::sPop).flags(WRITE, FAST).key(1, "RW access delete").since("1.0.0")
                .tips("nondeterministic_output").complexity("O(1) for each member")
                .summary("Removes members of a set at random and returns them.")
                .args(Arg.key("key"), Arg.integer("count").optional()).build(),
            row("srandmember", -2, this::sRandMember).flags(READONLY).key(1, "RO access").since("1.0.0")
                .tips("nondeterministic_output").complexity("O(1) for each member")
                .summary("Returns members of a set at random.")
                .args(Arg.key("key"), Arg.integer("count").optional()).build(),
            row("smove", 4, this::sMove).flags(WRITE, FAST).key(1, "RW access delete").key(2, "RW insert")
                .since("1.0.0").complexity("O(1)").summary("Moves a member from one set to another.")
                .args(Arg.key("source"), Arg.key("destination"), Arg.string("member")).build(),
            row("sscan", -3, this::sScan).flags(READONLY).key(1, "RO access").since("2.8.0")
                .tips("nondeterministic_output").complexity("O(COUNT) for every call")
                .summary("Returns some members of a set and where to go on.")
                .args(Arg.key("key"), Arg.integer("cursor"), Arg.pattern("pattern").token("MATCH").optional(),
                    Arg.integer("count").token("COUNT").optional()).build());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("set").group("set");
    }
}
