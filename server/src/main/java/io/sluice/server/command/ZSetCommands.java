package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.PackedValue;
import io.sluice.persistence.collection.ZSetValue;
import io.sluice.resp.Request;

import java.util.Arrays;
import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Sorted sets, member by member: scores given, asked for and taken away, and ranks. */
final class ZSetCommands {
    static final String NOT_A_FLOAT = "ERR value is not a valid float";

    private static final byte[] NX = Words.lower("nx");
    private static final byte[] XX = Words.lower("xx");
    private static final byte[] GT = Words.lower("gt");
    private static final byte[] LT = Words.lower("lt");
    private static final byte[] CH = Words.lower("ch");
    private static final byte[] INCR = Words.lower("incr");
    private static final byte[] WITHSCORE = Words.lower("withscore");
    private static final String NX_AND_XX = "ERR XX and NX options at the same time are not compatible";
    private static final String GT_LT_NX = "ERR GT, LT, and/or NX options at the same time are not compatible";
    private static final String ONE_INCREMENT = "ERR INCR option supports a single increment-element pair";
    private static final String NO_NUMBER = "ERR resulting score is not a number (NaN)";
    private static final int SCORES_KEPT_MAX = 1_024;

    private final ZSetValue zset = new ZSetValue();
    private final Scores parsed = new Scores();
    private double[] scores = new double[16];
    private boolean onlyNew;
    private boolean onlyPresent;
    private boolean onlyGreater;
    private boolean onlyLess;
    private boolean countChanged;
    private boolean increment;
    private int added;
    private int updated;
    /** The option INCR has changed, or left as it was on purpose, a score; {@link #score} is what it is now. */
    private boolean processed;
    private double score;

    private void add(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        clearOptions();
        parseOptions(args);
        int first = args.position();
        int words = args.remaining();
        if (words == 0 || words % 2 != 0) {
            args.fail(Errors.SYNTAX);
        } else if (onlyNew && onlyPresent) {
            args.fail(NX_AND_XX);
        } else if (onlyGreater && onlyNew || onlyLess && onlyNew || onlyGreater && onlyLess) {
            args.fail(GT_LT_NX);
        } else if (increment && words > 2) {
            args.fail(ONE_INCREMENT);
        }
        if (!args.failed(ctx.reply())) {
            addPairs(ctx, key, first);
        }
    }

    private void incrementBy(CommandContext ctx) {
        clearOptions();
        increment = true;
        addPairs(ctx, 1, 2);
    }

    private void clearOptions() {
        onlyNew = false;
        onlyPresent = false;
        onlyGreater = false;
        onlyLess = false;
        countChanged = false;
        increment = false;
    }

    private void parseOptions(Args args) {
        boolean more = true;
        while (more) {
            if (args.accept(NX)) {
                onlyNew = true;
            } else if (args.accept(XX)) {
                onlyPresent = true;
            } else if (args.accept(GT)) {
                onlyGreater = true;
            } else if (args.accept(LT)) {
                onlyLess = true;
            } else if (args.accept(CH)) {
                countChanged = true;
            } else if (args.accept(INCR)) {
                increment = true;
            } else {
                more = false;
            }
        }
    }

    private void addPairs(CommandContext ctx, int key, int first) {
        Request request = ctx.request();
        int pairs = (request.argCount() - first) / 2;
        if (!parseScores(request, first, pairs)) {
            ctx.reply().error(NOT_A_FLOAT);
            return;
        }
        Entry entry = ctx.lookup(0, key);
        if (!Values.isType(ctx, entry, ValueType.ZSET)) {
            return;
        }
        zset.open(ctx.keyspace(), entry);
        if (!onlyPresent) {
            Values.reserve(ctx, zset, first, 2);
        }
        added = 0;
        updated = 0;
        processed = false;
        boolean number = true;
        for (int i = 0; i < pairs && number; i++) {
            int member = first + 2 * i + 1;
            number = addOne(scores[i], request.argAddress(member), request.argLength(member));
        }
        if (added + updated > 0) {
            ctx.keyspace().event(increment ? KeyEvent.ZINCR : KeyEvent.ZADD, entry);
        }
        answerAdd(ctx, number);
        if (scores.length > SCORES_KEPT_MAX) {
            scores = new double[16];
        }
    }

    private void answerAdd(CommandContext ctx, boolean number) {
        if (!number) {
            ctx.reply().error(NO_NUMBER);
        } else if (!increment) {
            ctx.reply().integer(countChanged ? added + updated : added);
        } else if (processed) {
            ctx.reply().doubleValue(score);
        } else {
            ctx.reply().nullValue();
        }
    }

    private boolean parseScores(Request request, int first, int pairs) {
        if (scores.length < pairs) {
            scores = Arrays.copyOf(scores, Math.max(pairs, 2 * scores.length));
        }
        for (int i = 0; i < pairs; i++) {
            if (!parsed.parse(request, first + 2 * i)) {
                return false;
            }
            scores[i] = parsed.value();
        }
        return true;
    }

    /** Returns false if the sum is no number. */
    private boolean addOne(double given, long address, int length) {
        int handle = zset.find(address, length);
        if (handle == PackedValue.ABSENT) {
            if (!onlyPresent) {
                zset.put(given, address, length);
                score = given;
                added++;
                processed = true;
            }
            return true;
        }
        double old = zset.score(handle);
        score = increment ? old + given : given;
        if (onlyNew) {
            return true;
        }
        if (Double.isNaN(score)) {
            return false;
        }
        if (!(onlyLess && score >= old || onlyGreater && score <= old)) {
            processed = true;
            if (score != old) {
                zset.put(score, address, length);
                updated++;
            }
        }
        return true;
    }

