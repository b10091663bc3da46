package io.sluice.server.command;

import io.sluice.resp.ErrorText;
import io.sluice.resp.Reply;
import io.sluice.server.net.ClientRegistry;
import io.sluice.server.tracking.ClientTracking;
import io.sluice.server.tracking.Tracking;
import io.sluice.server.tracking.TrackingOptions;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.STALE;

/** The subcommands of {@code CLIENT} by which a client that caches asks to be told of changes. */
final class TrackingCommands {
    private static final byte[] ON = Words.lower("on");
    private static final byte[] OFF = Words.lower("off");
    private static final byte[] YES = Words.lower("yes");
    private static final byte[] NO = Words.lower("no");
    private static final byte[] REDIRECT = Words.lower("redirect");
    private static final byte[] BCAST = Words.lower("bcast");
    private static final byte[] OPTIN = Words.lower("optin");
    private static final byte[] OPTOUT = Words.lower("optout");
    private static final byte[] NOLOOP = Words.lower("noloop");
    private static final byte[] PREFIX = Words.lower("prefix");
    /** Prefixes that one client may have, and their bytes. */
    private static final int PREFIXES_MAX = 128;
    private static final int PREFIX_BYTES_MAX = 65_536;

    private final Tracking tracking;
    private final ClientRegistry clients;

    TrackingCommands(ServerParts parts) {
        tracking = parts.tracking();
        clients = parts.clients();
    }

