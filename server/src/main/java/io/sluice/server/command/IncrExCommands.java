package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.Keyspace;
import io.sluice.resp.DecimalValue;
import io.sluice.resp.LongValue;
import io.sluice.resp.Reply;

import java.math.BigDecimal;
import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.WRITE;

/**
 * {@code INCREX}: an increment with bounds and an expiry in one step, as Redis 8.8 has it, with the {@code NX | XX} of
 * Valkey 9.2. Decimals are exact.
 */
final class IncrExCommands {
    private static final byte[] BYINT = Words.lower("byint");
    private static final byte[] BYFLOAT = Words.lower("byfloat");
    private static final byte[] LBOUND = Words.lower("lbound");
    private static final byte[] UBOUND = Words.lower("ubound");
    private static final byte[] SATURATE = Words.lower("saturate");
    private static final byte[] PERSIST = Words.lower("persist");
    private static final byte[] ENX = Words.lower("enx");
    private static final byte[] NX = Words.lower("nx");
    private static final byte[] XX = Words.lower("xx");
    /** Index of an option that was not given. */
    private static final int ABSENT = -1;

    private static final String NOT_AN_INTEGER = " is not an integer or out of range";
    private static final String NOT_A_FLOAT = " is not a valid float";
    private static final String BOUNDS_CROSSED = "ERR LBOUND can't be greater than UBOUND";
    private static final String DELTA_OVERFLOW = "ERR applied increment would overflow";
    private static final String DELTA_INFINITE = "ERR applied increment would be Infinity";
    /** Stands for an infinite bound: farther than any decimal that can be read. */
    private static final BigDecimal INFINITY = new BigDecimal("1e9999");

    private final ExpiryOption expiry = new ExpiryOption();
    private final LongValue stored = new LongValue();
    private final DecimalValue decimal = new DecimalValue();
    private final CounterCommands counters;
    private int incrementArg;
    private int lowerArg;
    private int upperArg;
    private boolean byFloat;
    private boolean saturate;
    private boolean persist;
    private boolean onlyWithoutExpiry;
    private boolean onlyNew;
    private boolean onlyPresent;
    private long expireAtMs;

    IncrExCommands(CounterCommands counters) {
        this.counters = counters;
    }

    private void incrEx(CommandContext ctx) {
        Args args = ctx.args();
        args.next();
        parseWords(args);
        if (args.failed(ctx.reply())) {
            return;
        }
        if (byFloat) {
            addDecimal(ctx);
        } else {
            addInteger(ctx);
        }
    }

    private void parseWords(Args args) {
        incrementArg = ABSENT;
        lowerArg = ABSENT;
        upperArg = ABSENT;
        byFloat = false;
        saturate = false;
        persist = false;
        onlyWithoutExpiry = false;
        onlyNew = false;
        onlyPresent = false;
        expiry.clear();
        while (args.hasNext()) {
            parseWord(args);
        }
        if (persist && (expiry.isGiven() || onlyWithoutExpiry) || onlyNew && onlyPresent) {
            args.fail(Errors.SYNTAX);
        }
        if (onlyWithoutExpiry && !expiry.isGiven()) {
            args.fail("ERR ENX flag requires an expiration");
        }
    }

    private void parseWord(Args args) {
        if (args.accept(BYINT)) {
            incrementArg = valueOnce(args, incrementArg);
        } else if (args.accept(BYFLOAT)) {
            incrementArg = valueOnce(args, incrementArg);
            byFloat = true;
        } else if (args.accept(LBOUND)) {
            lowerArg = valueOnce(args, lowerArg);
        } else if (args.accept(UBOUND)) {
            upperArg = valueOnce(args, upperArg);
        } else if (args.accept(SATURATE)) {
            saturate = flagOnce(args, saturate);
        } else if (args.accept(PERSIST)) {
            persist = flagOnce(args, persist);
        } else if (args.accept(ENX)) {
            onlyWithoutExpiry = flagOnce(args, onlyWithoutExpiry);
        } else if (args.accept(NX)) {
            onlyNew = flagOnce(args, onlyNew);
        } else if (args.accept(XX)) {
            onlyPresent = flagOnce(args, onlyPresent);
        } else if (expiry.isGiven() || !expiry.accept(args)) {
            args.fail(Errors.SYNTAX);
        }
    }

