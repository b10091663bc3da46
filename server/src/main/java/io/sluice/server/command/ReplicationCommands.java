package io.sluice.server.command;

import io.sluice.replication.ReplicaPeer;
import io.sluice.replication.ReplicaSession;
import io.sluice.replication.ReplicationStream;
import io.sluice.resp.ErrorText;
import io.sluice.resp.Reply;
import io.sluice.server.replica.Follower;
import io.sluice.server.replica.Replication;
import io.sluice.server.replica.Takeover;

import java.util.List;
import java.util.Locale;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.ALLOW_BUSY;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.FROM_REPLICA;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NOSCRIPT;
import static io.sluice.server.command.CommandFlag.NO_ASYNC_LOADING;
import static io.sluice.server.command.CommandFlag.NO_MULTI;
import static io.sluice.server.command.CommandFlag.STALE;

/** Replication: who follows whom, and what replicas say. */
final class ReplicationCommands {
    private static final byte[] NO = Words.lower("no");
    private static final byte[] ONE = Words.lower("one");
    private static final byte[] FAILOVER = Words.lower("failover");
    private static final byte[] TO = Words.lower("to");
    private static final byte[] FORCE = Words.lower("force");
    private static final byte[] ABORT = Words.lower("abort");
    private static final byte[] TIMEOUT = Words.lower("timeout");
    private static final String WAIT_ON_REPLICA = "ERR WAIT cannot be used with replica instances. Please also note "
            + "that since Redis 4.0 if a replica is configured to be writable (which is not the default) writes to "
            + "replicas are just local and are not propagated.";
    private static final String NO_PRIMARY_LINK = "NOMASTERLINK Can't SYNC while not connected with my master";
    private static final int PORT_MAX = 65_535;

    private final Replication replication;
    private final ServerState state;

    ReplicationCommands(ServerParts parts) {
        replication = parts.replication();
        state = parts.state();
    }

    private void replicaOf(CommandContext ctx) {
        Args args = ctx.args();
        if (replication.takeover().isRunning()) {
            ctx.reply().error("ERR REPLICAOF not allowed while failing over.");
        } else if (args.accept(NO) && args.accept(ONE)) {
            replication.promote();
            ctx.reply().ok();
        } else if (ctx.database() == null) {
            ctx.reply().error(Errors.LOADING);
        } else {
            args.position(1);
            follow(ctx, args);
        }
    }

    private void follow(CommandContext ctx, Args args) {
        String host = args.nextText();
        long port = args.nextLong(0, PORT_MAX, "ERR Invalid master port");
        if (args.failed(ctx.reply())) {
            return;
        }
        if (ctx.connection().isReplica()) {
            ctx.reply().error("ERR Command is not valid when client is a replica.");
            return;
        }
        Follower follower = replication.follower();
        if (state.isReplica() && host.equalsIgnoreCase(follower.host()) && port == follower.port()) {
            ctx.reply().simple("OK Already connected to specified master");
            return;
        }
        replication.replicaOf(host, (int) port, ctx.connection());
        ctx.reply().ok();
    }

    private void replconf(CommandContext ctx) {
        Args args = ctx.args();
        if (args.remaining() % 2 != 0) {
            ctx.reply().error(Errors.SYNTAX);
            return;
        }
        while (args.hasNext()) {
            String option = args.nextText().toLowerCase(Locale.ROOT);
            if (option.equals("ack")) {
                acknowledge(ctx, args);
                return;
            }
            if (option.equals("getack")) {
                return;
            }
            tell(replication.peer(ctx.connection()), option, args);
        }
        if (!args.failed(ctx.reply())) {
            ctx.reply().ok();
        }
    }

    private static void tell(ReplicaPeer peer, String option, Args args) {
        switch (option) {
            case "listening-port" -> peer.listeningPort((int) args.nextLong(0, PORT_MAX, Errors.NOT_AN_INTEGER));
            case "ip-address" -> peer.announcedAddress(args.nextText());
            case "capa" -> peer.capability(args.nextText().toLowerCase(Locale.ROOT));
            case "rdb-only" -> peer.snapshotOnly(args.nextLong(0, 1, Errors.NOT_AN_INTEGER) == 1);
            case "rdb-filter-only" -> filter(peer, args);
            default -> args.fail("ERR Unrecognized REPLCONF option: " + ErrorText.echo(option));
        }
    }

    private static void filter(ReplicaPeer peer, Args args) {
        boolean functions = false;
        for (String part : args.nextText().strip().split("\\s+")) {
            if (part.equalsIgnoreCase("functions")) {
                functions = true;
            } else if (!part.isEmpty()) {
                args.fail("ERR Unsupported rdb-filter-only option: " + ErrorText.echo(part));
                return;
            }
        }
        peer.functionsAtMost(functions);
    }

