package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.Glob;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;

import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.STALE;

/** {@code COMMAND}: the table, shown to clients. */
final class CommandCommands {
    private static final byte[] FILTERBY = Words.lower("filterby");
    private static final byte[] MODULE = Words.lower("module");
    private static final byte[] ACLCAT = Words.lower("aclcat");
    private static final byte[] PATTERN = Words.lower("pattern");

    private CommandCommands() {
    }

    private static void all(CommandContext ctx) {
        List<CommandSpec> specs = ctx.dispatcher().table().specs();
        ctx.reply().array(specs.size());
        specs.forEach(spec -> CommandReplies.info(ctx.reply(), spec));
    }

    private static void count(CommandContext ctx) {
        ctx.reply().integer(ctx.dispatcher().table().specs().size());
    }

    private static void info(CommandContext ctx) {
        if (!ctx.args().hasNext()) {
            all(ctx);
            return;
        }
        ctx.reply().array(ctx.args().remaining());
        while (ctx.args().hasNext()) {
            CommandSpec spec = named(ctx);
            if (spec == null) {
                ctx.reply().nullValue();
            } else {
                CommandReplies.info(ctx.reply(), spec);
            }
        }
    }

    private static void docs(CommandContext ctx) {
        List<CommandSpec> specs = new ArrayList<>();
        if (!ctx.args().hasNext()) {
            specs.addAll(ctx.dispatcher().table().specs());
        }
        while (ctx.args().hasNext()) {
            CommandSpec spec = named(ctx);
            if (spec != null) {
                specs.add(spec);
            }
        }
        ctx.reply().map(specs.size());
        specs.forEach(spec -> CommandReplies.namedDocs(ctx.reply(), spec));
    }

    private static CommandSpec named(CommandContext ctx) {
        return ctx.dispatcher().table().find(ctx.args().nextText().toLowerCase(Locale.ROOT));
    }