    private static int valueOnce(Args args, int before) {
        if (before != ABSENT) {
            args.fail(Errors.SYNTAX);
        }
        return args.next();
    }

    private static boolean flagOnce(Args args, boolean before) {
        if (before) {
            args.fail(Errors.SYNTAX);
        }
        return true;
    }

    private void addInteger(CommandContext ctx) {
        Args args = ctx.args();
        long increment = integerAt(args, incrementArg, 1, "ERR Increment" + NOT_AN_INTEGER);
        long lower = integerAt(args, lowerArg, Long.MIN_VALUE, "ERR LBOUND" + NOT_AN_INTEGER);
        long upper = integerAt(args, upperArg, Long.MAX_VALUE, "ERR UBOUND" + NOT_AN_INTEGER);
        if (lower > upper) {
            args.fail(BOUNDS_CROSSED);
        }
        Entry entry = lookup(ctx);
        if (entry == null) {
            return;
        }
        stored.value = 0;
        if (entry.exists() && !StoredNumbers.integer(entry, stored)) {
            ctx.reply().error(Errors.NOT_AN_INTEGER);
            return;
        }
        long old = stored.value;
        long value = old + increment;
        boolean overflow = ((old ^ value) & (increment ^ value)) < 0;
        boolean tooHigh = overflow ? increment > 0 : value > upper;
        boolean tooLow = overflow ? increment < 0 : value < lower;
        if (isExcluded(entry) || (tooHigh || tooLow) && !saturate) {
            reply(ctx.reply(), old, 0);
            return;
        }
        value = tooHigh ? upper : tooLow ? lower : value;
        long delta = value - old;
        if (((value ^ old) & (value ^ delta)) < 0) {
            ctx.reply().error(DELTA_OVERFLOW);
            return;
        }
        if (isToBeRemoved(ctx, entry)) {
            remove(ctx.keyspace(), entry);
        } else {
            boolean hadExpiry = entry.exists() && entry.hasExpiry();
            ctx.keyspace().putInt(entry, value, expiryOf(entry));
            tell(ctx.keyspace(), entry, KeyEvent.INCRBY, hadExpiry);
        }
        reply(ctx.reply(), value, delta);
    }

    private static long integerAt(Args args, int arg, long otherwise, String error) {
        if (arg == ABSENT) {
            return otherwise;
        }
        args.position(arg);
        return args.nextLong(error);
    }

    private static void reply(Reply reply, long value, long delta) {
        reply.array(2);
        reply.integer(value);
        reply.integer(delta);
    }

    private void addDecimal(CommandContext ctx) {
        Args args = ctx.args();
        BigDecimal increment = decimalAt(args, incrementArg, BigDecimal.ONE, "ERR Increment" + NOT_A_FLOAT);
        if (increment.abs().equals(INFINITY)) {
            args.fail("ERR BYFLOAT increment cannot be Infinity");
        }
        BigDecimal max = StoredNumbers.DECIMAL_MAX;
        BigDecimal lower = decimalAt(args, lowerArg, max.negate(), "ERR LBOUND" + NOT_A_FLOAT);
        BigDecimal upper = decimalAt(args, upperArg, max, "ERR UBOUND" + NOT_A_FLOAT);
        if (lower.compareTo(upper) > 0) {
            args.fail(BOUNDS_CROSSED);
        }
        Entry entry = lookup(ctx);
        if (entry == null) {
            return;
        }
        BigDecimal old = entry.exists() ? StoredNumbers.decimal(entry, decimal) : BigDecimal.ZERO;
        if (old == null) {
            ctx.reply().error(
                StoredNumbers.isInfinite(entry) ? "ERR value cannot be Infinity" : LimiterSyntax.NOT_A_FLOAT);
            return;
        }
        BigDecimal value = old.add(increment);
        boolean tooHigh = value.compareTo(upper.min(max)) > 0;
        boolean tooLow = value.compareTo(lower.max(max.negate())) < 0;
        if (isExcluded(entry) || (tooHigh || tooLow) && !saturate) {
            reply(ctx.reply(), StoredNumbers.text(old), "0");
            return;
        }
        value = tooHigh ? upper.min(max) : tooLow ? lower.max(max.negate()) : value;
        BigDecimal delta = value.subtract(old);
        if (value.abs().equals(INFINITY) || delta.abs().compareTo(max) > 0) {
            ctx.reply().error(DELTA_INFINITE);
            return;
        }
        String text = StoredNumbers.text(value);
        if (isToBeRemoved(ctx, entry)) {
            remove(ctx.keyspace(), entry);
        } else {
            boolean hadExpiry = entry.exists() && entry.hasExpiry();
            counters.putDecimal(ctx, entry, text, expiryOf(entry));
            tell(ctx.keyspace(), entry, KeyEvent.INCRBYFLOAT, hadExpiry);
        }
        reply(ctx.reply(), text, StoredNumbers.text(delta));
    }

