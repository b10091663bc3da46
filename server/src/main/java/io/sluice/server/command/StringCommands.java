package io.sluice.server.command;

import io.sluice.persistence.DecimalText;
import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.ValueType;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Whole strings: set, get, and both at once. */
final class StringCommands {
    private static final byte[] NX = Words.lower("nx");
    private static final byte[] XX = Words.lower("xx");
    private static final byte[] GET = Words.lower("get");
    private static final byte[] KEEPTTL = Words.lower("keepttl");
    private static final byte[] PERSIST = Words.lower("persist");
    /** What an entry takes besides key and value, for the check before several are written. */
    private static final int ENTRY_HEADER_BYTES = 16;
    /** What an entry that holds an integer takes besides its key. */
    private static final int INTEGER_BYTES = 20;

    private final ExpiryOption expiry = new ExpiryOption();
    private boolean onlyNew;
    private boolean onlyPresent;
    private boolean get;
    private boolean keepTtl;

    private static void get(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (Strings.isString(ctx, entry)) {
            Strings.reply(ctx.reply(), entry);
        }
    }

    private void set(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        int value = args.next();
        parseSetOptions(args);
        long expireAtMs = expiry.isGiven() ? expiry.atMs(ctx) : Entry.NO_EXPIRY;
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = get ? ctx.lookupRead(0, key) : ctx.lookup(0, key);
        if (get) {
            if (!Strings.isString(ctx, entry)) {
                return;
            }
            Strings.reply(ctx.reply(), entry);
        }
        if (entry.exists() ? onlyNew : onlyPresent) {
            if (!get) {
                ctx.reply().nullValue();
            }
            return;
        }
        if (keepTtl && entry.exists()) {
            // An expiry that stays is no event.
            store(ctx, entry, value, entry.expireAtMs());
        } else {
            put(ctx, entry, value, expireAtMs);
        }
        if (!get) {
            ctx.reply().ok();
        }
    }

    private void parseSetOptions(Args args) {
        expiry.clear();
        onlyNew = false;
        onlyPresent = false;
        get = false;
        keepTtl = false;
        while (args.hasNext()) {
            if (args.accept(NX)) {
                onlyNew = true;
            } else if (args.accept(XX)) {
                onlyPresent = true;
            } else if (args.accept(GET)) {
                get = true;
            } else if (args.accept(KEEPTTL)) {
                keepTtl = true;
            } else if (!expiry.accept(args)) {
                args.fail(Errors.SYNTAX);
            }
            if (onlyNew && onlyPresent || keepTtl && expiry.isGiven()) {
                args.fail(Errors.SYNTAX);
            }
        }
    }

    /** Stores an argument as the value of a key; with an expiry that is over already, removes the key. */
    private static void put(CommandContext ctx, Entry entry, int value, long expireAtMs) {
        Keyspace keyspace = ctx.keyspace();
        if (expireAtMs <= ctx.nowMs()) {
            if (keyspace.remove(entry)) {
                keyspace.event(KeyEvent.DEL, entry);
            }
            return;
        }
        store(ctx, entry, value, expireAtMs);
        if (expireAtMs != Entry.NO_EXPIRY) {
            keyspace.event(KeyEvent.EXPIRE, entry);
        }
    }

    private static void store(CommandContext ctx, Entry entry, int value, long expireAtMs) {
        ctx.keyspace().putBytes(entry, ctx.request().argAddress(value), ctx.request().argLength(value), expireAtMs);
        ctx.keyspace().event(KeyEvent.SET, entry);
    }

    private static void setNx(CommandContext ctx) {
        Entry entry = ctx.lookup(0, 1);
        boolean absent = !entry.exists();
        if (absent) {
            put(ctx, entry, 2, Entry.NO_EXPIRY);
        }
        ctx.reply().integer(absent ? 1 : 0);
    }

    private static void setEx(CommandContext ctx) {
        setWithExpiry(ctx, ExpiryOption.Unit.EX);
    }

    private static void pSetEx(CommandContext ctx) {
        setWithExpiry(ctx, ExpiryOption.Unit.PX);
    }

    private static void setWithExpiry(CommandContext ctx, ExpiryOption.Unit unit) {
        Args args = ctx.args();
        int key = args.next();
        long expireAtMs = ExpiryOption.positiveMs(ctx, unit, args.nextLong());
        if (args.failed(ctx.reply())) {
            return;
        }
        put(ctx, ctx.lookup(0, key), args.next(), expireAtMs);
        ctx.reply().ok();
    }

