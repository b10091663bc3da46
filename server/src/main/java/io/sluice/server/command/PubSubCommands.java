package io.sluice.server.command;

import io.sluice.resp.Glob;
import io.sluice.resp.Reply;
import io.sluice.server.net.Connection;
import io.sluice.server.pubsub.PubSub;
import io.sluice.server.pubsub.SubscriptionKind;

import java.util.ArrayList;
import java.util.List;

import static io.sluice.server.command.CommandFlag.ANSWERS_BY_PUSH;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.MAY_REPLICATE;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.PUBSUB;
import static io.sluice.server.command.CommandFlag.STALE;
import static io.sluice.server.command.CommandFlag.WHEN_SUBSCRIBED;

/**
 * Messages between clients. What is answered per channel is a push in RESP3, as the messages are. Shard channels are a
 * namespace of their own and no more, as on a Redis without a cluster; they therefore have no key specification.
 */
final class PubSubCommands {
    private static final String TOO_MANY = "ERR too many subscriptions";

    private final PubSub pubSub;

    PubSubCommands(ServerParts parts) {
        pubSub = parts.pubSub();
    }

    private void publish(CommandContext ctx) {
        ctx.relay();
        ctx.reply().integer(pubSub.isIdle() ? 0
                : pubSub.publish(ctx.request().argBytes(1), ctx.request().argBytes(2)));
    }

    private void publishToShard(CommandContext ctx) {
        ctx.relay();
        ctx.reply().integer(pubSub.publishToShard(ctx.request().argBytes(1), ctx.request().argBytes(2)));
    }

    private void subscribe(CommandContext ctx, SubscriptionKind kind) {
        List<byte[]> names = names(ctx);
        if (!pubSub.hasRoomFor(names)) {
            ctx.reply().error(TOO_MANY);
            return;
        }
        for (byte[] name : names) {
            pubSub.subscribe(ctx.connection(), kind, name);
            confirm(ctx, kind, kind.subscribed(), name);
        }
    }

    private void unsubscribe(CommandContext ctx, SubscriptionKind kind) {
        List<byte[]> names = ctx.args().hasNext() ? names(ctx) : pubSub.names(ctx.connection(), kind);
        for (byte[] name : names) {
            pubSub.unsubscribe(ctx.connection(), kind, name);
            confirm(ctx, kind, kind.unsubscribed(), name);
        }
        if (names.isEmpty()) {
            confirm(ctx, kind, kind.unsubscribed(), null);
        }
    }

    private static List<byte[]> names(CommandContext ctx) {
        List<byte[]> names = new ArrayList<>();
        while (ctx.args().hasNext()) {
            names.add(ctx.args().nextBytes());
        }
        return names;
    }

    /** Channels and patterns are counted together, shard channels by themselves. */
    private static void confirm(CommandContext ctx, SubscriptionKind kind, byte[] word, byte[] name) {
        Connection connection = ctx.connection();
        Reply reply = ctx.reply();
        reply.push(3);
        reply.bulk(word);
        if (name == null) {
            reply.nullValue();
        } else {
            reply.bulk(name);
        }
        reply.integer(kind == SubscriptionKind.SHARD_CHANNEL ? connection.shardSubscriptions()
                : connection.subscriptions() + connection.patternSubscriptions());
    }

    private void topics(CommandContext ctx, SubscriptionKind kind) {
        if (ctx.args().remaining() > 1) {
            ctx.reply().error("ERR unknown subcommand or wrong number of arguments for '" + ctx.request().argText(1)
                    + "'. Try PUBSUB HELP.");
            return;
        }
        Glob glob = ctx.args().hasNext() ? Glob.of(ctx.args().nextBytes()) : null;
        List<byte[]> names = pubSub.topicNames(kind).stream()
                .filter(name -> glob == null || glob.matches(name)).toList();
        ctx.reply().array(names.size());
        names.forEach(ctx.reply()::bulk);
    }

    private void subscribers(CommandContext ctx, SubscriptionKind kind) {
        ctx.reply().array(2 * ctx.args().remaining());
        for (byte[] name : names(ctx)) {
            ctx.reply().bulk(name);
            ctx.reply().integer(pubSub.subscribers(kind, name));
        }
    }

