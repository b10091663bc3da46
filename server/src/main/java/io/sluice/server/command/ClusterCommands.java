package io.sluice.server.command;

import java.util.ArrayList;
import java.util.List;

import static io.sluice.server.command.CommandFlag.ADMIN;
import static io.sluice.server.command.CommandFlag.FAST;
import static io.sluice.server.command.CommandFlag.LOADING;
import static io.sluice.server.command.CommandFlag.NO_ASYNC_LOADING;
import static io.sluice.server.command.CommandFlag.STALE;

/** What clients send to find out whether there is a cluster: there is none, and each is told so as Redis tells it. */
final class ClusterCommands {
    private static final String DISABLED = "ERR This instance has cluster support disabled";
    private static final String SUMMARY = "Refused: there is no cluster.";

    private ClusterCommands() {
    }

    private static void refuse(CommandContext ctx) {
        ctx.reply().error(DISABLED);
    }

    private static CommandSpec.Builder sub(String name, int arity, String since) {
        return CommandSpec.named(name, arity, ClusterCommands::refuse).flags(STALE).group("cluster").since(since)
            .summary(SUMMARY).complexity("O(1)");
    }

    private static CommandSpec query(String name, int arity, String since, Arg... args) {
        return sub(name, arity, since).args(args).build();
    }

    private static CommandSpec changing(String name, int arity, String since, Arg... args) {
        return sub(name, arity, since).flags(ADMIN, NO_ASYNC_LOADING).args(args).build();
    }

    private static CommandSpec switching(String name) {
        return CommandSpec.named(name, 1, ClusterCommands::refuse).flags(FAST, LOADING, STALE).acl("connection")
            .group("cluster").since("3.0.0").summary(SUMMARY).complexity("O(1)").build();
    }

    static List<CommandSpec> specs() {
        return List.of(
            switching("readonly"),
            switching("readwrite"),
            CommandSpec.named("asking", 1, ClusterCommands::refuse).flags(FAST).acl("connection").group("cluster")
                .since("3.0.0").summary(SUMMARY).complexity("O(1)").build(),
            CommandSpec.container("cluster").group("cluster").since("3.0.0").summary(SUMMARY)
                .complexity("Depends on subcommand.").subcommands(subcommands().toArray(CommandSpec[]::new)).build());
    }

    private static List<CommandSpec> subcommands() {
        Arg slot = Arg.integer("slot");
        Arg node = Arg.string("node-id");
        List<CommandSpec> rows = new ArrayList<>(List.of(
            query("info", 2, "3.0.0"),
            query("nodes", 2, "3.0.0"),
            query("slots", 2, "3.0.0"),
            query("shards", 2, "7.0.0"),
            query("links", 2, "7.0.0"),
            query("myid", 2, "3.0.0"),
            query("keyslot", 3, "3.0.0", Arg.string("key")),
            query("countkeysinslot", 3, "3.0.0", slot),
            query("getkeysinslot", 4, "3.0.0", slot, Arg.integer("count")),
            changing("addslots", -3, "3.0.0", slot.multiple()),
            changing("delslots", -3, "3.0.0", slot.multiple()),
            changing("flushslots", 2, "3.0.0"),
            changing("forget", 3, "3.0.0", node),
            changing("meet", -4, "3.0.0", Arg.string("ip"), Arg.integer("port")),
            changing("replicate", 3, "3.0.0", node),
            changing("reset", -2, "3.0.0"),
            changing("failover", -2, "3.0.0")));
        rows.add(sub("help", 2, "5.0.0").flags(LOADING).build());
        return rows;
    }
}
