package io.sluice.compat;

import static io.sluice.compat.Replicating.info;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A primary and two replicas of Sluice, watched by three Sentinels. All of them reach a server through the proxy in
 * front of it, under whose port it goes by.
 */
final class SentinelCluster implements BeforeAllCallback, AfterAllCallback {
    /** What a failover may take, with all that belongs to it, on a machine that does other things. */
    static final Duration FAILOVER_MAX = Duration.ofSeconds(120);
    private static final int REPLICAS = 2;
    private static final int SENTINELS = 3;

    private final List<Node> nodes = new ArrayList<>();
    private final List<RedisSentinel> sentinels = new ArrayList<>();

    /** A server and the network in front of it. */
    record Node(SluiceServer server, TcpProxy network) {
        static Node create() {
            try {
                Path file = Files.createTempFile(Files.createDirectories(Path.of("target")), "sluice", ".conf");
                TcpProxy network = new TcpProxy();
                SluiceServer server = new SluiceServer(file.toAbsolutePath().toString(),
                    "--enable-debug-command", "yes", "--repl-diskless-sync-delay", "0", "--repl-timeout", "5",
                    "--repl-ping-replica-period", "1", "--replica-announce-ip", "127.0.0.1",
                    "--replica-announce-port", Integer.toString(network.port()));
                network.to(server.port());
                return new Node(server, network);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        int port() {
            return network.port();
        }

        boolean follows(Node primary) {
            try {
                return Integer.toString(primary.port()).equals(info(server, "master_port"))
                    && "up".equals(info(server, "master_link_status"));
            } catch (UncheckedIOException e) {
                // It closes its clients when it is demoted, this one too.
                return false;
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        for (int i = 0; i <= REPLICAS; i++) {
            nodes.add(Node.create());
        }
        nodes.forEach(node -> node.server().launch());
        nodes.forEach(node -> node.server().awaitReady());
        for (int i = 1; i <= REPLICAS; i++) {
            try (RespClient client = nodes.get(i).server().connect()) {
                client.call("REPLICAOF", "127.0.0.1", Integer.toString(nodes.get(0).port()));
            }
        }
        for (int i = 0; i < SENTINELS; i++) {
            RedisSentinel sentinel = new RedisSentinel(nodes.get(0).port());
            sentinels.add(sentinel);
            sentinel.start();
            sentinel.hurry();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        sentinels.forEach(ServerProcess::close);
        nodes.forEach(node -> {
            node.server().close();
            node.network().close();
        });
    }

    /** Waits until all Sentinels see all that is there, and all is well. Returns the primary. */
    Node settled() {
        Await.until("the sentinels to see that all is well", FAILOVER_MAX, () -> sentinels.stream()
            .allMatch(sentinel -> sentinel.isSettled(REPLICAS, SENTINELS - 1))
            && sentinels.stream().map(RedisSentinel::currentPrimary).distinct().count() == 1);
        return primary();
    }

    private Node primary() {
        int port = sentinels.get(0).currentPrimary();
        return nodes.stream().filter(node -> node.port() == port).findFirst().orElseThrow();
    }

    /** The others. */
    List<Node> except(Node node) {
        return nodes.stream().filter(other -> other != node).toList();
    }

    /** Waits until another server than this one is the primary and the third follows it. Returns the new primary. */
    Node awaitFailover(Node old) {
        Await.until("a new primary", FAILOVER_MAX, () -> sentinels.stream()
            .allMatch(sentinel -> sentinel.currentPrimary() != old.port()));
        Node primary = primary();
        except(primary).stream().filter(node -> node != old).forEach(node -> awaitFollowing(node, primary));
        return primary;
    }

    /** Waits until the one follows the other. */
    static void awaitFollowing(Node node, Node primary) {
        Await.until(node.port() + " to follow " + primary.port(), FAILOVER_MAX, () -> node.follows(primary));
    }

    List<Integer> sentinelPorts() {
        return sentinels.stream().map(ServerProcess::port).toList();
    }
}
