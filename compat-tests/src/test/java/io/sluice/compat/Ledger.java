package io.sluice.compat;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One client of the crash test with keys of its own. Writes down for each key how many commands it sent and how many
 * were acknowledged, and can tell after a crash whether the server still has all of the latter.
 */
final class Ledger {
    private static final int PIPELINE_MAX = 64;
    private static final int ASKED_AT_ONCE = 500;
    private static final LedgerKind[] KINDS = LedgerKind.values();

    private static final class Key {
        private final String name;
        private final LedgerKind kind;
        private long sent;
        private long acknowledged;

        Key(String name, LedgerKind kind) {
            this.name = name;
            this.kind = kind;
        }
    }

    private final String name;
    private final int newKeyPercent;
    private final Random random;
    private final List<Key> keys = new ArrayList<>();
    private long acknowledgedCommands;

    /** @param newKeyPercent how many of a hundred commands make a new key */
    Ledger(String name, int newKeyPercent, long seed) {
        this.name = name;
        this.newKeyPercent = newKeyPercent;
        random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            newKey();
        }
    }

    private Key newKey() {
        Key key = new Key(name + ":" + keys.size(), KINDS[random.nextInt(KINDS.length)]);
        keys.add(key);
        return key;
    }

    long acknowledgedCommands() {
        return acknowledgedCommands;
    }

    int keyCount() {
        return keys.size();
    }

    /** Sends commands until the server goes away. */
    void runUntilCrash(ServerProcess server) {
        try (RespClient client = server.connect()) {
            while (true) {
                batch(client);
            }
        } catch (UncheckedIOException e) {
            return;
        }
    }

    /** Sends so many batches of commands and reads the replies. */
    void run(ServerProcess server, int batches) {
        try (RespClient client = server.connect()) {
            for (int i = 0; i < batches; i++) {
                batch(client);
            }
        }
    }

    private void batch(RespClient client) {
        List<Key> batch = new ArrayList<>();
        StringBuilder commands = new StringBuilder();
        for (int count = 1 + random.nextInt(PIPELINE_MAX); count > 0; count--) {
            Key key = random.nextInt(100) < newKeyPercent ? newKey() : keys.get(random.nextInt(keys.size()));
            key.sent++;
            commands.append(key.kind.command(key.name, key.sent));
            batch.add(key);
        }
        client.send(commands.toString());
        for (Key key : batch) {
            String reply = client.read();
            if (reply.startsWith("-")) {
                throw new AssertionError(key.name + ": " + reply);
            }
            key.acknowledged++;
            acknowledgedCommands++;
        }
    }

    /**
     * Compares every key with the server: its state must be that after some command between the last acknowledged and
     * the last sent. Goes on from there. Returns the keys for which this is not so, with what the server has.
     */
    List<String> lostKeys(ServerProcess server) {
        List<String> lost = new ArrayList<>();
        askForEachKey(server, key -> key.kind.peek(key.name), (key, reply) -> check(key, reply, lost));
        return lost;
    }

    /** How many of the keys exist. */
    long liveKeys(ServerProcess server) {
        AtomicLong live = new AtomicLong();
        askForEachKey(server, key -> RespClient.command("EXISTS", key.name),
            (key, reply) -> live.addAndGet((Long) reply));
        return live.get();
    }

    private void askForEachKey(ServerProcess server, Function<Key, String> question, BiConsumer<Key, Object> answer) {
        try (RespClient client = server.connect()) {
            for (int from = 0; from < keys.size(); from += ASKED_AT_ONCE) {
                List<Key> some = keys.subList(from, Math.min(keys.size(), from + ASKED_AT_ONCE));
                client.send(some.stream().map(question).collect(Collectors.joining()));
                some.forEach(key -> answer.accept(key, RespValue.parse(client.read())));
            }
        }
    }

    private static void check(Key key, Object reply, List<String> lost) {
        for (long n = key.acknowledged; n <= key.sent; n++) {
            if (key.kind.isStateAfter(n, reply)) {
                key.acknowledged = n;
                key.sent = n;
                return;
            }
        }
        String shown = String.valueOf(reply);
        lost.add(key.name + " (" + key.kind + "): " + key.acknowledged + " acknowledged, " + key.sent + " sent, has "
            + shown.substring(0, Math.min(shown.length(), 60)));
    }
}
