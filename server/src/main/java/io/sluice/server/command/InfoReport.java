package io.sluice.server.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The text of {@code INFO}: which sections, in which order. */
final class InfoReport {
    private static final Set<String> ALL = Set.of("all", "everything");
    private static final String DEFAULT = "default";
    /** Sections that must be asked for, as in Redis. */
    private static final Set<String> EXTRA = Set.of("commandstats", "latencystats");

    private final Map<String, BiConsumer<InfoText, CommandContext>> sections = new LinkedHashMap<>();

    InfoReport(ServerParts parts) {
        ServerInfo server = new ServerInfo(parts);
        StatsInfo stats = new StatsInfo(parts);
        sections.put("server", server::server);
        sections.put("clients", server::clients);
        sections.put("memory", server::memory);
        sections.put("persistence", server::persistence);
        sections.put("stats", stats::stats);
        sections.put("replication", new ReplicationInfo(parts)::replication);
        sections.put("cpu", server::cpu);
        sections.put("modules", (text, ctx) -> text.section("Modules"));
        sections.put("commandstats", stats::commandStats);
        sections.put("errorstats", stats::errorStats);
        sections.put("latencystats", stats::latencyStats);
        sections.put("cluster", (text, ctx) -> text.section("Cluster").field("cluster_enabled", 0));
        sections.put("ratelimit", stats::rateLimit);
        sections.put("keyspace", server::keyspace);
    }

    /** The sections of these lower-case names; none means the default ones. */
    String text(CommandContext ctx, List<String> names) {
        boolean all = names.stream().anyMatch(ALL::contains);
        boolean byDefault = names.isEmpty() || names.contains(DEFAULT);
        InfoText text = new InfoText();
        sections.forEach((name, section) -> {
            if (all || byDefault && !EXTRA.contains(name) || names.contains(name)) {
                section.accept(text, ctx);
            }
        });
        return text.toString();
    }
}
