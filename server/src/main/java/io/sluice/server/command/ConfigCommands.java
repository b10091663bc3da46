package io.sluice.server.command;

import io.sluice.resp.ErrorText;
import io.sluice.resp.Glob;
import io.sluice.resp.Reply;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigRewriter;
import io.sluice.server.config.ConfigTable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.SECRET;
import static io.sluice.server.command.CommandFlag.STALE;

/** {@code CONFIG}. */
final class ConfigCommands {
    private static final int PATTERNS_MAX = 1024;

    private final ServerParts parts;
    private final Config config;
    private final ServerState.ProtectedAccess protectedConfigs;

    ConfigCommands(ServerParts parts) {
        this.parts = parts;
        config = parts.config();
        protectedConfigs = ServerState.ProtectedAccess.of(config.text(ConfigTable.PROTECTED_CONFIGS));
    }

    private void get(CommandContext ctx) {
        Map<String, String> found = new TreeMap<>();
        if (ctx.args().remaining() > PATTERNS_MAX) {
            ctx.reply().error(Errors.SYNTAX);
            return;
        }
        while (ctx.args().hasNext()) {
            byte[] given = ctx.args().nextBytes();
            String name = new String(given, StandardCharsets.ISO_8859_1);
            if (ConfigTable.find(name) != null) {
                found.put(name, config.text(ConfigTable.find(name)));
                continue;
            }
            Glob pattern = Glob.ofAnyCase(given);
            ConfigTable.names().forEach((each, option) -> {
                if (pattern.matches(each.getBytes(StandardCharsets.US_ASCII))) {
                    found.put(each, config.text(option));
                }
            });
        }
        Reply reply = ctx.reply();
        reply.map(found.size());
        found.forEach((name, value) -> {
            reply.bulkText(name);
            reply.bulk(value.getBytes(StandardCharsets.ISO_8859_1));
        });
    }

    private void set(CommandContext ctx) {
        Args args = ctx.args();
        if (args.remaining() % 2 != 0) {
            ctx.reply().error(Errors.SYNTAX);
            return;
        }
        List<String> pairs = new ArrayList<>();
        while (args.hasNext()) {
            pairs.add(ErrorText.echo(args.nextText()));
            pairs.add(args.nextText());
        }
        try {
            config.set(pairs, protectedConfigs.allows(ctx.connection().isLocal()));
            ctx.reply().ok();
        } catch (Config.Refusal e) {
            ctx.reply().error(e.getMessage());
        }
    }

    private void rewrite(CommandContext ctx) {
        if (config.file() == null) {
            ctx.reply().error("ERR The server is running without a config file");
            return;
        }
        try {
            ConfigRewriter.rewrite(config);
            ctx.reply().ok();
        } catch (IOException e) {
            ctx.reply().error("ERR Rewriting config file: " + e.getMessage());
        }
    }

    private void resetStat(CommandContext ctx) {
        ctx.dispatcher().account().reset();
        parts.stats().reset();
        parts.decisions().reset();
        if (ctx.keyspace() != null) {
            ctx.keyspace().resetStats();
        }
        ctx.reply().ok();
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String since,
            String summary) {
        return CommandSpec.named(name, arity, handler).flags(ADMIN, NOSCRIPT, LOADING, STALE).group("server")
                .since(since).summary(summary).complexity("O(N) in the number of settings");
    }

    List<CommandSpec> specs() {
        return List.of(CommandSpec.container("config")
            .group("server").since("2.0.0").summary("A container for server configuration commands.")
            .complexity("Depends on subcommand.")
            .subcommands(
                sub("get", -3, this::get, "2.0.0", "Returns settings and their values.")
                    .args(Arg.pattern("parameter").multiple()).build(),
                sub("set", -4, this::set, "2.0.0", "Changes settings, all or none.").flags(SECRET)
                    .args(Arg.block("data", Arg.string("parameter"), Arg.string("value")).multiple()).build(),
                sub("rewrite", 2, this::rewrite, "2.8.0", "Writes the settings in force to the configuration file.")
                    .build(),
                sub("resetstat", 2, this::resetStat, "2.0.0", "Sets the counters of INFO to zero.").build(),
                HelpText.row("server", "5.0.0").build())
            .build());
    }
}
