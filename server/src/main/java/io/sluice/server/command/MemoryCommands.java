package io.sluice.server.command;

import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.persistence.Entry;
import io.sluice.resp.Reply;
import io.sluice.server.ProcessInfo;

import java.nio.charset.StandardCharsets;
import java.util.List;

import static io.sluice.server.command.CommandFlag.READONLY;

/** {@code MEMORY}. */
final class MemoryCommands {
    private static final double NEARLY_FULL = 0.9;
    private static final double PERCENT = 100;
    private static final byte[] SAMPLES = Words.lower("samples");

    private MemoryCommands() {
    }

    private static void usage(CommandContext ctx) {
        Args args = ctx.args();
        int key = args.next();
        while (args.hasNext()) {
            if (!args.accept(SAMPLES)) {
                args.fail(Errors.SYNTAX);
            }
            args.nextLong(0, Long.MAX_VALUE, Errors.SYNTAX);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        Entry entry = ctx.lookup(0, key);
        if (entry.exists()) {
            ctx.reply().integer(ctx.keyspace().memoryUsage(entry));
        } else {
            ctx.reply().nullValue();
        }
    }

    /** Redis's names where they mean something here, and ours for heap, buffers and index. */
    private static void stats(CommandContext ctx) {
        Reply reply = ctx.reply();
        long keys = ctx.keyspace().size();
        long dataset = ctx.keyspace().memoryUsed();
        long index = ctx.database().store().capacity().indexBytes();
        long overhead = ProcessInfo.bufferBytes() + ProcessInfo.heapBytes() + index;
        long peak = Math.max(dataset, ctx.database().peakBytes());
        long resident = ProcessInfo.residentBytes();
        reply.map(18);
        field(reply, "peak.allocated", peak + overhead);
        field(reply, "total.allocated", dataset + overhead);
        field(reply, "startup.allocated", 0);
        field(reply, "replication.backlog", 0);
        field(reply, "clients.slaves", 0);
        field(reply, "clients.normal", ProcessInfo.bufferBytes());
        field(reply, "aof.buffer", 0);
        field(reply, "overhead.total", overhead);
        field(reply, "heap.bytes", ProcessInfo.heapBytes());
        field(reply, "buffers.bytes", ProcessInfo.bufferBytes());
        field(reply, "index.bytes", index);
        field(reply, "keys.count", keys);
        field(reply, "keys.bytes-per-key", keys == 0 ? 0 : (dataset + index) / keys);
        field(reply, "dataset.bytes", dataset);
        share(reply, "dataset.percentage", dataset, dataset + overhead);
        share(reply, "peak.percentage", dataset + overhead, peak + overhead);
        field(reply, "resident.bytes", resident);
        reply.bulkText("fragmentation");
        reply.doubleValue((double) resident / (dataset + overhead));
    }

    private static void field(Reply reply, String name, long value) {
        reply.bulkText(name);
        reply.integer(value);
    }

    private static void share(Reply reply, String name, long part, long whole) {
        reply.bulkText(name);
        reply.doubleValue(whole == 0 ? 0 : PERCENT * part / whole);
    }

    private static void doctor(CommandContext ctx) {
        StringBuilder text = new StringBuilder();
        long used = ctx.keyspace().memoryUsed();
        long max = ctx.keyspace().limits().maxMemoryBytes();
        if (max > 0 && used > max * NEARLY_FULL) {
            text.append("Entries take ").append(InfoText.human(used)).append(" of maxmemory ")
                .append(InfoText.human(max)).append(": new keys will be refused, or evict others, before long.\n");
        }
        long maxKeys = ctx.keyspace().limits().maxKeys();
        if (maxKeys > 0 && ctx.keyspace().size() > maxKeys * NEARLY_FULL) {
            text.append("There are ").append(ctx.keyspace().size()).append(" keys of maxkeys ").append(maxKeys)
                .append(".\n");
        }
        String growth = ctx.database().store().capacity().growthFailure();
        if (growth != null) {
            text.append("No further map file could be made: ").append(growth).append('\n');
        }
        if (ProcessInfo.heapBytes() > Runtime.getRuntime().maxMemory() * NEARLY_FULL) {
            text.append("The heap is nearly full; large requests and replies live there for a while.\n");
        }
        if (text.length() == 0) {
            text.append("Nothing is wrong: ").append(InfoText.human(used)).append(" of entries")
                .append(max > 0 ? " of " + InfoText.human(max) : "").append(".\n");
        }
        ctx.reply().verbatim("txt", text.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void mallocStats(CommandContext ctx) {
        ctx.reply().verbatim("txt", (PooledByteBufAllocator.DEFAULT.metric() + "\n")
            .getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void purge(CommandContext ctx) {
        ctx.reply().ok();
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String summary) {
        return CommandSpec.named(name, arity, handler).group("server").since("4.0.0").summary(summary)
                .complexity("O(1)");
    }

    static List<CommandSpec> specs() {
        return List.of(CommandSpec.container("memory").group("server").since("4.0.0")
            .summary("A container for memory diagnostics commands.").complexity("Depends on subcommand.")
            .subcommands(
                sub("usage", -3, MemoryCommands::usage, "Returns the bytes that a key and its value take.")
                    .flags(READONLY).key(1 + 1, "RO")
                    .args(Arg.key("key"), Arg.integer("count").token("SAMPLES").optional()).build(),
                sub("stats", 2, MemoryCommands::stats, "Returns where memory goes.").build(),
                sub("malloc-stats", 2, MemoryCommands::mallocStats, "Returns what the pool of buffers says.").build(),
                sub("doctor", 2, MemoryCommands::doctor, "Returns a word on memory.").build(),
                sub("purge", 2, MemoryCommands::purge, "Does nothing: there is no allocator to purge.").build(),
                sub("help", 2, HelpText::answer, "Describes the subcommands.").build())
            .build());
    }
}
