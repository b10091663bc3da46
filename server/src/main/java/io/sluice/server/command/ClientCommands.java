package io.sluice.server.command;

import io.sluice.resp.ErrorText;
import io.sluice.resp.Reply;
import io.sluice.server.net.ClientRegistry;
import io.sluice.server.net.ClientSettings;
import io.sluice.server.net.Connection;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.STALE;

/** {@code CLIENT}: what clients say of themselves, and what an operator does about them. */
final class ClientCommands {
    private static final byte[] TIMEOUT = Words.lower("timeout");
    private static final byte[] ERROR = Words.lower("error");
    private static final byte[] ON = Words.lower("on");
    private static final byte[] OFF = Words.lower("off");
    private static final byte[] SKIP = Words.lower("skip");
    private static final byte[] ALL = Words.lower("all");
    private static final byte[] WRITE = Words.lower("write");
    private static final byte[] TYPE = Words.lower("type");
    private static final byte[] ID = Words.lower("id");
    private static final byte[] LIB_NAME = Words.lower("lib-name");
    private static final byte[] LIB_VER = Words.lower("lib-ver");
    private static final long NS_PER_MS = 1_000_000;
    private static final long PAUSE_MS_MAX = Long.MAX_VALUE / NS_PER_MS / 2;

    private final ClientRegistry clients;
    private final ClientLines lines;
    private final TrackingCommands tracking;

    ClientCommands(ServerParts parts) {
        clients = parts.clients();
        lines = new ClientLines(parts.clock(), parts.tracking());
        tracking = new TrackingCommands(parts);
    }

    private static void id(CommandContext ctx) {
        ctx.reply().integer(ctx.connection().id());
    }

    private static void getName(CommandContext ctx) {
        String name = ctx.connection().settings().name();
        if (name.isEmpty()) {
            ctx.reply().nullValue();
        } else {
            ctx.reply().bulkText(name);
        }
    }

    private static void setName(CommandContext ctx) {
        String name = ctx.args().nextText();
        ClientNames.check(name, ctx.args());
        if (!ctx.args().failed(ctx.reply())) {
            ctx.connection().settings().name(name);
            ctx.reply().ok();
        }
    }

