package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyEvent;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.ZSetValue;
import io.sluice.resp.Reply;

import java.util.List;

import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Sorted sets, range by range: by rank, by score, and by member where all scores are equal. */
final class ZRangeCommands {
    private static final byte[] BYSCORE = Words.lower("byscore");
    private static final byte[] BYLEX = Words.lower("bylex");
    private static final byte[] REV = Words.lower("rev");
    private static final byte[] LIMIT = Words.lower("limit");
    private static final byte[] WITHSCORES = Words.lower("withscores");
    private static final String LIMIT_BY_RANK = "ERR syntax error, LIMIT is only supported in combination with either "
            + "BYSCORE or BYLEX";
    private static final String SCORES_BY_MEMBER = "ERR syntax error, WITHSCORES not supported in combination with "
            + "BYLEX";

    /** What the ends of a range are. */
    private enum By { RANK, SCORE, MEMBER }

    private final ZSetValue zset = new ZSetValue();
    private final ZSetValue result = new ZSetValue();
    private final ScoreRange scoreRange = new ScoreRange();
    private final MemberRange memberRange = new MemberRange();
    private By by;
    private boolean reverse;
    private boolean withScores;
    private long limitOffset;
    private long limitCount;
    private long start;
    private long stop;
    /** The range that was found: its first position and how many there are. */
    private int from;
    private int count;

    private void range(CommandContext ctx) {
        query(ctx, null, null);
    }

    private void rangeByScore(CommandContext ctx) {
        query(ctx, By.SCORE, false);
    }

    private void reverseRangeByScore(CommandContext ctx) {
        query(ctx, By.SCORE, true);
    }

    private void reverseRange(CommandContext ctx) {
        query(ctx, By.RANK, true);
    }

    private void rangeByMember(CommandContext ctx) {
        query(ctx, By.MEMBER, false);
    }

    private void reverseRangeByMember(CommandContext ctx) {
        query(ctx, By.MEMBER, true);
    }

    /** What is null may be chosen by an option. */
    private void query(CommandContext ctx, By fixedBy, Boolean fixedReverse) {
        Args args = ctx.args();
        int key = args.next();
        parse(ctx, false, fixedBy, fixedReverse);
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (!Values.isType(ctx, entry, ValueType.ZSET)) {
            return;
        }
        zset.open(ctx.keyspace(), entry);
        find();
        answer(ctx.reply());
    }

