package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.ListValue;
import io.sluice.persistence.collection.PackedValue;
import io.sluice.persistence.collection.SetValue;
import io.sluice.persistence.collection.ZSetValue;
import io.sluice.resp.RespReply;

import java.util.ArrayList;
import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** {@code SORT} and {@code SORT_RO}: the elements of a list, set or sorted set in another order, or what they name. */
final class SortCommands {
    private static final byte[] ASC = Words.lower("asc");
    private static final byte[] DESC = Words.lower("desc");
    private static final byte[] ALPHA = Words.lower("alpha");
    private static final byte[] LIMIT = Words.lower("limit");
    private static final byte[] STORE = Words.lower("store");
    private static final byte[] BY = Words.lower("by");
    private static final byte[] GET = Words.lower("get");
    private static final String NOT_NUMBERS = "ERR One or more scores can't be converted into double";
    private static final int NOT_STORED = 0;

    private final ListValue list = new ListValue();
    private final SetValue set = new SetValue();
    private final ZSetValue zset = new ZSetValue();
    private final ListValue result = new ListValue();
    private final SortPattern.Lookup lookup = new SortPattern.Lookup();
    private final List<SortPattern> gets = new ArrayList<>();
    private SortPattern by;
    private boolean descending;
    private boolean alpha;
    private long offset;
    private long count;
    private int destination;
    /** The part of the elements that is wanted. */
    private int from;
    private int length;

    private void sort(CommandContext ctx) {
        sort(ctx, true);
    }

    private void sortReadOnly(CommandContext ctx) {
        sort(ctx, false);
    }

    private void sort(CommandContext ctx, boolean mayStore) {
        parse(ctx, mayStore);
        if (ctx.args().failed(ctx.reply())) {
            return;
        }
        PackedValue value = open(ctx, ctx.lookupRead(0, 1));
        if (value == null) {
            ctx.reply().error(Errors.WRONG_TYPE);
            return;
        }
        int[] order = order(ctx, value);
        if (order == null) {
            ctx.reply().error(NOT_NUMBERS);
            return;
        }
        limit(order.length);
        if (destination == NOT_STORED) {
            answer(ctx, value, order);
        } else {
            store(ctx, value, order);
        }
    }

