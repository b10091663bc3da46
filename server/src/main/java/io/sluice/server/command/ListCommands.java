package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.Memory;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.ListValue;
import io.sluice.resp.Request;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Lists: pushed and popped at both ends, read and changed by position. */
final class ListCommands {
    private static final byte[] BEFORE = Words.lower("before");
    private static final byte[] AFTER = Words.lower("after");
    private static final String NO_INDEX = "ERR index out of range";
    private static final String COUNT_TOO_LOW = "ERR value is out of range, value must between "
            + -Long.MAX_VALUE + " and " + Long.MAX_VALUE;

    private static final byte[] RANK = Words.lower("rank");
    private static final byte[] COUNT = Words.lower("count");
    private static final byte[] MAXLEN = Words.lower("maxlen");
    private static final String RANK_ZERO = "ERR RANK can't be zero: use 1 to start from the first match, 2 from the "
            + "second ... or use negative to start from the end of the list";
    private static final int UNCOUNTED = -1;
    private static final int OUTSIDE = -1;
    private static final int ANSWERED = -2;

    private final ListValue list = new ListValue();
    private long rank;
    private long count;
    private long compared;

    private void leftPush(CommandContext ctx) {
        push(ctx, true, false);
    }

    private void rightPush(CommandContext ctx) {
        push(ctx, false, false);
    }

    private void leftPushIfPresent(CommandContext ctx) {
        push(ctx, true, true);
    }

    private void rightPushIfPresent(CommandContext ctx) {
        push(ctx, false, true);
    }

    private void push(CommandContext ctx, boolean first, boolean onlyPresent) {
        Request request = ctx.request();
        Entry entry = ctx.lookup(0, 1);
        if (!Values.isType(ctx, entry, ValueType.LIST)) {
            return;
        }
        if (onlyPresent && !entry.exists()) {
            ctx.reply().integer(0);
            return;
        }
        list.open(ctx.keyspace(), entry);
        Values.reserve(ctx, list, 2, 1);
        for (int i = 2; i < request.argCount(); i++) {
            ListMoveCommands.push(list, first, request.argAddress(i), request.argLength(i));
        }
        ctx.keyspace().event(first ? KeyEvent.LPUSH : KeyEvent.RPUSH, entry);
        ctx.reply().integer(list.size());
    }

    private void leftPop(CommandContext ctx) {
        pop(ctx, true);
    }

    private void rightPop(CommandContext ctx) {
        pop(ctx, false);
    }

    private void pop(CommandContext ctx, boolean first) {
        Args args = ctx.args();
        if (args.remaining() > 2) {
            args.fail(Errors.wrongArity(ctx.command().fullName()));
        }
        int key = args.next();
        boolean counted = args.hasNext();
        long limit = counted ? args.nextLong(Errors.NOT_POSITIVE) : 1;
        if (args.error() == null && limit < 0) {
            args.fail(Errors.NOT_POSITIVE);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, key);
        if (!Values.isType(ctx, entry, ValueType.LIST)) {
            return;
        }
        if (!entry.exists()) {
            if (counted) {
                ctx.reply().nullArray();
            } else {
                ctx.reply().nullValue();
            }
            return;
        }
        list.open(ctx.keyspace(), entry);
        int popped = (int) Math.min(limit, list.size());
        if (counted) {
            ctx.reply().array(popped);
        }
        ListMoveCommands.pop(ctx, entry, list, first, popped);
    }

    private void length(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (Values.isType(ctx, entry, ValueType.LIST)) {
            list.open(ctx.keyspace(), entry);
            ctx.reply().integer(list.size());
        }
    }

    private void index(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (!entry.exists()) {
            ctx.reply().nullValue();
            return;
        }
        int position = open(ctx, entry);
        if (position == OUTSIDE) {
            ctx.reply().nullValue();
        } else if (position != ANSWERED) {
            Values.reply(ctx, list, list.at(position));
        }
    }

    /**
     * Opens a list at the index that the second argument gives, from the end if it is negative. Returns the position,
     * {@link #OUTSIDE} of the list, or {@link #ANSWERED} with an error.
     */
    private int open(CommandContext ctx, Entry entry) {
        if (!Values.isType(ctx, entry, ValueType.LIST)) {
            return ANSWERED;
        }
        ctx.args().position(2);
        long index = ctx.args().nextLong();
        if (ctx.args().failed(ctx.reply())) {
            return ANSWERED;
        }
        list.open(ctx.keyspace(), entry);
        long position = index < 0 ? index + list.size() : index;
        return position < 0 || position >= list.size() ? OUTSIDE : (int) position;
    }

