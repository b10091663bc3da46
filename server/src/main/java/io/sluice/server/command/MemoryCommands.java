package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.resp.Reply;
import io.sluice.server.ProcessInfo;

import java.util.List;

import static io.sluice.server.command.CommandFlag.READONLY;

/** {@code MEMORY}. */
final class MemoryCommands {
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

    private static void stats(CommandContext ctx) {
        Reply reply = ctx.reply();
        long keys = ctx.keyspace().size();
        long dataset = ctx.keyspace().memoryUsed();
        reply.map(6);
        field(reply, "total.allocated", dataset + ProcessInfo.bufferBytes() + ProcessInfo.heapBytes());
        field(reply, "heap.bytes", ProcessInfo.heapBytes());
        field(reply, "buffers.bytes", ProcessInfo.bufferBytes());
        field(reply, "keys.count", keys);
        field(reply, "keys.bytes-per-key", keys == 0 ? 0 : dataset / keys);
        field(reply, "dataset.bytes", dataset);
    }

    private static void field(Reply reply, String name, long value) {
        reply.bulkText(name);
        reply.integer(value);
    }

    private static void doctor(CommandContext ctx) {
        ctx.reply().verbatim("txt", Words.lower(
                "Entries live in mapped files and cannot fragment the heap. See INFO memory and INFO keyspace.\n"));
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
                sub("doctor", 2, MemoryCommands::doctor, "Returns a word on memory.").build(),
                sub("purge", 2, MemoryCommands::purge, "Does nothing: there is no allocator to purge.").build(),
                sub("help", 2, HelpText::answer, "Describes the subcommands.").build())
            .build());
    }
}
