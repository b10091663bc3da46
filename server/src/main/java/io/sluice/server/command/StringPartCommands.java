package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Parts of strings: append, overwrite, cut out, measure. */
final class StringPartCommands {
    private static final byte[] EMPTY = {};

    private final StringBytes bytes = new StringBytes();

    private static void append(CommandContext ctx) {
        Entry entry = ctx.lookup(0, 1);
        if (Strings.isString(ctx, entry)) {
            int length = ctx.keyspace().append(entry, ctx.request().argAddress(2), ctx.request().argLength(2));
            ctx.keyspace().event(KeyEvent.APPEND, entry);
            ctx.reply().integer(length);
        }
    }

    private static void strLen(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (Strings.isString(ctx, entry)) {
            ctx.reply().integer(entry.exists() ? entry.stringLength() : 0);
        }
    }

    private static void setRange(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        long offset = args.nextLong();
        int value = args.next();
        if (offset < 0) {
            args.fail("ERR offset is out of range");
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, key);
        if (!Strings.isString(ctx, entry)) {
            return;
        }
        int added = ctx.request().argLength(value);
        int length = ctx.keyspace().setRange(entry, offset, ctx.request().argAddress(value), added);
        if (added > 0) {
            ctx.keyspace().event(KeyEvent.SETRANGE, entry);
        }
        ctx.reply().integer(length);
    }

    /** Both ends are inclusive; negative ones count from the end of the string. */
    private void getRange(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        long first = args.nextLong();
        long last = args.nextLong();
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (!Strings.isString(ctx, entry)) {
            return;
        }
        long length = bytes.of(entry).length();
        boolean crossedFromEnd = first < 0 && last < 0 && first > last;
        first = Math.max(0, first < 0 ? first + length : first);
        last = Math.min(length - 1, Math.max(0, last < 0 ? last + length : last));
        if (crossedFromEnd || first > last) {
            ctx.reply().bulk(EMPTY);
        } else {
            ctx.reply().bulk(bytes.address() + first, (int) (last - first + 1));
        }
    }

    List<CommandSpec> specs() {
        return List.of(
            write("append", 3, StringPartCommands::append).flags(FAST).key(1, "RW insert").since("2.0.0")
                .complexity("O(N) with N bytes appended, amortised")
                .summary("Appends to the string at a key.")
                .args(Arg.key("key"), Arg.string("value")).build(),
            read("strlen", 2, StringPartCommands::strLen).flags(FAST).key(1, "RO").since("2.2.0").complexity("O(1)")
                .summary("Returns the length of the string at a key.").args(Arg.key("key")).build(),
            write("setrange", 4, StringPartCommands::setRange).key(1, "RW update").since("2.2.0")
                .complexity("O(N) with N bytes written").summary("Overwrites part of the string at a key.")
                .args(Arg.key("key"), Arg.integer("offset"), Arg.string("value")).build(),
            range("getrange").since("2.4.0").summary("Returns part of the string at a key.").build(),
            range("substr").since("1.0.0").summary("Returns part of the string at a key; the old name of GETRANGE.")
                .build());
    }

    private CommandSpec.Builder range(String name) {
        return read(name, 4, this::getRange).key(1, "RO access").complexity("O(N) with N bytes returned")
            .args(Arg.key("key"), Arg.integer("start"), Arg.integer("end"));
    }

    private static CommandSpec.Builder read(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).flags(READONLY).acl("string").group("string");
    }

    private static CommandSpec.Builder write(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).flags(WRITE, DENYOOM).acl("string").group("string");
    }
}
