package io.sluice.server.command;

import io.sluice.resp.ErrorText;
import io.sluice.resp.Reply;
import io.sluice.server.stats.LatencyHistogram;
import io.sluice.server.stats.LatencyMonitor;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.STALE;

/** {@code LATENCY}: events that held the server up, and histograms of how long commands take. */
final class LatencyCommands {
    private static final long NS_PER_US = 1000;

    private final ServerParts parts;
    private final LatencyMonitor monitor;

    LatencyCommands(ServerParts parts) {
        this.parts = parts;
        monitor = parts.latency();
    }

    private void latest(CommandContext ctx) {
        Reply reply = ctx.reply();
        reply.array(monitor.series().size());
        monitor.series().forEach((event, series) -> {
            int newest = series.size() - 1;
            reply.array(4);
            reply.bulkText(event);
            reply.integer(series.seconds(newest));
            reply.integer(series.latencyMs(newest));
            reply.integer(series.maxMs());
        });
    }

    private void history(CommandContext ctx) {
        LatencyMonitor.Series series = monitor.series().get(ctx.args().nextText());
        int size = series == null ? 0 : series.size();
        ctx.reply().array(size);
        for (int i = 0; i < size; i++) {
            ctx.reply().array(2);
            ctx.reply().integer(series.seconds(i));
            ctx.reply().integer(series.latencyMs(i));
        }
    }

    private void reset(CommandContext ctx) {
        int count = 0;
        if (!ctx.args().hasNext()) {
            count = monitor.resetAll();
        }
        while (ctx.args().hasNext()) {
            count += monitor.reset(ctx.args().nextText()) ? 1 : 0;
        }
        ctx.reply().integer(count);
    }

    private void doctor(CommandContext ctx) {
        ctx.reply().verbatim("txt", LatencyReport.diagnosis(monitor, parts).getBytes(StandardCharsets.US_ASCII));
    }

    private void graph(CommandContext ctx) {
        String event = ctx.args().nextText();
        LatencyMonitor.Series series = monitor.series().get(event);
        if (series == null) {
            ctx.reply().error("ERR No samples available for event '" + ErrorText.echo(event) + "'");
        } else {
            String text = LatencyReport.graph(event, series, Math.floorDiv(ctx.nowNs(), 1_000_000_000L));
            ctx.reply().verbatim("txt", text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static void histogram(CommandContext ctx) {
        List<CommandSpec> specs = new ArrayList<>();
        CommandTable table = ctx.dispatcher().table();
        if (!ctx.args().hasNext()) {
            table.specs().forEach(spec -> withCalls(spec, true, specs));
        }
        while (ctx.args().hasNext()) {
            CommandSpec spec = table.find(ctx.args().nextText().toLowerCase(Locale.ROOT));
            if (spec != null) {
                withCalls(spec, true, specs);
            }
        }
        ctx.reply().map(specs.size());
        specs.forEach(spec -> show(ctx.reply(), spec));
    }

    private static void withCalls(CommandSpec spec, boolean withSubcommands, List<CommandSpec> found) {
        if (spec.stats().latency().total() > 0) {
            found.add(spec);
        }
        if (withSubcommands) {
            spec.subcommands().forEach(sub -> withCalls(sub, false, found));
        }
    }

    /** Buckets are powers of two in microseconds, each with the number of calls that took at most that. */
    private static void show(Reply reply, CommandSpec spec) {
        LatencyHistogram latency = spec.stats().latency();
        List<long[]> buckets = new ArrayList<>();
        long seen = 0;
        for (long us = 1; seen < latency.total() && us <= 1L << 30; us <<= 1) {
            long count = us == 1L << 30 ? latency.total() : latency.countUpTo(us * NS_PER_US);
            if (count > seen) {
                buckets.add(new long[] {us, count});
                seen = count;
            }
        }
        reply.bulkText(spec.fullName());
        reply.map(2);
        reply.bulkText("calls");
        reply.integer(latency.total());
        reply.bulkText("histogram_usec");
        reply.map(buckets.size());
        for (long[] bucket : buckets) {
            reply.integer(bucket[0]);
            reply.integer(bucket[1]);
        }
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String since,
            String summary) {
        return CommandSpec.named(name, arity, handler).flags(ADMIN, NOSCRIPT, LOADING, STALE).group("server")
                .since(since).summary(summary).complexity("O(N) in the number of entries");
    }

    List<CommandSpec> specs() {
        return List.of(CommandSpec.container("latency").group("server").since("2.8.13")
            .summary("A container for latency diagnostics commands.").complexity("Depends on subcommand.")
            .subcommands(
                sub("latest", 2, this::latest, "2.8.13", "Returns the newest sample of each event.").build(),
                sub("history", 3, this::history, "2.8.13", "Returns the samples of an event.")
                    .args(Arg.string("event")).build(),
                sub("reset", -2, this::reset, "2.8.13", "Forgets the samples of events.")
                    .args(Arg.string("event").optional().multiple()).build(),
                sub("doctor", 2, this::doctor, "2.8.13", "Returns a word on latency.").build(),
                sub("graph", 3, this::graph, "2.8.13", "Draws the samples of an event.")
                    .args(Arg.string("event")).build(),
                sub("histogram", -2, LatencyCommands::histogram, "7.0.0",
                    "Returns how long commands take, as cumulative histograms.")
                    .args(Arg.string("command").optional().multiple()).build(),
                HelpText.row("server", "2.8.13").build())
            .build());
    }
}
