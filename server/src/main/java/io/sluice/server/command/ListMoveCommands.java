package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.ListValue;
import org.agrona.UnsafeApi;

import java.util.List;

import static io.sluice.server.command.CommandFlag.BLOCKING;
import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Lists, several at a time: elements moved from one to another, or taken from the first one that has some. */
final class ListMoveCommands {
    private static final byte[] LEFT = Words.lower("left");
    private static final byte[] RIGHT = Words.lower("right");
    /** Room for an element on its way that is kept; larger ones get room of their own. */
    private static final int CARRIED_BYTES_KEPT = 4_096;

    private final ListValue source = new ListValue();
    private final ListValue target = new ListValue();
    private final FirstKeyPop pops = new FirstKeyPop(ValueType.LIST, source, LEFT, RIGHT, 1,
        (ctx, entry, first, elements, nested) -> pop(ctx, entry, source, first, elements));
    private final long kept = UnsafeApi.allocateMemory(CARRIED_BYTES_KEPT);

    /** Adds an element at one end. */
    static void push(ListValue list, boolean first, long address, int length) {
        if (first) {
            list.pushFirst(address, length);
        } else {
            list.pushLast(address, length);
        }
    }

    /** Answers with so many elements from one end, and removes them. */
    static void pop(CommandContext ctx, Entry entry, ListValue list, boolean first, int elements) {
        for (int i = 0; i < elements; i++) {
            Values.reply(ctx, list, list.at(first ? i : list.size() - 1 - i));
        }
        if (elements > 0) {
            remove(list, first, elements);
            Values.changed(ctx, entry, first ? KeyEvent.LPOP : KeyEvent.RPOP);
        }
    }

    private static void remove(ListValue list, boolean first, int elements) {
        if (first) {
            list.removeFirst(elements);
        } else {
            list.removeLast(elements);
        }
    }

    private void move(CommandContext ctx) {
        Args args = ctx.args();
        args.position(3);
        boolean fromFirst = nextEnd(args);
        boolean toFirst = nextEnd(args);
        if (!args.failed(ctx.reply()) && !move(ctx, fromFirst, toFirst)) {
            ctx.reply().nullValue();
        }
    }

    private void popPush(CommandContext ctx) {
        if (!move(ctx, false, true)) {
            ctx.reply().nullValue();
        }
    }

    private void blockingMove(CommandContext ctx) {
        Args args = ctx.args();
        args.position(3);
        boolean fromFirst = nextEnd(args);
        boolean toFirst = nextEnd(args);
        long timeoutMs = Timeouts.next(ctx);
        if (!args.failed(ctx.reply())) {
            moveOrWait(ctx, fromFirst, toFirst, timeoutMs);
        }
    }

    private void blockingPopPush(CommandContext ctx) {
        ctx.args().position(3);
        long timeoutMs = Timeouts.next(ctx);
        if (!ctx.args().failed(ctx.reply())) {
            moveOrWait(ctx, false, true, timeoutMs);
        }
    }

    private void moveOrWait(CommandContext ctx, boolean fromFirst, boolean toFirst, long timeoutMs) {
        if (!move(ctx, fromFirst, toFirst)
                && !ctx.waitForKeys(1, 1, timeoutMs, ValueType.LIST)) {
            ctx.reply().nullValue();
        }
    }

    private static boolean nextEnd(Args args) {
        if (args.accept(LEFT)) {
            return true;
        }
        if (!args.accept(RIGHT)) {
            args.fail(Errors.SYNTAX);
        }
        return false;
    }

    /**
     * Moves an element from the list at the first argument to the one at the second, and answers with it or with an
     * error. False if there is no element.
     */
    private boolean move(CommandContext ctx, boolean fromFirst, boolean toFirst) {
        Entry from = ctx.lookup(0, 1);
        if (!from.exists()) {
            return false;
        }
        Entry to = ctx.lookup(1, 2);
        if (!Values.isType(ctx, from, ValueType.LIST) || !Values.isType(ctx, to, ValueType.LIST)) {
            return true;
        }
        source.open(ctx.keyspace(), from);
        int handle = source.at(fromFirst ? 0 : source.size() - 1);
        int length = source.length(handle);
        long carried = length <= CARRIED_BYTES_KEPT ? kept : UnsafeApi.allocateMemory(length);
        try {
            UnsafeApi.copyMemory(source.address(handle), carried, length);
            if (KeyCommands.isSameName(ctx.request(), 1, 2)) {
                // The list is never empty meanwhile. At the same end the new element goes again, which equals the old.
                push(source, toFirst, carried, length);
                remove(source, fromFirst, 1);
                ctx.keyspace().event(toFirst ? KeyEvent.LPUSH : KeyEvent.RPUSH, from);
                ctx.keyspace().event(fromFirst ? KeyEvent.LPOP : KeyEvent.RPOP, from);
            } else {
                target.open(ctx.keyspace(), to);
                push(target, toFirst, carried, length);
                ctx.keyspace().event(toFirst ? KeyEvent.LPUSH : KeyEvent.RPUSH, to);
                removeMoved(ctx, fromFirst);
            }
            ctx.reply().bulk(carried, length);
        } finally {
            if (carried != kept) {
                UnsafeApi.freeMemory(carried);
            }
        }
        return true;
    }

