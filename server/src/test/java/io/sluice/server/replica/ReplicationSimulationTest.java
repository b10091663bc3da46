package io.sluice.server.replica;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Three servers on a simulated network and clock, from a seed: links that deliver late, in pieces, or break at any
 * byte; readers that stall; backlogs that overrun; processes that are killed, in the midst of a unit too; replicas that
 * are promoted and primaries that come back. The code of the sessions, the stream, the snapshots and the commands is
 * the real one. Whoever is at the same history and offset must hold the same, at every step.
 *
 * <p>{@code -Dsluice.seeds=10000} runs more of them, {@code -Dsluice.seed=n} one.
 */
class ReplicationSimulationTest {
    private static final int SEEDS = Integer.getInteger("sluice.seeds", 300);
    private static final Long SEED = Long.getLong("sluice.seed");
    private static final int STEPS = 1_500;
    private static final int KEYS = 40;
    private static final long HOUR_MS = 3_600_000;
    private static final int QUIET_STEPS_MAX = 20_000;

    private Random random;
    private RandomCommands commands;
    private List<SimNode> nodes;
    private List<SimLink> links;
    private Map<String, String> digests;
    private Map<SimNode, String> compared;
    /** What the digests are of, kept when one seed is looked into. */
    private Map<String, String> contents;
    private long nowMs;
    private int checks;
    private long checksInAll;
    private long fullSyncs;
    private long partialSyncs;

    @Test
    void shouldHoldTheSameAtTheSameOffsetWhateverHappens() {
        long first = SEED != null ? SEED : 1;
        long last = SEED != null ? SEED : SEEDS;
        for (long seed = first; seed <= last; seed++) {
            try {
                SimNode.events = SEED == null ? null : new ArrayList<>();
                run(seed);
            } catch (RuntimeException | AssertionError e) {
                System.out.println(SimNode.events == null ? "" : String.join("\n", SimNode.events));
                throw new AssertionError("seed " + seed + " (-Dsluice.seed=" + seed + "): " + e.getMessage(), e);
            }
        }
        assertTrue(checksInAll > (last - first + 1) * 100, "replicas were compared " + checksInAll + " times");
        System.out.printf("%d seeds: %d comparisons, %d full and %d partial syncs%n", last - first + 1, checksInAll,
            fullSyncs, partialSyncs);
    }

    private void run(long seed) {
        random = new Random(seed);
        commands = new RandomCommands(random);
        nodes = new ArrayList<>();
        links = new ArrayList<>();
        digests = new HashMap<>();
        compared = new HashMap<>();
        contents = new HashMap<>();
        nowMs = 1_000;
        checks = 0;
        Random idRandom = new Random(~seed);
        Supplier<String> ids = () -> String.format("%016x%024x", idRandom.nextLong(), idRandom.nextLong());
        nodes.add(new SimNode("a", 0, ids));
        nodes.add(new SimNode("b", HOUR_MS, ids));
        nodes.add(new SimNode("c", 2 * HOUR_MS, ids));
        nodes.get(0).isPrimary = true;
        for (SimNode node : nodes) {
            node.start(nowMs);
        }
        nodes.get(1).follow(nodes.get(0));
        nodes.get(2).follow(nodes.get(random.nextInt(2)));
        for (int step = 0; step < STEPS; step++) {
            step(true);
        }
        calmDown();
        links.forEach(SimLink::close);
        deliver();
        nodes.forEach(node -> {
            fullSyncs += node.fullSyncs;
            partialSyncs += node.partialSyncs;
            node.close();
        });
        checksInAll += checks;
    }

    private SimNode primary() {
        return nodes.stream().filter(node -> node.isPrimary).findFirst().orElseThrow();
    }

    private void step(boolean troubled) {
        nowMs += random.nextInt(10) == 0 ? random.nextInt(200) : random.nextInt(3);
        if (troubled) {
            for (int i = random.nextInt(4); i > 0; i--) {
                write(primary());
            }
            trouble();
        }
        note();
        for (SimNode node : nodes) {
            work(node);
        }
        connect();
        deliver();
        compare();
    }

    private void work(SimNode node) {
        node.doWork(nowMs);
        if (node.hasReceived() && random.nextInt(5) == 0) {
            node.beginLoading();
        } else if (node.isLoading() && random.nextInt(5) == 0) {
            try {
                node.finishLoading();
            } catch (SimNode.Killed killed) {
                restart(killed.node());
            }
        }
        note();
    }

    private void deliver() {
        for (SimLink link : List.copyOf(links)) {
            try {
                link.deliver(random);
            } catch (SimNode.Killed killed) {
                restart(killed.node());
            }
        }
        links.removeIf(SimLink::isOver);
    }

    private void connect() {
        for (SimNode node : nodes) {
            if (node.wantsLink() && random.nextInt(10) == 0) {
                SimLink[] ends = SimLink.pair(random);
                links.add(ends[0]);
                links.add(ends[1]);
                node.primary.accept(ends[1]);
                node.connect(ends[0]);
            }
        }
    }

