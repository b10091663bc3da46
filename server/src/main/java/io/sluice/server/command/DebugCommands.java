package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.snapshot.KeyspaceDigest;
import io.sluice.resp.DecimalValue;
import io.sluice.resp.Decimals;
import io.sluice.resp.ErrorText;
import io.sluice.resp.Request;
import io.sluice.server.Database;
import io.sluice.server.ServerClock;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.PROTECTED;
import static io.sluice.server.command.CommandFlag.STALE;

/** {@code DEBUG}: for tests, and only where {@code enable-debug-command} lets it. */
final class DebugCommands {
    private static final byte[] CLOCK = Words.lower("clock");
    private static final byte[] REAL = Words.lower("real");
    private static final byte[] SLEEP = Words.lower("sleep");
    private static final byte[] SET_ACTIVE_EXPIRE = Words.lower("set-active-expire");
    private static final byte[] OBJECT = Words.lower("object");
    private static final byte[] DIGEST = Words.lower("digest");
    private static final byte[] HELP = Words.lower("help");
    private static final String[] HELP_LINES = {
        "DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
        "CLOCK <epoch-ns>|REAL",
        "    Freezes the server's clock at an instant, or lets it go.",
        "DIGEST",
        "    Prints forty digits that are equal where two servers store the same.",
        "OBJECT <key>",
        "    Describes how a value is held.",
        "SET-ACTIVE-EXPIRE <0|1>",
        "    Switches the removal of expired keys in the background off or on.",
        "SLEEP <seconds>",
        "    Stops the server for a while.",
        "HELP",
        "    Prints this.",
    };
    private static final long SLEEP_NS_MAX = 3_600_000_000_000L;

    private final ServerClock clock;
    private final DecimalValue seconds = new DecimalValue();

    DebugCommands(ServerParts parts) {
        clock = parts.clock();
    }

    private void debug(CommandContext ctx) {
        Args args = ctx.args();
        int words = args.remaining();
        if (words == 2 && args.accept(CLOCK)) {
            clock(ctx);
        } else if (words == 2 && args.accept(SLEEP)) {
            sleep(ctx);
        } else if (words == 2 && args.accept(SET_ACTIVE_EXPIRE)) {
            setActiveExpire(ctx);
        } else if (words == 2 && args.accept(OBJECT)) {
            object(ctx);
        } else if (words == 1 && args.accept(DIGEST) && ctx.keyspace() != null) {
            ctx.reply().simple(KeyspaceDigest.of(ctx.keyspace()));
        } else if (words == 1 && args.accept(HELP)) {
            ctx.reply().array(HELP_LINES.length);
            for (String line : HELP_LINES) {
                ctx.reply().simple(line);
            }
        } else {
            ctx.reply().error("ERR unknown subcommand or wrong number of arguments for '"
                    + ErrorText.echo(ctx.request(), 1) + "'. Try DEBUG HELP.");
        }
    }

    private void clock(CommandContext ctx) {
        if (ctx.args().accept(REAL)) {
            clock.release();
        } else {
            long epochNs = ctx.args().nextLong(0, Long.MAX_VALUE, Errors.NOT_AN_INTEGER);
            if (ctx.args().failed(ctx.reply())) {
                return;
            }
            clock.freeze(epochNs);
        }
        ctx.dispatcher().runner().restartUnit();
        Database database = ctx.database();
        if (database != null) {
            database.sweeper().sweepSome();
        }
        ctx.reply().ok();
    }

    private void sleep(CommandContext ctx) {
        Request request = ctx.request();
        int arg = ctx.args().next();
        if (Decimals.parse(request.buffer(), request.argOffset(arg), request.argLength(arg), seconds)) {
            long untilNs = clock.monotonicNs() + Math.max(0, Math.min(SLEEP_NS_MAX, seconds.nearestNs()));
            for (long leftNs = untilNs - clock.monotonicNs(); leftNs > 0; leftNs = untilNs - clock.monotonicNs()) {
                LockSupport.parkNanos(leftNs);
            }
        }
        ctx.reply().ok();
    }

    private static void setActiveExpire(CommandContext ctx) {
        long on = ctx.args().nextLong(0, 1, Errors.NOT_AN_INTEGER);
        if (!ctx.args().failed(ctx.reply())) {
            if (ctx.database() != null) {
                ctx.database().activeExpire(on != 0);
            }
            ctx.reply().ok();
        }
    }

    private static void object(CommandContext ctx) {
        if (ctx.keyspace() == null) {
            ctx.reply().error(Errors.LOADING);
            return;
        }
        Entry entry = ctx.lookup(0, ctx.args().next());
        if (!entry.exists()) {
            ctx.reply().error(Errors.NO_SUCH_KEY);
            return;
        }
        ctx.reply().simple("Value at:0x0 refcount:1 encoding:" + (entry.isInt() ? "int" : "raw") + " type:"
                + ValueType.nameOf(entry.type()) + " bytes:" + ctx.keyspace().memoryUsage(entry));
    }

    List<CommandSpec> specs() {
        return List.of(CommandSpec.named("debug", -2, this::debug).flags(ADMIN, NOSCRIPT, LOADING, STALE, PROTECTED)
                .group("server").since("1.0.0").summary("A container for debugging commands.")
                .complexity("Depends on subcommand.").build());
    }
}
