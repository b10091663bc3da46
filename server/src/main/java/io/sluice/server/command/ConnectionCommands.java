package io.sluice.server.command;

import io.sluice.resp.ErrorText;
import io.sluice.resp.Reply;
import io.sluice.server.Version;
import io.sluice.server.acl.User;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.net.Connection;
import io.sluice.server.pubsub.PubSub;
import io.sluice.server.tracking.Tracking;

import java.nio.charset.StandardCharsets;
import java.util.List;

import static io.sluice.server.command.CommandFlag.ALLOW_BUSY;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.NOT_QUEUED;
import static io.sluice.server.command.CommandFlag.NO_AUTH;
import static io.sluice.server.command.CommandFlag.SECRET;
import static io.sluice.server.command.CommandFlag.STALE;
import static io.sluice.server.command.CommandFlag.WHEN_SUBSCRIBED;

/** What a client does first and last: greet, authenticate, select, ask for a sign of life, leave. */
final class ConnectionCommands {
    private static final String HELLO_NEEDS_AUTH = "NOAUTH HELLO must be called with the client already authenticated, "
            + "otherwise the HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and select "
            + "the RESP protocol version at the same time";
    private static final byte[] AUTH = Words.lower("auth");
    private static final byte[] SETNAME = Words.lower("setname");
    private static final byte[] PONG = Words.lower("pong");

    private final Authenticator authenticator;
    private final ServerState state;
    private final PubSub pubSub;
    private final Tracking tracking;
    private final int databases;

    ConnectionCommands(ServerParts parts) {
        authenticator = parts.authenticator();
        state = parts.state();
        pubSub = parts.pubSub();
        tracking = parts.tracking();
        databases = parts.config().integer(ConfigTable.DATABASES);
    }

    private static void ping(CommandContext ctx) {
        int count = ctx.request().argCount();
        Reply reply = ctx.reply();
        if (count > 2) {
            reply.error(Errors.wrongArity("ping"));
        } else if (ctx.connection().isSubscribed() && reply.protocol() == 2) {
            reply.array(2);
            reply.bulk(PONG);
            reply.bulk(count == 2 ? ctx.request().argBytes(1) : new byte[0]);
        } else if (count == 2) {
            reply.bulk(ctx.request().argAddress(1), ctx.request().argLength(1));
        } else {
            reply.pong();
        }
    }

    private static void echo(CommandContext ctx) {
        ctx.reply().bulk(ctx.request().argAddress(1), ctx.request().argLength(1));
    }

    private static void quit(CommandContext ctx) {
        ctx.reply().ok();
        ctx.connection().closeAfterReplies();
    }

    private void reset(CommandContext ctx) {
        Connection connection = ctx.connection();
        connection.transaction().close();
        ctx.dispatcher().watches().unwatch(connection);
        pubSub.unsubscribeAll(connection);
        tracking.disable(connection);
        ctx.dispatcher().monitors().remove(connection);
        connection.db(0);
        connection.settings().reset();
        connection.reply().protocol(2);
        authenticator.reset(connection);
        ctx.reply().simple("RESET");
    }

    private void select(CommandContext ctx) {
        Args args = ctx.args();
        long db = args.nextLong();
        if (args.error() == null && (db < 0 || db >= databases)) {
            args.fail(Errors.DB_OUT_OF_RANGE);
        }
        if (!args.failed(ctx.reply())) {
            ctx.connection().db((int) db);
            ctx.reply().ok();
        }
    }

    private void auth(CommandContext ctx) {
        Args args = ctx.args();
        boolean named = args.remaining() > 1;
        String user = named ? args.nextText() : User.DEFAULT;
        byte[] password = args.nextBytes();
        args.expectEnd();
        if (args.failed(ctx.reply())) {
            return;
        }
        if (!named && authenticator.isPasswordless()) {
            ctx.reply().error(Authenticator.NO_PASSWORD_SET);
        } else if (authenticator.authenticate(ctx.connection(), user, password, ctx.request().argBytes(0))) {
            ctx.reply().ok();
        } else {
            ctx.reply().error(Authenticator.WRONG_PASSWORD);
        }
    }

