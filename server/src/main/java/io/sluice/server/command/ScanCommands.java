package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.persistence.Entry;
import io.sluice.persistence.EntryVisitor;
import io.sluice.persistence.ValueType;
import io.sluice.resp.Glob;
import io.sluice.resp.Reply;
import org.agrona.UnsafeApi;

import java.util.List;

import static io.sluice.server.command.CommandFlag.READONLY;

/** Finding keys: by pattern, step by step, at random. */
final class ScanCommands {
    private static final byte[] TYPE = Words.lower("type");

    /** The keys that a scan has found, one behind the other, each with its length before it. */
    private static final class FoundKeys implements EntryVisitor {
        private final Glob pattern;
        private final String typeName;
        private final ByteBuf found = Unpooled.buffer();
        private byte[] key = new byte[64];
        private int count;

        FoundKeys(Glob pattern, String typeName) {
            this.pattern = pattern;
            this.typeName = typeName;
        }

        @Override
        public void visit(Entry entry) {
            if (typeName != null && !typeName.equalsIgnoreCase(ValueType.nameOf(entry.type()))) {
                return;
            }
            int length = entry.keyLength();
            if (key.length < length) {
                key = new byte[length];
            }
            for (int i = 0; i < length; i++) {
                key[i] = UnsafeApi.getByte(entry.keyAddress() + i);
            }
            if (pattern == null || pattern.matches(key, 0, length)) {
                found.writeInt(length);
                found.writeBytes(key, 0, length);
                count++;
            }
        }

        void reply(Reply reply) {
            reply.array(count);
            while (found.isReadable()) {
                byte[] each = new byte[found.readInt()];
                found.readBytes(each);
                reply.bulk(each);
            }
        }
    }

    private ScanCommands() {
    }

    private static void keys(CommandContext ctx) {
        FoundKeys keys = new FoundKeys(ScanOptions.globOf(ctx.request(), 1), null);
        long cursor = 0;
        do {
            cursor = ctx.keyspace().scan(cursor, ctx.db(), ScanOptions.COUNT_MAX, keys);
        } while (cursor != 0);
        keys.reply(ctx.reply());
    }

    private static void scan(CommandContext ctx) {
        Args args = ctx.args();
        long cursor = ScanOptions.nextCursor(args, ctx.request());
        int count = ScanOptions.COUNT_DEFAULT;
        Glob pattern = null;
        String typeName = null;
        while (args.hasNext()) {
            if (args.accept(ScanOptions.COUNT)) {
                count = ScanOptions.nextCount(args);
            } else if (args.accept(ScanOptions.MATCH)) {
                pattern = ScanOptions.nextPattern(args, ctx.request());
            } else if (args.accept(TYPE)) {
                typeName = args.nextText();
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        FoundKeys keys = new FoundKeys(pattern, typeName);
        long next = ctx.keyspace().scan(cursor, ctx.db(), count, keys);
        ctx.reply().array(2);
        ctx.reply().bulkText(Long.toUnsignedString(next));
        keys.reply(ctx.reply());
    }

    private static void randomKey(CommandContext ctx) {
        Entry entry = ctx.entry(0);
        if (ctx.keyspace().random(ctx.db(), entry)) {
            ctx.reply().bulk(entry.keyAddress(), entry.keyLength());
        } else {
            ctx.reply().nullValue();
        }
    }

    static List<CommandSpec> specs() {
        return List.of(
            row("keys", 2, ScanCommands::keys).acl("dangerous").since("1.0.0")
                .tips("request_policy:all_shards", "nondeterministic_output_order").complexity("O(N) with N keys")
                .summary("Returns all keys that match a pattern.").args(Arg.pattern("pattern")).build(),
            row("scan", -2, ScanCommands::scan).since("2.8.0")
                .tips("nondeterministic_output", "request_policy:special").complexity("O(COUNT) for every call")
                .summary("Returns some keys and where to go on.")
                .args(Arg.integer("cursor"), Arg.pattern("pattern").token("MATCH").optional(),
                    Arg.integer("count").token("COUNT").optional(), Arg.string("type").token("TYPE").optional())
                .build(),
            row("randomkey", 1, ScanCommands::randomKey).since("1.0.0")
                .tips("request_policy:all_shards", "nondeterministic_output").complexity("O(1)")
                .summary("Returns any one key.").build());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).flags(READONLY).acl("keyspace").group("generic");
    }
}
