package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.resp.DecimalValue;
import io.sluice.resp.LongValue;
import org.agrona.BufferUtil;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Numbers in strings that go up and down. Decimals are exact, unlike Redis's, which are 80-bit floats. */
final class CounterCommands {
    static final String OVERFLOW = "ERR increment or decrement would overflow";
    static final String INFINITE = "ERR increment would produce NaN or Infinity";

    private final LongValue stored = new LongValue();
    private final DecimalValue decimal = new DecimalValue();
    private final ByteBuffer text = ByteBuffer.allocateDirect(StoredNumbers.DECIMAL_TEXT_BYTES_MAX);
    private final long textAddress = BufferUtil.address(text);

    private void incr(CommandContext ctx) {
        add(ctx, 1);
    }

    private void decr(CommandContext ctx) {
        add(ctx, -1);
    }

    private void incrBy(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        long increment = args.nextLong();
        if (!args.failed(ctx.reply())) {
            add(ctx, increment);
        }
    }

    private void decrBy(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        long decrement = args.nextLong();
        if (decrement == Long.MIN_VALUE) {
            args.fail("ERR decrement would overflow");
        }
        if (!args.failed(ctx.reply())) {
            add(ctx, -decrement);
        }
    }

    private void add(CommandContext ctx, long increment) {
        Entry entry = ctx.lookup(0, 1);
        if (!Strings.isString(ctx, entry)) {
            return;
        }
        stored.value = 0;
        if (entry.exists() && !StoredNumbers.integer(entry, stored)) {
            ctx.reply().error(Errors.NOT_AN_INTEGER);
            return;
        }
        long sum = stored.value + increment;
        if (((stored.value ^ sum) & (increment ^ sum)) < 0) {
            ctx.reply().error(OVERFLOW);
            return;
        }
        ctx.keyspace().putInt(entry, sum, entry.exists() ? entry.expireAtMs() : Entry.NO_EXPIRY);
        ctx.keyspace().event(KeyEvent.INCRBY, entry);
        ctx.reply().integer(sum);
    }

    private void incrByFloat(CommandContext ctx) {
        Entry entry = ctx.lookup(0, 1);
        if (!Strings.isString(ctx, entry)) {
            return;
        }
        BigDecimal old = entry.exists() ? StoredNumbers.decimal(entry, decimal) : BigDecimal.ZERO;
        boolean infinite = old == null && StoredNumbers.isInfinite(entry);
        Args args = ctx.args();
        args.next();
        if (old == null && !infinite) {
            args.fail(LimiterSyntax.NOT_A_FLOAT);
        }
        if (args.infinitySign() != 0) {
            args.fail(INFINITE);
        }
        args.nextDecimal(decimal, LimiterSyntax.NOT_A_FLOAT);
        if (infinite) {
            args.fail(INFINITE);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        BigDecimal sum = old.add(decimal.toBigDecimal());
        if (sum.abs().compareTo(StoredNumbers.DECIMAL_MAX) > 0) {
            ctx.reply().error(INFINITE);
            return;
        }
        String sumText = StoredNumbers.text(sum);
        putDecimal(ctx, entry, sumText, entry.exists() ? entry.expireAtMs() : Entry.NO_EXPIRY);
        ctx.keyspace().event(KeyEvent.INCRBYFLOAT, entry);
        ctx.reply().bulkText(sumText);
    }

    /** Stores a decimal number as its text. */
    void putDecimal(CommandContext ctx, Entry entry, String number, long expireAtMs) {
        text.clear().put(number.getBytes(StandardCharsets.US_ASCII));
        ctx.keyspace().putBytes(entry, textAddress, text.position(), expireAtMs);
    }

    List<CommandSpec> specs() {
        return List.of(
            row("incr", 2, this::incr).since("1.0.0").summary("Adds one to the integer at a key.")
                .args(Arg.key("key")).build(),
            row("decr", 2, this::decr).since("1.0.0").summary("Takes one from the integer at a key.")
                .args(Arg.key("key")).build(),
            row("incrby", 3, this::incrBy).since("1.0.0").summary("Adds to the integer at a key.")
                .args(Arg.key("key"), Arg.integer("increment")).build(),
            row("decrby", 3, this::decrBy).since("1.0.0").summary("Takes from the integer at a key.")
                .args(Arg.key("key"), Arg.integer("decrement")).build(),
            row("incrbyfloat", 3, this::incrByFloat).since("2.6.0").summary("Adds to the decimal number at a key.")
                .args(Arg.key("key"), Arg.decimal("increment")).build());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).flags(WRITE, DENYOOM, FAST).key(1, "RW access update")
            .acl("string").group("string").complexity("O(1)");
    }
}