    private void tracking(CommandContext ctx) {
        Args args = ctx.args();
        int onOff = args.next();
        TrackingOptions options = options(args);
        ClientTracking before = tracking.of(ctx.connection());
        boolean on = ctx.request().argIs(onOff, ON);
        if (on && args.error() == null) {
            check(args, options, before);
        } else if (!on && !ctx.request().argIs(onOff, OFF)) {
            args.fail(Errors.SYNTAX);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        if (on) {
            tracking.enable(ctx.connection(), options);
        } else {
            tracking.disable(ctx.connection());
        }
        ctx.reply().ok();
    }

    private TrackingOptions options(Args args) {
        long redirectId = 0;
        boolean broadcast = false;
        boolean optIn = false;
        boolean optOut = false;
        boolean noLoop = false;
        List<byte[]> prefixes = new ArrayList<>();
        while (args.hasNext()) {
            if (args.remaining() > 1 && args.accept(REDIRECT)) {
                redirectId = redirect(args, redirectId);
            } else if (args.accept(BCAST)) {
                broadcast = true;
            } else if (args.accept(OPTIN)) {
                optIn = true;
            } else if (args.accept(OPTOUT)) {
                optOut = true;
            } else if (args.accept(NOLOOP)) {
                noLoop = true;
            } else if (args.remaining() > 1 && args.accept(PREFIX)) {
                prefixes.add(args.nextBytes());
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        return new TrackingOptions(redirectId, broadcast, optIn, optOut, noLoop, prefixes);
    }

    private long redirect(Args args, long before) {
        if (before != 0) {
            args.fail("ERR A client can only redirect to a single other client");
        }
        long id = args.nextLong();
        if (args.error() == null && clients.find(id) == null) {
            args.fail("ERR The client ID you want redirect to does not exist");
        }
        return id;
    }

    private static void check(Args args, TrackingOptions options, ClientTracking before) {
        if (!options.broadcast() && !options.prefixes().isEmpty()) {
            args.fail("ERR PREFIX option requires BCAST mode to be enabled");
        }
        if (before != null && before.isBroadcast() != options.broadcast()) {
            args.fail("ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then "
                    + "re-enabling it with a different mode.");
        }
        if (options.broadcast() && (options.optIn() || options.optOut())) {
            args.fail("ERR OPTIN and OPTOUT are not compatible with BCAST");
        }
        if (options.optIn() && options.optOut()) {
            args.fail("ERR You can't specify both OPTIN mode and OPTOUT mode");
        }
        if (before != null && (options.optIn() && before.isOptOut() || options.optOut() && before.isOptIn())) {
            args.fail("ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then "
                    + "re-enabling it with a different mode.");
        }
        checkPrefixes(args, options.prefixes(), before == null ? List.of() : before.prefixes());
    }

    private static void checkPrefixes(Args args, List<byte[]> prefixes, List<byte[]> existing) {
        int bytes = 0;
        for (int i = 0; i < prefixes.size(); i++) {
            byte[] prefix = prefixes.get(i);
            bytes += prefix.length;
            for (byte[] other : existing) {
                checkOverlap(args, prefix, other, "an existing");
            }
            for (byte[] other : prefixes.subList(i + 1, prefixes.size())) {
                checkOverlap(args, prefix, other, "another provided");
            }
        }
        if (prefixes.size() + existing.size() > PREFIXES_MAX || bytes > PREFIX_BYTES_MAX) {
            args.fail("ERR too many prefixes");
        }
    }

    private static void checkOverlap(Args args, byte[] prefix, byte[] other, String which) {
        int shorter = Math.min(prefix.length, other.length);
        if (Arrays.equals(prefix, 0, shorter, other, 0, shorter)) {
            args.fail("ERR Prefix '" + echo(prefix) + "' overlaps with " + which + " prefix '" + echo(other)
                    + "'. Prefixes for a single client must not overlap.");
        }
    }

    private static String echo(byte[] text) {
        return ErrorText.echo(new String(text, StandardCharsets.ISO_8859_1));
    }

    private void caching(CommandContext ctx) {
        Args args = ctx.args();
        ClientTracking own = tracking.of(ctx.connection());
        if (own == null) {
            args.fail("ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT "
                    + "mode enabled");
        } else if (args.accept(YES)) {
            if (!own.isOptIn()) {
                args.fail("ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
            }
        } else if (args.accept(NO)) {
            if (!own.isOptOut()) {
                args.fail("ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
            }
        } else {
            args.fail(Errors.SYNTAX);
        }
        if (!args.failed(ctx.reply())) {
            own.caching(true);
            ctx.reply().ok();
        }
    }

    private void redirection(CommandContext ctx) {
        ClientTracking own = tracking.of(ctx.connection());
        ctx.reply().integer(own == null ? -1 : own.redirectId());
    }

    private void info(CommandContext ctx) {
        ClientTracking own = tracking.of(ctx.connection());
        Reply reply = ctx.reply();
        List<String> flags = own == null ? List.of("off") : flags(own);
        reply.map(3);
        reply.bulkText("flags");
        reply.set(flags.size());
        flags.forEach(reply::bulkText);
        reply.bulkText("redirect");
        reply.integer(own == null ? -1 : own.redirectId());
        reply.bulkText("prefixes");
        List<byte[]> prefixes = own == null ? List.of() : own.prefixes();
        reply.array(prefixes.size());
        prefixes.forEach(reply::bulk);
    }

    private static List<String> flags(ClientTracking own) {
        List<String> flags = new ArrayList<>(List.of("on"));
        if (own.isBroadcast()) {
            flags.add("bcast");
        }
        if (own.isOptIn()) {
            flags.add("optin");
            if (own.isCaching()) {
                flags.add("caching-yes");
            }
        }
        if (own.isOptOut()) {
            flags.add("optout");
            if (own.isCaching()) {
                flags.add("caching-no");
            }
        }
        if (own.isNoLoop()) {
            flags.add("noloop");
        }
        if (own.isRedirectBroken()) {
            flags.add("broken_redirect");
        }
        return flags;
    }

    private static CommandSpec.Builder sub(String name, int arity, CommandHandler handler, String since) {
        return CommandSpec.named(name, arity, handler).flags(NOSCRIPT, LOADING, STALE).acl("connection")
            .group("connection").since(since).complexity("O(1)");
    }

    List<CommandSpec> subcommands() {
        return List.of(
            sub("tracking", -3, this::tracking, "6.0.0")
                .summary("Tells the client when keys that it has read change.").args(
                    Arg.oneOf("status", Arg.word("ON"), Arg.word("OFF")),
                    Arg.integer("client-id").token("REDIRECT").optional(),
                    Arg.string("prefix").token("PREFIX").optional().multiple(),
                    Arg.word("BCAST").optional(), Arg.word("OPTIN").optional(), Arg.word("OPTOUT").optional(),
                    Arg.word("NOLOOP").optional()).build(),
            sub("caching", 3, this::caching, "6.0.0").summary("Makes the next command an exception from tracking.")
                .args(Arg.oneOf("mode", Arg.word("YES"), Arg.word("NO"))).build(),
            sub("getredir", 2, this::redirection, "6.0.0")
                .summary("Returns the id of the client that gets the messages.").build(),
            sub("trackinginfo", 2, this::info, "6.2.0").summary("Says what is tracked, and how.").build());
    }
}