    private static void getSet(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (Strings.isString(ctx, entry)) {
            Strings.reply(ctx.reply(), entry);
            put(ctx, entry, 2, Entry.NO_EXPIRY);
        }
    }

    private static void getDel(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (Strings.isString(ctx, entry)) {
            Strings.reply(ctx.reply(), entry);
            if (ctx.keyspace().remove(entry)) {
                ctx.keyspace().event(KeyEvent.DEL, entry);
            }
        }
    }

    private void getEx(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        boolean persist = false;
        expiry.clear();
        while (args.hasNext()) {
            if (args.accept(PERSIST)) {
                persist = true;
            } else if (!expiry.accept(args)) {
                args.fail(Errors.SYNTAX);
            }
            if (persist && expiry.isGiven()) {
                args.fail(Errors.SYNTAX);
            }
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (!Strings.isString(ctx, entry)) {
            return;
        }
        // Redis looks at the time only if there is a key for it.
        long expireAtMs = entry.exists() && expiry.isGiven() ? expiry.atMs(ctx) : Entry.NO_EXPIRY;
        if (args.failed(ctx.reply())) {
            return;
        }
        Strings.reply(ctx.reply(), entry);
        if (expireAtMs != Entry.NO_EXPIRY) {
            Expiries.set(ctx, entry, expireAtMs);
        } else if (persist) {
            Expiries.persist(ctx.keyspace(), entry);
        }
    }

    private static void mGet(CommandContext ctx) {
        Request request = ctx.request();
        Reply reply = ctx.reply();
        reply.array(request.argCount() - 1);
        for (int i = 1; i < request.argCount(); i++) {
            Entry entry = ctx.lookupRead(0, i);
            if (entry.exists() && entry.type() == ValueType.STRING) {
                Strings.reply(reply, entry);
            } else {
                reply.nullValue();
            }
        }
    }

    private static void mSet(CommandContext ctx) {
        if (hasPairs(ctx)) {
            ensureRoom(ctx);
            putPairs(ctx);
            ctx.reply().ok();
        }
    }

    private static void mSetNx(CommandContext ctx) {
        if (!hasPairs(ctx)) {
            return;
        }
        for (int i = 1; i < ctx.request().argCount(); i += 2) {
            if (ctx.lookup(0, i).exists()) {
                ctx.reply().integer(0);
                return;
            }
        }
        ensureRoom(ctx);
        putPairs(ctx);
        ctx.reply().integer(1);
    }

    private static boolean hasPairs(CommandContext ctx) {
        boolean pairs = ctx.request().argCount() % 2 == 1;
        if (!pairs) {
            ctx.reply().error(Errors.wrongArity(ctx.command().fullName()));
        }
        return pairs;
    }

    /** Refuses all pairs if not all of them fit. What makes room may remove one of them, which then counts as new. */
    private static void ensureRoom(CommandContext ctx) {
        long evicted;
        do {
            evicted = ctx.keyspace().evicted();
            requireRoom(ctx);
        } while (ctx.keyspace().evicted() != evicted);
    }

    /** A key that comes twice is counted twice. A value that outgrows its place is counted whole, as it is copied. */
    private static void requireRoom(CommandContext ctx) {
        Request request = ctx.request();
        int newKeys = 0;
        long bytes = 0;
        for (int i = 1; i < request.argCount(); i += 2) {
            Entry entry = ctx.lookup(0, i);
            int length = request.argLength(i + 1);
            if (length > ctx.keyspace().valueBytesMax()) {
                throw ValueTooLargeException.INSTANCE;
            }
            int stored = storedBytes(request.argAddress(i + 1), length);
            if (!entry.exists()) {
                newKeys++;
                bytes += request.argLength(i) + stored;
            } else if (stored > heldBytes(entry)) {
                bytes += request.argLength(i) + stored;
            }
        }
        ctx.keyspace().ensureRoom(newKeys, bytes);
    }

    /** Bytes of a string in the store. Text that is a canonical integer is held as one, which may take more. */
    private static int storedBytes(long address, int length) {
        boolean integer = length <= DecimalText.BYTES_MAX && DecimalText.isCanonical(address, length);
        return integer ? INTEGER_BYTES : ENTRY_HEADER_BYTES + length;
    }

    /** Bytes of a value in the store, at least. */
    private static int heldBytes(Entry entry) {
        return entry.payloadLength()
            + (entry.isInt() || entry.isWords() ? INTEGER_BYTES - Long.BYTES : ENTRY_HEADER_BYTES);
    }

    private static void putPairs(CommandContext ctx) {
        for (int i = 1; i < ctx.request().argCount(); i += 2) {
            put(ctx, ctx.lookup(0, i), i + 1, Entry.NO_EXPIRY);
        }
    }

    /** With GET, SET reads too. */
    private static int setAccess(Request request) {
        for (int i = 3; i < request.argCount(); i++) {
            if (request.argIs(i, GET)) {
                return KeyAccess.BOTH;
            }
        }
        return KeyAccess.WRITE;
    }

    List<CommandSpec> specs() {
        Arg condition = Arg.oneOf("condition", Arg.word("NX"), Arg.word("XX")).optional();
        return List.of(
            read("get", 2, StringCommands::get).key(1, "RO access").since("1.0.0").complexity("O(1)")
                .summary("Returns the string at a key.").args(Arg.key("key")).build(),
            write("set", -3, this::set).key(1, "RW access update variable_flags")
                .access(StringCommands::setAccess).since("1.0.0")
                .complexity("O(1)")
                .summary("Sets a key to a string, whatever it held before.")
                .args(Arg.key("key"), Arg.string("value"), condition, Arg.word("GET").optional(),
                    Expiries.option("KEEPTTL"))
                .build(),
            write("setnx", 3, StringCommands::setNx).flags(FAST).key(1, "OW insert").since("1.0.0").complexity("O(1)")
                .summary("Sets a key to a string unless the key is there.")
                .args(Arg.key("key"), Arg.string("value")).build(),
            write("setex", 4, StringCommands::setEx).key(1, "OW update").since("2.0.0").complexity("O(1)")
                .summary("Sets a key to a string and its time to live in seconds.")
                .args(Arg.key("key"), Arg.integer("seconds"), Arg.string("value")).build(),
            write("psetex", 4, StringCommands::pSetEx).key(1, "OW update").since("2.6.0").complexity("O(1)")
                .summary("Sets a key to a string and its time to live in milliseconds.")
                .args(Arg.key("key"), Arg.integer("milliseconds"), Arg.string("value")).build(),
            write("getset", 3, StringCommands::getSet).flags(FAST).key(1, "RW access update").since("1.0.0")
                .complexity("O(1)").summary("Sets a key to a string and returns the one before.")
                .args(Arg.key("key"), Arg.string("value")).build(),
            string("getdel", 2, StringCommands::getDel).flags(WRITE, FAST).key(1, "RW access delete").since("6.2.0")
                .complexity("O(1)").summary("Returns the string at a key and removes the key.")
                .args(Arg.key("key")).build(),
            string("getex", -2, this::getEx).flags(WRITE, FAST).key(1, "RW access update").since("6.2.0")
                .complexity("O(1)").summary("Returns the string at a key and changes when it expires.")
                .args(Arg.key("key"), Expiries.option("PERSIST")).build(),
            read("mget", -2, StringCommands::mGet).keys(1, -1, 1, "RO access").since("1.0.0")
                .tips("request_policy:multi_shard").complexity("O(N) with N keys")
                .summary("Returns the strings at several keys.").args(Arg.key("key").multiple()).build(),
            write("mset", -3, StringCommands::mSet).keys(1, -1, 2, "OW update").since("1.0.1")
                .tips("request_policy:multi_shard", "response_policy:all_succeeded").complexity("O(N) with N keys")
                .summary("Sets several keys to strings, all or none.").args(pairs()).build(),
            write("msetnx", -3, StringCommands::mSetNx).keys(1, -1, 2, "OW insert").since("1.0.1")
                .tips("request_policy:multi_shard", "response_policy:agg_min").complexity("O(N) with N keys")
                .summary("Sets several keys to strings unless any of them is there.").args(pairs()).build());
    }

    private static Arg pairs() {
        return Arg.block("key_value", Arg.key("key"), Arg.string("value")).multiple();
    }

    private static CommandSpec.Builder read(String name, int arity, CommandHandler handler) {
        return string(name, arity, handler).flags(READONLY, FAST);
    }

    private static CommandSpec.Builder write(String name, int arity, CommandHandler handler) {
        return string(name, arity, handler).flags(WRITE, DENYOOM);
    }

    private static CommandSpec.Builder string(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("string").group("string");
    }
}