    /** Making room for the element may have evicted the list that it came from. */
    private void removeMoved(CommandContext ctx, boolean fromFirst) {
        Entry from = ctx.lookup(0, 1);
        if (from.exists()) {
            source.open(ctx.keyspace(), from);
            remove(source, fromFirst, 1);
            Values.changed(ctx, from, fromFirst ? KeyEvent.LPOP : KeyEvent.RPOP);
        }
    }

    private void blockingLeftPop(CommandContext ctx) {
        pops.blocking(ctx, true);
    }

    private void blockingRightPop(CommandContext ctx) {
        pops.blocking(ctx, false);
    }

    List<CommandSpec> specs() {
        return List.of(
            row("lmove", 5, this::move).flags(WRITE, DENYOOM).key(1, "RW access delete").key(2, "RW insert")
                .since("6.2.0").complexity("O(1)")
                .summary("Moves an element from one list to another and returns it.")
                .args(Arg.key("source"), Arg.key("destination"),
                    Arg.oneOf("wherefrom", Arg.word("LEFT"), Arg.word("RIGHT")),
                    Arg.oneOf("whereto", Arg.word("LEFT"), Arg.word("RIGHT"))).build(),
            row("rpoplpush", 3, this::popPush).flags(WRITE, DENYOOM).key(1, "RW access delete").key(2, "RW insert")
                .since("1.2.0").complexity("O(1)")
                .summary("Moves the last element of a list to the front of another and returns it.")
                .args(Arg.key("source"), Arg.key("destination")).build(),
            row("lmpop", -4, pops::multi).flags(WRITE).countedKeys(1, "RW access delete").since("7.0.0")
                .complexity("O(N+M) with N keys and M elements returned")
                .summary("Removes and returns elements of the first list that has some.")
                .args(Arg.integer("numkeys"), Arg.key("key").multiple(),
                    Arg.oneOf("where", Arg.word("LEFT"), Arg.word("RIGHT")),
                    Arg.integer("count").token("COUNT").optional()).build(),
            row("blpop", -3, this::blockingLeftPop).flags(WRITE, NOSCRIPT, BLOCKING)
                .keys(1, -2, 1, "RW access delete").since("2.0.0").complexity("O(N) with N keys")
                .summary("Removes and returns the first element of the first list that has one, and waits for one.")
                .args(Arg.key("key").multiple(), Arg.decimal("timeout")).build(),
            row("brpop", -3, this::blockingRightPop).flags(WRITE, NOSCRIPT, BLOCKING)
                .keys(1, -2, 1, "RW access delete").since("2.0.0").complexity("O(N) with N keys")
                .summary("Removes and returns the last element of the first list that has one, and waits for one.")
                .args(Arg.key("key").multiple(), Arg.decimal("timeout")).build(),
            row("blmove", 6, this::blockingMove).flags(WRITE, DENYOOM, NOSCRIPT, BLOCKING).key(1, "RW access delete")
                .key(2, "RW insert").since("6.2.0").complexity("O(1)").summary("As LMOVE, and waits for an element.")
                .args(Arg.key("source"), Arg.key("destination"),
                    Arg.oneOf("wherefrom", Arg.word("LEFT"), Arg.word("RIGHT")),
                    Arg.oneOf("whereto", Arg.word("LEFT"), Arg.word("RIGHT")), Arg.decimal("timeout")).build(),
            row("brpoplpush", 4, this::blockingPopPush).flags(WRITE, DENYOOM, NOSCRIPT, BLOCKING)
                .key(1, "RW access delete").key(2, "RW insert").since("2.2.0").complexity("O(1)")
                .summary("As RPOPLPUSH, and waits for an element.")
                .args(Arg.key("source"), Arg.key("destination"), Arg.decimal("timeout")).build(),
            row("blmpop", -5, pops::blockingMulti).flags(WRITE, BLOCKING).countedKeys(2, "RW access delete")
                .since("7.0.0").complexity("O(N+M) with N keys and M elements returned")
                .summary("As LMPOP, and waits for elements.")
                .args(Arg.decimal("timeout"), Arg.integer("numkeys"), Arg.key("key").multiple(),
                    Arg.oneOf("where", Arg.word("LEFT"), Arg.word("RIGHT")),
                    Arg.integer("count").token("COUNT").optional()).build());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("list").group("list");
    }
}
