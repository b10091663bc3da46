package io.sluice.server.command;

import io.sluice.persistence.DecimalText;
import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.HashValue;
import io.sluice.resp.DecimalValue;
import io.sluice.resp.Request;
import org.agrona.BufferUtil;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Numbers in the fields of hashes. Decimals are exact, as those in strings are. */
final class HashNumberCommands {
    private static final String NOT_AN_INTEGER = "ERR hash value is not an integer";
    private static final String NOT_A_FLOAT = "ERR hash value is not a float";
    private static final String INFINITE_INCREMENT = "ERR value is NaN or Infinity";

    private final HashValue hash = new HashValue();
    private final DecimalValue decimal = new DecimalValue();
    private final ByteBuffer text = ByteBuffer.allocateDirect(StoredNumbers.DECIMAL_TEXT_BYTES_MAX);
    private final long textAddress = BufferUtil.address(text);

    private void hIncrBy(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        int field = args.next();
        long increment = args.nextLong();
        if (args.failed(ctx.reply()) || !open(ctx)) {
            return;
        }
        int handle = find(ctx.request(), field);
        long old = 0;
        if (handle != HashValue.ABSENT) {
            if (!DecimalText.isCanonical(hash.valueAddress(handle), hash.valueLength(handle))) {
                ctx.reply().error(NOT_AN_INTEGER);
                return;
            }
            old = DecimalText.parse(hash.valueAddress(handle), hash.valueLength(handle));
        }
        long sum = old + increment;
        if (((old ^ sum) & (increment ^ sum)) < 0) {
            ctx.reply().error(CounterCommands.OVERFLOW);
            return;
        }
        put(ctx, field, DecimalText.write(sum, textAddress), KeyEvent.HINCRBY);
        ctx.reply().integer(sum);
    }

    private void hIncrByFloat(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        int field = args.next();
        if (args.infinitySign() != 0) {
            args.fail(INFINITE_INCREMENT);
        }
        args.nextDecimal(decimal, LimiterSyntax.NOT_A_FLOAT);
        if (args.failed(ctx.reply()) || !open(ctx)) {
            return;
        }
        BigDecimal increment = decimal.toBigDecimal();
        int handle = find(ctx.request(), field);
        BigDecimal old = BigDecimal.ZERO;
        if (handle != HashValue.ABSENT) {
            long address = hash.valueAddress(handle);
            int length = hash.valueLength(handle);
            old = StoredNumbers.decimal(address, length, decimal);
            if (old == null) {
                ctx.reply().error(StoredNumbers.isInfinite(address, length) ? CounterCommands.INFINITE : NOT_A_FLOAT);
                return;
            }
        }
        BigDecimal sum = old.add(increment);
        if (sum.abs().compareTo(StoredNumbers.DECIMAL_MAX) > 0) {
            ctx.reply().error(CounterCommands.INFINITE);
            return;
        }
        String sumText = StoredNumbers.text(sum);
        text.clear().put(sumText.getBytes(StandardCharsets.US_ASCII));
        put(ctx, field, text.position(), KeyEvent.HINCRBYFLOAT);
        ctx.reply().bulkText(sumText);
    }

    private boolean open(CommandContext ctx) {
        Entry entry = ctx.lookup(0, 1);
        if (!Values.isType(ctx, entry, ValueType.HASH)) {
            return false;
        }
        hash.open(ctx.keyspace(), entry);
        return true;
    }

    private int find(Request request, int field) {
        return hash.size() == 0 ? HashValue.ABSENT : hash.find(request.argAddress(field), request.argLength(field));
    }

    private void put(CommandContext ctx, int field, int textBytes, KeyEvent event) {
        hash.put(ctx.request().argAddress(field), ctx.request().argLength(field), textAddress, textBytes);
        ctx.keyspace().event(event, ctx.entry(0));
    }

    List<CommandSpec> specs() {
        return List.of(
            row("hincrby", this::hIncrBy).since("2.0.0").summary("Adds to the integer in a field of a hash.")
                .args(Arg.key("key"), Arg.string("field"), Arg.integer("increment")).build(),
            row("hincrbyfloat", this::hIncrByFloat).since("2.6.0")
                .summary("Adds to the decimal number in a field of a hash.")
                .args(Arg.key("key"), Arg.string("field"), Arg.decimal("increment")).build());
    }

    private static CommandSpec.Builder row(String name, CommandHandler handler) {
        return CommandSpec.named(name, 4, handler).flags(WRITE, DENYOOM, FAST).key(1, "RW access update").acl("hash")
            .group("hash").complexity("O(1)");
    }
}