    private void hello(CommandContext ctx) {
        Args args = ctx.args();
        Connection connection = ctx.connection();
        int protocol = ctx.reply().protocol();
        if (args.hasNext()) {
            protocol = (int) args.nextLong(Integer.MIN_VALUE, Integer.MAX_VALUE,
                    "ERR Protocol version is not an integer or out of range");
            if (protocol != 2 && protocol != 3) {
                args.fail("NOPROTO unsupported protocol version");
            }
        }
        String user = null;
        byte[] password = null;
        String name = null;
        while (args.hasNext()) {
            if (args.remaining() >= 3 && args.accept(AUTH)) {
                user = args.nextText();
                password = args.nextBytes();
            } else if (args.remaining() >= 2 && args.accept(SETNAME)) {
                name = args.nextText();
            } else {
                args.fail("ERR Syntax error in HELLO option '" + ErrorText.echo(ctx.request(), args.position()) + "'");
            }
        }
        if (args.error() == null && user != null
                && !authenticator.authenticate(connection, user, password, ctx.request().argBytes(0))) {
            args.fail(Authenticator.WRONG_PASSWORD);
        }
        if (args.error() == null && !connection.isAuthenticated()) {
            args.fail(HELLO_NEEDS_AUTH);
        }
        if (name != null) {
            ClientNames.check(name, args);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        if (name != null) {
            connection.settings().name(name);
        }
        connection.reply().protocol(protocol);
        greet(ctx.reply(), connection);
    }

    private void greet(Reply reply, Connection connection) {
        reply.map(7);
        reply.bulk(Words.lower("server"));
        reply.bulk(Words.lower("redis"));
        reply.bulk(Words.lower("version"));
        reply.bulk(Version.REDIS.getBytes(StandardCharsets.US_ASCII));
        reply.bulk(Words.lower("proto"));
        reply.integer(reply.protocol());
        reply.bulk(Words.lower("id"));
        reply.integer(connection.id());
        reply.bulk(Words.lower("mode"));
        reply.bulk(Words.lower("standalone"));
        reply.bulk(Words.lower("role"));
        reply.bulk(Words.lower(state.isReplica() ? "replica" : "master"));
        reply.bulk(Words.lower("modules"));
        reply.array(0);
    }

    List<CommandSpec> specs() {
        return List.of(
            CommandSpec.named("ping", -1, ConnectionCommands::ping)
                .flags(FAST, WHEN_SUBSCRIBED).acl("connection").group("connection").since("1.0.0")
                .summary("Returns the server's liveliness response.").complexity("O(1)")
                .args(Arg.string("message").optional())
                .build(),
            CommandSpec.named("echo", 2, ConnectionCommands::echo)
                .flags(LOADING, STALE, FAST).acl("connection").group("connection").since("1.0.0")
                .summary("Returns the given string.").complexity("O(1)")
                .args(Arg.string("message"))
                .build(),
            CommandSpec.named("quit", -1, ConnectionCommands::quit)
                .flags(NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY, NOT_QUEUED, WHEN_SUBSCRIBED)
                .acl("connection").group("connection").since("1.0.0")
                .summary("Closes the connection.").complexity("O(1)")
                .build(),
            CommandSpec.named("reset", 1, this::reset)
                .flags(NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY, NOT_QUEUED, WHEN_SUBSCRIBED)
                .acl("connection").group("connection").since("6.2.0")
                .summary("Resets the connection.").complexity("O(1)")
                .build(),
            CommandSpec.named("select", 2, this::select)
                .flags(LOADING, STALE, FAST).acl("connection").group("connection").since("1.0.0")
                .summary("Changes the selected database.").complexity("O(1)")
                .args(Arg.integer("index"))
                .build(),
            CommandSpec.named("auth", -2, this::auth)
                .flags(NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY, SECRET).acl("connection")
                        .group("connection")
                .since("1.0.0").summary("Authenticates the connection.").complexity("O(1)")
                .args(Arg.string("username").optional(), Arg.string("password"))
                .build(),
            CommandSpec.named("hello", -1, this::hello)
                .flags(NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY, SECRET).acl("connection")
                        .group("connection")
                .since("6.0.0").summary("Handshakes with the server.").complexity("O(1)")
                .args(Arg.block("arguments", Arg.integer("protover"),
                        Arg.block("auth", Arg.string("username"), Arg.string("password")).token("AUTH").optional(),
                        Arg.string("clientname").token("SETNAME").optional()).optional())
                .build());
    }
}
