package io.sluice.server.command;

import io.sluice.resp.Request;
import io.sluice.server.net.Connection;
import io.sluice.server.net.PushMessage;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The clients that see every command, see {@code MONITOR}, and what is shown to them. Costs one comparison a command
 * while there are none. A line is made once for all of them; whoever does not take the lines is closed at the output
 * limit of its class.
 */
public final class MonitorFeed {
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** A line shows no more bytes of arguments than this: it is made on the heap. */
    static final int LINE_LENGTH_MAX = 1 << 20;
    /** What surrounds an argument. */
    private static final int ARG_OVERHEAD = 3;
    private static final HexFormat HEX = HexFormat.of();

    private final List<Connection> watchers = new ArrayList<>();

    /** Whether anybody watches. */
    boolean isActive() {
        return !watchers.isEmpty();
    }

    void add(Connection connection) {
        if (!connection.isMonitor()) {
            connection.monitor(true);
            watchers.add(connection);
        }
    }

    void remove(Connection connection) {
        if (connection.isMonitor()) {
            connection.monitor(false);
            watchers.remove(connection);
        }
    }

    /**
     * Shows a command that has run.
     *
     * @param source how the line names where it came from
     */
    void show(CommandSpec spec, Request request, int db, String source, long epochNs) {
        String line = line(spec, request, db, source, epochNs);
        try (PushMessage message = new PushMessage(reply -> reply.simple(line))) {
            for (Connection watcher : List.copyOf(watchers)) {
                watcher.push(message);
            }
        }
    }

    private static String line(CommandSpec spec, Request request, int db, String source, long epochNs) {
        StringBuilder line = new StringBuilder()
            .append(Math.floorDiv(epochNs, NS_PER_SECOND)).append('.')
            .append(String.format("%06d", Math.floorMod(epochNs, NS_PER_SECOND) / 1000))
            .append(" [").append(db).append(' ').append(source).append(']');
        int left = LINE_LENGTH_MAX;
        for (int i = 0; i < request.argCount(); i++) {
            if (left <= 0) {
                return line.append(" ... (").append(request.argCount() - i).append(" more arguments)").toString();
            }
            line.append(" \"");
            if (Redaction.hides(spec, request, i)) {
                line.append(Redaction.SHOWN_INSTEAD);
            } else {
                int start = request.argOffset(i);
                int shown = Math.min(left, request.argLength(i));
                for (int at = start; at < start + shown; at++) {
                    quote(request.buffer().getByte(at), line);
                }
                if (shown < request.argLength(i)) {
                    line.append("... (").append(request.argLength(i) - shown).append(" more bytes)");
                }
            }
            line.append('"');
            // An argument takes room even if it is empty.
            left -= request.argLength(i) + ARG_OVERHEAD;
        }
        return line.toString();
    }

    private static void quote(byte b, StringBuilder line) {
        switch (b) {
            case '\\', '"' -> line.append('\\').append((char) b);
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            case '\t' -> line.append("\\t");
            case 7 -> line.append("\\a");
            case '\b' -> line.append("\\b");
            default -> {
                if (b >= ' ' && b < 0x7f) {
                    line.append((char) b);
                } else {
                    line.append("\\x").append(HEX.toHexDigits(b));
                }
            }
        }
    }

    /** How a line names a client: its address, a unix socket by its path. */
    static String source(Connection connection) {
        String address = connection.address();
        return connection.isUnix() ? "unix:" + address.substring(0, address.lastIndexOf(':')) : address;
    }
}
