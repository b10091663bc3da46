package io.sluice.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Debian's redis-sentinel, watching one primary under the name {@code mymaster}. */
final class RedisSentinel extends ServerProcess {
    static final String MASTER = "mymaster";
    /** Longer than a busy machine lets a server wait: else a primary is replaced where no test wants it. */
    static final int DOWN_AFTER_MS = 8_000;

    private final int primaryPort;

    RedisSentinel(int primaryPort) {
        this.primaryPort = primaryPort;
    }

    @Override
    List<String> command(List<String> options) {
        Path file = dir().resolve("sentinel.conf");
        try {
            if (!Files.exists(file)) {
                Files.writeString(file, """
                    port %d
                    bind 127.0.0.1
                    dir %s
                    sentinel monitor %s 127.0.0.1 %d 2
                    sentinel down-after-milliseconds %3$s %5$d
                    sentinel failover-timeout %3$s 10000
                    sentinel parallel-syncs %3$s 2
                    """.formatted(port(), dir(), MASTER, primaryPort, DOWN_AFTER_MS));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of("redis-sentinel", file.toString());
    }

    /** Has it look around more often than it does by itself, and forgive a busy machine sooner. */
    void hurry() {
        try (RespClient client = connect()) {
            client.call("SENTINEL", "DEBUG", "info-period", "1000", "ping-period", "300", "publish-period", "500",
                "tilt-period", "3000");
        }
    }

    /** The port of the server that counts as the primary now. */
    int currentPrimary() {
        try (RespClient client = connect()) {
            List<?> address = (List<?>) client.call("SENTINEL", "get-master-addr-by-name", MASTER);
            return Integer.parseInt(address.get(1).toString());
        }
    }

    /** Whether it knows so many replicas, all linked to the primary, and so many other Sentinels, and all is well. */
    boolean isSettled(int replicas, int sentinels) {
        try (RespClient client = connect()) {
            List<?> master = (List<?>) client.call("SENTINEL", "master", MASTER);
            List<?> slaves = (List<?>) client.call("SENTINEL", "replicas", MASTER);
            return slaves.size() == replicas
                && slaves.stream().map(slave -> (List<?>) slave).allMatch(slave ->
                    field(slave, "flags").equals("slave") && field(slave, "master-link-status").equals("ok"))
                && field(master, "num-other-sentinels").equals(Integer.toString(sentinels))
                && field(master, "flags").equals("master");
        }
    }

    private static String field(List<?> fields, String name) {
        return fields.get(fields.indexOf(name) + 1).toString();
    }
}