    private void trouble() {
        int what = random.nextInt(1_000);
        if (what < 8 && !links.isEmpty()) {
            links.get(random.nextInt(links.size())).close();
        } else if (what < 14 && !links.isEmpty()) {
            SimLink link = links.get(random.nextInt(links.size()));
            link.stalled = !link.stalled;
        } else if (what < 18) {
            replica().commandsToKill = random.nextInt(30);
        } else if (what < 20) {
            restart(nodes.get(random.nextInt(nodes.size())));
        } else if (what < 23) {
            failOver();
        } else if (what < 25) {
            SimNode node = replica();
            node.follow(primary());
        }
    }

    private SimNode replica() {
        List<SimNode> replicas = nodes.stream().filter(node -> !node.isPrimary).toList();
        return replicas.get(random.nextInt(replicas.size()));
    }

    private void restart(SimNode node) {
        node.kill();
        node.start(nowMs);
        if (node.primary != null) {
            node.follow(node.primary);
        }
    }

    /** A replica becomes the primary; the old one, which may have written more, and the third one follow it. */
    private void failOver() {
        SimNode chosen = replica();
        SimNode old = primary();
        if (chosen.isLoading()) {
            return;
        }
        write(old);
        note();
        chosen.promote();
        old.follow(chosen);
        for (SimNode node : nodes) {
            if (node != chosen && node != old) {
                node.follow(random.nextBoolean() ? chosen : old);
            }
        }
    }

    private void write(SimNode node) {
        String key = "k" + random.nextInt(KEYS);
        String number = Integer.toString(random.nextInt(1_000));
        node.run("SELECT", Integer.toString(random.nextInt(20) == 0 ? 3 : 0));
        switch (random.nextInt(15)) {
            case 0, 1 -> node.run("SET", key, number);
            case 2 -> node.run("SET", key, "x".repeat(random.nextInt(300)), "PX", Integer.toString(
                1 + random.nextInt(5_000)));
            case 3, 4 -> node.run("CL.THROTTLE", "limit" + random.nextInt(KEYS), "5", "10", "1");
            case 5 -> node.run("DEL", key);
            case 6 -> node.run("PEXPIRE", key, number);
            case 7 -> node.run("PERSIST", key);
            case 8 -> node.run("RENAME", key, "k" + random.nextInt(KEYS));
            case 9 -> transaction(node, key, number);
            case 10, 11 -> node.runVerbatim("INCRBY", "count" + random.nextInt(5), number);
            case 12 -> node.runVerbatim("APPEND", "text" + random.nextInt(5), "y");
            case 13 -> node.run(random.nextInt(4) == 0 ? commands.ofLimits() : commands.ofCollections());
            default -> {
                if (random.nextInt(20) == 0) {
                    node.run("SWAPDB", "0", "3");
                } else if (random.nextInt(40) == 0) {
                    node.run("FLUSHDB");
                }
            }
        }
    }

    private void transaction(SimNode node, String key, String number) {
        node.run("MULTI");
        node.run("SET", key, number);
        node.run("SELECT", "3");
        node.run("SET", "pair" + key, number);
        node.run("SELECT", "0");
        node.run("DEL", "k" + random.nextInt(KEYS));
        node.run("EXEC");
    }

    /** What the primary holds at its offset is what that offset means. */
    private void note() {
        SimNode primary = primary();
        if (primary.stream.isActive() && !digests.containsKey(at(primary))) {
            digests.put(at(primary), primary.digest());
            if (SEED != null) {
                contents.put(at(primary), primary.contents());
            }
        }
    }

    private static String at(SimNode node) {
        return node.stream.id() + " " + node.stream.offset();
    }

    private void compare() {
        for (SimNode node : nodes) {
            if (!node.isPrimary && node.isFollowing() && !node.stream.isUnsure()) {
                String expected = digests.get(at(node));
                if (expected != null && !at(node).equals(compared.put(node, at(node)))) {
                    checks++;
                    if (SEED != null && !expected.equals(node.digest())) {
                        assertEquals(contents.get(at(node)), node.contents(), node.name + " at " + at(node));
                    }
                    assertEquals(expected, node.digest(), node.name + " at " + at(node));
                }
            }
        }
    }

    /** No more trouble: all must arrive at what the primary holds. */
    private void calmDown() {
        links.forEach(link -> link.stalled = false);
        nodes.forEach(node -> node.commandsToKill = -1);
        SimNode primary = primary();
        for (SimNode node : nodes) {
            if (node != primary) {
                node.follow(primary);
            }
        }
        int steps = 0;
        while (!allEqual()) {
            step(false);
            links.forEach(link -> link.stalled = false);
            assertTrue(++steps < QUIET_STEPS_MAX, "not all servers catch up");
        }
    }

    private boolean allEqual() {
        SimNode primary = primary();
        return nodes.stream().allMatch(node -> node == primary
            || node.isFollowing() && at(node).equals(at(primary)) && node.digest().equals(primary.digest()));
    }
}