    private void remove(CommandContext ctx) {
        Request request = ctx.request();
        Entry entry = ctx.lookup(0, 1);
        if (!Values.isType(ctx, entry, ValueType.ZSET)) {
            return;
        }
        zset.open(ctx.keyspace(), entry);
        int removed = 0;
        for (int i = 2; i < request.argCount() && zset.size() > 0; i++) {
            removed += zset.remove(request.argAddress(i), request.argLength(i)) ? 1 : 0;
        }
        if (removed > 0) {
            Values.changed(ctx, entry, KeyEvent.ZREM);
        }
        ctx.reply().integer(removed);
    }

    /** Opens the sorted set at the first argument. False if there is something else, which then is the error. */
    private boolean openToRead(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 1);
        if (!Values.isType(ctx, entry, ValueType.ZSET)) {
            return false;
        }
        zset.open(ctx.keyspace(), entry);
        return true;
    }

    private int find(CommandContext ctx, int arg) {
        return zset.find(ctx.request().argAddress(arg), ctx.request().argLength(arg));
    }

    private void score(CommandContext ctx) {
        if (openToRead(ctx)) {
            answerScore(ctx, 2);
        }
    }

    private void scores(CommandContext ctx) {
        if (openToRead(ctx)) {
            ctx.reply().array(ctx.request().argCount() - 2);
            for (int i = 2; i < ctx.request().argCount(); i++) {
                answerScore(ctx, i);
            }
        }
    }

    private void answerScore(CommandContext ctx, int member) {
        int handle = find(ctx, member);
        if (handle == PackedValue.ABSENT) {
            ctx.reply().nullValue();
        } else {
            ctx.reply().doubleValue(zset.score(handle));
        }
    }

    private void size(CommandContext ctx) {
        if (openToRead(ctx)) {
            ctx.reply().integer(zset.size());
        }
    }

    private void rank(CommandContext ctx) {
        rank(ctx, false);
    }

    private void reverseRank(CommandContext ctx) {
        rank(ctx, true);
    }

    private void rank(CommandContext ctx, boolean reverse) {
        boolean withScore = ctx.request().argCount() > 3;
        if (ctx.request().argCount() > 4) {
            ctx.reply().error(Errors.wrongArity(ctx.command().fullName()));
            return;
        }
        if (withScore && !ctx.request().argIs(3, WITHSCORE)) {
            ctx.reply().error(Errors.SYNTAX);
            return;
        }
        if (!openToRead(ctx)) {
            return;
        }
        int handle = find(ctx, 2);
        if (handle == PackedValue.ABSENT) {
            if (withScore) {
                ctx.reply().nullArray();
            } else {
                ctx.reply().nullValue();
            }
            return;
        }
        int rank = zset.rank(handle);
        if (withScore) {
            ctx.reply().array(2);
        }
        ctx.reply().integer(reverse ? zset.size() - 1 - rank : rank);
        if (withScore) {
            ctx.reply().doubleValue(zset.score(handle));
        }
    }

    List<CommandSpec> specs() {
        return List.of(
            row("zadd", -4, this::add).flags(WRITE, DENYOOM, FAST).key(1, "RW update").since("1.2.0")
                .complexity("O(log N) per member, and a move of 4 bytes for each behind it")
                .summary("Gives members of a sorted set their scores, or makes one.")
                .args(Arg.key("key"), Arg.oneOf("condition", Arg.word("NX"), Arg.word("XX")).optional(),
                    Arg.oneOf("comparison", Arg.word("GT"), Arg.word("LT")).optional(),
                    Arg.word("change", "CH").optional(), Arg.word("increment", "INCR").optional(),
                    Arg.block("score_member", Arg.decimal("score"), Arg.string("member")).multiple()).build(),
            row("zincrby", 4, this::incrementBy).flags(WRITE, DENYOOM, FAST).key(1, "RW access update").since("1.2.0")
                .complexity("O(log N), and a move of 4 bytes for each member between")
                .summary("Adds to the score of a member of a sorted set.")
                .args(Arg.key("key"), Arg.integer("increment"), Arg.string("member")).build(),
            row("zrem", -3, this::remove).flags(WRITE, FAST).key(1, "RW delete").since("1.2.0")
                .complexity("O(log N) per member, and a move of 4 bytes for each behind it")
                .summary("Removes members of a sorted set.")
                .args(Arg.key("key"), Arg.string("member").multiple()).build(),
            row("zscore", 3, this::score).flags(READONLY, FAST).key(1, "RO access").since("1.2.0").complexity("O(1)")
                .summary("Returns the score of a member of a sorted set.")
                .args(Arg.key("key"), Arg.string("member")).build(),
            row("zmscore", -3, this::scores).flags(READONLY, FAST).key(1, "RO access").since("6.2.0")
                .complexity("O(N) with N members").summary("Returns the scores of members of a sorted set.")
                .args(Arg.key("key"), Arg.string("member").multiple()).build(),
            row("zcard", 2, this::size).flags(READONLY, FAST).key(1, "RO").since("1.2.0").complexity("O(1)")
                .summary("Returns the number of members of a sorted set.").args(Arg.key("key")).build(),
            row("zrank", -3, this::rank).flags(READONLY, FAST).key(1, "RO access").since("2.0.0")
                .complexity("O(log N)").summary("Returns the rank of a member of a sorted set, lowest score first.")
                .args(Arg.key("key"), Arg.string("member"), Arg.word("WITHSCORE").optional()).build(),
            row("zrevrank", -3, this::reverseRank).flags(READONLY, FAST).key(1, "RO access").since("2.0.0")
                .complexity("O(log N)").summary("Returns the rank of a member of a sorted set, highest score first.")
                .args(Arg.key("key"), Arg.string("member"), Arg.word("WITHSCORE").optional()).build());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("sortedset").group("sorted-set");
    }
}
