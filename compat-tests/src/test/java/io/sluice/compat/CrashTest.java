package io.sluice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Kills the server in the middle of its work, again and again, and wants every acknowledged command to have happened,
 * none twice. {@code -Dsluice.seed=n} and {@code -Dsluice.kills=n} make another or a longer run.
 */
final class CrashTest {
    private static final int CLIENTS = 3;
    private static final long SEED = Long.getLong("sluice.seed", 1);
    private static final int KILLS = Integer.getInteger("sluice.kills", 15);
    private static final Duration LOAD_MAX = Duration.ofMillis(1_500);

    private final Random random = new Random(SEED);

    @Test
    void shouldKeepEveryAcknowledgedCommandWhenKilledUnderLoad() throws InterruptedException, ExecutionException {
        killAgainAndAgain("under load", KILLS, 5);
    }

    @Test
    void shouldKeepEveryAcknowledgedCommandWhenKilledWhileItGrows() throws InterruptedException, ExecutionException {
        killAgainAndAgain("while growing", KILLS / 2, 95);
    }

    private void killAgainAndAgain(String what, int kills, int newKeyPercent)
            throws InterruptedException, ExecutionException {
        List<Ledger> ledgers = ledgers(newKeyPercent);
        long checked = 0;
        try (SluiceServer server = new SluiceServer()) {
            server.start();
            for (int kill = 1; kill <= kills; kill++) {
                loadAndKill(server, ledgers);
                server.start();
                assertNothingLost(server, ledgers, "after kill " + kill + " " + what + ", seed " + SEED);
                checked += ledgers.stream().mapToLong(Ledger::keyCount).sum();
            }
            assertEquals(0, server.stop());
            server.start();
            assertNothingLost(server, ledgers, "after a clean stop, seed " + SEED);
            assertKeyCount(server, ledgers);
        }
        long acknowledged = ledgers.stream().mapToLong(Ledger::acknowledgedCommands).sum();
        int keys = ledgers.stream().mapToInt(Ledger::keyCount).sum();
        System.out.printf("%d kills %s: %,d acknowledged commands on %,d keys, %,d times a key checked, none lost%n",
            kills, what, acknowledged, keys, checked);
    }

    /** Kills the server at a random moment of full load. */
    private void loadAndKill(SluiceServer server, List<Ledger> ledgers)
            throws InterruptedException, ExecutionException {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> running = new ArrayList<>();
            ledgers.forEach(ledger -> running.add(clients.submit(() -> ledger.runUntilCrash(server))));
            LockSupport.parkNanos((long) (random.nextDouble() * LOAD_MAX.toNanos()));
            server.kill();
            for (Future<?> client : running) {
                client.get();
            }
        } finally {
            clients.shutdown();
        }
    }

    @Test
    void shouldKeepEveryKeyOverCleanRestarts() {
        List<Ledger> ledgers = ledgers(50);
        try (SluiceServer server = new SluiceServer()) {
            for (int restart = 0; restart < 3; restart++) {
                server.start();
                assertNothingLost(server, ledgers, "after clean restart " + restart);
                ledgers.forEach(ledger -> ledger.run(server, 500));
                assertNothingLost(server, ledgers, "before clean restart " + restart);
                assertKeyCount(server, ledgers);
                assertEquals(0, server.stop());
            }
        }
    }

    private static List<Ledger> ledgers(int newKeyPercent) {
        List<Ledger> ledgers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            ledgers.add(new Ledger("client" + i, newKeyPercent, SEED + i));
        }
        return ledgers;
    }

    private static void assertNothingLost(SluiceServer server, List<Ledger> ledgers, String when) {
        for (Ledger ledger : ledgers) {
            assertEquals(List.of(), ledger.lostKeys(server), when);
        }
    }

    private static void assertKeyCount(SluiceServer server, List<Ledger> ledgers) {
        long live = ledgers.stream().mapToLong(ledger -> ledger.liveKeys(server)).sum();
        try (RespClient client = server.connect()) {
            assertEquals(live, client.call("DBSIZE"));
        }
    }
}
