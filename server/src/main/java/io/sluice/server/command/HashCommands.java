package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.HashValue;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Hashes: fields with values under one key. */
final class HashCommands {
    private static final byte[] WITH_VALUES = Words.lower("withvalues");
    private static final int MAP_PROTOCOL = 3;

    private final HashValue hash = new HashValue();
    private final ElementScan scan = new ElementScan();
    private final ElementScan.Answer fieldAndValue = this::fieldAndValue;
    private final ElementScan.Step step = hash::scan;
    private final RandomPositions random = new RandomPositions();

    /** Shows the hash in argument 1 for reading, an empty one if it is not there. False after an error. */
    private boolean read(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (!Values.isType(ctx, entry, ValueType.HASH)) {
            return false;
        }
        hash.open(ctx.keyspace(), entry);
        return true;
    }

    /** Shows the hash in argument 1 for writing. False after an error. */
    private boolean write(CommandContext ctx) {
        Entry entry = ctx.lookup(0, 1);
        if (!Values.isType(ctx, entry, ValueType.HASH)) {
            return false;
        }
        hash.open(ctx.keyspace(), entry);
        return true;
    }

    private int find(Request request, int arg) {
        return hash.size() == 0 ? HashValue.ABSENT : hash.find(request.argAddress(arg), request.argLength(arg));
    }

    private void hSet(CommandContext ctx) {
        int added = put(ctx);
        if (added >= 0) {
            ctx.reply().integer(added);
        }
    }

    private void hMSet(CommandContext ctx) {
        if (put(ctx) >= 0) {
            ctx.reply().ok();
        }
    }

    /** Sets all fields or none. Gives how many of them are new, or -1 after an error. */
    private int put(CommandContext ctx) {
        Request request = ctx.request();
        if (request.argCount() % 2 != 0) {
            ctx.reply().error(Errors.wrongArity(ctx.command().fullName()));
            return -1;
        }
        if (!write(ctx)) {
            return -1;
        }
        Values.reserve(ctx, hash, 2, 2);
        int added = 0;
        for (int i = 2; i < request.argCount(); i += 2) {
            added += put(request, i, i + 1) ? 1 : 0;
        }
        ctx.keyspace().event(KeyEvent.HSET, ctx.entry(0));
        return added;
    }

    private boolean put(Request request, int field, int value) {
        return hash.put(request.argAddress(field), request.argLength(field),
            request.argAddress(value), request.argLength(value));
    }

    private void hSetNx(CommandContext ctx) {
        if (!write(ctx)) {
            return;
        }
        boolean absent = find(ctx.request(), 2) == HashValue.ABSENT;
        if (absent) {
            put(ctx.request(), 2, 3);
            ctx.keyspace().event(KeyEvent.HSET, ctx.entry(0));
        }
        ctx.reply().integer(absent ? 1 : 0);
    }

    private void hGet(CommandContext ctx) {
        if (read(ctx)) {
            value(ctx.reply(), find(ctx.request(), 2));
        }
    }

    private void hMGet(CommandContext ctx) {
        if (read(ctx)) {
            Request request = ctx.request();
            ctx.reply().array(request.argCount() - 2);
            for (int i = 2; i < request.argCount(); i++) {
                value(ctx.reply(), find(request, i));
            }
        }
    }

    private void value(Reply reply, int handle) {
        if (handle == HashValue.ABSENT) {
            reply.nullValue();
        } else {
            reply.bulk(hash.valueAddress(handle), hash.valueLength(handle));
        }
    }

    private void field(Reply reply, int handle) {
        reply.bulk(hash.address(handle), hash.length(handle));
    }

    private void fieldAndValue(Reply reply, int handle) {
        field(reply, handle);
        value(reply, handle);
    }

    private void hGetAll(CommandContext ctx) {
        if (read(ctx)) {
            ctx.reply().map(hash.size());
            for (int i = 0; i < hash.size(); i++) {
                fieldAndValue(ctx.reply(), hash.at(i));
            }
        }
    }

    private void hKeys(CommandContext ctx) {
        if (read(ctx)) {
            ctx.reply().array(hash.size());
            for (int i = 0; i < hash.size(); i++) {
                field(ctx.reply(), hash.at(i));
            }
        }
    }

    private void hVals(CommandContext ctx) {
        if (read(ctx)) {
            ctx.reply().array(hash.size());
            for (int i = 0; i < hash.size(); i++) {
                value(ctx.reply(), hash.at(i));
            }
        }
    }

    private void hLen(CommandContext ctx) {
        if (read(ctx)) {
            ctx.reply().integer(hash.size());
        }
    }

    private void hExists(CommandContext ctx) {
        if (read(ctx)) {
            ctx.reply().integer(find(ctx.request(), 2) == HashValue.ABSENT ? 0 : 1);
        }
    }

    private void hStrLen(CommandContext ctx) {
        if (read(ctx)) {
            int handle = find(ctx.request(), 2);
            ctx.reply().integer(handle == HashValue.ABSENT ? 0 : hash.valueLength(handle));
        }
    }

    private void hDel(CommandContext ctx) {
        if (!write(ctx)) {
            return;
        }
        Request request = ctx.request();
        int removed = 0;
        for (int i = 2; i < request.argCount() && hash.size() > 0; i++) {
            removed += hash.remove(request.argAddress(i), request.argLength(i)) ? 1 : 0;
        }
        if (removed > 0) {
            Values.changed(ctx, ctx.entry(0), KeyEvent.HDEL);
        }
        ctx.reply().integer(removed);
    }

