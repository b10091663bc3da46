package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.ErrorText;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;
import io.sluice.server.acl.AclLog;
import io.sluice.server.acl.Passwords;
import io.sluice.server.acl.Selector;
import io.sluice.server.acl.User;
import io.sluice.server.acl.Users;
import io.sluice.server.net.ClientRegistry;
import io.sluice.server.net.Connection;
import io.sluice.server.pubsub.PubSub;
import io.sluice.server.pubsub.SubscriptionKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.SECRET;
import static io.sluice.server.command.CommandFlag.STALE;

/** {@code ACL}: who may do what. */
final class AclCommands {
    private static final Logger LOG = LoggerFactory.getLogger(AclCommands.class);

    private static final String NO_FILE = "ERR This Redis instance is not configured to use an ACL file. You may want "
            + "to specify users via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis "
            + "configuration file set) in order to store users in the Redis configuration.";
    private static final String BAD_BITS = "ERR ACL GENPASS argument must be the number of bits for the output "
            + "password, a positive number up to " + Passwords.BITS_MAX;
    private static final byte[] RESET = Words.lower("reset");
    private static final long LOG_ENTRIES_DEFAULT = 10;

    private final AccessControl access;
    private final Users users;
    private final ClientRegistry clients;
    private final PubSub pubSub;

    AclCommands(ServerParts parts) {
        access = parts.access();
        users = access.users();
        clients = parts.clients();
        pubSub = parts.pubSub();
    }

    private void setUser(CommandContext ctx) {
        String name = ctx.args().nextText();
        if (Users.isBadName(name)) {
            ctx.reply().error("ERR Usernames can't contain spaces or null characters");
            return;
        }
        List<String> words = new ArrayList<>();
        while (ctx.args().hasNext()) {
            words.add(ctx.args().nextText());
        }
        List<String> rules;
        try {
            rules = Users.joinSelectors(words);
        } catch (IllegalArgumentException e) {
            ctx.reply().error("ERR Unmatched parenthesis in acl selector starting at '"
                    + ErrorText.echo(e.getMessage()) + "'.");
            return;
        }
        try {
            users.set(name, rules);
            closeForbiddenSubscribers(users.find(name), ctx.connection());
            ctx.reply().ok();
        } catch (Users.Refusal e) {
            ctx.reply().error("ERR Error in ACL SETUSER modifier '" + ErrorText.echo(e.rule()) + "': "
                    + e.getMessage());
        }
    }

    private void delUser(CommandContext ctx) {
        List<String> names = new ArrayList<>();
        while (ctx.args().hasNext()) {
            names.add(ctx.args().nextText());
        }
        if (names.contains(User.DEFAULT)) {
            ctx.reply().error("ERR The 'default' user cannot be removed");
            return;
        }
        int removed = 0;
        for (String name : names) {
            User user = users.remove(name);
            if (user != null) {
                removed++;
                closeClientsOf(user, ctx.connection());
            }
        }
        ctx.reply().integer(removed);
    }

    private void closeClientsOf(User user, Connection caller) {
        for (Connection connection : clients.snapshot()) {
            if (connection.account() == user) {
                close(connection, caller);
            }
        }
    }

    private static void close(Connection connection, Connection caller) {
        if (connection == caller) {
            connection.closeAfterReplies();
        } else {
            connection.close();
        }
    }

    /** Who is subscribed to what the user may no longer use must not get another message of it. */
    private void closeForbiddenSubscribers(User user, Connection caller) {
        for (Connection connection : clients.snapshot()) {
            if (connection.account() == user && connection.isSubscribed() && isForbidden(connection)) {
                close(connection, caller);
            }
        }
    }

