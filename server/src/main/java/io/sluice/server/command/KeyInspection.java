package io.sluice.server.command;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Durations;
import io.sluice.limiter.FixedWindow;
import io.sluice.limiter.Gcra;
import io.sluice.limiter.LeakyMeter;
import io.sluice.limiter.Limit;
import io.sluice.limiter.LimitError;
import io.sluice.limiter.LimiterState;
import io.sluice.limiter.LogChange;
import io.sluice.limiter.SlidingWindow;
import io.sluice.limiter.SlidingWindowLog;
import io.sluice.limiter.TokenBucket;
import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.resp.LongValue;
import io.sluice.resp.Reply;
import io.sluice.server.stats.DecisionStats;
import io.sluice.server.stats.HeavyKeys.HeavyKey;

import java.util.List;

/**
 * {@code RL.INSPECT}. What is stored of a key is there for every one; its limit, which comes with each request and is
 * not stored, is known of the keys that {@link DecisionStats} counts. What is not known is answered as null.
 */
final class KeyInspection {
    private static final long NS_PER_MS = 1_000_000;

    private final DecisionStats decisions;
    private final Algorithm[] algorithms = new Algorithm[ValueType.COUNT];
    private final SlidingWindowLog slidingLog = new SlidingWindowLog();
    private final LogRing ring = new LogRing();
    private final LogChange logChange = new LogChange();
    private final LimiterState state = new LimiterState();
    private final Limit limit = new Limit();
    private final Decision decision = new Decision();
    private final LongValue arrivalNs = new LongValue();

    KeyInspection(DecisionStats decisions) {
        this.decisions = decisions;
        for (Algorithm each : List.of(new Gcra(), new TokenBucket(), new LeakyMeter(), new FixedWindow(),
                new SlidingWindow())) {
            algorithms[each.code()] = each;
        }
    }

    void inspect(CommandContext ctx) {
        Entry entry = ctx.lookup(0, 1);
        HeavyKey passed = decisions.find(false, entry.hash());
        HeavyKey refused = decisions.find(true, entry.hash());
        Reply reply = ctx.reply();
        if (!entry.exists() && passed == null && refused == null) {
            reply.nullValue();
            return;
        }
        int algorithm = algorithmOf(entry, passed, refused);
        if (algorithm == ValueType.STRING) {
            reply.error(Errors.WRONG_TYPE);
            return;
        }
        String error = load(entry, algorithm);
        if (error != null) {
            reply.error(error);
            return;
        }
        boolean known = decisions.lastLimit(entry.hash(), algorithm, limit) && peek(algorithm, ctx.nowNs());
        reply.map(16);
        text(reply, "type", entry.exists() ? ValueType.nameOf(entry.type()) : "none");
        text(reply, "algorithm", ValueType.nameOf(algorithm));
        state(reply, entry, algorithm);
        number(reply, "limit", known, limit.units());
        number(reply, "refill", known, limit.refillUnits());
        number(reply, "refill_period_ns", known, limit.refillPeriodNs());
        number(reply, "remaining", known, decision.remaining());
        long resetNs = known ? decision.resetAfterNs() : storedResetNs(ctx, entry);
        number(reply, "full_after_ns", resetNs >= 0, resetNs);
        number(reply, "full_at_ms", resetNs >= 0, fullAtMs(ctx.nowNs(), resetNs));
        history(reply, "allowed", passed);
        history(reply, "denied", refused);
        number(reply, "now_ms", true, ctx.nowMs());
    }

    /** The type code of the algorithm that a key belongs to; STRING for what no limiter can use. */
    private static int algorithmOf(Entry entry, HeavyKey passed, HeavyKey refused) {
        if (!entry.exists()) {
            return passed != null ? passed.type() : refused.type();
        }
        if (entry.type() == ValueType.STRING) {
            return ValueType.GCRA;
        }
        boolean limiter = entry.type() >= DecisionStats.FIRST_TYPE && entry.type() <= DecisionStats.LAST_TYPE;
        return limiter ? entry.type() : ValueType.STRING;
    }

    /** Reads what is stored. Gives the error if it is no state of the algorithm, as a restored value need not be. */
    private String load(Entry entry, int algorithm) {
        state.exists(entry.exists());
        if (algorithm == ValueType.LOG) {
            return ring.read(entry) ? null : Errors.WRONG_TYPE;
        }
        if (!entry.exists()) {
            return null;
        }
        if (entry.type() == ValueType.STRING) {
            if (!StoredNumbers.integer(entry, arrivalNs)) {
                return Errors.NOT_AN_INTEGER;
            }
            state.word(0, arrivalNs.value);
            return null;
        }
        int words = algorithms[algorithm].words();
        if (entry.wordCount() < words) {
            return Errors.WRONG_TYPE;
        }
        for (int i = 0; i < words; i++) {
            state.word(i, entry.word(i));
        }
        return null;
    }

    private boolean peek(int algorithm, long nowNs) {
        if (algorithm == ValueType.LOG) {
            slidingLog.decide(ring, limit, 0, nowNs, decision, logChange);
            return true;
        }
        return algorithms[algorithm].decide(state, limit, 0, nowNs, decision) == LimitError.NONE;
    }

    /** A key expires when its state has come to mean nothing; -1 if it was made not to. */
    private static long storedResetNs(CommandContext ctx, Entry entry) {
        if (!entry.exists()) {
            return 0;
        }
        long ms = Math.max(0, entry.expireAtMs() - ctx.nowMs());
        return entry.hasExpiry() ? Math.min(ms, Long.MAX_VALUE / NS_PER_MS) * NS_PER_MS : -1;
    }

    private static long fullAtMs(long nowNs, long resetNs) {
        long ns = nowNs + Math.max(0, resetNs);
        return Durations.ceilToMs(ns < 0 ? Long.MAX_VALUE : ns);
    }

    /** The stored words as they are, see docs/FORMATS.md; of a log the number of its entries. */
    private void state(Reply reply, Entry entry, int algorithm) {
        reply.bulkText("state");
        if (!entry.exists()) {
            reply.array(0);
        } else if (algorithm == ValueType.LOG) {
            reply.array(1);
            reply.integer(ring.size());
        } else {
            int words = algorithms[algorithm].words();
            reply.array(words);
            for (int i = 0; i < words; i++) {
                reply.integer(state.word(i));
            }
        }
    }

    /** How often lately, at least and at most, and when last, in ms since the epoch. */
    private static void history(Reply reply, String result, HeavyKey key) {
        number(reply, result, key != null, key == null ? 0 : Math.round(key.certain()));
        number(reply, result + "_error", key != null, key == null ? 0 : (long) Math.ceil(key.error()));
        number(reply, "last_" + result + "_at_ms", key != null, key == null ? 0 : key.lastNs() / NS_PER_MS);
    }

    private static void text(Reply reply, String name, String value) {
        reply.bulkText(name);
        reply.bulkText(value);
    }

    private static void number(Reply reply, String name, boolean known, long value) {
        reply.bulkText(name);
        if (known) {
            reply.integer(value);
        } else {
            reply.nullValue();
        }
    }
}