    /** Has no answer. */
    private void acknowledge(CommandContext ctx, Args args) {
        long offset = args.nextLong();
        ReplicaPeer peer = replication.peerOrNull(ctx.connection());
        if (args.error() == null && peer != null && ctx.connection().isReplica()) {
            replication.replicas().acknowledged(peer, offset, replication.nowMs());
        }
    }

    private void psync(CommandContext ctx) {
        if (isServed(ctx)) {
            return;
        }
        Args args = ctx.args();
        String id = args.nextText();
        long nextByte = args.nextLong();
        boolean takesOver = args.accept(FAILOVER);
        if (args.failed(ctx.reply())) {
            return;
        }
        if (takesOver && !mayTakeOver(ctx, id, nextByte)) {
            return;
        }
        if (state.isReplica() && !replication.isLinkUp()) {
            ctx.reply().error(NO_PRIMARY_LINK);
            return;
        }
        replication.partialSync(ctx.connection(), id, nextByte);
    }

    /** The primary hands over: this server becomes the primary, if it has what that one had. */
    private boolean mayTakeOver(CommandContext ctx, String id, long nextByte) {
        ReplicationStream stream = replication.stream();
        if (!state.isReplica()) {
            // It may ask again when the answer was lost.
            boolean done = id.equals(stream.previousId()) && stream.canContinue(id, nextByte);
            if (!done) {
                ctx.reply().error("ERR PSYNC FAILOVER can't be sent to a master.");
            }
            return done;
        }
        if (!id.equalsIgnoreCase(stream.id())) {
            ctx.reply().error("ERR PSYNC FAILOVER replid must match my replid.");
            return false;
        }
        replication.promote();
        return true;
    }

    private void sync(CommandContext ctx) {
        if (isServed(ctx)) {
            return;
        }
        if (state.isReplica() && !replication.isLinkUp()) {
            ctx.reply().error(NO_PRIMARY_LINK);
            return;
        }
        replication.oldSync(ctx.connection());
    }

    /**
     * Whether nothing is to be done for the client: it is a replica that gets the stream already, which Redis does not
     * answer either, or asks for what it could not take.
     */
    private boolean isServed(CommandContext ctx) {
        ReplicaPeer peer = replication.peerOrNull(ctx.connection());
        if (!ctx.connection().isReplica() && peer != null && peer.isFilterMisplaced()) {
            ctx.reply().error("ERR Filtered replica requires EOF capability");
            return true;
        }
        return ctx.connection().isReplica();
    }

    private void role(CommandContext ctx) {
        Reply reply = ctx.reply();
        if (state.isReplica()) {
            Follower follower = replication.follower();
            reply.array(5);
            reply.bulkText("slave");
            reply.bulkText(follower.host());
            reply.integer(follower.port());
            reply.bulkText(roleState(follower));
            reply.integer(follower.isLinkUp() ? replication.stream().offset() : -1);
            return;
        }
        List<ReplicaPeer> peers = replication.replicas().attached();
        reply.array(3);
        reply.bulkText("master");
        reply.integer(replication.stream().offset());
        reply.array(peers.size());
        for (ReplicaPeer peer : peers) {
            reply.array(3);
            reply.bulkText(peer.ip());
            reply.bulkText(Integer.toString(peer.port()));
            reply.bulkText(Long.toString(peer.ackedOffset()));
        }
    }

    private static String roleState(Follower follower) {
        ReplicaSession.State session = follower.sessionState();
        if (session == null) {
            return "connect";
        }
        return switch (session) {
            case CONNECTING, ENDED -> "connecting";
            case GREETING, ASKED, SYNC_AWAITED -> "handshake";
            case RECEIVING, LOADING -> "sync";
            case STREAMING -> "connected";
        };
    }

