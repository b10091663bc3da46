package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.ValueType;
import io.sluice.resp.Request;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

import java.nio.ByteBuffer;
import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Strings as rows of bits, the top bit of the first byte first. */
final class BitCommands {
    private static final byte[] BYTE = Words.lower("byte");
    private static final byte[] BIT = Words.lower("bit");
    private static final byte[] AND = Words.lower("and");
    private static final byte[] OR = Words.lower("or");
    private static final byte[] XOR = Words.lower("xor");
    private static final byte[] NOT = Words.lower("not");
    private static final String NO_BIT = "ERR bit is not an integer or out of range";
    private static final String BAD_POSITION_BIT = "ERR The bit argument must be 1 or 0.";
    private static final String NOT_TAKES_ONE = "ERR BITOP NOT must be called with a single source key.";

    private enum Operation { AND, OR, XOR, NOT }

    private final StringBytes bytes = new StringBytes();
    private final BitOffsets offsets = new BitOffsets();
    private final BitRange range = new BitRange();
    /** The byte that SETBIT writes. */
    private final ByteBuffer one = ByteBuffer.allocateDirect(1);
    private final long oneAddress = BufferUtil.address(one);
    private boolean inBits;

    private void setBit(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        long offset = offsets.next(ctx, 0);
        long on = args.nextLong(0, 1, NO_BIT);
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, key);
        if (!Strings.isString(ctx, entry)) {
            return;
        }
        int old = byteAt(bytes.of(entry), offset >> 3);
        int shift = 7 - (int) (offset & 7);
        long oldBit = old >> shift & 1;
        if (oldBit != on || offset >> 3 >= bytes.length()) {
            UnsafeApi.putByte(oneAddress, (byte) (old & ~(1 << shift) | (int) on << shift));
            ctx.keyspace().setRange(entry, offset >> 3, oneAddress, 1);
            ctx.keyspace().event(KeyEvent.SETBIT, entry);
        }
        ctx.reply().integer(oldBit);
    }

    private void getBit(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        long offset = offsets.next(ctx, 0);
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (Strings.isString(ctx, entry)) {
            ctx.reply().integer(byteAt(bytes.of(entry), offset >> 3) >> 7 - (int) (offset & 7) & 1);
        }
    }

    /** Bytes behind the end are zero. */
    private static int byteAt(StringBytes string, long index) {
        return index < string.length() ? UnsafeApi.getByte(string.address() + index) & 0xff : 0;
    }

    private void bitCount(CommandContext ctx) {
        Args args = ctx.args();
        int words = ctx.request().argCount();
        if (words == 3 || words > 5) {
            args.fail(Errors.SYNTAX);
        }
        int key = args.next();
        long first = args.hasNext() ? args.nextLong() : 0;
        long last = args.hasNext() ? args.nextLong() : -1;
        acceptUnit(args);
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (!Strings.isString(ctx, entry)) {
            return;
        }
        bytes.of(entry);
        boolean crossedFromEnd = first < 0 && last < 0 && first > last;
        boolean empty = crossedFromEnd || !range.set(bytes.length(), first, last, inBits);
        ctx.reply().integer(empty ? 0 : range.count(bytes.address()));
    }

    private void bitPos(CommandContext ctx) {
        Args args = ctx.args();
        int words = ctx.request().argCount();
        int key = args.next();
        long bit = args.nextLong();
        if (bit != 0 && bit != 1) {
            args.fail(BAD_POSITION_BIT);
        }
        if (words > 6) {
            args.fail(Errors.SYNTAX);
        }
        long first = args.hasNext() ? args.nextLong() : 0;
        boolean endGiven = args.hasNext();
        int end = args.position();
        // Of two errors Redis tells that of the unit.
        args.position(end + 1);
        acceptUnit(args);
        args.position(end);
        long last = endGiven ? args.nextLong() : -1;
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (!Strings.isString(ctx, entry)) {
            return;
        }
        if (!entry.exists()) {
            // Nothing but zero bits, without end.
            ctx.reply().integer(bit == 0 ? 0 : -1);
            return;
        }
        bytes.of(entry);
        boolean empty = !range.set(bytes.length(), first, last, inBits);
        long position = empty ? -1 : range.find(bytes.address(), (int) bit);
        // Without an end, the string goes on with zero bits.
        boolean behind = !empty && position < 0 && bit == 0 && !endGiven;
        ctx.reply().integer(behind ? 8L * bytes.length() : position);
    }

    /** Whether a range counts bits; nothing but BYTE or BIT may be left. */
    private void acceptUnit(Args args) {
        inBits = args.accept(BIT);
        if (!inBits) {
            args.accept(BYTE);
        }
        args.expectEnd();
    }

    private void bitOp(CommandContext ctx) {
        Args args = ctx.args();
        Operation operation = nextOperation(args);
        int target = args.next();
        int first = args.next();
        if (operation == Operation.NOT && args.hasNext()) {
            args.fail(NOT_TAKES_ONE);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        int length = longest(ctx, first);
        if (length < 0) {
            ctx.reply().error(Errors.WRONG_TYPE);
            return;
        }
        if (length > ctx.keyspace().valueBytesMax()) {
            throw ValueTooLargeException.INSTANCE;
        }
        if (length == 0) {
            Entry entry = ctx.lookup(0, target);
            if (ctx.keyspace().remove(entry)) {
                ctx.keyspace().event(KeyEvent.DEL, entry);
            }
        } else {
            store(ctx, operation, target, first, length);
        }
        ctx.reply().integer(length);
    }

    private static Operation nextOperation(Args args) {
        if (args.accept(AND)) {
            return Operation.AND;
        } else if (args.accept(OR)) {
            return Operation.OR;
        } else if (args.accept(XOR)) {
            return Operation.XOR;
        } else if (args.accept(NOT)) {
            return Operation.NOT;
        }
        args.fail(Errors.SYNTAX);
        return Operation.NOT;
    }

    /** Length of the longest source, or -1 if one of them is no string. */
    private int longest(CommandContext ctx, int first) {
        int length = 0;
        for (int i = first; i < ctx.request().argCount(); i++) {
            Entry entry = ctx.lookupRead(0, i);
            if (entry.exists() && entry.type() != ValueType.STRING) {
                return -1;
            }
            length = Math.max(length, bytes.of(entry).length());
        }
        return length;
    }

    private void store(CommandContext ctx, Operation operation, int target, int first, int length) {
        Request request = ctx.request();
        long result = UnsafeApi.allocateMemory(length);
        try {
            for (int i = first; i < request.argCount(); i++) {
                combine(operation, bytes.of(ctx.lookup(0, i)), result, length, i == first);
            }
            Entry entry = ctx.lookup(0, target);
            ctx.keyspace().putBytes(entry, result, length, Entry.NO_EXPIRY);
            ctx.keyspace().event(KeyEvent.SET, entry);
        } finally {
            UnsafeApi.freeMemory(result);
        }
    }

    /** What a source lacks at its end are zero bytes. */
    private static void combine(Operation operation, StringBytes source, long result, int length, boolean isFirst) {
        for (int i = 0; i < length; i++) {
            int from = i < source.length() ? UnsafeApi.getByte(source.address() + i) : 0;
            int to = isFirst ? from : UnsafeApi.getByte(result + i);
            int combined = switch (operation) {
                case AND -> to & from;
                case OR -> to | from;
                case XOR -> isFirst ? from : to ^ from;
                case NOT -> ~from;
            };
            UnsafeApi.putByte(result + i, (byte) combined);
        }
    }

    List<CommandSpec> specs() {
        Arg unit = Arg.oneOf("index_unit", Arg.word("BYTE"), Arg.word("BIT")).optional();
        return List.of(
            write("setbit", 4, this::setBit).flags(WRITE, DENYOOM).key(1, "RW access update").since("2.2.0")
                .complexity("O(1)").summary("Sets or clears one bit of the string at a key.")
                .args(Arg.key("key"), Arg.integer("offset"), Arg.integer("value")).build(),
            read("getbit", 3, this::getBit).flags(FAST).key(1, "RO access").since("2.2.0").complexity("O(1)")
                .summary("Returns one bit of the string at a key.")
                .args(Arg.key("key"), Arg.integer("offset")).build(),
            read("bitcount", -2, this::bitCount).key(1, "RO access").since("2.6.0").complexity("O(N)")
                .summary("Counts the bits that are set in the string at a key.")
                .args(Arg.key("key"),
                    Arg.block("index", Arg.integer("start"), Arg.integer("end"), unit).optional())
                .build(),
            read("bitpos", -3, this::bitPos).key(1, "RO access").since("2.8.7").complexity("O(N)")
                .summary("Finds the first bit that is set or clear in the string at a key.")
                .args(Arg.key("key"), Arg.integer("bit"), Arg.block("index", Arg.integer("start"),
                    Arg.block("end_index", Arg.integer("end"), unit).optional()).optional())
                .build(),
            write("bitop", -4, this::bitOp).flags(WRITE, DENYOOM).key(2, "OW update").keys(3, -1, 1, "RO access")
                .since("2.6.0").complexity("O(N)").summary("Combines strings bit by bit and stores the result.")
                .args(Arg.string("operation"), Arg.key("destkey"), Arg.key("key").multiple()).build());
    }

    private static CommandSpec.Builder read(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).flags(READONLY).acl("bitmap").group("bitmap");
    }

    private static CommandSpec.Builder write(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("bitmap").group("bitmap");
    }
}
