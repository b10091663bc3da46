package io.sluice.server.command;

import io.sluice.server.Database;
import io.sluice.server.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.ALLOW_BUSY;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.NO_ASYNC_LOADING;
import static io.sluice.server.command.CommandFlag.NO_MULTI;
import static io.sluice.server.command.CommandFlag.READONLY;
import static io.sluice.server.command.CommandFlag.STALE;

/** The server as a whole: its time, its size, its snapshots, its end. */
final class ServerCommands {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCommands.class);
    private static final byte[] SCHEDULE = Words.lower("schedule");
    private static final byte[] SAVE = Words.lower("save");
    private static final byte[] NOSAVE = Words.lower("nosave");
    private static final byte[] NOW = Words.lower("now");
    private static final byte[] FORCE = Words.lower("force");
    private static final byte[] ABORT = Words.lower("abort");
    private static final String SAVE_RUNNING = "ERR Background save already in progress";
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final ServerParts parts;
    private final InfoReport info;

    ServerCommands(ServerParts parts) {
        this.parts = parts;
        info = new InfoReport(parts);
    }

    private void info(CommandContext ctx) {
        List<String> sections = new ArrayList<>();
        while (ctx.args().hasNext()) {
            sections.add(ctx.args().nextText().toLowerCase(Locale.ROOT));
        }
        ctx.reply().verbatim("txt", info.text(ctx, sections).getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void time(CommandContext ctx) {
        ctx.reply().array(2);
        ctx.reply().bulkOfLong(Math.floorDiv(ctx.nowNs(), NS_PER_SECOND));
        ctx.reply().bulkOfLong(Math.floorMod(ctx.nowNs(), NS_PER_SECOND) / 1000);
    }

    private static void dbSize(CommandContext ctx) {
        ctx.reply().integer(ctx.keyspace().size(ctx.db()));
    }

    private static void save(CommandContext ctx) {
        Database database = ctx.database();
        if (database.isSnapshotRunning()) {
            ctx.reply().error(SAVE_RUNNING);
            return;
        }
        try {
            database.saveNow();
            ctx.reply().ok();
        } catch (IOException e) {
            ctx.reply().error("ERR snapshot failed, see the log");
        }
    }

    private static void bgSave(CommandContext ctx) {
        ctx.args().accept(SCHEDULE);
        ctx.args().expectEnd();
        if (ctx.args().failed(ctx.reply())) {
            return;
        }
        if (ctx.database().beginSnapshot()) {
            ctx.reply().simple("Background saving started");
        } else {
            ctx.reply().error(SAVE_RUNNING);
        }
    }

    private static void lastSave(CommandContext ctx) {
        ctx.reply().integer(Math.floorDiv(ctx.database().lastSaveNs(), NS_PER_SECOND));
    }

    private void shutdown(CommandContext ctx) {
        Args args = ctx.args();
        Boolean save = null;
        boolean abort = false;
        boolean now = false;
        boolean force = false;
        while (args.hasNext()) {
            if (save == null && args.accept(SAVE)) {
                save = true;
            } else if (save == null && args.accept(NOSAVE)) {
                save = false;
            } else if (args.accept(NOW)) {
                now = true;
            } else if (args.accept(FORCE)) {
                force = true;
            } else if (args.accept(ABORT)) {
                abort = true;
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        if (abort && (save != null || now || force)) {
            args.fail(Errors.SYNTAX);
        } else if (abort) {
            args.fail("ERR No shutdown in progress.");
        } else if (parts.scripts().isServingOthers() && !Boolean.FALSE.equals(save)) {
            args.fail(parts.scripts().busyError());
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        LOG.info("SHUTDOWN by client {}", ctx.connection().address());
        try {
            parts.lifecycle().shutdown(save, force);
            parts.scripts().run().kill("ERR Script killed by SHUTDOWN.");
            ctx.connection().closeAfterReplies();
        } catch (IOException e) {
            LOG.warn("Not stopping: {}", e.getMessage());
            ctx.reply().error("ERR Errors trying to SHUTDOWN. Check logs.");
        }
    }

    private static void lolwut(CommandContext ctx) {
        String art = "  |            |\n  |  ~  ~  ~   |___\n  |~  ~  ~  ~  :   |  ~ one drop at a time\n"
                + "  |____________|___|\n\nSluice ver. " + Version.SLUICE + " (Redis ver. " + Version.REDIS + ")\n";
        ctx.reply().verbatim("txt", art.getBytes(StandardCharsets.US_ASCII));
    }

    private static void moduleList(CommandContext ctx) {
        ctx.reply().array(0);
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler, String since,
            String summary) {
        return CommandSpec.named(name, arity, handler).group("server").since(since).summary(summary).complexity("O(1)");
    }

    List<CommandSpec> specs() {
        return List.of(
            row("info", -1, this::info, "1.0.0", "Returns information and statistics about the server.")
                .flags(LOADING, STALE).acl("dangerous").args(Arg.string("section").optional().multiple()).build(),
            row("time", 1, ServerCommands::time, "2.6.0", "Returns the server's time.")
                .flags(LOADING, STALE, FAST).build(),
            row("dbsize", 1, ServerCommands::dbSize, "1.0.0", "Returns the number of keys in the database.")
                .flags(READONLY, FAST).acl("keyspace").build(),
            row("save", 1, ServerCommands::save, "1.0.0", "Writes a snapshot while everybody waits.")
                .flags(ADMIN, NOSCRIPT, NO_ASYNC_LOADING, NO_MULTI).complexity("O(N) in the number of keys").build(),
            row("bgsave", -1, ServerCommands::bgSave, "1.0.0", "Writes a snapshot in the background.")
                .flags(ADMIN, NOSCRIPT, NO_ASYNC_LOADING).args(Arg.word("SCHEDULE").optional()).build(),
            row("lastsave", 1, ServerCommands::lastSave, "1.0.0", "Returns the time of the last snapshot.")
                .flags(LOADING, STALE, FAST).acl("admin", "dangerous").build(),
            row("shutdown", -1, this::shutdown, "1.0.0", "Saves and stops the server.")
                .flags(ADMIN, NOSCRIPT, LOADING, STALE, NO_MULTI, ALLOW_BUSY)
                .args(Arg.oneOf("save-selector", Arg.word("NOSAVE"), Arg.word("SAVE")).optional(),
                    Arg.word("NOW").optional(), Arg.word("FORCE").optional(), Arg.word("ABORT").optional()).build(),
            row("lolwut", -1, ServerCommands::lolwut, "5.0.0", "Shows a sluice.").flags(READONLY, FAST)
                .args(Arg.integer("version").token("VERSION").optional()).build(),
            CommandSpec.container("module").group("server").since("4.0.0")
                .summary("A container for module commands; there are no modules.").complexity("O(1)")
                .subcommands(row("list", 2, ServerCommands::moduleList, "4.0.0", "Returns no modules.")
                    .flags(ADMIN, NOSCRIPT).build())
                .build());
    }
}
