package io.sluice.server.command;

import io.sluice.resp.Reply;
import io.sluice.server.stats.HeavyKeys;
import io.sluice.server.stats.HeavyKeys.HeavyKey;
import io.sluice.server.stats.HotKeys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;

/**
 * {@code HOTKEYS} in both of its known shapes. With a session (Redis 8.6) {@code GET} reports it. Without one, {@code
 * GET} answers as Valkey does, with the keys that are used most now: here those that limiters decide about.
 */
final class HotKeyCommands {
    private static final byte[] METRICS = Words.lower("metrics");
    private static final byte[] CPU = Words.lower("cpu");
    private static final byte[] NET = Words.lower("net");
    private static final byte[] COUNT = Words.lower("count");
    private static final byte[] DURATION = Words.lower("duration");
    private static final byte[] SAMPLE = Words.lower("sample");
    private static final byte[] SLOTS = Words.lower("slots");
    private static final long COUNT_DEFAULT = 10;
    private static final long COUNT_MAX = 64;
    private static final long NS_PER_MS = 1_000_000;
    private static final int TOP = 10;

    private final ServerParts parts;
    private final HotKeys session;

    HotKeyCommands(ServerParts parts) {
        this.parts = parts;
        session = parts.hotKeys();
    }

    private void start(CommandContext ctx) {
        HotKeys.Settings settings = parse(ctx.args());
        if (session.isActive()) {
            ctx.args().fail("ERR hotkeys tracking session already in progress");
        }
        if (!ctx.args().failed(ctx.reply())) {
            session.start(settings, ctx.nowNs());
            ctx.reply().ok();
        }
    }

    private static HotKeys.Settings parse(Args args) {
        if (!args.accept(METRICS)) {
            args.fail("ERR METRICS parameter is required");
        }
        long metrics = args.nextLong(1, 2, "ERR METRICS count must be between 1 and 2");
        boolean cpu = false;
        boolean net = false;
        long count = COUNT_DEFAULT;
        long seconds = 0;
        long ratio = 1;
        while (args.hasNext()) {
            if (args.accept(CPU)) {
                cpu = true;
            } else if (args.accept(NET)) {
                net = true;
            } else if (args.accept(COUNT)) {
                count = args.nextLong(1, COUNT_MAX, "ERR COUNT must be between 1 and " + COUNT_MAX);
            } else if (args.accept(DURATION)) {
                seconds = args.nextLong(1, Integer.MAX_VALUE, "ERR DURATION must be a positive number of seconds");
            } else if (args.accept(SAMPLE)) {
                ratio = args.nextLong(1, Integer.MAX_VALUE, "ERR SAMPLE ratio must be positive");
            } else if (args.accept(SLOTS)) {
                args.fail("ERR SLOTS parameter cannot be used in non-cluster mode");
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        if (args.error() == null && metrics != (cpu ? 1 : 0) + (net ? 1 : 0)) {
            args.fail("ERR METRICS count does not match number of metric types provided");
        }
        return new HotKeys.Settings(cpu, net, (int) count, seconds, ratio);
    }

    private void stop(CommandContext ctx) {
        if (session.isActive()) {
            session.stop(ctx.nowNs());
            ctx.reply().ok();
        } else {
            ctx.reply().nullValue();
        }
    }

    private void reset(CommandContext ctx) {
        if (session.isActive()) {
            ctx.reply().error("ERR hotkeys tracking session in progress, stop tracking first");
            return;
        }
        session.reset();
        ctx.reply().ok();
    }

    private void get(CommandContext ctx) {
        if (session.settings() != null) {
            report(ctx);
        } else {
            now(ctx.reply());
        }
    }

    private void report(CommandContext ctx) {
        HotKeys.Settings settings = session.settings();
        Reply reply = ctx.reply();
        reply.map(7 + (settings.cpu() ? 1 : 0) + (settings.net() ? 1 : 0));
        field(reply, "tracking-active", session.isActive() ? 1 : 0);
        field(reply, "sample-ratio", settings.sampleRatio());
        reply.bulkText("selected-slots");
        reply.array(0);
        field(reply, "all-commands-all-slots-us", session.totalNs() / 1000);
        field(reply, "net-bytes-all-commands-all-slots", session.totalBytes());
        field(reply, "collection-start-time-unix-ms", session.startedEpochNs() / NS_PER_MS);
        field(reply, "collection-duration-ms", session.durationNs(ctx.nowNs()) / NS_PER_MS);
        if (settings.cpu()) {
            list(reply, "by-cpu-time-us", session.byTime());
        }
        if (settings.net()) {
            list(reply, "by-net-bytes", session.byBytes());
        }
    }

    private void list(Reply reply, String name, HeavyKeys keys) {
        List<HeavyKey> top = keys.top(session.settings().count());
        reply.bulkText(name);
        reply.array(2 * top.size());
        for (HeavyKey key : top) {
            reply.bulk(InsightCommands.shown(key));
            reply.integer(Math.round(key.certain()));
        }
    }

    private static void field(Reply reply, String name, long value) {
        reply.bulkText(name);
        reply.integer(value);
    }

    /** Allowed and denied decisions of a key together. */
    private void now(Reply reply) {
        Map<String, HeavyKey> byName = new HashMap<>();
        for (HeavyKeys keys : List.of(parts.decisions().allowedKeys(), parts.decisions().deniedKeys())) {
            for (HeavyKey key : keys.top(HeavyKeys.SLOTS)) {
                byName.merge(key.db() + " " + new String(key.key(), StandardCharsets.ISO_8859_1), key,
                    (a, b) -> a.plus(b.certain()));
            }
        }
        List<HeavyKey> hottest = new ArrayList<>(byName.values());
        hottest.sort(Comparator.comparingDouble((HeavyKey key) -> -key.certain()));
        hottest = hottest.subList(0, Math.min(TOP, hottest.size()));
        reply.array(hottest.size());
        for (HeavyKey key : hottest) {
            reply.map(3);
            reply.bulkText("key");
            reply.bulk(InsightCommands.shown(key));
            field(reply, "db", key.db());
            field(reply, "qps", Math.round(key.certain() * HeavyKeys.PER_SECOND));
        }
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String summary) {
        return CommandSpec.named(name, arity, handler).flags(ADMIN, NOSCRIPT).group("server").since("8.6.0")
            .summary(summary).complexity("O(1)");
    }

    List<CommandSpec> specs() {
        return List.of(CommandSpec.container("hotkeys").group("server").since("8.6.0")
            .summary("A container for commands that find keys which are used a lot.")
            .complexity("Depends on subcommand.")
            .subcommands(
                sub("start", -2, this::start, "Begins to measure what keys cost.")
                    .args(Arg.block("metrics", Arg.integer("count"), Arg.word("CPU").optional(),
                            Arg.word("NET").optional()).token("METRICS"),
                        Arg.integer("k").token("COUNT").optional(), Arg.integer("seconds").token("DURATION").optional(),
                        Arg.integer("ratio").token("SAMPLE").optional()).build(),
                sub("stop", 2, this::stop, "Ends measuring and keeps the result.").build(),
                sub("get", 2, this::get, "Returns what was measured, or the keys decided about most often now.")
                    .complexity("O(N log(N)) with the 4096 keys that are counted").build(),
                sub("reset", 2, this::reset, "Forgets what was measured.").build(),
                sub("help", 2, HelpText::answer, "Describes the subcommands.").build())
            .build());
    }
}