    private void hScan(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        long cursor = ScanOptions.nextCursor(args, ctx.request());
        if (args.failed(ctx.reply()) || !read(ctx)) {
            return;
        }
        if (hash.size() == 0) {
            ElementScan.answerAbsent(ctx.reply());
        } else {
            scan.run(ctx, cursor, hash, step, 2, fieldAndValue);
        }
    }

    private void hRandField(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        if (!args.hasNext()) {
            if (read(ctx)) {
                oneAtRandom(ctx.reply());
            }
            return;
        }
        boolean withValues = ctx.request().argCount() == 4 && ctx.request().argIs(3, WITH_VALUES);
        long count = RandomPositions.nextCount(args, withValues ? 2 : 1);
        if (withValues) {
            args.next();
        }
        args.expectEnd();
        if (!args.failed(ctx.reply()) && read(ctx)) {
            manyAtRandom(ctx.reply(), count, withValues);
        }
    }

    private void oneAtRandom(Reply reply) {
        if (hash.size() == 0) {
            reply.nullValue();
        } else {
            field(reply, hash.at(RandomPositions.any(hash.size())));
        }
    }

    private void manyAtRandom(Reply reply, long count, boolean withValues) {
        int size = hash.size();
        int answered = size == 0 ? 0 : (int) (count < 0 ? -count : Math.min(count, size));
        boolean paired = withValues && reply.protocol() >= MAP_PROTOCOL;
        reply.array(withValues && !paired ? 2 * answered : answered);
        if (count < 0) {
            for (int i = 0; i < answered; i++) {
                chosen(reply, hash.at(RandomPositions.any(size)), withValues, paired);
            }
        } else {
            random.distinct(size, answered, position -> chosen(reply, hash.at(position), withValues, paired));
        }
    }

    private void chosen(Reply reply, int handle, boolean withValue, boolean paired) {
        if (paired) {
            reply.array(2);
        }
        field(reply, handle);
        if (withValue) {
            value(reply, handle);
        }
    }

    List<CommandSpec> specs() {
        Arg data = Arg.block("field_value", Arg.string("field"), Arg.string("value")).multiple();
        return List.of(
            row("hset", -4, this::hSet).flags(WRITE, DENYOOM, FAST).key(1, "RW update").since("2.0.0")
                .complexity("O(1) for each field").summary("Sets fields of a hash and says how many of them are new.")
                .args(Arg.key("key"), data).build(),
            row("hmset", -4, this::hMSet).flags(WRITE, DENYOOM, FAST).key(1, "RW update").since("2.0.0")
                .complexity("O(1) for each field").summary("Sets fields of a hash; the old form of HSET.")
                .args(Arg.key("key"), data).build(),
            row("hsetnx", 4, this::hSetNx).flags(WRITE, DENYOOM, FAST).key(1, "RW insert").since("2.0.0")
                .complexity("O(1)").summary("Sets a field of a hash unless it is there.")
                .args(Arg.key("key"), Arg.string("field"), Arg.string("value")).build(),
            row("hget", 3, this::hGet).flags(READONLY, FAST).key(1, "RO access").since("2.0.0").complexity("O(1)")
                .summary("Returns the value of a field of a hash.").args(Arg.key("key"), Arg.string("field")).build(),
            row("hmget", -3, this::hMGet).flags(READONLY, FAST).key(1, "RO access").since("2.0.0")
                .complexity("O(1) for each field").summary("Returns the values of fields of a hash.")
                .args(Arg.key("key"), Arg.string("field").multiple()).build(),
            row("hdel", -3, this::hDel).flags(WRITE, FAST).key(1, "RW delete").since("2.0.0")
                .complexity("O(1) for each field").summary("Removes fields of a hash, with the last one the key.")
                .args(Arg.key("key"), Arg.string("field").multiple()).build(),
            row("hlen", 2, this::hLen).flags(READONLY, FAST).key(1, "RO").since("2.0.0").complexity("O(1)")
                .summary("Returns the number of fields of a hash.").args(Arg.key("key")).build(),
            row("hexists", 3, this::hExists).flags(READONLY, FAST).key(1, "RO").since("2.0.0").complexity("O(1)")
                .summary("Tells whether a hash has a field.").args(Arg.key("key"), Arg.string("field")).build(),
            row("hstrlen", 3, this::hStrLen).flags(READONLY, FAST).key(1, "RO").since("3.2.0").complexity("O(1)")
                .summary("Returns the length of the value of a field.")
                .args(Arg.key("key"), Arg.string("field")).build(),
            all("hgetall", this::hGetAll).summary("Returns all fields and values of a hash.").build(),
            all("hkeys", this::hKeys).summary("Returns all fields of a hash.").build(),
            all("hvals", this::hVals).summary("Returns all values of a hash.").build(),
            row("hrandfield", -2, this::hRandField).flags(READONLY).key(1, "RO access").since("6.2.0")
                .tips("nondeterministic_output").complexity("O(N) with N fields returned")
                .summary("Returns fields of a hash at random.")
                .args(Arg.key("key"), Arg.block("options", Arg.integer("count"), Arg.word("WITHVALUES").optional())
                    .optional()).build(),
            row("hscan", -3, this::hScan).flags(READONLY).key(1, "RO access").since("2.8.0")
                .tips("nondeterministic_output").complexity("O(COUNT) for every call")
                .summary("Returns some fields and values of a hash and where to go on.")
                .args(Arg.key("key"), Arg.integer("cursor"), Arg.pattern("pattern").token("MATCH").optional(),
                    Arg.integer("count").token("COUNT").optional()).build());
    }

    private static CommandSpec.Builder all(String name, CommandHandler handler) {
        return row(name, 2, handler).flags(READONLY).key(1, "RO access").since("2.0.0")
            .tips("nondeterministic_output_order").complexity("O(N) with N fields").args(Arg.key("key"));
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("hash").group("hash");
    }
}
