package io.sluice.server.command;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Decision;
import io.sluice.limiter.FixedWindow;
import io.sluice.limiter.LeakyMeter;
import io.sluice.limiter.Limit;
import io.sluice.limiter.LimitError;
import io.sluice.limiter.LimiterState;
import io.sluice.limiter.LogChange;
import io.sluice.limiter.SlidingWindow;
import io.sluice.limiter.SlidingWindowLog;
import io.sluice.limiter.TokenBucket;
import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.Keyspace;
import io.sluice.resp.DecimalValue;

import java.util.List;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.WRITE;

/**
 * The limiters with a key type of their own: {@code RL.<algorithm> key <limit> [quantity] [MS]}. One handler serves
 * every algorithm whose state is a few words; another one is a class of the limiter module and a row here.
 */
final class RateLimitCommands {
    /** How the words between key and quantity describe the limit. */
    private enum Shape {
        /** {@code capacity amount period}. */
        RATE(5),
        /** {@code limit window}. */
        WINDOW(4);

        /** Words with the command's name and without quantity. */
        private final int wordsMin;

        Shape(int wordsMin) {
            this.wordsMin = wordsMin;
        }
    }

    private static final long PERIOD_SECONDS_MAX = 1_000_000_000;
    private static final String PERIOD = "ERR period must be > 0 and <= 1e9";
    private static final String PERIOD_NOT_WHOLE = "ERR period must be a whole number of nanoseconds";
    private static final String NO_LOG = "ERR no such log";
    private static final String LOG_FULL = "ERR log holds the most entries that a value may have";

    private final Limit limit = new Limit();
    private final LimiterState state = new LimiterState();
    private final Decision decision = new Decision();
    private final DecimalValue period = new DecimalValue();
    private final SlidingWindowLog slidingLog = new SlidingWindowLog();
    private final LogChange logChange = new LogChange();
    private final LogRing ring = new LogRing();
    private long quantity;

    private void decide(CommandContext ctx, Algorithm algorithm, Shape shape) {
        int key = parse(ctx, shape);
        if (key < 0) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (isOfOtherType(ctx, entry, algorithm.code(), algorithm.words())) {
            return;
        }
        state.exists(entry.exists());
        if (entry.exists()) {
            for (int i = 0; i < algorithm.words(); i++) {
                state.word(i, entry.word(i));
            }
        }
        if (algorithm.decide(state, limit, quantity, ctx.nowNs(), decision) != LimitError.NONE) {
            ctx.reply().error(Errors.NOT_AN_INTEGER);
            return;
        }
        if (decision.changed()) {
            Keyspace keyspace = ctx.keyspace();
            keyspace.putWords(entry, algorithm.code(), state.words(), algorithm.words(), decision.expireAtMs());
            tell(keyspace, entry);
        }
        answer(ctx, shape, algorithm.code(), entry);
    }

    private void decideByLog(CommandContext ctx) {
        int key = parse(ctx, Shape.WINDOW);
        if (key < 0) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (isOfOtherType(ctx, entry, slidingLog.code(), LogRing.HEAD_WORDS)) {
            return;
        }
        if (!ring.read(entry)) {
            ctx.reply().error(Errors.WRONG_TYPE);
            return;
        }
        slidingLog.decide(ring, limit, quantity, ctx.nowNs(), decision, logChange);
        if (decision.changed()) {
            if (!ring.apply(logChange, ctx.keyspace(), entry, slidingLog.code(), decision.expireAtMs())) {
                ctx.reply().error(LOG_FULL);
                return;
            }
            tell(ctx.keyspace(), entry);
        }
        answer(ctx, Shape.WINDOW, slidingLog.code(), entry);
    }

