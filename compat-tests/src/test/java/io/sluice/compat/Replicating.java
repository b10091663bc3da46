package io.sluice.compat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What tests of replication ask servers for. */
final class Replicating {
    static final Duration PATIENCE = Duration.ofSeconds(40);

    private Replicating() {
    }

    /** Options of a server that tests may ask for a digest, and that does not keep replicas waiting. */
    static SluiceServer server(String... options) {
        List<String> all = new ArrayList<>(List.of("--enable-debug-command", "yes", "--repl-diskless-sync-delay", "0"));
        all.addAll(List.of(options));
        return new SluiceServer(all.toArray(String[]::new));
    }

    /** A field of {@code INFO}, or null. */
    static String info(ServerProcess server, String field) {
        try (RespClient client = server.connect()) {
            return info(client, field);
        }
    }

    /** A field of {@code INFO}, or null. */
    static String info(RespClient client, String field) {
        String text = client.call("INFO", "everything").toString();
        return text.lines().filter(line -> line.startsWith(field + ":"))
            .map(line -> line.substring(field.length() + 1)).findFirst().orElse(null);
    }

    static long number(ServerProcess server, String field) {
        return Long.parseLong(Objects.requireNonNull(info(server, field), field));
    }

    /** Makes one server follow another, and waits until it does. */
    static void follow(ServerProcess replica, ServerProcess primary) {
        try (RespClient client = replica.connect()) {
            client.call("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
        }
        awaitLink(replica);
    }

    static void awaitLink(ServerProcess replica) {
        Await.until("the link of " + replica.port(), PATIENCE, () -> "up".equals(info(replica, "master_link_status")));
    }

    /** Waits until the replica has what its primary had when this was called. */
    static void awaitOffset(ServerProcess replica, ServerProcess primary) {
        long offset = number(primary, "master_repl_offset");
        Await.until("offset " + offset + " of " + replica.port(), PATIENCE,
            () -> number(replica, "master_repl_offset") >= offset);
    }

    /** Waits until both have the same digest; while keys expire they are not looked at in the same instant. */
    static void assertSame(ServerProcess replica, ServerProcess primary) {
        awaitOffset(replica, primary);
        try (RespClient one = primary.connect(); RespClient other = replica.connect()) {
            Await.until("the same digest of " + replica.port() + " and " + primary.port(), PATIENCE,
                () -> one.call("DEBUG", "DIGEST").equals(other.call("DEBUG", "DIGEST")));
        }
    }
}