    private BigDecimal decimalAt(Args args, int arg, BigDecimal otherwise, String error) {
        if (arg == ABSENT || args.error() != null) {
            return otherwise;
        }
        args.position(arg);
        int infinitySign = args.infinitySign();
        if (infinitySign != 0) {
            return infinitySign > 0 ? INFINITY : INFINITY.negate();
        }
        args.nextDecimal(decimal, error);
        return args.error() == null ? decimal.toBigDecimal() : otherwise;
    }

    private static void reply(Reply reply, String value, String delta) {
        reply.array(2);
        reply.doubleText(value);
        reply.doubleText(delta);
    }

    /** Reads the expiry, the last of the arguments to be looked at, and finds the key. Null after an error. */
    private Entry lookup(CommandContext ctx) {
        expireAtMs = expiry.isGiven() && ctx.args().error() == null ? expiry.atMs(ctx) : Entry.NO_EXPIRY;
        if (ctx.args().failed(ctx.reply())) {
            return null;
        }
        Entry entry = ctx.lookup(0, 1);
        return Strings.isString(ctx, entry) ? entry : null;
    }

    private boolean isExcluded(Entry entry) {
        return entry.exists() ? onlyNew : onlyPresent;
    }

    private boolean setsExpiry(Entry entry) {
        return expiry.isGiven() && !(onlyWithoutExpiry && entry.exists() && entry.hasExpiry());
    }

    private boolean isToBeRemoved(CommandContext ctx, Entry entry) {
        return setsExpiry(entry) && expireAtMs <= ctx.nowMs();
    }

    private long expiryOf(Entry entry) {
        if (setsExpiry(entry)) {
            return expireAtMs;
        }
        return persist || !entry.exists() ? Entry.NO_EXPIRY : entry.expireAtMs();
    }

    private static void remove(Keyspace keyspace, Entry entry) {
        if (keyspace.remove(entry)) {
            keyspace.event(KeyEvent.DEL, entry);
        }
    }

    private void tell(Keyspace keyspace, Entry entry, KeyEvent event, boolean hadExpiry) {
        keyspace.event(event, entry);
        if (persist && hadExpiry) {
            keyspace.event(KeyEvent.PERSIST, entry);
        } else if (expiry.isGiven() && !(onlyWithoutExpiry && hadExpiry)) {
            keyspace.event(KeyEvent.EXPIRE, entry);
        }
    }

    List<CommandSpec> specs() {
        return List.of(CommandSpec.named("increx", -2, this::incrEx)
            .flags(WRITE, DENYOOM, FAST).key(1, "RW access update").acl("string")
            .group("string").since("8.8.0").complexity("O(1)")
            .summary("Adds to the number at a key within bounds, and may set when the key expires.")
            .args(Arg.key("key"),
                Arg.oneOf("increment", Arg.integer("integer").token("BYINT"), Arg.decimal("float").token("BYFLOAT"))
                    .optional(),
                Arg.decimal("lowerbound").token("LBOUND").optional(),
                Arg.decimal("upperbound").token("UBOUND").optional(),
                Arg.word("SATURATE").optional(),
                Expiries.option("PERSIST"),
                Arg.word("ENX").optional(),
                Arg.oneOf("condition", Arg.word("NX"), Arg.word("XX")).optional())
            .build());
    }
}
