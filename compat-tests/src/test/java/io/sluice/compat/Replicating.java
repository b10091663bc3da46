package io.sluice.compat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What tests of replication ask servers for. */
final class Replicating {
    static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final int DATABASES = 16;

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
        follow(replica, primary.port());
    }

    /** Makes a server follow what is at this port, and waits until it does. */
    static void follow(ServerProcess replica, int port) {
        try (RespClient client = replica.connect()) {
            client.call("REPLICAOF", "127.0.0.1", Integer.toString(port));
        }
        awaitLink(replica);
    }

    /** Random commands on keys of all types that Redis has, in some databases; some are mistakes. */
    static void loadAllTypes(ServerProcess server, int commands, long seed) {
        CommandGenerator generator = new CommandGenerator(seed);
        try (RespClient client = server.connect()) {
            for (int i = 0; i < commands; i++) {
                client.send(RespClient.command(generator.next()));
                client.read();
            }
        }
    }

    /** Every key of one server has the same content and expiry on the other one, and there are as many. */
    static void assertSameContents(ServerProcess one, ServerProcess other, String pattern) {
        try (RespClient expected = one.connect(); RespClient actual = other.connect()) {
            int keys = 0;
            for (int db = 0; db < DATABASES; db++) {
                expected.raw("SELECT", Integer.toString(db));
                actual.raw("SELECT", Integer.toString(db));
                TreeSet<String> names = names(expected, pattern);
                assertEquals(names, names(actual, pattern), "keys of database " + db);
                for (String name : names) {
                    assertEquals(content(expected, name), content(actual, name), name);
                    assertEquals(expected.call("PEXPIRETIME", name), actual.call("PEXPIRETIME", name), name);
                }
                keys += names.size();
            }
            assertTrue(keys > 0, "there is something to compare");
        }
    }

    private static TreeSet<String> names(RespClient client, String pattern) {
        TreeSet<String> names = new TreeSet<>();
        ((List<?>) client.call("KEYS", pattern)).forEach(name -> names.add(name.toString()));
        return names;
    }

    private static Object content(RespClient client, String key) {
        String type = client.call("TYPE", key).toString();
        return type + switch (type) {
            case "string" -> client.call("GET", key);
            case "list" -> client.call("LRANGE", key, "0", "-1");
            case "set" -> sorted((List<?>) client.call("SMEMBERS", key), 1);
            case "hash" -> sorted((List<?>) client.call("HGETALL", key), 2);
            case "zset" -> client.call("ZRANGE", key, "0", "-1", "WITHSCORES");
            default -> "";
        };
    }

    private static List<String> sorted(List<?> words, int group) {
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < words.size(); i += group) {
            groups.add(words.subList(i, i + group).toString());
        }
        groups.sort(null);
        return groups;
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
