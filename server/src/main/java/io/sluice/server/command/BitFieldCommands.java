package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.Keyspace;
import io.sluice.resp.Request;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

import java.nio.ByteBuffer;
import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Strings as rows of integers of any width. */
final class BitFieldCommands {
    private static final byte[] GET = Words.lower("get");
    private static final byte[] SET = Words.lower("set");
    private static final byte[] INCRBY = Words.lower("incrby");
    private static final byte[] OVERFLOW = Words.lower("overflow");
    private static final byte[] WRAP = Words.lower("wrap");
    private static final byte[] SAT = Words.lower("sat");
    private static final byte[] FAIL = Words.lower("fail");
    private static final String BAD_TYPE = "ERR Invalid bitfield type. Use something like i16 u8. "
        + "Note that u64 is not supported but i64 is.";
    private static final String BAD_OVERFLOW = "ERR Invalid OVERFLOW type specified";
    private static final String READS_ONLY = "ERR BITFIELD_RO only supports the GET subcommand";

    private enum Action { GET, SET, INCRBY }

    private final StringBytes bytes = new StringBytes();
    private final BitOffsets offsets = new BitOffsets();
    private final BitFieldType type = new BitFieldType();
    /** The bytes that a field touches, as they are to be. */
    private final ByteBuffer touched = ByteBuffer.allocateDirect(BitFieldType.TOUCHED_BYTES_MAX);
    private final long touchedAddress = BufferUtil.address(touched);
    private Action action;
    private BitFieldType.Overflow overflow;
    private long offset;
    private long operand;

    private void bitField(CommandContext ctx) {
        run(ctx, true);
    }

    private void bitFieldRo(CommandContext ctx) {
        run(ctx, false);
    }

    private void run(CommandContext ctx, boolean mayWrite) {
        Args args = ctx.args();
        int key = args.next();
        int fields = 0;
        long bitsWritten = 0;
        overflow = BitFieldType.Overflow.WRAP;
        while (nextField(ctx)) {
            fields++;
            if (action != Action.GET) {
                bitsWritten = Math.max(bitsWritten, offset + type.bits());
            }
        }
        if (bitsWritten > 0 && !mayWrite) {
            args.fail(READS_ONLY);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = bitsWritten > 0 ? ctx.lookup(0, key) : ctx.lookupRead(0, key);
        if (!Strings.isString(ctx, entry)) {
            return;
        }
        boolean grown = grow(ctx.keyspace(), entry, (bitsWritten + 7) >> 3);
        ctx.reply().array(fields);
        args.position(key + 1);
        overflow = BitFieldType.Overflow.WRAP;
        boolean written = false;
        while (nextField(ctx)) {
            written |= execute(ctx, entry, grown);
        }
        if (written) {
            ctx.keyspace().event(KeyEvent.SETBIT, entry);
        }
    }

    /** Reads the next field to work on, and what comes before it about overflows. False at the end or on an error. */
    private boolean nextField(CommandContext ctx) {
        Args args = ctx.args();
        while (args.hasNext()) {
            if (args.remaining() > 1 && args.accept(OVERFLOW)) {
                nextOverflow(args);
                continue;
            }
            if (args.remaining() > 2 && args.accept(GET)) {
                action = Action.GET;
            } else if (args.remaining() > 3 && args.accept(SET)) {
                action = Action.SET;
            } else if (args.remaining() > 3 && args.accept(INCRBY)) {
                action = Action.INCRBY;
            } else {
                args.fail(Errors.SYNTAX);
                return false;
            }
            if (!type.parse(ctx.request(), args.next())) {
                args.fail(BAD_TYPE);
            }
            offset = offsets.next(ctx, type.bits());
            operand = action == Action.GET ? 0 : args.nextLong();
            return args.error() == null;
        }
        return false;
    }

    private void nextOverflow(Args args) {
        if (args.accept(WRAP)) {
            overflow = BitFieldType.Overflow.WRAP;
        } else if (args.accept(SAT)) {
            overflow = BitFieldType.Overflow.SAT;
        } else if (args.accept(FAIL)) {
            overflow = BitFieldType.Overflow.FAIL;
        } else {
            args.fail(BAD_OVERFLOW);
        }
    }

    /**
     * Makes the string as long as all fields to be written need, as Redis does even if none is in the end. Returns
     * whether it was shorter.
     */
    private boolean grow(Keyspace keyspace, Entry entry, long length) {
        boolean shorter = length > bytes.of(entry).length();
        if (shorter) {
            UnsafeApi.putByte(touchedAddress, (byte) 0);
            keyspace.setRange(entry, length - 1, touchedAddress, 1);
        }
        return shorter;
    }

    /** Works on a field and answers. Returns whether that changed the string, which has grown for it or not. */
    private boolean execute(CommandContext ctx, Entry entry, boolean grown) {
        long old = type.read(bytes.of(entry), offset);
        if (action == Action.GET) {
            ctx.reply().integer(old);
            return false;
        }
        boolean isSum = action == Action.INCRBY;
        boolean fits = isSum ? type.add(old, operand, overflow) : type.add(operand, 0, overflow);
        if (!fits && overflow == BitFieldType.Overflow.FAIL) {
            ctx.reply().nullValue();
            return false;
        }
        boolean differs = type.result() != old;
        if (differs) {
            int length = type.write(bytes, offset, type.result(), touchedAddress);
            ctx.keyspace().setRange(entry, offset >> 3, touchedAddress, length);
        }
        ctx.reply().integer(isSum ? type.result() : old);
        return differs || grown;
    }

    /** Without SET and INCRBY nothing is written. */
    private static int bitFieldAccess(Request request) {
        for (int i = 2; i < request.argCount(); i++) {
            if (request.argIs(i, SET) || request.argIs(i, INCRBY)) {
                return KeyAccess.BOTH;
            }
        }
        return KeyAccess.READ;
    }

    List<CommandSpec> specs() {
        Arg get = Arg.block("encoding_offset", Arg.string("encoding"), Arg.integer("offset")).token("GET");
        Arg behaviour = Arg.oneOf("wrap_sat_fail", Arg.word("WRAP"), Arg.word("SAT"), Arg.word("FAIL"))
            .token("OVERFLOW").optional();
        Arg set = Arg.block("encoding_offset_value", Arg.string("encoding"), Arg.integer("offset"),
            Arg.integer("value")).token("SET");
        Arg incrBy = Arg.block("encoding_offset_increment", Arg.string("encoding"), Arg.integer("offset"),
            Arg.integer("increment")).token("INCRBY");
        return List.of(
            row("bitfield", this::bitField).flags(WRITE, DENYOOM).key(1, "RW access update variable_flags")
                .access(BitFieldCommands::bitFieldAccess)
                .since("3.2.0").summary("Reads, sets and adds to integers of any width in the string at a key.")
                .args(Arg.key("key"), Arg.oneOf("operation", get,
                    Arg.block("write", behaviour, Arg.oneOf("write_operation", set, incrBy))).optional().multiple())
                .build(),
            row("bitfield_ro", this::bitFieldRo).flags(READONLY, FAST).key(1, "RO access").since("6.0.0")
                .summary("Reads integers of any width in the string at a key.")
                .args(Arg.key("key"), get.optional().multiple()).build());
    }

    private static CommandSpec.Builder row(String name, CommandHandler handler) {
        return CommandSpec.named(name, -2, handler).acl("bitmap").group("bitmap")
            .complexity("O(1) for each subcommand");
    }
}