    private void range(CommandContext ctx) {
        ctx.args().position(2);
        long start = ctx.args().nextLong();
        long stop = ctx.args().nextLong();
        if (ctx.args().failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, 1);
        if (!Values.isType(ctx, entry, ValueType.LIST)) {
            return;
        }
        list.open(ctx.keyspace(), entry);
        int from = Ranges.from(start, list.size());
        int length = Ranges.length(from, stop, list.size());
        ctx.reply().array(length);
        for (int i = 0; i < length; i++) {
            Values.reply(ctx, list, list.at(from + i));
        }
    }

    private void trim(CommandContext ctx) {
        ctx.args().position(2);
        long start = ctx.args().nextLong();
        long stop = ctx.args().nextLong();
        if (ctx.args().failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, 1);
        if (!Values.isType(ctx, entry, ValueType.LIST)) {
            return;
        }
        if (entry.exists()) {
            list.open(ctx.keyspace(), entry);
            int from = Ranges.from(start, list.size());
            int length = Ranges.length(from, stop, list.size());
            if (length == 0) {
                list.removeFirst(list.size());
            } else {
                list.removeLast(list.size() - from - length);
                list.removeFirst(from);
            }
            Values.changed(ctx, entry, KeyEvent.LTRIM);
        }
        ctx.reply().ok();
    }

    private void set(CommandContext ctx) {
        Entry entry = ctx.lookup(0, 1);
        if (!entry.exists()) {
            ctx.reply().error(Errors.NO_SUCH_KEY);
            return;
        }
        int position = open(ctx, entry);
        if (position == OUTSIDE) {
            ctx.reply().error(NO_INDEX);
        } else if (position != ANSWERED) {
            list.set(position, ctx.request().argAddress(3), ctx.request().argLength(3));
            ctx.keyspace().event(KeyEvent.LSET, entry);
            ctx.reply().ok();
        }
    }

    private void remove(CommandContext ctx) {
        ctx.args().position(2);
        long limit = ctx.args().nextLong();
        if (limit == Long.MIN_VALUE) {
            ctx.args().fail(COUNT_TOO_LOW);
        }
        if (ctx.args().failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, 1);
        if (!Values.isType(ctx, entry, ValueType.LIST)) {
            return;
        }
        list.open(ctx.keyspace(), entry);
        int removed = list.removeEqual(limit, ctx.request().argAddress(3), ctx.request().argLength(3));
        if (removed > 0) {
            Values.changed(ctx, entry, KeyEvent.LREM);
        }
        ctx.reply().integer(removed);
    }

    private void insert(CommandContext ctx) {
        Request request = ctx.request();
        boolean before = request.argIs(2, BEFORE);
        if (!before && !request.argIs(2, AFTER)) {
            ctx.reply().error(Errors.SYNTAX);
            return;
        }
        Entry entry = ctx.lookup(0, 1);
        if (!Values.isType(ctx, entry, ValueType.LIST)) {
            return;
        }
        if (!entry.exists()) {
            ctx.reply().integer(0);
            return;
        }
        list.open(ctx.keyspace(), entry);
        boolean inserted = list.insert(before, request.argAddress(3), request.argLength(3),
            request.argAddress(4), request.argLength(4));
        if (inserted) {
            ctx.keyspace().event(KeyEvent.LINSERT, entry);
        }
        ctx.reply().integer(inserted ? list.size() : -1);
    }

    private void find(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        int element = args.next();
        parseFindOptions(args);
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (!Values.isType(ctx, entry, ValueType.LIST)) {
            return;
        }
        list.open(ctx.keyspace(), entry);
        if (count != UNCOUNTED) {
            ctx.reply().array(findAll(ctx, element, false));
            findAll(ctx, element, true);
        } else if (findAll(ctx, element, true) == 0) {
            ctx.reply().nullValue();
        }
    }