    private void rangeStore(CommandContext ctx) {
        Args args = ctx.args();
        int destination = args.next();
        int source = args.next();
        parse(ctx, true, null, null);
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, source);
        if (!Values.isType(ctx, entry, ValueType.ZSET)) {
            return;
        }
        zset.open(ctx.keyspace(), entry);
        find();
        result.build(ctx.keyspace());
        for (int i = 0; i < count; i++) {
            int handle = zset.at(from + i);
            result.put(zset.score(handle), zset.address(handle), zset.length(handle));
        }
        Values.store(ctx, result, ctx.lookup(1, destination), KeyEvent.ZRANGESTORE);
    }

    private void parse(CommandContext ctx, boolean store, By fixedBy, Boolean fixedReverse) {
        Args args = ctx.args();
        int first = args.next();
        int second = args.next();
        by = fixedBy;
        reverse = fixedReverse != null && fixedReverse;
        withScores = false;
        limitOffset = 0;
        limitCount = -1;
        while (args.hasNext()) {
            if (!store && args.accept(WITHSCORES)) {
                withScores = true;
            } else if (args.remaining() > 2 && args.accept(LIMIT)) {
                limitOffset = args.nextLong();
                limitCount = args.nextLong();
            } else if (fixedReverse == null && !reverse && args.accept(REV)) {
                reverse = true;
            } else if (by == null && args.accept(BYLEX)) {
                by = By.MEMBER;
            } else if (by == null && args.accept(BYSCORE)) {
                by = By.SCORE;
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        by = by == null ? By.RANK : by;
        if (by == By.RANK && limitCount != -1) {
            args.fail(LIMIT_BY_RANK);
        } else if (by == By.MEMBER && withScores) {
            args.fail(SCORES_BY_MEMBER);
        }
        boolean swapped = reverse && by != By.RANK;
        parseEnds(ctx, swapped ? second : first, swapped ? first : second);
    }

    private void parseEnds(CommandContext ctx, int min, int max) {
        Args args = ctx.args();
        if (args.error() != null) {
            return;
        }
        if (by == By.SCORE && !scoreRange.parse(ctx.request(), min, max)) {
            args.fail(ScoreRange.INVALID);
        } else if (by == By.MEMBER && !memberRange.parse(ctx.request(), min, max)) {
            args.fail(MemberRange.INVALID);
        } else if (by == By.RANK) {
            args.position(min);
            start = args.nextLong();
            args.position(max);
            stop = args.nextLong();
        }
    }

    /** Finds the positions of the range that was parsed. */
    private void find() {
        int size = zset.size();
        if (by == By.RANK) {
            int first = Ranges.from(start, size);
            count = Ranges.length(first, stop, size);
            from = reverse ? size - first - count : first;
            return;
        }
        int low = by == By.SCORE ? scoreRange.from(zset) : memberRange.from(zset);
        int high = Math.max(low, by == By.SCORE ? scoreRange.to(zset) : memberRange.to(zset));
        int skipped = limitOffset < 0 ? high - low : (int) Math.min(limitOffset, high - low);
        count = high - low - skipped;
        if (limitCount >= 0) {
            count = (int) Math.min(limitCount, count);
        }
        from = reverse ? high - skipped - count : low + skipped;
    }

    private void answer(Reply reply) {
        boolean nested = withScores && reply.protocol() > 2;
        reply.array(withScores && !nested ? 2 * count : count);
        for (int i = 0; i < count; i++) {
            int handle = zset.at(reverse ? from + count - 1 - i : from + i);
            if (nested) {
                reply.array(2);
            }
            reply.bulk(zset.address(handle), zset.length(handle));
            if (withScores) {
                reply.doubleValue(zset.score(handle));
            }
        }
    }

    private void count(CommandContext ctx) {
        count(ctx, By.SCORE);
    }

    private void countMembers(CommandContext ctx) {
        count(ctx, By.MEMBER);
    }

    private void count(CommandContext ctx, By fixedBy) {
        if (!parsePlainRange(ctx, fixedBy)) {
            return;
        }
        Entry entry = ctx.lookupRead(0, 1);
        if (Values.isType(ctx, entry, ValueType.ZSET)) {
            zset.open(ctx.keyspace(), entry);
            find();
            ctx.reply().integer(count);
        }
    }

    private void removeByScore(CommandContext ctx) {
        remove(ctx, By.SCORE, KeyEvent.ZREMRANGEBYSCORE);
    }

    private void removeByRank(CommandContext ctx) {
        remove(ctx, By.RANK, KeyEvent.ZREMRANGEBYRANK);
    }

    private void removeByMember(CommandContext ctx) {
        remove(ctx, By.MEMBER, KeyEvent.ZREMRANGEBYLEX);
    }

    private void remove(CommandContext ctx, By fixedBy, KeyEvent event) {
        if (!parsePlainRange(ctx, fixedBy)) {
            return;
        }
        Entry entry = ctx.lookup(0, 1);
        if (!Values.isType(ctx, entry, ValueType.ZSET)) {
            return;
        }
        zset.open(ctx.keyspace(), entry);
        find();
        zset.removeRange(from, count);
        if (count > 0) {
            Values.changed(ctx, entry, event);
        }
        ctx.reply().integer(count);
    }

    /** A key and the two ends of a range. False if an end is wrong, which then is the error. */
    private boolean parsePlainRange(CommandContext ctx, By fixedBy) {
        by = fixedBy;
        reverse = false;
        limitOffset = 0;
        limitCount = -1;
        parseEnds(ctx, 2, 3);
        return !ctx.args().failed(ctx.reply());
    }

    List<CommandSpec> specs() {
        return List.of(
            row("zrange", -4, this::range).flags(READONLY).key(1, "RO access").since("1.2.0")
                .complexity("O(log N + M) with M members returned")
                .summary("Returns a range of the members of a sorted set.")
                .args(Arg.key("key"), Arg.string("start"), Arg.string("stop"),
                    Arg.oneOf("sortby", Arg.word("BYSCORE"), Arg.word("BYLEX")).optional(),
                    Arg.word("REV").optional(),
                    limit(),
                    Arg.word("WITHSCORES").optional()).build(),
            row("zrangestore", -5, this::rangeStore).flags(WRITE, DENYOOM).key(1, "OW update").key(2, "RO access")
                .since("6.2.0").complexity("O(log N + M) with M members stored")
                .summary("Makes a range of the members of a sorted set the value of a key.")
                .args(Arg.key("dst"), Arg.key("src"), Arg.string("min"), Arg.string("max"),
                    Arg.oneOf("sortby", Arg.word("BYSCORE"), Arg.word("BYLEX")).optional(),
                    Arg.word("REV").optional(),
                    limit()).build(),
            row("zrangebyscore", -4, this::rangeByScore).flags(READONLY).key(1, "RO access").since("1.0.5")
                .complexity("O(log N + M) with M members returned")
                .summary("Returns the members of a sorted set whose scores are within a range.")
                .args(Arg.key("key"), Arg.decimal("min"), Arg.decimal("max"), Arg.word("WITHSCORES").optional(),
                    limit()).build(),
            row("zrevrangebyscore", -4, this::reverseRangeByScore).flags(READONLY).key(1, "RO access").since("2.2.0")
                .complexity("O(log N + M) with M members returned")
                .summary("Returns the members whose scores are within a range, highest first.")
                .args(Arg.key("key"), Arg.decimal("max"), Arg.decimal("min"), Arg.word("WITHSCORES").optional(),
                    limit()).build(),
            row("zrevrange", -4, this::reverseRange).flags(READONLY).key(1, "RO access").since("1.2.0")
                .complexity("O(log N + M) with M members returned")
                .summary("Returns a range of the members of a sorted set, highest score first.")
                .args(Arg.key("key"), Arg.integer("start"), Arg.integer("stop"), Arg.word("WITHSCORES").optional())
                .build(),
            row("zrangebylex", -4, this::rangeByMember).flags(READONLY).key(1, "RO access").since("2.8.9")
                .complexity("O(log N + M) with M members returned")
                .summary("Returns a range of members of a sorted set of equal scores.")
                .args(Arg.key("key"), Arg.string("min"), Arg.string("max"),
                    limit()).build(),
            row("zrevrangebylex", -4, this::reverseRangeByMember).flags(READONLY).key(1, "RO access").since("2.8.9")
                .complexity("O(log N + M) with M members returned")
                .summary("Returns a range of members of a sorted set of equal scores, last one first.")
                .args(Arg.key("key"), Arg.string("max"), Arg.string("min"),
                    limit()).build());
    }

    /** Those that answer with a number. */
    List<CommandSpec> numberSpecs() {
        return List.of(
            row("zcount", 4, this::count).flags(READONLY, FAST).key(1, "RO access").since("2.0.0")
                .complexity("O(log N)").summary("Counts the members of a sorted set whose scores are within a range.")
                .args(Arg.key("key"), Arg.decimal("min"), Arg.decimal("max")).build(),
            row("zlexcount", 4, this::countMembers).flags(READONLY, FAST).key(1, "RO access").since("2.8.9")
                .complexity("O(log N)").summary("Counts a range of members of a sorted set of equal scores.")
                .args(Arg.key("key"), Arg.string("min"), Arg.string("max")).build(),
            row("zremrangebyscore", 4, this::removeByScore).flags(WRITE).key(1, "RW delete").since("1.2.0")
                .complexity("O(log N + M) with M members removed at an end")
                .summary("Removes the members of a sorted set whose scores are within a range.")
                .args(Arg.key("key"), Arg.decimal("min"), Arg.decimal("max")).build(),
            row("zremrangebyrank", 4, this::removeByRank).flags(WRITE).key(1, "RW delete").since("2.0.0")
                .complexity("O(log N + M) with M members removed at an end")
                .summary("Removes a range of the members of a sorted set.")
                .args(Arg.key("key"), Arg.integer("start"), Arg.integer("stop")).build(),
            row("zremrangebylex", 4, this::removeByMember).flags(WRITE).key(1, "RW delete").since("2.8.9")
                .complexity("O(log N + M) with M members removed at an end")
                .summary("Removes a range of members of a sorted set of equal scores.")
                .args(Arg.key("key"), Arg.string("min"), Arg.string("max")).build());
    }

    private static Arg limit() {
        return Arg.block("offset_count", Arg.integer("offset"), Arg.integer("count")).token("LIMIT").optional();
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("sortedset").group("sorted-set");
    }
}
