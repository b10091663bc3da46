package io.sluice.server.command;

import io.sluice.server.script.ScriptCache;
import io.sluice.server.script.ScriptEngine;
import io.sluice.server.script.ScriptException;

import java.util.List;

import static io.sluice.server.command.CommandFlag.ALLOW_BUSY;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.FROM_PRIMARY;
import static io.sluice.server.command.CommandFlag.MAY_REPLICATE;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.NO_MANDATORY_KEYS;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.SCRIPT;
import static io.sluice.server.command.CommandFlag.SKIP_MONITOR;
import static io.sluice.server.command.CommandFlag.STALE;

/** Lua scripts: sent along and run, or kept and run by their SHA-1. */
final class ScriptCommands {
    private static final byte[] YES = Words.lower("yes");
    private static final byte[] NO = Words.lower("no");
    private static final byte[] SYNC = Words.lower("sync");
    private static final byte[] ASYNC = Words.lower("async");

    private final ScriptEngine engine;
    private final ScriptCache cache;

    ScriptCommands(ScriptEngine engine) {
        this.engine = engine;
        cache = engine.cache();
    }

    private void run(CommandContext ctx, boolean bySha, boolean readOnly) {
        try {
            engine.eval(ctx, bySha, readOnly);
        } catch (ScriptException e) {
            ctx.reply().error(e.getMessage());
        }
    }

    private void load(CommandContext ctx) {
        try {
            ctx.reply().bulkText(cache.load(ctx.request(), ctx.args().next()));
        } catch (ScriptException e) {
            ctx.reply().error(e.getMessage());
        }
    }

    private void exists(CommandContext ctx) {
        ctx.reply().array(ctx.args().remaining());
        while (ctx.args().hasNext()) {
            ctx.reply().integer(cache.contains(ctx.request(), ctx.args().next()) ? 1 : 0);
        }
    }

    private void flush(CommandContext ctx) {
        Args args = ctx.args();
        if (args.remaining() > 1 || args.hasNext() && !args.accept(SYNC) && !args.accept(ASYNC)) {
            ctx.reply().error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
            return;
        }
        cache.flush();
        ctx.reply().ok();
    }

    private void kill(CommandContext ctx) {
        String refusal = engine.kill(false);
        if (refusal == null) {
            ctx.reply().ok();
        } else {
            ctx.reply().error(refusal);
        }
    }

    private static void debug(CommandContext ctx) {
        if (ctx.args().accept(NO)) {
            ctx.reply().ok();
        } else if (ctx.args().accept(YES) || ctx.args().accept(SYNC)) {
            ctx.reply().error("ERR scripts cannot be debugged here");
        } else {
            ctx.reply().error("ERR Use SCRIPT DEBUG YES/SYNC/NO");
        }
    }

    private static CommandSpec.Builder row(String name, CommandHandler handler, String since, String script,
            String summary) {
        return CommandSpec.named(name, -3, handler).flags(NOSCRIPT, STALE, SKIP_MONITOR, NO_MANDATORY_KEYS, SCRIPT)
            .acl("scripting").group("scripting").since(since).summary(summary)
            .complexity("Depends on the script that is executed.")
            .args(Arg.string(script), Arg.integer("numkeys"), Arg.key("key").optional().multiple(),
                Arg.string("arg").optional().multiple());
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String summary) {
        return CommandSpec.named(name, arity, handler).flags(NOSCRIPT).acl("scripting").group("scripting")
            .since("2.6.0").summary(summary).complexity("O(1)");
    }

    List<CommandSpec> specs() {
        return List.of(
            row("eval", ctx -> run(ctx, false, false), "2.6.0", "script", "Runs a Lua script.")
                .flags(MAY_REPLICATE).countedKeys(2, "RW access update").build(),
            row("evalsha", ctx -> run(ctx, true, false), "2.6.0", "sha1", "Runs a Lua script that is kept.")
                .flags(MAY_REPLICATE).countedKeys(2, "RW access update").build(),
            row("eval_ro", ctx -> run(ctx, false, true), "7.0.0", "script", "Runs a Lua script that may only read.")
                .flags(READONLY).countedKeys(2, "RO access").build(),
            row("evalsha_ro", ctx -> run(ctx, true, true), "7.0.0", "sha1",
                "Runs a Lua script that is kept and may only read.")
                .flags(READONLY).countedKeys(2, "RO access").build(),
            CommandSpec.container("script").group("scripting").since("2.6.0")
                .summary("A container for Lua scripts management commands.").complexity("Depends on subcommand.")
                .subcommands(
                    sub("load", 3, this::load, "Keeps a script and returns its SHA-1.")
                        .flags(STALE, FROM_PRIMARY)
                        .complexity("O(N) in the length of the script").args(Arg.string("script"))
                        .tips("request_policy:all_nodes", "response_policy:all_succeeded").build(),
                    sub("exists", -3, this::exists, "Returns which scripts are kept.")
                        .complexity("O(N) in the number of scripts").args(Arg.string("sha1").multiple())
                        .tips("request_policy:all_shards", "response_policy:agg_logical_and").build(),
                    sub("flush", -2, this::flush, "Forgets all scripts.").flags(FROM_PRIMARY)
                        .complexity("O(N) in the number of scripts")
                        .args(Arg.oneOf("async", Arg.word("ASYNC"), Arg.word("SYNC")).optional())
                        .tips("request_policy:all_nodes", "response_policy:all_succeeded").build(),
                    sub("kill", 2, this::kill, "Ends the script that is running.").flags(ALLOW_BUSY)
                        .tips("request_policy:all_shards", "response_policy:one_succeeded").build(),
                    sub("debug", 3, ScriptCommands::debug, "Takes NO only: there is no debugger.").since("3.2.0")
                        .args(Arg.oneOf("mode", Arg.word("YES"), Arg.word("SYNC"), Arg.word("NO"))).build(),
                    CommandSpec.named("help", 2, HelpText::answer).flags(LOADING, STALE).acl("scripting")
                        .group("scripting").since("5.0.0").summary("Describes the subcommands.").complexity("O(1)")
                        .build())
                .build());
    }
}
