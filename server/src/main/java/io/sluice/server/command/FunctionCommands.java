package io.sluice.server.command;

import io.sluice.resp.ErrorText;
import io.sluice.resp.Glob;
import io.sluice.resp.Reply;
import io.sluice.server.script.FunctionInfo;
import io.sluice.server.script.FunctionLibraries;
import io.sluice.server.script.FunctionLibraries.RestorePolicy;
import io.sluice.server.script.ScriptEngine;
import io.sluice.server.script.ScriptException;
import io.sluice.server.script.ScriptRun;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static io.sluice.server.command.CommandFlag.ALLOW_BUSY;
import static io.sluice.server.command.CommandFlag.DENYOOM;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.MAY_REPLICATE;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.NO_MANDATORY_KEYS;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.SCRIPT;
import static io.sluice.server.command.CommandFlag.SKIP_MONITOR;
import static io.sluice.server.command.CommandFlag.STALE;
import static io.sluice.server.command.CommandFlag.WRITE;

/** Functions: Lua that is loaded once, by library, and called by name. */
final class FunctionCommands {
    private static final byte[] FUNCTION = Words.lower("function");
    private static final byte[] LOAD = Words.lower("load");
    private static final byte[] RESTORE = Words.lower("restore");
    private static final byte[] REPLACE = Words.lower("replace");
    private static final byte[] APPEND = Words.lower("append");
    private static final byte[] FLUSH = Words.lower("flush");
    private static final byte[] SYNC = Words.lower("sync");
    private static final byte[] ASYNC = Words.lower("async");
    private static final byte[] LIBRARY_NAME = Words.lower("libraryname");
    private static final byte[] WITH_CODE = Words.lower("withcode");

    /** A handler that may be refused by the scripts it works on. */
    private interface ScriptHandler {
        void handle(CommandContext ctx) throws ScriptException;
    }

    private final ScriptEngine engine;
    private final FunctionLibraries libraries;

    FunctionCommands(ScriptEngine engine) {
        this.engine = engine;
        libraries = engine.functions();
    }

    private static CommandHandler answering(ScriptHandler handler) {
        return ctx -> {
            try {
                handler.handle(ctx);
            } catch (ScriptException e) {
                ctx.reply().error(e.getMessage());
            }
        };
    }

    private void load(CommandContext ctx) throws ScriptException {
        Args args = ctx.args();
        boolean replace = false;
        while (args.remaining() > 1) {
            if (!args.accept(REPLACE)) {
                ctx.reply().error("ERR Unknown option given: " + ErrorText.echo(ctx.request(), args.position()));
                return;
            }
            replace = true;
        }
        if (!args.hasNext()) {
            ctx.reply().error("ERR Function code is missing");
            return;
        }
        byte[] code = args.nextBytes();
        ctx.reply().bulkText(libraries.load(code, replace));
        ctx.keyspace().relay(FUNCTION, LOAD, REPLACE, code);
    }

    private void delete(CommandContext ctx) throws ScriptException {
        if (libraries.delete(ctx.args().nextText())) {
            ctx.relay();
            ctx.reply().ok();
        } else {
            ctx.reply().error("ERR Library not found");
        }
    }

    private void flush(CommandContext ctx) throws ScriptException {
        Args args = ctx.args();
        if (args.remaining() > 1 || args.hasNext() && !args.accept(SYNC) && !args.accept(ASYNC)) {
            ctx.reply().error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
            return;
        }
        libraries.flush();
        ctx.relay();
        ctx.reply().ok();
    }

    private void kill(CommandContext ctx) {
        String refusal = engine.kill(true);
        if (refusal == null) {
            ctx.reply().ok();
        } else {
            ctx.reply().error(refusal);
        }
    }

    private void dump(CommandContext ctx) {
        ctx.reply().bulk(libraries.dump());
    }

    private void restore(CommandContext ctx) throws ScriptException {
        Args args = ctx.args();
        if (args.remaining() > 2) {
            ctx.reply().error("ERR Unknown subcommand or wrong number of arguments for 'restore'. Try FUNCTION HELP.");
            return;
        }
        byte[] payload = args.nextBytes();
        RestorePolicy policy = RestorePolicy.APPEND;
        if (args.accept(FLUSH)) {
            policy = RestorePolicy.FLUSH;
        } else if (args.accept(REPLACE)) {
            policy = RestorePolicy.REPLACE;
        } else if (!args.accept(APPEND) && args.hasNext()) {
            ctx.reply().error("ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.");
            return;
        }
        libraries.restore(payload, policy);
        if (ctx.keyspace().hasEffects()) {
            ctx.keyspace().relay(FUNCTION, RESTORE, libraries.dump(), FLUSH);
        }
        ctx.reply().ok();
    }

    private void list(CommandContext ctx) {
        Args args = ctx.args();
        Glob pattern = null;
        boolean withCode = false;
        while (args.hasNext()) {
            if (!withCode && args.accept(WITH_CODE)) {
                withCode = true;
            } else if (pattern == null && args.accept(LIBRARY_NAME)) {
                if (!args.hasNext()) {
                    ctx.reply().error("ERR library name argument was not given");
                    return;
                }
                pattern = Glob.ofAnyCase(args.nextBytes());
            } else {
                ctx.reply().error("ERR Unknown argument " + ErrorText.echo(ctx.request(), args.position()));
                return;
            }
        }
        Glob wanted = pattern;
        List<FunctionInfo> found = libraries.describe().stream()
            .filter(library -> wanted == null || wanted.matches(library.name().getBytes(StandardCharsets.US_ASCII)))
            .toList();
        ctx.reply().array(found.size());
        for (FunctionInfo library : found) {
            describe(ctx.reply(), library, withCode);
        }
    }

