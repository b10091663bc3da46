package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.store.Store;
import io.sluice.resp.Request;
import io.sluice.server.ServerClock;
import io.sluice.server.net.Connection;
import io.sluice.server.stats.HotKeys;

import java.util.ArrayList;
import java.util.List;

/** Who is shown every command that has run: {@code MONITOR} and {@code HOTKEYS}. Two comparisons where nobody is. */
final class CommandWatch {
    /** How {@code MONITOR} names a command that a script calls. */
    private static final String SCRIPT = "lua";

    private final MonitorFeed monitors;
    private final HotKeys hotKeys;
    private final ServerClock clock;
    private final Entry entry = new Entry();
    private final List<Integer> keys = new ArrayList<>();

    CommandWatch(ServerParts parts) {
        monitors = new MonitorFeed();
        hotKeys = parts.hotKeys();
        clock = parts.clock();
    }

    MonitorFeed monitors() {
        return monitors;
    }

    /** A command of a client is about to run: a script is shown before what it calls, all else when it has run. */
    void starting(Connection connection, CommandSpec spec, Request request) {
        if (monitors.isActive() && spec.has(CommandFlag.SKIP_MONITOR) && !spec.has(CommandFlag.ADMIN)) {
            monitors.show(spec, request, connection.db(), MonitorFeed.source(connection), clock.epochNs());
        }
    }

    /** A command of a client has run; what a script's calls cost is in it. */
    void executed(Connection connection, CommandSpec spec, Request request, Keyspace keyspace, int replyBytes,
            long durationNs) {
        if (monitors.isActive() && isShown(spec)) {
            monitors.show(spec, request, connection.db(), MonitorFeed.source(connection), clock.epochNs());
        }
        if (hotKeys.isActive() && keyspace != null) {
            countKeys(connection, spec, request, keyspace, replyBytes, durationNs);
        }
    }

    /** A command that a script of this client has called has run. */
    void executedInScript(Connection connection, CommandSpec spec, Request request) {
        if (monitors.isActive() && isShown(spec)) {
            monitors.show(spec, request, connection.db(), SCRIPT, clock.epochNs());
        }
    }

    /** Administration is shown to nobody, as in Redis. */
    private static boolean isShown(CommandSpec spec) {
        return !spec.has(CommandFlag.ADMIN) && !spec.has(CommandFlag.SKIP_MONITOR);
    }

    /** Shares what a command has spent among its keys. */
    private void countKeys(Connection connection, CommandSpec spec, Request request, Keyspace keyspace, int replyBytes,
            long durationNs) {
        long bytes = replyBytes;
        for (int i = 0; i < request.argCount(); i++) {
            bytes += request.argLength(i);
        }
        long epochNs = clock.epochNs();
        if (!hotKeys.command(durationNs, bytes, epochNs)) {
            return;
        }
        keys.clear();
        spec.keySpecs().forEach(keySpec -> keySpec.forEachKey(request, arg -> keys.add(arg)));
        for (int key : keys) {
            if (request.argLength(key) <= Store.KEY_BYTES_MAX) {
                keyspace.lookup(entry, connection.db(), request.argAddress(key), request.argLength(key));
                hotKeys.key(entry, durationNs / keys.size(), bytes / keys.size(), epochNs);
            }
        }
    }
}