    private void parse(CommandContext ctx, boolean mayStore) {
        Args args = ctx.args();
        args.position(2);
        by = null;
        gets.clear();
        descending = false;
        alpha = false;
        offset = 0;
        count = -1;
        destination = NOT_STORED;
        while (args.hasNext()) {
            boolean hasValue = args.remaining() > 1;
            if (args.accept(ASC)) {
                descending = false;
            } else if (args.accept(DESC)) {
                descending = true;
            } else if (args.accept(ALPHA)) {
                alpha = true;
            } else if (args.remaining() > 2 && args.accept(LIMIT)) {
                offset = args.nextLong();
                count = args.nextLong();
            } else if (mayStore && hasValue && args.accept(STORE)) {
                destination = args.next();
            } else if (hasValue && args.accept(BY)) {
                by = pattern(ctx, args, "BY");
            } else if (hasValue && args.accept(GET)) {
                gets.add(pattern(ctx, args, "GET"));
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
    }

    /** Which keys a pattern names, nobody knows beforehand: whoever may not read all of them may not use one. */
    private SortPattern pattern(CommandContext ctx, Args args, String option) {
        SortPattern pattern = new SortPattern(lookup, ctx.request(), args.next());
        boolean needsRights = option.equals("GET") || !pattern.isConstant();
        if (needsRights && !ctx.dispatcher().access().readsAllKeys(ctx.connection().account(), ctx.command(),
                ctx.request())) {
            args.fail("ERR " + option + " option of SORT denied due to insufficient ACL permissions");
        }
        return pattern;
    }

    /** What is to be sorted, an empty list where nothing is there; null for a type without elements of one kind. */
    private PackedValue open(CommandContext ctx, Entry entry) {
        PackedValue value = list;
        if (entry.exists()) {
            value = switch (entry.type()) {
                case ValueType.LIST -> list;
                case ValueType.SET -> set;
                case ValueType.ZSET -> zset;
                default -> null;
            };
        }
        if (value != null) {
            value.open(ctx.keyspace(), entry);
        }
        return value;
    }

    /** Handles of all elements in the order that is wanted; null if they were to be numbers and are not. */
    private int[] order(CommandContext ctx, PackedValue value) {
        boolean isScript = !(ctx.reply() instanceof RespReply);
        if (by != null && by.isConstant()) {
            if (value == set && (destination != NOT_STORED || isScript)) {
                // A set's own order means nothing; what is kept or computed with is to be the same everywhere.
                return new SortOrder(ctx, value, null).byBytes(descending);
            }
            return asStored(value);
        }
        SortOrder order = new SortOrder(ctx, value, by);
        return alpha ? order.byBytes(descending) : order.byNumbers(descending);
    }

    private int[] asStored(PackedValue value) {
        int[] handles = new int[value.size()];
        boolean reversed = descending && value != set;
        for (int i = 0; i < handles.length; i++) {
            handles[i] = value.at(reversed ? handles.length - 1 - i : i);
        }
        return handles;
    }

    private void limit(int size) {
        from = (int) Math.min(Math.max(offset, 0), size);
        length = count < 0 ? size - from : (int) Math.min(count, size - from);
    }

    private void answer(CommandContext ctx, PackedValue value, int[] order) {
        if (ctx.reply() instanceof RespReply reply) {
            // It writes by its row only.
            reply.bytesMax(ctx.dispatcher().replyBytesMax());
        }
        ctx.reply().array(length * Math.max(1, gets.size()));
        for (int i = from; i < from + length; i++) {
            if (gets.isEmpty()) {
                Values.reply(ctx, value, order[i]);
            }
            for (SortPattern get : gets) {
                if (get.find(ctx, value.address(order[i]), value.length(order[i]))) {
                    ctx.reply().bulk(get.address(), get.length());
                } else {
                    ctx.reply().nullValue();
                }
            }
        }
    }

    private void store(CommandContext ctx, PackedValue value, int[] order) {
        result.build(ctx.keyspace());
        for (int i = from; i < from + length; i++) {
            long address = value.address(order[i]);
            int bytes = value.length(order[i]);
            if (gets.isEmpty()) {
                result.pushLast(address, bytes);
            }
            for (SortPattern get : gets) {
                boolean found = get.find(ctx, address, bytes);
                result.pushLast(found ? get.address() : address, found ? get.length() : 0);
            }
        }
        int size = result.size();
        Entry target = ctx.lookup(2, destination);
        boolean existed = target.exists();
        if (result.store(target, Entry.NO_EXPIRY)) {
            ctx.keyspace().event(KeyEvent.SORTSTORE, target);
        } else if (existed) {
            ctx.keyspace().event(KeyEvent.DEL, target);
        }
        ctx.reply().integer(size);
    }

    List<CommandSpec> specs() {
        return List.of(
            row("sort", this::sort).flags(WRITE, DENYOOM).key(1, "RO access").keys(KeySpec.unknown("RO access"))
                .keys(KeySpec.behind(STORE, "OW update")).since("1.0.0")
                .summary("Returns or stores the elements of a list, set or sorted set in another order.")
                .args(Arg.key("key"), pattern("BY").optional(), limitArg(), pattern("GET").optional().multiple(),
                    orderArg(), Arg.word("sorting", "ALPHA").optional(),
                    Arg.key("destination").token("STORE").optional()).build(),
            row("sort_ro", this::sortReadOnly).flags(READONLY).key(1, "RO access").keys(KeySpec.unknown("RO access"))
                .since("7.0.0").summary("Returns the elements of a list, set or sorted set in another order.")
                .args(Arg.key("key"), pattern("BY").optional(), limitArg(), pattern("GET").optional().multiple(),
                    orderArg(), Arg.word("sorting", "ALPHA").optional()).build());
    }

    private static Arg pattern(String token) {
        return Arg.pattern("pattern").token(token);
    }

    private static Arg limitArg() {
        return Arg.block("offset_count", Arg.integer("offset"), Arg.integer("count")).token("LIMIT").optional();
    }

    private static Arg orderArg() {
        return Arg.oneOf("order", Arg.word("ASC"), Arg.word("DESC")).optional();
    }

    private static CommandSpec.Builder row(String name, CommandHandler handler) {
        return CommandSpec.named(name, -2, handler).acl("set", "sortedset", "list", "dangerous").group("generic")
            .complexity("O(N*log(N)+M) with N elements and M of them returned");
    }
}
