package io.sluice.server.command;

import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.SetValue;
import io.sluice.resp.Reply;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** What sets have in common, together, or apart. The result is put together beside them, and no larger than one. */
final class SetAlgebraCommands {
    private static final byte[] LIMIT = Words.lower("limit");

    private final SetValue result = new SetValue();
    private final SetValue source = new SetValue();

    private void sInter(CommandContext ctx) {
        answer(ctx, SetOperation.INTERSECTION);
    }

    private void sUnion(CommandContext ctx) {
        answer(ctx, SetOperation.UNION);
    }

    private void sDiff(CommandContext ctx) {
        answer(ctx, SetOperation.DIFFERENCE);
    }

    private void sInterStore(CommandContext ctx) {
        store(ctx, SetOperation.INTERSECTION, KeyEvent.SINTERSTORE);
    }

    private void sUnionStore(CommandContext ctx) {
        store(ctx, SetOperation.UNION, KeyEvent.SUNIONSTORE);
    }

    private void sDiffStore(CommandContext ctx) {
        store(ctx, SetOperation.DIFFERENCE, KeyEvent.SDIFFSTORE);
    }

    private void answer(CommandContext ctx, SetOperation operation) {
        if (!areSets(ctx, 1, ctx.request().argCount())) {
            return;
        }
        compute(ctx, operation, 1, ctx.request().argCount());
        Reply reply = ctx.reply();
        reply.set(result.size());
        for (int i = 0; i < result.size(); i++) {
            int handle = result.at(i);
            reply.bulk(result.address(handle), result.length(handle));
        }
        result.build(ctx.keyspace());
    }

    private void store(CommandContext ctx, SetOperation operation, KeyEvent event) {
        if (!areSets(ctx, 2, ctx.request().argCount())) {
            return;
        }
        compute(ctx, operation, 2, ctx.request().argCount());
        Values.store(ctx, result, ctx.lookup(0, 1), event);
    }

    private void sInterCard(CommandContext ctx) {
        Args args = ctx.args();
        int first = args.position() + 1;
        int end = first
            + args.passKeys(args.nextLong(1, Long.MAX_VALUE, Errors.BAD_KEY_COUNT), 0, Errors.TOO_MANY_KEYS);
        long limit = 0;
        while (args.hasNext()) {
            if (args.remaining() > 1 && args.accept(LIMIT)) {
                limit = args.nextLong(0, Long.MAX_VALUE, Errors.NEGATIVE_LIMIT);
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        if (args.failed(ctx.reply()) || !areSets(ctx, first, end)) {
            return;
        }
        compute(ctx, SetOperation.INTERSECTION, first, end);
        ctx.reply().integer(limit == 0 ? result.size() : Math.min(limit, result.size()));
        result.build(ctx.keyspace());
    }

    private static boolean areSets(CommandContext ctx, int first, int end) {
        return Values.areSources(ctx, first, end, ValueType.SET, ValueType.SET);
    }

    private void compute(CommandContext ctx, SetOperation operation, int first, int end) {
        result.build(ctx.keyspace());
        switch (operation) {
            case UNION -> {
                for (int i = first; i < end; i++) {
                    addAll(open(ctx, i));
                }
            }
            case DIFFERENCE -> {
                addAll(open(ctx, first));
                for (int i = first + 1; i < end && result.size() > 0; i++) {
                    subtract(open(ctx, i));
                }
            }
            default -> {
                int smallest = smallest(ctx, first, end);
                addAll(open(ctx, smallest));
                for (int i = first; i < end && result.size() > 0; i++) {
                    if (i != smallest) {
                        retain(open(ctx, i));
                    }
                }
            }
        }
    }

    private SetValue open(CommandContext ctx, int arg) {
        source.open(ctx.keyspace(), ctx.lookup(0, arg));
        return source;
    }

    private int smallest(CommandContext ctx, int first, int end) {
        int smallest = first;
        int least = Integer.MAX_VALUE;
        for (int i = first; i < end && least > 0; i++) {
            int size = open(ctx, i).size();
            if (size < least) {
                least = size;
                smallest = i;
            }
        }
        return smallest;
    }

    private void addAll(SetValue members) {
        for (int i = 0; i < members.size(); i++) {
            int handle = members.at(i);
            result.add(members.address(handle), members.length(handle));
        }
    }

    private static boolean has(SetValue set, SetValue other, int handle) {
        return set.size() > 0 && set.find(other.address(handle), other.length(handle)) != SetValue.ABSENT;
    }

    private void subtract(SetValue members) {
        if (members.size() < result.size()) {
            for (int i = 0; i < members.size() && result.size() > 0; i++) {
                int handle = members.at(i);
                result.remove(members.address(handle), members.length(handle));
            }
        } else {
            remove(members, true);
        }
    }

    private void retain(SetValue members) {
        remove(members, false);
    }

    /** Removes what the other set has, or what it has not. From the end on, so that what fills a gap was seen. */
    private void remove(SetValue members, boolean present) {
        for (int i = result.size() - 1; i >= 0; i--) {
            int handle = result.at(i);
            if (has(members, result, handle) == present) {
                result.remove(handle);
            }
        }
    }

    List<CommandSpec> specs() {
        return List.of(
            plain("sinter", this::sInter).summary("Returns the members that all sets have.").build(),
            plain("sunion", this::sUnion).summary("Returns the members that any of the sets has.").build(),
            plain("sdiff", this::sDiff).summary("Returns the members of the first set that no other has.").build(),
            storing("sinterstore", "RW update", this::sInterStore).summary("Stores the members that all sets have.")
                .build(),
            storing("sunionstore", "OW update", this::sUnionStore)
                .summary("Stores the members that any of the sets has.").build(),
            storing("sdiffstore", "OW update", this::sDiffStore)
                .summary("Stores the members of the first set that no other has.").build(),
            row("sintercard", -3, this::sInterCard).flags(READONLY).countedKeys(1, "RO access").since("7.0.0")
                .complexity("O(N*M) with N members of the smallest of M sets")
                .summary("Counts the members that all sets have.")
                .args(Arg.integer("numkeys"), Arg.key("key").multiple(),
                    Arg.integer("limit").token("LIMIT").optional()).build());
    }

    private static CommandSpec.Builder plain(String name, CommandHandler handler) {
        return row(name, -2, handler).flags(READONLY).keys(1, -1, 1, "RO access").since("1.0.0")
            .tips("nondeterministic_output_order").complexity("O(N) with N members of all sets")
            .args(Arg.key("key").multiple());
    }

    private static CommandSpec.Builder storing(String name, String how, CommandHandler handler) {
        return row(name, -3, handler).flags(WRITE, DENYOOM).key(1, how).keys(2, -1, 1, "RO access").since("1.0.0")
            .complexity("O(N) with N members of all sets").args(Arg.key("destination"), Arg.key("key").multiple());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("set").group("set");
    }
}
