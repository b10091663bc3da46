package io.sluice.server.command;

import io.sluice.persistence.ValueType;
import io.sluice.resp.Reply;
import io.sluice.server.stats.DecisionStats;
import io.sluice.server.stats.HeavyKeys;
import io.sluice.server.stats.HeavyKeys.HeavyKey;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.STALE;

/** Who is limited, and how the limiters are doing: {@code RL.TOP}, {@code RL.INSPECT}, {@code RL.STATS}. */
final class InsightCommands {
    private static final byte[] ALLOWED = Words.lower("allowed");
    private static final byte[] DENIED = Words.lower("denied");
    private static final byte[] COUNT = Words.lower("count");
    private static final long COUNT_DEFAULT = 10;
    private static final double NS_PER_SECOND = 1e9;

    private final ServerParts parts;
    private final DecisionStats decisions;

    InsightCommands(ServerParts parts) {
        this.parts = parts;
        decisions = parts.decisions();
    }

    /** Rows of {@code [key, db, count, error]}: count is certain, up to so many more may have been missed. */
    private void top(CommandContext ctx) {
        Args args = ctx.args();
        boolean denied = args.accept(DENIED);
        if (!denied && !args.accept(ALLOWED)) {
            args.fail(Errors.SYNTAX);
        }
        long count = COUNT_DEFAULT;
        if (args.accept(COUNT)) {
            count = args.nextLong();
            if (count < 1) {
                args.fail(Errors.NOT_POSITIVE);
            }
        }
        args.expectEnd();
        Reply reply = ctx.reply();
        if (args.failed(reply)) {
            return;
        }
        HeavyKeys keys = denied ? decisions.deniedKeys() : decisions.allowedKeys();
        List<HeavyKey> rows = keys.top((int) Math.min(count, HeavyKeys.SLOTS));
        reply.array(rows.size());
        for (HeavyKey row : rows) {
            reply.array(4);
            reply.bulk(shown(row));
            reply.integer(row.db());
            reply.integer(Math.round(row.certain()));
            reply.integer((long) Math.ceil(row.error()));
        }
    }

    /** The key, or what is kept of it and how much is not. */
    static byte[] shown(HeavyKey row) {
        if (row.key().length == row.keyLength()) {
            return row.key();
        }
        byte[] rest = ("... (" + (row.keyLength() - row.key().length) + " more bytes)")
            .getBytes(StandardCharsets.US_ASCII);
        byte[] text = Arrays.copyOf(row.key(), row.key().length + rest.length);
        System.arraycopy(rest, 0, text, row.key().length, rest.length);
        return text;
    }

    private void stats(CommandContext ctx) {
        Reply reply = ctx.reply();
        reply.map(4);
        reply.bulkText("decisions");
        reply.array(DecisionStats.LAST_TYPE - DecisionStats.FIRST_TYPE + 1);
        for (int type = DecisionStats.FIRST_TYPE; type <= DecisionStats.LAST_TYPE; type++) {
            reply.array(5);
            reply.bulkText(ValueType.nameOf(type));
            reply.integer(decisions.allowed(type));
            reply.integer(decisions.denied(type));
            reply.integer(Math.round(decisions.allowedPerSecond(type)));
            reply.integer(Math.round(decisions.deniedPerSecond(type)));
        }
        reply.bulkText("loop_busy");
        reply.doubleValue(Math.min(1, parts.stats().loopRate.perSecond() / NS_PER_SECOND));
        reply.bulkText("loop_longest_pause_us");
        reply.integer(parts.stats().longestPauseNs / 1000);
        reply.bulkText("top_half_life_seconds");
        reply.integer(HeavyKeys.HALF_LIFE_SECONDS);
    }

    List<CommandSpec> specs() {
        return List.of(
            CommandSpec.named("rl.top", -2, this::top)
                .flags(ADMIN, NOSCRIPT, LOADING, STALE)
                .group("ratelimit").since("0.2.0").complexity("O(N log(N)) with the 4096 keys that are counted")
                .summary("Returns the keys that were denied, or allowed, most often in the last minutes.")
                .args(Arg.oneOf("result", Arg.word("DENIED"), Arg.word("ALLOWED")),
                    Arg.integer("count").token("COUNT").optional())
                .build(),
            CommandSpec.named("rl.inspect", 2, new KeyInspection(decisions)::inspect)
                .flags(READONLY, FAST).key(1, "RO access").acl("throttle", "rate_limit")
                .group("ratelimit").since("0.2.0").complexity("O(1)")
                .summary("Tells what is known of a limit's key: its state, the limit last used, its last denial.")
                .args(Arg.key("key")).build(),
            CommandSpec.named("rl.stats", 1, this::stats)
                .flags(ADMIN, NOSCRIPT, LOADING, STALE)
                .group("ratelimit").since("0.2.0").complexity("O(1)")
                .summary("Returns decisions by algorithm and result, their rates, and how busy the server is.")
                .build());
    }
}