    private static void describe(Reply reply, FunctionInfo library, boolean withCode) {
        reply.map(withCode ? 4 : 3);
        reply.bulkText("library_name");
        reply.bulkText(library.name());
        reply.bulkText("engine");
        reply.bulkText("LUA");
        reply.bulkText("functions");
        reply.array(library.functions().size());
        for (FunctionInfo.Function function : library.functions()) {
            reply.map(3);
            reply.bulkText("name");
            reply.bulkText(function.name());
            reply.bulkText("description");
            if (function.description() == null) {
                reply.nullValue();
            } else {
                reply.bulk(function.description());
            }
            reply.bulkText("flags");
            reply.set(function.flags().size());
            function.flags().forEach(reply::simple);
        }
        if (withCode) {
            reply.bulkText("library_code");
            reply.bulk(library.code());
        }
    }

    private void stats(CommandContext ctx) {
        Reply reply = ctx.reply();
        ScriptRun run = engine.run();
        if (run.isRunning() && !run.isFunction()) {
            reply.error(engine.busyError());
            return;
        }
        reply.map(2);
        reply.bulkText("running_script");
        if (run.isRunning()) {
            reply.map(3);
            reply.bulkText("name");
            reply.bulkText(run.name());
            reply.bulkText("command");
            List<byte[]> words = run.command();
            reply.array(words.size());
            words.forEach(reply::bulk);
            reply.bulkText("duration_ms");
            reply.integer(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - run.startNs()));
        } else {
            reply.nullValue();
        }
        reply.bulkText("engines");
        reply.map(1);
        reply.bulkText("LUA");
        reply.map(2);
        reply.bulkText("libraries_count");
        reply.integer(libraries.libraryCount());
        reply.bulkText("functions_count");
        reply.integer(libraries.functionCount());
    }

    private static CommandSpec.Builder row(String name, CommandHandler handler, String summary) {
        return CommandSpec.named(name, -3, handler).flags(NOSCRIPT, STALE, SKIP_MONITOR, NO_MANDATORY_KEYS, SCRIPT)
            .acl("scripting").group("scripting").since("7.0.0").summary(summary)
            .complexity("Depends on the function that is executed.")
            .args(Arg.string("function"), Arg.integer("numkeys"), Arg.key("key").optional().multiple(),
                Arg.string("arg").optional().multiple());
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String summary) {
        return CommandSpec.named(name, arity, handler).flags(NOSCRIPT).acl("scripting").group("scripting")
            .since("7.0.0").summary(summary).complexity("O(1)");
    }

    List<CommandSpec> specs() {
        Arg oneOfPolicies = Arg.oneOf("policy", Arg.word("FLUSH"), Arg.word("APPEND"), Arg.word("REPLACE")).optional();
        return List.of(
            row("fcall", answering(ctx -> engine.call(ctx, false)), "Calls a function.")
                .flags(MAY_REPLICATE).countedKeys(2, "RW access update").build(),
            row("fcall_ro", answering(ctx -> engine.call(ctx, true)), "Calls a function that may only read.")
                .flags(READONLY).countedKeys(2, "RO access").build(),
            CommandSpec.container("function").group("scripting").since("7.0.0")
                .summary("A container for function commands.").complexity("Depends on subcommand.")
                .subcommands(
                    sub("load", -3, answering(this::load), "Loads a library.").flags(DENYOOM, WRITE)
                        .args(Arg.word("REPLACE").optional(), Arg.string("function-code"))
                        .tips("request_policy:all_shards", "response_policy:all_succeeded").build(),
                    sub("list", -2, this::list, "Returns the libraries.").complexity("O(N) in the number of functions")
                        .args(Arg.string("library-name-pattern").token("LIBRARYNAME").optional(),
                            Arg.word("WITHCODE").optional())
                        .tips("nondeterministic_output_order").build(),
                    sub("delete", 3, answering(this::delete), "Removes a library.").flags(WRITE)
                        .args(Arg.string("library-name"))
                        .tips("request_policy:all_shards", "response_policy:all_succeeded").build(),
                    sub("flush", -2, answering(this::flush), "Removes all libraries.").flags(WRITE)
                        .complexity("O(N) in the number of functions")
                        .args(Arg.oneOf("async", Arg.word("ASYNC"), Arg.word("SYNC")).optional())
                        .tips("request_policy:all_shards", "response_policy:all_succeeded").build(),
                    sub("kill", 2, this::kill, "Ends the function that is running.").flags(ALLOW_BUSY)
                        .tips("request_policy:all_shards", "response_policy:one_succeeded").build(),
                    sub("stats", 2, this::stats, "Returns what is running and how many functions there are.")
                        .flags(ALLOW_BUSY)
                        .tips("nondeterministic_output", "request_policy:all_shards", "response_policy:special")
                        .build(),
                    sub("dump", 2, this::dump, "Returns all libraries as one piece of bytes.")
                        .complexity("O(N) in the number of functions").build(),
                    sub("restore", -3, answering(this::restore), "Takes libraries from what DUMP has returned.")
                        .flags(DENYOOM, WRITE).complexity("O(N) in the number of functions")
                        .args(Arg.string("serialized-value"), oneOfPolicies)
                        .tips("request_policy:all_shards", "response_policy:all_succeeded").build(),
                    CommandSpec.named("help", 2, HelpText::answer).flags(LOADING, STALE).acl("scripting")
                        .group("scripting").since("7.0.0").summary("Describes the subcommands.").complexity("O(1)")
                        .build())
                .build());
    }
}
