package io.sluice.server.command;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The access categories of commands: Redis's, in its order, and {@code throttle} and {@code rate_limit} for limiters.
 */
public final class AclCategories {
    /** All categories, in the order in which {@code COMMAND INFO} lists them. */
    public static final List<String> ALL = List.of("keyspace", "read", "write", "set", "sortedset", "list", "hash",
            "string", "bitmap", "hyperloglog", "geo", "stream", "pubsub", "admin", "fast", "slow", "blocking",
            "dangerous", "connection", "transaction", "scripting", "throttle", "rate_limit");

    private AclCategories() {
    }

    /** The given categories and those that follow from the flags, as Redis derives them, each with its {@code @}. */
    static List<String> of(List<CommandFlag> flagList, List<String> given) {
        Set<CommandFlag> flags = flagList.isEmpty() ? EnumSet.noneOf(CommandFlag.class) : EnumSet.copyOf(flagList);
        Set<String> all = new LinkedHashSet<>(given);
        if (flags.contains(CommandFlag.WRITE)) {
            all.add("write");
        }
        if (flags.contains(CommandFlag.READONLY) && !given.contains("scripting")) {
            all.add("read");
        }
        if (flags.contains(CommandFlag.ADMIN)) {
            all.add("admin");
            all.add("dangerous");
        }
        if (flags.contains(CommandFlag.PUBSUB)) {
            all.add("pubsub");
        }
        if (flags.contains(CommandFlag.BLOCKING)) {
            all.add("blocking");
        }
        all.add(flags.contains(CommandFlag.FAST) ? "fast" : "slow");
        for (String category : all) {
            if (!ALL.contains(category)) {
                throw new IllegalArgumentException("unknown access category " + category);
            }
        }
        List<String> ordered = new ArrayList<>();
        ALL.stream().filter(all::contains).forEach(category -> ordered.add("@" + category));
        return List.copyOf(ordered);
    }
}
