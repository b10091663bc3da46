package io.sluice.server.command;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Durations;
import io.sluice.limiter.Gcra;
import io.sluice.limiter.Limit;
import io.sluice.limiter.LimitError;
import io.sluice.limiter.LimiterState;
import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.ValueType;
import io.sluice.resp.DecimalValue;

import java.math.BigInteger;
import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.WRITE;

/**
 * {@code GCRA} and {@code GCRASETVALUE} as the milestones of Redis 8.8 had them: the algorithm of {@link
 * ThrottleCommands} over a key type of its own.
 */
final class GcraCommands {
    private static final int WORDS_MIN = 5;
    private static final int WORDS_MAX = 7;
    private static final long NS_PER_US = 1_000;
    private static final byte[] TOKENS = Words.lower("tokens");
    /** What the first milestone called it. */
    private static final byte[] NUM_REQUESTS = Words.lower("num_requests");

    private static final String NOT_AT_LEAST_ONE =
        "ERR value is out of range, value must between 1 and 9223372036854775807";
    private static final String PERIOD = "ERR period must be > 0 and < 1e12";
    private static final String TOKENS_OVERFLOW =
        "ERR Combination of period, tokens_per_period and TOKENS would cause an overflow";
    private static final String BURST_OVERFLOW =
        "ERR Combination of period, tokens_per_period and max_burst would cause an overflow";
    private static final String INVALID_TAT = "ERR Invalid TaT value";

    private final Gcra gcra = new Gcra();
    private final Limit limit = new Limit();
    private final LimiterState state = new LimiterState();
    private final Decision decision = new Decision();
    private final DecimalValue period = new DecimalValue();

    private void gcra(CommandContext ctx) {
        if (LimiterSyntax.tooManyWords(ctx, ctx.request().argCount(), WORDS_MAX)) {
            return;
        }
        Args args = ctx.args();
        int key = args.next();
        long maxBurst = args.nextLong(0, Long.MAX_VALUE, Errors.NOT_POSITIVE);
        long tokensPerPeriod = nextAtLeastOne(args);
        parsePeriod(args);
        long quantity = LimiterSyntax.QUANTITY_DEFAULT;
        if (args.hasNext()) {
            if (!args.accept(TOKENS) && !args.accept(NUM_REQUESTS)) {
                args.fail(Errors.SYNTAX);
            } else if (args.hasNext()) {
                quantity = nextAtLeastOne(args);
            } else {
                args.fail("ERR Missing TOKENS value");
            }
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        LimitError error = setLimit(maxBurst, tokensPerPeriod, quantity);
        if (error != LimitError.NONE) {
            ctx.reply().error(textOf(error));
            return;
        }
        decide(ctx, key, quantity);
    }

    private static long nextAtLeastOne(Args args) {
        long value = args.nextLong();
        if (value < 1) {
            args.fail(NOT_AT_LEAST_ONE);
        }
        return value;
    }

    private void parsePeriod(Args args) {
        if (args.infinitySign() != 0) {
            args.fail(PERIOD);
        }
        args.nextDecimal(period, LimiterSyntax.NOT_A_FLOAT);
        if (args.error() == null
                && (period.signum() <= 0 || period.compareTo(Limit.GCRA_PERIOD_SECONDS_END) >= 0)) {
            args.fail(PERIOD);
        }
    }

    private LimitError setLimit(long maxBurst, long tokensPerPeriod, long quantity) {
        long ns = period.nearestNs();
        if (ns == DecimalValue.TOO_LARGE) {
            BigInteger big = period.nearestNsBig();
            long high = big.shiftRight(Long.SIZE).longValue();
            return limit.setGcra(maxBurst, tokensPerPeriod, high, big.longValue(), quantity);
        }
        // The interval is at least 1 ns anyway, so a period that rounds to nothing may as well be 1 ns.
        return limit.setGcra(maxBurst, tokensPerPeriod, 0, Math.max(1, ns), quantity);
    }

    private static String textOf(LimitError error) {
        return switch (error) {
            case PERIOD_OUT_OF_RANGE -> PERIOD;
            case QUANTITY_OVERFLOW -> TOKENS_OVERFLOW;
            default -> BURST_OVERFLOW;
        };
    }

    private void decide(CommandContext ctx, int key, long quantity) {
        Entry entry = ctx.lookupRead(0, key);
        if (isOfOtherType(ctx, entry)) {
            return;
        }
        state.exists(entry.exists());
        if (entry.exists()) {
            state.word(0, entry.word(0));
        }
        LimitError error = gcra.decide(state, limit, quantity, ctx.nowNs(), decision);
        if (error != LimitError.NONE) {
            ctx.reply().error(textOf(error));
            return;
        }
        if (decision.changed()) {
            store(ctx.keyspace(), entry, decision.expireAtMs());
        }
        ctx.decided(gcra.code(), entry, limit, decision, quantity);
        LimiterSyntax.reply(ctx.reply(), decision, false);
    }

    private void store(Keyspace keyspace, Entry entry, long expireAtMs) {
        keyspace.putWords(entry, gcra.code(), state.words(), gcra.words(), expireAtMs);
        keyspace.event(KeyEvent.GCRA, entry);
        keyspace.event(KeyEvent.EXPIRE, entry);
    }

    private static boolean isOfOtherType(CommandContext ctx, Entry entry) {
        if (!entry.exists() || entry.type() == ValueType.GCRA && entry.wordCount() > 0) {
            return false;
        }
        ctx.reply().error(Errors.WRONG_TYPE);
        return true;
    }

    /** A value whose time is over says the same as no key, so it leaves none. */
    private void gcraSetValue(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        long arrivalUs = args.nextLong(INVALID_TAT);
        if (arrivalUs < 0) {
            args.fail("ERR Invalid negative TaT value");
        }
        if (arrivalUs > Long.MAX_VALUE / NS_PER_US) {
            args.fail(INVALID_TAT);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, key);
        if (isOfOtherType(ctx, entry)) {
            return;
        }
        long arrivalNs = arrivalUs * NS_PER_US;
        long expireAtMs = Durations.ceilToMs(arrivalNs);
        if (expireAtMs >= ctx.nowMs()) {
            state.word(0, arrivalNs);
            store(ctx.keyspace(), entry, expireAtMs);
        } else if (ctx.keyspace().remove(entry)) {
            ctx.keyspace().event(KeyEvent.DEL, entry);
        }
        ctx.reply().ok();
    }

    List<CommandSpec> specs() {
        return List.of(
            CommandSpec.named("gcra", -WORDS_MIN, this::gcra)
                .flags(WRITE, DENYOOM, FAST).key(1, "RW access update").acl("throttle", "rate_limit")
                .group("ratelimit").since("0.1.0").complexity("O(1)")
                .summary("Takes tokens from a GCRA limit of max_burst + 1 that is kept under a type of its own.")
                .args(Arg.key("key"), Arg.integer("max_burst"), Arg.integer("tokens_per_period"), Arg.decimal("period"),
                    Arg.integer("count").token("TOKENS").optional())
                .build(),
            CommandSpec.named("gcrasetvalue", 3, this::gcraSetValue)
                .flags(WRITE, DENYOOM, FAST).key(1, "OW update").acl("throttle", "rate_limit")
                .group("ratelimit").since("0.1.0").complexity("O(1)")
                .summary("Sets the arrival time of a GCRA key, in microseconds since the epoch.")
                .args(Arg.key("key"), Arg.integer("tat_us"))
                .build());
    }
}
