package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.persistence.Entry;
import io.sluice.persistence.EntryVisitor;
import io.sluice.persistence.ValueType;
import io.sluice.resp.Glob;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;
import org.agrona.UnsafeApi;

import java.util.List;

import static io.sluice.server.command.CommandFlag.READONLY;

/** Finding keys: by pattern, step by step, at random. */
final class ScanCommands {
    /** Most keys that one call of {@code SCAN} looks for; more are asked for in vain. */
    static final int SCAN_COUNT_MAX = 4_096;

    private static final int SCAN_COUNT_DEFAULT = 10;
    private static final byte[] MATCH = Words.lower("match");
    private static final byte[] COUNT = Words.lower("count");
    private static final byte[] TYPE = Words.lower("type");
    private static final String INVALID_CURSOR = "ERR invalid cursor";
    /** Digits of the largest unsigned 64-bit number. */
    private static final int CURSOR_DIGITS_MAX = 20;

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
        FoundKeys keys = new FoundKeys(globOf(ctx.request(), 1), null);
        long cursor = 0;
        do {
            cursor = ctx.keyspace().scan(cursor, ctx.db(), SCAN_COUNT_MAX, keys);
        } while (cursor != 0);
        keys.reply(ctx.reply());
    }

    private static void scan(CommandContext ctx) {
        Args args = ctx.args();
        long cursor = nextCursor(args, ctx.request());
        int count = SCAN_COUNT_DEFAULT;
        Glob pattern = null;
        String typeName = null;
        while (args.hasNext()) {
            if (args.accept(COUNT)) {
                count = nextCount(args);
            } else if (args.accept(MATCH)) {
                pattern = globOf(ctx.request(), args.next());
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

    private static long nextCursor(Args args, Request request) {
        int arg = args.next();
        int length = request.argLength(arg);
        boolean digits = length > 0 && length <= CURSOR_DIGITS_MAX;
        for (int i = 0; i < length && digits; i++) {
            digits = request.argByte(arg, i) >= '0' && request.argByte(arg, i) <= '9';
        }
        try {
            return digits ? Long.parseUnsignedLong(request.argText(arg)) : fail(args);
        } catch (NumberFormatException e) {
            return fail(args);
        }
    }

    private static long fail(Args args) {
        args.fail(INVALID_CURSOR);
        return 0;
    }

    private static int nextCount(Args args) {
        long count = args.nextLong();
        if (count < 1) {
            args.fail(Errors.SYNTAX);
        }
        return (int) Math.min(count, SCAN_COUNT_MAX);
    }

    /** Null for a pattern that everything matches. */
    private static Glob globOf(Request request, int arg) {
        Glob glob = Glob.of(request.argBytes(arg));
        return glob.matchesAll() ? null : glob;
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