    private boolean isForbidden(Connection connection) {
        for (SubscriptionKind kind : SubscriptionKind.values()) {
            for (byte[] name : pubSub.names(connection, kind)) {
                if (!access.mayUseChannel(connection.account(), name, kind == SubscriptionKind.PATTERN)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void getUser(CommandContext ctx) {
        User user = users.find(ctx.args().nextText());
        Reply reply = ctx.reply();
        if (user == null) {
            reply.nullValue();
            return;
        }
        reply.map(6);
        reply.bulkText("flags");
        reply.set(user.flags().size());
        user.flags().forEach(reply::bulkText);
        reply.bulkText("passwords");
        reply.array(user.passwordHashes().size());
        user.passwordHashes().forEach(reply::bulkText);
        rights(reply, user.root());
        reply.bulkText("selectors");
        reply.array(user.furtherSelectors().size());
        for (Selector selector : user.furtherSelectors()) {
            reply.map(3);
            rights(reply, selector);
        }
    }

    private static void rights(Reply reply, Selector selector) {
        reply.bulkText("commands");
        text(reply, selector.commandText());
        reply.bulkText("keys");
        text(reply, selector.keyText());
        reply.bulkText("channels");
        text(reply, selector.channelText());
    }

    private static void text(Reply reply, String text) {
        reply.bulk(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void list(CommandContext ctx) {
        List<String> lines = users.lines();
        ctx.reply().array(lines.size());
        lines.forEach(line -> text(ctx.reply(), line));
    }

    private void users(CommandContext ctx) {
        ctx.reply().array(users.all().size());
        users.all().forEach(user -> text(ctx.reply(), user.name()));
    }

    private static void whoAmI(CommandContext ctx) {
        text(ctx.reply(), ctx.connection().user());
    }

    private static void categories(CommandContext ctx) {
        if (!ctx.args().hasNext()) {
            ctx.reply().array(AclCategories.ALL.size());
            AclCategories.ALL.forEach(ctx.reply()::bulkText);
            return;
        }
        String given = ctx.args().nextText();
        if (ctx.args().hasNext()) {
            ctx.reply().error(wrongSyntax(ctx));
            return;
        }
        String category = "@" + given.toLowerCase(Locale.ROOT);
        if (!AclCategories.ALL.contains(category.substring(1))) {
            ctx.reply().error("ERR Unknown category '" + ErrorText.echo(given) + "'");
            return;
        }
        List<String> names = new ArrayList<>();
        for (CommandSpec spec : ctx.dispatcher().table().rows()) {
            if (spec.categories().contains(category)) {
                names.add(spec.fullName());
            }
            spec.subcommands().stream().filter(sub -> sub.categories().contains(category))
                    .forEach(sub -> names.add(sub.fullName()));
        }
        ctx.reply().array(names.size());
        names.forEach(ctx.reply()::bulkText);
    }

    private static String wrongSyntax(CommandContext ctx) {
        return "ERR unknown subcommand or wrong number of arguments for '" + ErrorText.echo(ctx.request(), 1)
                + "'. Try ACL HELP.";
    }

    private static void generatePassword(CommandContext ctx) {
        Args args = ctx.args();
        long bits = args.hasNext() ? args.nextLong() : Passwords.BITS_DEFAULT;
        if (args.error() == null && (bits < 1 || bits > Passwords.BITS_MAX)) {
            args.fail(BAD_BITS);
        }
        if (args.hasNext()) {
            args.fail(wrongSyntax(ctx));
        }
        if (!args.failed(ctx.reply())) {
            ctx.reply().bulkText(Passwords.generate((int) bits));
        }
    }

    private void dryRun(CommandContext ctx) {
        String name = ctx.args().nextText();
        int first = ctx.args().position();
        User user = users.find(name);
        if (user == null) {
            ctx.reply().error("ERR User '" + ErrorText.echo(name) + "' not found");
            return;
        }
        byte[][] words = new byte[ctx.args().remaining()][];
        for (int i = 0; i < words.length; i++) {
            words[i] = ctx.request().argBytes(first + i);
        }
        ByteBuf scratch = PooledByteBufAllocator.DEFAULT.directBuffer();
        try {
            Request request = Request.of(scratch, words);
            CommandSpec spec = ctx.dispatcher().table().resolve(request);
            if (spec == null) {
                ctx.reply().error("ERR Command '" + ErrorText.echo(request, 0) + "' not found");
            } else if (!spec.arityAllows(request.argCount())) {
                ctx.reply().error(Errors.wrongArity(spec.fullName()));
            } else {
                String denial = access.dryRun(user, spec, request);
                text(ctx.reply(), denial, "OK");
            }
        } finally {
            scratch.release();
        }
    }

    private static void text(Reply reply, String denial, String otherwise) {
        if (denial == null) {
            reply.simple(otherwise);
        } else {
            text(reply, denial);
        }
    }

    private void log(CommandContext ctx) {
        Args args = ctx.args();
        AclLog log = access.log();
        if (args.remaining() == 1 && args.accept(RESET)) {
            log.clear();
            ctx.reply().ok();
            return;
        }
        long count = args.hasNext() ? Math.max(0, args.nextLong()) : LOG_ENTRIES_DEFAULT;
        if (args.hasNext()) {
            args.fail(wrongSyntax(ctx));
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        long left = Math.min(count, log.size());
        ctx.reply().array((int) left);
        for (AclLog.Entry entry : log.entries()) {
            if (left-- == 0) {
                break;
            }
            show(ctx.reply(), entry, ctx.nowMs());
        }
    }

    private static void show(Reply reply, AclLog.Entry entry, long nowMs) {
        reply.map(10);
        reply.bulkText("count");
        reply.integer(entry.count());
        reply.bulkText("reason");
        reply.bulkText(entry.reason().text());
        reply.bulkText("context");
        reply.bulkText(entry.context().text());
        reply.bulkText("object");
        reply.bulk(entry.object());
        reply.bulkText("username");
        text(reply, entry.user());
        reply.bulkText("age-seconds");
        reply.doubleValue((nowMs - entry.updatedMs()) / 1000.0);
        reply.bulkText("client-info");
        text(reply, entry.clientInfo());
        reply.bulkText("entry-id");
        reply.integer(entry.id());
        reply.bulkText("timestamp-created");
        reply.integer(entry.createdMs());
        reply.bulkText("timestamp-last-updated");
        reply.integer(entry.updatedMs());
    }

    private void load(CommandContext ctx) {
        if (!users.hasFile()) {
            ctx.reply().error(NO_FILE);
            return;
        }
        try {
            users.load().forEach(user -> closeClientsOf(user, ctx.connection()));
            closeForbiddenSubscribers(users.defaultUser(), ctx.connection());
            ctx.reply().ok();
        } catch (IOException e) {
            ctx.reply().error("ERR " + e.getMessage());
        }
    }

    private void save(CommandContext ctx) {
        if (!users.hasFile()) {
            ctx.reply().error(NO_FILE);
            return;
        }
        try {
            users.save();
            ctx.reply().ok();
        } catch (IOException e) {
            LOG.warn("Cannot save the users: {}", e.getMessage());
            ctx.reply().error("ERR There was an error trying to save the ACLs. Please check the server logs for more "
                    + "information");
        }
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String summary) {
        return CommandSpec.named(name, arity, handler).flags(NOSCRIPT, LOADING, STALE).group("server")
                .since("6.0.0").summary(summary).complexity("O(N) in the number of users, rules or commands");
    }

    List<CommandSpec> specs() {
        Arg rules = Arg.string("rule").optional().multiple();
        return List.of(CommandSpec.container("acl")
            .group("server").since("6.0.0").summary("A container for commands on users and their rights.")
            .complexity("Depends on subcommand.")
            .subcommands(
                sub("cat", -2, AclCommands::categories, "Lists the categories, or the commands of one.")
                    .args(Arg.string("category").optional()).build(),
                sub("deluser", -3, this::delUser, "Removes users and closes their connections.").flags(ADMIN)
                    .args(Arg.string("username").multiple()).build(),
                sub("dryrun", -4, this::dryRun, "Tells whether a user could run a command.").flags(ADMIN)
                    .since("7.0.0").args(Arg.string("username"), Arg.string("command"),
                            Arg.string("arg").optional().multiple()).build(),
                sub("genpass", -2, AclCommands::generatePassword, "Makes a random password.")
                    .args(Arg.integer("bits").optional()).build(),
                sub("getuser", 3, this::getUser, "Shows a user.").flags(ADMIN).args(Arg.string("username")).build(),
                sub("list", 2, this::list, "Shows all users in the form of the ACL file.").flags(ADMIN).build(),
                sub("load", 2, this::load, "Takes the users from the ACL file.").flags(ADMIN).build(),
                sub("log", -2, this::log, "Shows what was denied lately.").flags(ADMIN)
                    .args(Arg.oneOf("operation", Arg.integer("count"), Arg.word("RESET")).optional()).build(),
                sub("save", 2, this::save, "Writes the users to the ACL file.").flags(ADMIN).build(),
                sub("setuser", -3, this::setUser, "Makes or changes a user.").flags(ADMIN, SECRET)
                    .args(Arg.string("username"), rules).build(),
                sub("users", 2, this::users, "Lists the names of all users.").flags(ADMIN).build(),
                sub("whoami", 2, AclCommands::whoAmI, "Tells which user the client is.").build(),
                HelpText.row("server", "6.0.0").build())
            .build());
    }
}