    private static void setInfo(CommandContext ctx) {
        Args args = ctx.args();
        boolean isName = args.accept(LIB_NAME);
        if (!isName && !args.accept(LIB_VER)) {
            args.fail("ERR Unrecognized option '" + ErrorText.echo(ctx.request(), args.position()) + "'");
        }
        String value = args.nextText();
        if (!ClientNames.isReadable(value)) {
            args.fail("ERR " + (isName ? "lib-name" : "lib-ver")
                    + " cannot contain spaces, newlines or special characters.");
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        if (isName) {
            ctx.connection().settings().libraryName(value);
        } else {
            ctx.connection().settings().libraryVersion(value);
        }
        ctx.reply().ok();
    }

    private void info(CommandContext ctx) {
        verbatim(ctx.reply(), lines.line(ctx.connection()) + "\n");
    }

    private void list(CommandContext ctx) {
        Args args = ctx.args();
        ClientType type = null;
        Set<Long> ids = null;
        ClientFilter filter = null;
        if (args.remaining() == 2 && args.accept(TYPE)) {
            type = ClientType.parse(args);
        } else if (args.remaining() >= 2 && args.accept(ID)) {
            ids = new HashSet<>();
            while (args.hasNext()) {
                ids.add(args.nextLong("ERR Invalid client ID"));
            }
        } else if (args.remaining() >= 2) {
            filter = ClientFilter.parseForList(args, ctx.dispatcher().access().users());
        }
        args.expectEnd();
        if (args.failed(ctx.reply())) {
            return;
        }
        StringBuilder text = new StringBuilder();
        for (Connection connection : clients.all()) {
            if ((type == null || type.includes(connection)) && (ids == null || ids.contains(connection.id()))
                    && (filter == null || filter.includes(connection, ctx.connection()))) {
                text.append(lines.line(connection)).append('\n');
            }
        }
        verbatim(ctx.reply(), text.toString());
    }

    private static void verbatim(Reply reply, String text) {
        reply.verbatim("txt", text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void kill(CommandContext ctx) {
        boolean oldForm = ctx.args().remaining() == 1;
        ClientFilter filter = oldForm ? ClientFilter.ofAddress(ctx.args().nextText())
                : ClientFilter.parse(ctx.args(),
                ctx.dispatcher().access().users());
        if (ctx.args().failed(ctx.reply())) {
            return;
        }
        int killed = 0;
        for (Connection connection : clients.snapshot()) {
            if (!filter.includes(connection, ctx.connection())) {
                continue;
            }
            killed++;
            if (connection == ctx.connection()) {
                connection.closeAfterReplies();
            } else {
                connection.close();
            }
        }
        if (!oldForm) {
            ctx.reply().integer(killed);
        } else if (killed == 0) {
            ctx.reply().error("ERR No such client");
        } else {
            ctx.reply().ok();
        }
    }

    private static void reply(CommandContext ctx) {
        Args args = ctx.args();
        if (args.accept(ON)) {
            ctx.connection().settings().replyMode(ClientSettings.ReplyMode.ON);
            ctx.reply().ok();
        } else if (ctx.connection().transaction().isOpen()) {
            // One reply less would leave the array of EXEC incomplete.
            ctx.reply().error(Errors.NOT_IN_MULTI);
        } else if (args.accept(OFF)) {
            ctx.connection().settings().replyMode(ClientSettings.ReplyMode.OFF);
        } else if (args.accept(SKIP)) {
            if (!ctx.connection().settings().isMuted()) {
                ctx.connection().settings().replyMode(ClientSettings.ReplyMode.SKIP_NEXT);
            }
        } else {
            ctx.reply().error(Errors.SYNTAX);
        }
    }

    private static void pause(CommandContext ctx) {
        Args args = ctx.args();
        long timeoutMs = args.nextLong("ERR timeout is not an integer or out of range");
        if (args.error() == null && timeoutMs < 0) {
            args.fail(Errors.NEGATIVE_TIMEOUT);
        }
        boolean writesOnly = false;
        if (args.hasNext() && !args.accept(ALL)) {
            writesOnly = args.accept(WRITE);
            if (!writesOnly) {
                args.fail("ERR CLIENT PAUSE mode must be WRITE or ALL");
            }
        }
        args.expectEnd();
        if (!args.failed(ctx.reply())) {
            long endNs = ctx.dispatcher().time().sampleNs() + Math.min(timeoutMs, PAUSE_MS_MAX) * NS_PER_MS;
            ctx.dispatcher().pause().begin(ClientPause.Purpose.CLIENT, writesOnly, endNs);
            ctx.reply().ok();
        }
    }

    private static void unpause(CommandContext ctx) {
        ctx.dispatcher().pause().end(ClientPause.Purpose.CLIENT);
        ctx.reply().ok();
    }

    private static void noEvict(CommandContext ctx) {
        boolean on = ctx.args().accept(ON);
        if (!on && !ctx.args().accept(OFF)) {
            ctx.reply().error(Errors.SYNTAX);
            return;
        }
        ctx.connection().settings().noEvict(on);
        ctx.reply().ok();
    }

    private static void unblock(CommandContext ctx) {
        Args args = ctx.args();
        long id = args.nextLong();
        boolean withError = args.accept(ERROR);
        if (!withError && args.hasNext() && !args.accept(TIMEOUT)) {
            args.fail("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        ctx.reply().integer(ctx.dispatcher().blocked().unblock(id, withError) ? 1 : 0);
    }

    private static void noTouch(CommandContext ctx) {
        boolean on = ctx.args().accept(ON);
        if (!on && !ctx.args().accept(OFF)) {
            ctx.reply().error(Errors.SYNTAX);
            return;
        }
        ctx.connection().settings().noTouch(on);
        ctx.reply().ok();
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String since,
            String summary) {
        return CommandSpec.named(name, arity, handler)
                .flags(NOSCRIPT, LOADING, STALE).acl("connection").group("connection")
                .since(since).summary(summary).complexity("O(1)");
    }

    List<CommandSpec> specs() {
        return List.of(CommandSpec.container("client")
            .group("connection").since("2.4.0").summary("A container for client connection commands.")
            .complexity("Depends on subcommand.")
            .subcommands(
                sub("id", 2, ClientCommands::id, "5.0.0", "Returns the client's id.").build(),
                sub("getname", 2, ClientCommands::getName, "2.6.9", "Returns the client's name.").build(),
                sub("setname", 3, ClientCommands::setName, "2.6.9", "Names the client.")
                    .args(Arg.string("connection-name")).build(),
                sub("setinfo", 4, ClientCommands::setInfo, "7.2.0", "Tells which library the client uses.")
                    .args(Arg.oneOf("attr", Arg.string("libname").token("LIB-NAME"),
                            Arg.string("libver").token("LIB-VER"))).build(),
                sub("info", 2, this::info, "6.2.0", "Describes the client.").build(),
                sub("list", -2, this::list, "2.4.0", "Describes all clients, one per line.").flags(ADMIN)
                    .args(ClientType.arg(), Arg.integer("client-id").token("ID").optional().multiple()).build(),
                sub("kill", -3, this::kill, "2.4.0", "Closes clients.").flags(ADMIN)
                    .args(ClientFilter.arg()).build(),
                sub("reply", 3, ClientCommands::reply, "3.2.0", "Switches replies on or off.")
                    .args(Arg.oneOf("on-off-skip", Arg.word("ON"), Arg.word("OFF"), Arg.word("SKIP"))).build(),
                sub("pause", -3, ClientCommands::pause, "3.0.0", "Holds commands of clients back for a while.")
                    .flags(ADMIN).args(Arg.integer("timeout"),
                            Arg.oneOf("mode", Arg.word("WRITE"), Arg.word("ALL")).optional()).build(),
                sub("unpause", 2, ClientCommands::unpause, "6.2.0", "Ends a pause.").flags(ADMIN).build(),
                sub("unblock", -3, ClientCommands::unblock, "5.0.0", "Ends the waiting of a client for a key.")
                    .flags(ADMIN).args(Arg.integer("client-id"),
                            Arg.oneOf("unblock-type", Arg.word("TIMEOUT"), Arg.word("ERROR")).optional()).build(),
                sub("no-evict", 3, ClientCommands::noEvict, "7.0.0", "Marks the client as not to be evicted.")
                    .flags(ADMIN).args(Arg.oneOf("enabled", Arg.word("ON"), Arg.word("OFF"))).build(),
                sub("no-touch", 3, ClientCommands::noTouch, "7.2.0", "Leaves access times alone; there are none.")
                    .args(Arg.oneOf("enabled", Arg.word("ON"), Arg.word("OFF"))).build(),
                sub("help", 2, HelpText::answer, "5.0.0", "Describes the subcommands.").build())
            .subcommands(tracking.subcommands().toArray(CommandSpec[]::new))
            .build());
    }
}
