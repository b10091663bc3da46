package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.CollectionEncoding;

import java.util.List;

import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.STALE;

/** {@code OBJECT}, as far as it means something here: nothing is shared, and times of access are not kept. */
final class ObjectCommands {
    /** The longest string that Redis shows as {@code embstr}. */
    private static final int EMBSTR_BYTES_MAX = 44;
    private static final String NO_LFU = "ERR An LFU maxmemory policy is not selected, access frequency not tracked. "
        + "Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.";
    private static final String[] HELP = {
        "OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
        "ENCODING <key>",
        "    Return how the value of a key is held: int, embstr, raw, listpack and the like.",
        "FREQ <key>",
        "    Return an error, since no policy here counts accesses.",
        "IDLETIME <key>",
        "    Return 0, since times of access are not kept.",
        "REFCOUNT <key>",
        "    Return 1, since values are not shared.",
        "HELP",
        "    Print this help."
    };

    private ObjectCommands() {
    }

    private static void encoding(CommandContext ctx) {
        Entry entry = ctx.lookupRead(0, 2);
        if (!entry.exists()) {
            ctx.reply().nullValue();
        } else {
            ctx.reply().bulkText(encodingOf(entry));
        }
    }

    private static String encodingOf(Entry entry) {
        if (entry.type() >= ValueType.LIST) {
            return CollectionEncoding.nameOf(entry);
        }
        if (entry.type() != ValueType.STRING) {
            return "raw";
        }
        if (entry.isInt()) {
            return "int";
        }
        return entry.payloadLength() <= EMBSTR_BYTES_MAX ? "embstr" : "raw";
    }

    private static void freq(CommandContext ctx) {
        if (ctx.lookupRead(0, 2).exists()) {
            ctx.reply().error(NO_LFU);
        } else {
            ctx.reply().nullValue();
        }
    }

    private static void idleTime(CommandContext ctx) {
        answerIfPresent(ctx, 0);
    }

    private static void refCount(CommandContext ctx) {
        answerIfPresent(ctx, 1);
    }

    private static void answerIfPresent(CommandContext ctx, long answer) {
        if (ctx.lookupRead(0, 2).exists()) {
            ctx.reply().integer(answer);
        } else {
            ctx.reply().nullValue();
        }
    }

    private static void help(CommandContext ctx) {
        ctx.reply().array(HELP.length);
        for (String line : HELP) {
            ctx.reply().simple(line);
        }
    }

    static List<CommandSpec> specs() {
        return List.of(CommandSpec.container("object")
            .group("generic").since("2.2.3").complexity("O(1)").summary("Tells how the value of a key is held.")
            .subcommands(
                key("encoding", ObjectCommands::encoding).since("2.2.3").summary("Tells the encoding of a value.")
                    .build(),
                key("freq", ObjectCommands::freq).since("4.0.0").summary("Tells how often a key is accessed.").build(),
                CommandSpec.named("help", 2, ObjectCommands::help).flags(LOADING, STALE).acl("keyspace")
                    .group("generic").since("6.2.0").complexity("O(1)").summary("Lists the subcommands.").build(),
                key("idletime", ObjectCommands::idleTime).since("2.2.3")
                    .summary("Tells how long ago a key was accessed.").build(),
                key("refcount", ObjectCommands::refCount).since("2.2.3")
                    .summary("Tells how many references a value has.").build())
            .build());
    }

    private static CommandSpec.Builder key(String name, CommandHandler handler) {
        return CommandSpec.named(name, 3, handler).flags(READONLY).key(2, "RO").acl("keyspace").group("generic")
            .tips("nondeterministic_output").complexity("O(1)").args(Arg.key("key"));
    }
}