    private void patterns(CommandContext ctx) {
        ctx.reply().integer(pubSub.topics(SubscriptionKind.PATTERN));
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler, String since) {
        return CommandSpec.named(name, arity, handler).flags(PUBSUB, LOADING, STALE).group("pubsub").since(since);
    }

    private CommandSpec subscribing(SubscriptionKind kind, String name, Arg topic, String since) {
        return row(name, -2, ctx -> subscribe(ctx, kind), since).flags(NOSCRIPT, WHEN_SUBSCRIBED, ANSWERS_BY_PUSH)
            .channels(1, kind == SubscriptionKind.PATTERN)
            .complexity("O(N) with N names").args(topic.multiple())
            .summary("Gets the messages of these from now on.").build();
    }

    private CommandSpec unsubscribing(SubscriptionKind kind, String name, Arg topic, String since) {
        return row(name, -1, ctx -> unsubscribe(ctx, kind), since).flags(NOSCRIPT, WHEN_SUBSCRIBED, ANSWERS_BY_PUSH)
            .complexity("O(N) with N names").args(topic.optional().multiple())
            .summary("Gets the messages of these no longer, or of none at all.").build();
    }

    List<CommandSpec> specs() {
        Arg channel = Arg.string("channel");
        Arg pattern = Arg.pattern("pattern");
        Arg shardChannel = Arg.string("shardchannel");
        return List.of(
            row("publish", 3, this::publish, "2.0.0").flags(FAST, MAY_REPLICATE).channel(1)
                .complexity("O(N+M) with N subscribers and M patterns").args(channel, Arg.string("message"))
                .summary("Sends a message to all who are subscribed to a channel.").build(),
            row("spublish", 3, this::publishToShard, "7.0.0").flags(FAST, MAY_REPLICATE).channel(1)
                .complexity("O(N) with N subscribers").args(shardChannel, Arg.string("message"))
                .summary("Sends a message to all who are subscribed to a shard channel.").build(),
            subscribing(SubscriptionKind.CHANNEL, "subscribe", channel, "2.0.0"),
            subscribing(SubscriptionKind.PATTERN, "psubscribe", Arg.block("pattern", pattern), "2.0.0"),
            subscribing(SubscriptionKind.SHARD_CHANNEL, "ssubscribe", shardChannel, "7.0.0"),
            unsubscribing(SubscriptionKind.CHANNEL, "unsubscribe", channel, "2.0.0"),
            unsubscribing(SubscriptionKind.PATTERN, "punsubscribe", pattern, "2.0.0"),
            unsubscribing(SubscriptionKind.SHARD_CHANNEL, "sunsubscribe", shardChannel, "7.0.0"),
            introspection(channel, shardChannel));
    }

    private CommandSpec introspection(Arg channel, Arg shardChannel) {
        Arg pattern = Arg.pattern("pattern").optional();
        return CommandSpec.container("pubsub")
            .group("pubsub").since("2.8.0").summary("A container for Pub/Sub commands.")
            .complexity("Depends on subcommand.")
            .subcommands(
                row("channels", -2, ctx -> topics(ctx, SubscriptionKind.CHANNEL), "2.8.0").args(pattern)
                    .complexity("O(N) with N channels").summary("Names the channels that have subscribers.").build(),
                row("numsub", -2, ctx -> subscribers(ctx, SubscriptionKind.CHANNEL), "2.8.0")
                    .args(channel.optional().multiple()).complexity("O(N) with N names")
                    .summary("Counts the subscribers of channels.").build(),
                row("numpat", 2, this::patterns, "2.8.0").complexity("O(1)")
                    .summary("Counts the patterns that have subscribers.").build(),
                row("shardchannels", -2, ctx -> topics(ctx, SubscriptionKind.SHARD_CHANNEL), "7.0.0").args(pattern)
                    .complexity("O(N) with N shard channels").summary("Names the shard channels that have subscribers.")
                    .build(),
                row("shardnumsub", -2, ctx -> subscribers(ctx, SubscriptionKind.SHARD_CHANNEL), "7.0.0")
                    .args(shardChannel.optional().multiple()).complexity("O(N) with N names")
                    .summary("Counts the subscribers of shard channels.").build(),
                CommandSpec.named("help", 2, HelpText::answer).flags(LOADING, STALE).group("pubsub").since("6.2.0")
                    .complexity("O(1)").summary("Describes the subcommands.").build())
            .build();
    }
}