    private void parseFindOptions(Args args) {
        rank = 1;
        count = UNCOUNTED;
        compared = Long.MAX_VALUE;
        while (args.hasNext()) {
            if (args.remaining() > 1 && args.accept(RANK)) {
                rank = args.nextLong();
                if (rank == 0 || rank == Long.MIN_VALUE) {
                    args.fail(rank == 0 ? RANK_ZERO : COUNT_TOO_LOW);
                }
            } else if (args.remaining() > 1 && args.accept(COUNT)) {
                count = args.nextLong(0, Long.MAX_VALUE, "ERR COUNT can't be negative");
            } else if (args.remaining() > 1 && args.accept(MAXLEN)) {
                compared = args.nextLong(0, Long.MAX_VALUE, "ERR MAXLEN can't be negative");
                compared = compared == 0 ? Long.MAX_VALUE : compared;
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
    }

    /** Counts the matches that are wanted, and answers with their positions if that is wanted too. */
    private int findAll(CommandContext ctx, int element, boolean answer) {
        long address = ctx.request().argAddress(element);
        int length = ctx.request().argLength(element);
        long wanted = count == UNCOUNTED ? 1 : count == 0 ? Long.MAX_VALUE : count;
        long toSkip = Math.abs(rank) - 1;
        int found = 0;
        int steps = (int) Math.min(compared, list.size());
        for (int i = 0; i < steps && found < wanted; i++) {
            int position = rank > 0 ? i : list.size() - 1 - i;
            int handle = list.at(position);
            if (list.length(handle) == length && Memory.equal(list.address(handle), address, length)
                    && toSkip-- <= 0) {
                found++;
                if (answer) {
                    ctx.reply().integer(position);
                }
            }
        }
        return found;
    }

    List<CommandSpec> specs() {
        return List.of(
            row("lpush", -3, this::leftPush).flags(WRITE, DENYOOM, FAST).key(1, "RW insert").since("1.0.0")
                .complexity("O(1) per element")
                .summary("Adds elements in front of a list, one after the other, or makes one.")
                .args(Arg.key("key"), Arg.string("element").multiple()).build(),
            row("rpush", -3, this::rightPush).flags(WRITE, DENYOOM, FAST).key(1, "RW insert").since("1.0.0")
                .complexity("O(1) per element").summary("Adds elements behind a list, or makes one.")
                .args(Arg.key("key"), Arg.string("element").multiple()).build(),
            row("lpushx", -3, this::leftPushIfPresent).flags(WRITE, DENYOOM, FAST).key(1, "RW insert").since("2.2.0")
                .complexity("O(1) per element").summary("Adds elements in front of a list that is there.")
                .args(Arg.key("key"), Arg.string("element").multiple()).build(),
            row("rpushx", -3, this::rightPushIfPresent).flags(WRITE, DENYOOM, FAST).key(1, "RW insert").since("2.2.0")
                .complexity("O(1) per element").summary("Adds elements behind a list that is there.")
                .args(Arg.key("key"), Arg.string("element").multiple()).build(),
            row("lpop", -2, this::leftPop).flags(WRITE, FAST).key(1, "RW access delete").since("1.0.0")
                .complexity("O(N) with N elements returned")
                .summary("Removes and returns the first elements of a list.")
                .args(Arg.key("key"), Arg.integer("count").optional()).build(),
            row("rpop", -2, this::rightPop).flags(WRITE, FAST).key(1, "RW access delete").since("1.0.0")
                .complexity("O(N) with N elements returned")
                .summary("Removes and returns the last elements of a list.")
                .args(Arg.key("key"), Arg.integer("count").optional()).build(),
            row("llen", 2, this::length).flags(READONLY, FAST).key(1, "RO").since("1.0.0").complexity("O(1)")
                .summary("Returns the length of a list.").args(Arg.key("key")).build(),
            row("lindex", 3, this::index).flags(READONLY).key(1, "RO access").since("1.0.0").complexity("O(1)")
                .summary("Returns the element of a list at an index.")
                .args(Arg.key("key"), Arg.integer("index")).build(),
            row("lrange", 4, this::range).flags(READONLY).key(1, "RO access").since("1.0.0")
                .complexity("O(N) with N elements returned").summary("Returns a range of the elements of a list.")
                .args(Arg.key("key"), Arg.integer("start"), Arg.integer("stop")).build(),
            row("ltrim", 4, this::trim).flags(WRITE).key(1, "RW delete").since("1.0.0")
                .complexity("O(N) with N elements removed").summary("Keeps a range of the elements of a list.")
                .args(Arg.key("key"), Arg.integer("start"), Arg.integer("stop")).build(),
            row("lset", 4, this::set).flags(WRITE, DENYOOM).key(1, "RW update").since("1.0.0").complexity("O(1)")
                .summary("Replaces the element of a list at an index.")
                .args(Arg.key("key"), Arg.integer("index"), Arg.string("element")).build(),
            row("lrem", 4, this::remove).flags(WRITE).key(1, "RW delete").since("1.0.0")
                .complexity("O(N) with N elements of the list")
                .summary("Removes elements of a list that equal a given one.")
                .args(Arg.key("key"), Arg.integer("count"), Arg.string("element")).build(),
            row("linsert", 5, this::insert).flags(WRITE, DENYOOM).key(1, "RW insert").since("2.2.0")
                .complexity("O(N) with N elements of the list")
                .summary("Adds an element to a list next to another one.")
                .args(Arg.key("key"), Arg.oneOf("where", Arg.word("BEFORE"), Arg.word("AFTER")),
                    Arg.string("pivot"), Arg.string("element")).build(),
            row("lpos", -3, this::find).flags(READONLY).key(1, "RO access").since("6.0.6")
                .complexity("O(N) with N elements compared").summary("Returns where in a list an element is.")
                .args(Arg.key("key"), Arg.string("element"), Arg.integer("rank").token("RANK").optional(),
                    Arg.integer("num-matches").token("COUNT").optional(),
                    Arg.integer("len").token("MAXLEN").optional()).build());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("list").group("list");
    }
}
