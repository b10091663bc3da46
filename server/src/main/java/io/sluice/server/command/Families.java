package io.sluice.server.command;

import java.util.ArrayList;
import java.util.List;

/** Where every family is listed: what a new one adds here is all that makes its commands known. */
public final class Families {
    private Families() {
    }

    /** The rows of all families. */
    public static List<CommandSpec> specs(ServerParts parts) {
        List<CommandSpec> specs = new ArrayList<>();
        specs.addAll(new ConnectionCommands(parts).specs());
        specs.addAll(new AclCommands(parts).specs());
        specs.addAll(new ClientCommands(parts).specs());
        specs.addAll(CommandCommands.specs());
        specs.addAll(new ConfigCommands(parts).specs());
        specs.addAll(new ServerCommands(parts).specs());
        specs.addAll(new ReplicationCommands(parts).specs());
        specs.addAll(MemoryCommands.specs());
        specs.addAll(new DebugCommands(parts).specs());
        specs.addAll(new SlowlogCommands(parts).specs());
        specs.addAll(new LatencyCommands(parts).specs());
        specs.addAll(new ScriptCommands(parts.scripts()).specs());
        specs.addAll(new FunctionCommands(parts.scripts()).specs());
        specs.addAll(new PubSubCommands(parts).specs());
        specs.addAll(ClusterCommands.specs());
        specs.addAll(new InsightCommands(parts).specs());
        specs.addAll(new HotKeyCommands(parts).specs());
        specs.addAll(MonitorCommands.specs());
        specs.add(LcsCommand.spec(parts.config()));
        specs.addAll(DataFamilies.specs());
        return specs;
    }
}
