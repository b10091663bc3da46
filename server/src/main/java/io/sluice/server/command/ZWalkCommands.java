package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.ZSetValue;
import io.sluice.resp.DoubleText;
import io.sluice.resp.Reply;

import java.util.List;

import static io.sluice.server.command.CommandFlag.READONLY;

/** Sorted sets without regard to their order: step by step, and at random. */
final class ZWalkCommands {
    private static final byte[] WITHSCORES = Words.lower("withscores");

    private final ZSetValue zset = new ZSetValue();
    private final ElementScan scan = new ElementScan();
    private final ElementScan.Answer memberAndScore = this::memberAndScore;
    private final ElementScan.Step step = zset::scan;
    private final RandomPositions random = new RandomPositions();

    private void scan(CommandContext ctx) {
        ctx.args().position(2);
        long cursor = ScanOptions.nextCursor(ctx.args(), ctx.request());
        if (ctx.args().failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, 1);
        if (!entry.exists()) {
            ElementScan.answerAbsent(ctx.reply());
            return;
        }
        if (Values.isType(ctx, entry, ValueType.ZSET)) {
            zset.open(ctx.keyspace(), entry);
            scan.run(ctx, cursor, zset, step, 2, memberAndScore);
        }
    }

    private void memberAndScore(Reply reply, int handle) {
        reply.bulk(zset.address(handle), zset.length(handle));
        // Redis shows the scores of a scan as text in either protocol.
        reply.bulkText(DoubleText.of(zset.score(handle)));
    }

    private void randomMembers(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        boolean counted = args.hasNext();
        boolean withScores = args.remaining() > 1;
        long count = counted ? RandomPositions.nextCount(args, withScores ? 2 : 1) : 1;
        if (withScores && !args.accept(WITHSCORES)) {
            args.fail(Errors.SYNTAX);
        }
        args.expectEnd();
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookupRead(0, key);
        if (!Values.isType(ctx, entry, ValueType.ZSET)) {
            return;
        }
        zset.open(ctx.keyspace(), entry);
        if (counted) {
            answerRandom(ctx.reply(), count, withScores);
        } else if (entry.exists()) {
            Values.reply(ctx, zset, zset.at(RandomPositions.any(zset.size())));
        } else {
            ctx.reply().nullValue();
        }
    }

    private void answerRandom(Reply reply, long count, boolean withScores) {
        int size = zset.size();
        int members = (int) (size == 0 ? 0 : count < 0 ? -count : Math.min(count, size));
        boolean nested = withScores && reply.protocol() > 2;
        reply.array(withScores && !nested ? 2 * members : members);
        if (count > 0) {
            random.distinct(size, members, position -> answer(reply, zset.at(position), withScores, nested));
            return;
        }
        for (int i = 0; i < members; i++) {
            answer(reply, zset.at(RandomPositions.any(size)), withScores, nested);
        }
    }

    private void answer(Reply reply, int handle, boolean withScores, boolean nested) {
        if (nested) {
            reply.array(2);
        }
        reply.bulk(zset.address(handle), zset.length(handle));
        if (withScores) {
            reply.doubleValue(zset.score(handle));
        }
    }

    List<CommandSpec> specs() {
        return List.of(
            row("zscan", -3, this::scan).flags(READONLY).key(1, "RO access").tips("nondeterministic_output")
                .since("2.8.0").complexity("O(1) per call, O(N) for all")
                .summary("Shows the members of a sorted set step by step.")
                .args(Arg.key("key"), Arg.integer("cursor"), Arg.pattern("pattern").token("MATCH").optional(),
                    Arg.integer("count").token("COUNT").optional()).build(),
            row("zrandmember", -2, this::randomMembers).flags(READONLY).key(1, "RO access")
                .tips("nondeterministic_output").since("6.2.0").complexity("O(N) with N members of the set")
                .summary("Returns random members of a sorted set.")
                .args(Arg.key("key"),
                    Arg.block("options", Arg.integer("count"), Arg.word("WITHSCORES").optional()).optional()).build());
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler) {
        return CommandSpec.named(name, arity, handler).acl("sortedset").group("sorted-set");
    }
}