    private void await(CommandContext ctx) {
        Args args = ctx.args();
        long count = args.nextLong();
        long timeoutMs = args.nextLong("ERR timeout is not an integer or out of range");
        if (args.error() == null && timeoutMs < 0) {
            args.fail(Errors.NEGATIVE_TIMEOUT);
        }
        if (args.error() == null && state.isReplica()) {
            args.fail(WAIT_ON_REPLICA);
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        int acked = replication.await(ctx.connection(), (int) Math.min(count, Integer.MAX_VALUE), timeoutMs);
        if (acked >= 0) {
            ctx.reply().integer(acked);
        }
    }

    private void failover(CommandContext ctx) {
        Args args = ctx.args();
        String host = null;
        long port = 0;
        long timeoutMs = 0;
        boolean timed = false;
        boolean forced = false;
        boolean aborts = false;
        while (args.hasNext()) {
            if (!timed && args.accept(TIMEOUT)) {
                timeoutMs = args.nextLong();
                timed = true;
                if (args.error() == null && timeoutMs <= 0) {
                    args.fail("ERR FAILOVER timeout must be greater than 0");
                }
            } else if (host == null && args.accept(TO)) {
                host = args.nextText();
                port = args.nextLong();
            } else if (!forced && args.accept(FORCE)) {
                forced = true;
            } else if (args.remaining() == 1 && args.position() == 1 && args.accept(ABORT)) {
                aborts = true;
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        if (!aborts) {
            checkFailover(args, host, port, forced, timed);
        } else if (!replication.takeover().isRunning()) {
            args.fail("ERR No failover in progress.");
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        if (aborts) {
            replication.takeover().abort("by FAILOVER ABORT");
        } else {
            replication.takeover().begin(host, (int) port, forced, timeoutMs);
        }
        ctx.reply().ok();
    }

    private void checkFailover(Args args, String host, long port, boolean forced, boolean timed) {
        if (replication.takeover().isRunning()) {
            args.fail("ERR FAILOVER already in progress.");
        } else if (state.isReplica()) {
            args.fail("ERR FAILOVER is not valid when server is a replica.");
        } else if (replication.replicas().attached().isEmpty()) {
            args.fail("ERR FAILOVER requires connected replicas.");
        } else if (forced && (!timed || host == null)) {
            args.fail("ERR FAILOVER with force option requires both a timeout and target HOST and IP.");
        } else if (host != null && args.error() == null) {
            ReplicaPeer target = replication.replicas().attached().stream()
                .filter(peer -> Takeover.isAt(peer, host, (int) port)).findFirst().orElse(null);
            if (target == null) {
                args.fail("ERR FAILOVER target HOST and PORT is not a replica.");
            } else if (target.state() != ReplicaPeer.State.ONLINE) {
                args.fail("ERR FAILOVER target replica is not online.");
            }
        }
    }

    private static CommandSpec.Builder row(String name, int arity, CommandHandler handler, String since,
            String summary) {
        return CommandSpec.named(name, arity, handler).group("server").since(since).summary(summary).complexity("O(1)");
    }

    List<CommandSpec> specs() {
        return List.of(
            row("replicaof", 3, this::replicaOf, "5.0.0", "Makes the server a replica of another, or a primary.")
                .flags(ADMIN, NOSCRIPT, STALE, NO_ASYNC_LOADING).args(Arg.string("host"), Arg.integer("port")).build(),
            row("slaveof", 3, this::replicaOf, "1.0.0", "The older name of REPLICAOF.")
                .flags(ADMIN, NOSCRIPT, STALE, NO_ASYNC_LOADING).args(Arg.string("host"), Arg.integer("port")).build(),
            row("replconf", -1, this::replconf, "3.0.0", "Internal: what a replica tells its primary.")
                .flags(ADMIN, NOSCRIPT, LOADING, STALE, ALLOW_BUSY, FROM_REPLICA).build(),
            row("psync", -3, this::psync, "2.8.0", "Internal: a replica asks for the stream.")
                .flags(ADMIN, NOSCRIPT, NO_ASYNC_LOADING, NO_MULTI, FROM_REPLICA)
                .args(Arg.string("replicationid"), Arg.integer("offset")).build(),
            row("sync", 1, this::sync, "1.0.0", "Internal: an old replica asks for a snapshot and the stream.")
                .flags(ADMIN, NOSCRIPT, NO_ASYNC_LOADING, NO_MULTI, FROM_REPLICA).build(),
            row("role", 1, this::role, "2.8.12", "Returns the server's role in replication.")
                .flags(NOSCRIPT, LOADING, STALE, FAST).acl("admin", "dangerous").build(),
            row("failover", -1, this::failover, "6.2.0", "Hands the primary's part to a replica, losing nothing.")
                .flags(ADMIN, NOSCRIPT, STALE).args(
                    Arg.block("target", Arg.string("host"), Arg.integer("port"), Arg.word("FORCE").optional())
                        .token("TO").optional(),
                    Arg.word("ABORT").optional(), Arg.integer("milliseconds").token("TIMEOUT").optional()).build(),
            CommandSpec.named("wait", 3, this::await).flags(NOSCRIPT).acl("connection").group("generic").since("3.0.0")
                .tips("request_policy:all_shards", "response_policy:agg_min").complexity("O(1)")
                .summary("Waits until replicas have acknowledged all writes so far.")
                .args(Arg.integer("numreplicas"), Arg.integer("timeout")).build());
    }
}