    private static void list(CommandContext ctx) {
        Args args = ctx.args();
        Predicate<CommandSpec> filter = spec -> true;
        if (args.hasNext()) {
            filter = filter(args);
            args.expectEnd();
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        List<CommandSpec> found = new ArrayList<>();
        for (CommandSpec spec : ctx.dispatcher().table().specs()) {
            addIf(filter, spec, found);
            for (CommandSpec sub : spec.subcommands()) {
                addIf(filter, sub, found);
            }
        }
        ctx.reply().array(found.size());
        found.forEach(spec -> ctx.reply().bulkText(spec.fullName()));
    }

    private static void addIf(Predicate<CommandSpec> filter, CommandSpec spec, List<CommandSpec> found) {
        if (filter.test(spec)) {
            found.add(spec);
        }
    }

    private static Predicate<CommandSpec> filter(Args args) {
        if (!args.accept(FILTERBY) || args.remaining() != 2) {
            args.fail(Errors.SYNTAX);
            return spec -> false;
        }
        if (args.accept(MODULE)) {
            args.next();
            return spec -> false;
        }
        if (args.accept(ACLCAT)) {
            String category = "@" + args.nextText().toLowerCase(Locale.ROOT);
            return spec -> spec.categories().contains(category);
        }
        if (args.accept(PATTERN)) {
            Glob pattern = Glob.ofAnyCase(args.nextBytes());
            return spec -> pattern.matches(spec.fullName().getBytes(StandardCharsets.US_ASCII));
        }
        args.fail(Errors.SYNTAX);
        return spec -> false;
    }

    private static void getKeys(CommandContext ctx) {
        withKeys(ctx, keys -> {
            ctx.reply().array(keys.size());
            keys.forEach(key -> ctx.reply().bulk(ctx.request().argBytes(key.argument())));
        });
    }

    private static void getKeysAndFlags(CommandContext ctx) {
        withKeys(ctx, keys -> {
            Reply reply = ctx.reply();
            reply.array(keys.size());
            for (Key key : keys) {
                reply.array(2);
                reply.bulk(ctx.request().argBytes(key.argument()));
                reply.set(key.flags().size());
                key.flags().forEach(reply::simple);
            }
        });
    }

    /** A key of the inner command: its argument in the outer one, and how it is used. */
    private record Key(int argument, List<String> flags) {
    }

    private static void withKeys(CommandContext ctx, Consumer<List<Key>> answer) {
        int first = ctx.args().position();
        byte[][] words = new byte[ctx.args().remaining()][];
        for (int i = 0; i < words.length; i++) {
            words[i] = ctx.request().argBytes(first + i);
        }
        ByteBuf scratch = PooledByteBufAllocator.DEFAULT.directBuffer();
        try {
            Request inner = Request.of(scratch, words);
            CommandSpec spec = ctx.dispatcher().table().resolve(inner);
            List<Key> keys = new ArrayList<>();
            String error = spec == null ? "ERR Invalid command specified" : collect(spec, inner, first, keys);
            if (error != null) {
                ctx.reply().error(error);
            } else {
                answer.accept(keys);
            }
        } finally {
            scratch.release();
        }
    }

    private static String collect(CommandSpec spec, Request inner, int first, List<Key> keys) {
        if (spec.keySpecs().isEmpty()) {
            return "ERR The command has no key arguments";
        }
        if (!spec.arityAllows(inner.argCount())) {
            return "ERR Invalid number of arguments specified for command";
        }
        for (int i = 0; i < spec.keySpecs().size(); i++) {
            KeySpec keySpec = spec.keySpecs().get(i);
            List<String> flags = keySpec.flags().contains("variable_flags")
                    ? KeyAccess.words(spec.keyAccess(i, inner)) : keySpec.flags();
            if (!keySpec.forEachKey(inner, arg -> keys.add(new Key(first + arg, flags)))) {
                return "ERR Invalid arguments specified for command";
            }
        }
        return keys.isEmpty() && !spec.has(CommandFlag.NO_MANDATORY_KEYS)
                ? "ERR Invalid arguments specified for command" : null;
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String since,
            String summary) {
        return CommandSpec.named(name, arity, handler).flags(LOADING, STALE).acl("connection").group("server")
                .since(since).summary(summary).complexity("O(N) in the number of commands");
    }

    static List<CommandSpec> specs() {
        Arg commands = Arg.string("command-name").optional().multiple();
        Arg[] inner = {Arg.string("command"), Arg.string("arg").optional().multiple()};
        return List.of(CommandSpec.named("command", -1, CommandCommands::all)
            .flags(LOADING, STALE).acl("connection").group("server").since("2.8.13")
            .summary("Returns detailed information about all commands.").complexity("O(N) in the number of commands")
            .subcommands(
                sub("count", 2, CommandCommands::count, "2.8.13", "Returns the number of commands.").build(),
                sub("info", -2, CommandCommands::info, "2.8.13", "Returns flags, arity and keys of commands.")
                    .args(commands).build(),
                sub("docs", -2, CommandCommands::docs, "7.0.0", "Returns the documentation of commands.")
                    .args(commands).build(),
                sub("list", -2, CommandCommands::list, "7.0.0", "Returns names of commands.")
                    .args(Arg.oneOf("filterby", Arg.string("module-name").token("MODULE"),
                            Arg.string("category").token("ACLCAT"), Arg.pattern("pattern").token("PATTERN"))
                        .token("FILTERBY").optional()).build(),
                sub("getkeys", -3, CommandCommands::getKeys, "2.8.13", "Returns the keys of a command.")
                    .args(inner).build(),
                sub("getkeysandflags", -3, CommandCommands::getKeysAndFlags, "7.0.0",
                    "Returns the keys of a command and how they are used.").args(inner).build(),
                sub("help", 2, HelpText::answer, "5.0.0", "Describes the subcommands.").build())
            .build());
    }
}