    /** Does to a log what a decision of the primary has done to it. */
    private void repeatLogChange(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        long expireAtMs = args.nextLong();
        long dead = args.nextLong(0, Integer.MAX_VALUE, Errors.NOT_AN_INTEGER);
        long replaces = args.nextLong(0, 1, Errors.NOT_AN_INTEGER);
        long timeNs = args.nextLong();
        long unitsThrough = args.nextLong();
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, key);
        if (!entry.exists() || entry.type() != slidingLog.code() || !ring.read(entry)
                || dead + replaces > ring.size()) {
            ctx.reply().error(NO_LOG);
            return;
        }
        logChange.set((int) dead, replaces == 1, timeNs, unitsThrough);
        if (ring.apply(logChange, ctx.keyspace(), entry, slidingLog.code(), expireAtMs)) {
            tell(ctx.keyspace(), entry);
            ctx.reply().ok();
        } else {
            ctx.reply().error(LOG_FULL);
        }
    }

    /** Reads limit and quantity. Gives the index of the key, or -1 if there was an error, which then is the reply. */
    private int parse(CommandContext ctx, Shape shape) {
        int words = ctx.request().argCount() - (LimiterSyntax.inMs(ctx.request(), shape.wordsMin) ? 1 : 0);
        if (LimiterSyntax.tooManyWords(ctx, words, shape.wordsMin + 1)) {
            return -1;
        }
        Args args = ctx.args();
        int key = args.next();
        long units = nextPositive(args);
        long amount = shape == Shape.RATE ? nextPositive(args) : 0;
        long periodNs = nextPeriodNs(args);
        quantity = LimiterSyntax.QUANTITY_DEFAULT;
        if (words > shape.wordsMin) {
            quantity = args.nextLong();
            if (quantity < 0) {
                args.fail(Errors.NOT_POSITIVE);
            }
        }
        if (args.failed(ctx.reply())) {
            return -1;
        }
        LimitError error =
            shape == Shape.RATE ? limit.setRate(units, amount, periodNs) : limit.setWindow(units, periodNs);
        if (error != LimitError.NONE) {
            ctx.reply().error(Errors.NOT_AN_INTEGER);
            return -1;
        }
        return key;
    }

    private static long nextPositive(Args args) {
        long value = args.nextLong();
        if (value < 1) {
            args.fail(Errors.NOT_POSITIVE);
        }
        return value;
    }

    private long nextPeriodNs(Args args) {
        args.nextDecimal(period, LimiterSyntax.NOT_A_FLOAT);
        if (args.error() != null) {
            return 0;
        }
        if (period.signum() <= 0 || period.compareTo(PERIOD_SECONDS_MAX) > 0) {
            args.fail(PERIOD);
        }
        long ns = period.wholeNs();
        if (ns == DecimalValue.NOT_WHOLE) {
            args.fail(PERIOD_NOT_WHOLE);
        }
        return ns;
    }

    /** What was restored may have the type and yet not the words of its state. */
    private static boolean isOfOtherType(CommandContext ctx, Entry entry, int type, int words) {
        if (!entry.exists() || entry.type() == type && entry.wordCount() >= words) {
            return false;
        }
        ctx.reply().error(Errors.WRONG_TYPE);
        return true;
    }

    private static void tell(Keyspace keyspace, Entry entry) {
        keyspace.event(KeyEvent.RATELIMIT, entry);
        keyspace.event(KeyEvent.EXPIRE, entry);
    }

    private void answer(CommandContext ctx, Shape shape, int type, Entry entry) {
        if (quantity > 0) {
            ctx.decided(type, entry, limit, decision, quantity);
        }
        LimiterSyntax.reply(ctx.reply(), decision, LimiterSyntax.inMs(ctx.request(), shape.wordsMin));
    }

    List<CommandSpec> specs() {
        return List.of(
            row("bucket", new TokenBucket(), Shape.RATE, "refill")
                .summary("Takes units from a token bucket.").build(),
            row("leaky", new LeakyMeter(), Shape.RATE, "leak")
                .summary("Adds units to a leaky bucket that is used as a meter.").build(),
            row("fixed", new FixedWindow(), Shape.WINDOW, null)
                .summary("Counts units in fixed windows that are aligned to the epoch.").build(),
            row("sliding", new SlidingWindow(), Shape.WINDOW, null)
                .summary("Counts units in a sliding window, estimated from two fixed ones.").build(),
            row("log", Shape.WINDOW, null, this::decideByLog)
                .complexity("O(log(N)) with N requests in the window")
                .summary("Counts units in a sliding window exactly, by a log of them.").build(),
            CommandSpec.named("sluice.log", 7, this::repeatLogChange).flags(WRITE, ADMIN, NOSCRIPT)
                .key(1, "RW access update").group("server").since("0.1.0")
                .complexity("O(1)").summary("Internal: tells a replica how an RL.LOG has changed.")
                .args(Arg.key("key"), Arg.integer("expire-at-ms"), Arg.integer("dead"), Arg.integer("replaces"),
                    Arg.integer("time-ns"), Arg.integer("units-through")).build());
    }

    private CommandSpec.Builder row(String algorithmName, Algorithm algorithm, Shape shape, String amountName) {
        return row(algorithmName, shape, amountName, ctx -> decide(ctx, algorithm, shape)).complexity("O(1)");
    }

    private static CommandSpec.Builder row(String algorithmName, Shape shape, String amountName,
            CommandHandler handler) {
        CommandSpec.Builder row = CommandSpec.named("rl." + algorithmName, -shape.wordsMin, handler)
            .flags(WRITE, DENYOOM, FAST).key(1, "RW access update").acl("throttle", "rate_limit")
            .group("ratelimit").since("0.1.0");
        if (shape == Shape.RATE) {
            row.args(Arg.key("key"), Arg.integer("capacity"), Arg.integer(amountName), Arg.decimal("period"));
        } else {
            row.args(Arg.key("key"), Arg.integer("limit"), Arg.decimal("window"));
        }
        return row.args(Arg.integer("quantity").optional(), Arg.word("MS").optional());
    }
}
