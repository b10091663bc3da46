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
import io.sluice.resp.LongValue;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/**
 * GCRA over an ordinary string that holds the arrival time in ns since the epoch: {@code CL.THROTTLE} as redis-cell
 * defines it, its alias {@code RL.THROTTLE}, its dry run {@code CL.PROBE}, and throttlecrab's {@code THROTTLE}. They
 * share their keys; what they differ in is the layout of limit and reply.
 */
final class ThrottleCommands {
    private static final int WORDS_MIN = 5;
    private static final int WORDS_MAX = 6;
    private static final String FAILED = "ERR Rate limit check failed: ";

    private final Gcra gcra = new Gcra();
    private final Limit limit = new Limit();
    private final LimiterState state = new LimiterState();
    private final Decision decision = new Decision();
    private final LongValue arrivalNs = new LongValue();

    private void clThrottle(CommandContext ctx) {
        throttle(ctx, false, true);
    }

    private void rlThrottle(CommandContext ctx) {
        throttle(ctx, true, true);
    }

    private void clProbe(CommandContext ctx) {
        throttle(ctx, true, false);
    }

    private void throttle(CommandContext ctx, boolean takesMs, boolean takesUnits) {
        Request request = ctx.request();
        boolean inMs = takesMs && LimiterSyntax.inMs(request, WORDS_MIN);
        int words = request.argCount() - (inMs ? 1 : 0);
        if (LimiterSyntax.tooManyWords(ctx, words, WORDS_MAX)) {
            return;
        }
        Args args = ctx.args();
        int key = args.next();
        long maxBurst = args.nextLenientLong();
        long count = args.nextLenientLong();
        long periodSeconds = args.nextLenientLong();
        long quantity = words == WORDS_MAX ? args.nextLenientLong() : LimiterSyntax.QUANTITY_DEFAULT;
        if (args.failed(ctx.reply())) {
            return;
        }
        LimitError error = limit.setClThrottle(maxBurst, count, periodSeconds);
        if (error != LimitError.NONE) {
            ctx.reply().error(error == LimitError.ZERO_RATE ? LimiterSyntax.ZERO_RATE : Errors.NOT_AN_INTEGER);
            return;
        }
        if (decide(ctx, key, quantity, takesUnits)) {
            LimiterSyntax.reply(ctx.reply(), decision, inMs);
        }
    }

    private void throttlecrab(CommandContext ctx) {
        if (LimiterSyntax.tooManyWords(ctx, ctx.request().argCount(), WORDS_MAX)) {
            return;
        }
        Args args = ctx.args();
        int key = args.next();
        long maxBurst = args.nextLenientLong("ERR invalid max_burst");
        long count = args.nextLenientLong("ERR invalid count_per_period");
        long periodSeconds = args.nextLenientLong("ERR invalid period");
        long quantity = args.hasNext() ? args.nextLenientLong("ERR invalid quantity") : LimiterSyntax.QUANTITY_DEFAULT;
        if (quantity < 0) {
            args.fail(FAILED + "negative quantity: " + quantity);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        if (limit.setThrottle(maxBurst, count, periodSeconds) != LimitError.NONE) {
            ctx.reply().error(FAILED + "invalid rate limit parameters");
            return;
        }
        if (decide(ctx, key, quantity, true)) {
            replyAsThrottlecrab(ctx.reply());
        }
    }

    /** {@code [allowed, limit, remaining, reset_after, retry_after]}, where retry_after is 0 for what is allowed. */
    private void replyAsThrottlecrab(Reply reply) {
        reply.array(5);
        reply.integer(decision.limited() ? 0 : 1);
        reply.integer(decision.limit());
        reply.integer(decision.remaining());
        reply.integer(Durations.ceilToSeconds(decision.resetAfterNs()));
        reply.integer(decision.limited() ? Durations.ceilToSeconds(decision.retryAfterNs()) : 0);
    }

    /** Looks up, decides, and stores if asked to. False if there was an error, which then is the reply. */
    private boolean decide(CommandContext ctx, int key, long quantity, boolean takesUnits) {
        Entry entry = ctx.lookupRead(0, key);
        state.exists(entry.exists());
        if (entry.exists()) {
            if (entry.type() != ValueType.STRING) {
                ctx.reply().error(Errors.WRONG_TYPE);
                return false;
            }
            if (!StoredNumbers.integer(entry, arrivalNs)) {
                ctx.reply().error(Errors.NOT_AN_INTEGER);
                return false;
            }
            state.word(0, arrivalNs.value);
        }
        if (gcra.decide(state, limit, quantity, ctx.nowNs(), decision) != LimitError.NONE) {
            ctx.reply().error(Errors.NOT_AN_INTEGER);
            return false;
        }
        if (takesUnits) {
            if (decision.changed()) {
                store(ctx.keyspace(), entry);
            }
            if (quantity > 0) {
                ctx.decided(gcra.code(), entry, limit, decision, quantity);
            }
        }
        return true;
    }

    private void store(Keyspace keyspace, Entry entry) {
        if (decision.deleted()) {
            keyspace.remove(entry);
            keyspace.event(KeyEvent.DEL, entry);
        } else {
            keyspace.putInt(entry, state.word(0), decision.expireAtMs());
            keyspace.event(KeyEvent.SET, entry);
            keyspace.event(KeyEvent.EXPIRE, entry);
        }
    }

    List<CommandSpec> specs() {
        Arg ms = Arg.word("MS").optional();
        return List.of(
            row("cl.throttle", this::clThrottle)
                .summary("Takes units from a GCRA limit of max_burst + 1, as redis-cell does.")
                .args(cellArgs()).build(),
            row("rl.throttle", this::rlThrottle)
                .summary("Takes units from a GCRA limit of max_burst + 1; the same as CL.THROTTLE.")
                .args(cellArgs()).args(ms).build(),
            CommandSpec.named("cl.probe", -WORDS_MIN, this::clProbe)
                .flags(READONLY, FAST).key(1, "RO access").acl("throttle", "rate_limit")
                .group("ratelimit").since("0.1.0").complexity("O(1)")
                .summary("Tells what CL.THROTTLE would answer now, and changes nothing.")
                .args(cellArgs()).args(ms).build(),
            row("throttle", this::throttlecrab)
                .summary("Takes units from a GCRA limit of max_burst, as throttlecrab does.")
                .args(Arg.key("key"), Arg.integer("max_burst"), Arg.integer("count_per_period"), Arg.integer("period"),
                    Arg.integer("quantity").optional())
                .build());
    }

    private static CommandSpec.Builder row(String name, CommandHandler handler) {
        return CommandSpec.named(name, -WORDS_MIN, handler)
            .flags(WRITE, DENYOOM, FAST).key(1, "RW access update").acl("throttle", "rate_limit")
            .group("ratelimit").since("0.1.0").complexity("O(1)");
    }

    private static Arg[] cellArgs() {
        return new Arg[] {Arg.key("key"), Arg.integer("max_burst"), Arg.integer("count"), Arg.integer("period"),
            Arg.integer("quantity").optional()};
    }
}
