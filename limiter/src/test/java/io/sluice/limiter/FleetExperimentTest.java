package io.sluice.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The field's classic experiment: a fleet of 8 nodes with unequal traffic shares one limit of 1,000 requests a second
 * with a burst of 96; 20,000 requests arrive, one each 0.5 ms. How many pass, and for how many questions to a centre?
 */
class FleetExperimentTest {
    private static final long START_NS = 1_699_920_000_000_000_000L;
    private static final int REQUESTS = 20_000;
    private static final long REQUEST_GAP_NS = 500_000;
    private static final int BURST = 96;
    private static final long INTERVAL_NS = 1_000_000;
    private static final int NODES = 8;
    private static final int[] SHARE_ENDS_PERCENT = {40, 60, 70, 80, 85, 90, 95, 100};
    private static final long BOUND = BURST + (REQUESTS - 1) * REQUEST_GAP_NS / INTERVAL_NS;

    private static final long LEASE_TOKENS = 20;
    private static final long LEASE_LIFE_NS = 50_000_000;
    private static final long EMPTY_PAUSE_NS = 5_000_000;

    private final int[] nodeOfRequest = new int[REQUESTS];

    @BeforeEach
    void spreadRequests() {
        long random = 0x9E3779B97F4A7C15L;
        for (int request = 0; request < REQUESTS; request++) {
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            final long percent = Long.remainderUnsigned(random, 100);
            int node = 0;
            while (percent >= SHARE_ENDS_PERCENT[node]) {
                node++;
            }
            nodeOfRequest[request] = node;
        }
    }

    private static Limit limit(final long units, final long intervalNs) {
        final Limit limit = new Limit();
        assertEquals(LimitError.NONE, limit.setGcra(units - 1, 1, 0, intervalNs, 1));
        return limit;
    }

    private static long timeNs(final int request) {
        return START_NS + request * REQUEST_GAP_NS;
    }

    @Test
    void shouldAdmitExactlyTheBoundWithOneCentralLimiter() {
        final WordKey central = new WordKey(new Gcra());
        final Limit limit = limit(BURST, INTERVAL_NS);
        int admitted = 0;
        for (int request = 0; request < REQUESTS; request++) {
            admitted += central.ask(limit, 1, timeNs(request)).limited() ? 0 : 1;
        }
        System.out.printf("fleet: bound %,d; one central GCRA admits %,d%n", BOUND, admitted);
        assertEquals(10_095, BOUND);
        assertEquals(BOUND, admitted);
    }

    @Test
    void shouldWasteCapacityWithAStaticSplit() {
        final WordKey[] nodes = new WordKey[NODES];
        Arrays.setAll(nodes, node -> new WordKey(new Gcra()));
        final Limit limit = limit(BURST / NODES, INTERVAL_NS * NODES);
        int admitted = 0;
        for (int request = 0; request < REQUESTS; request++) {
            admitted += nodes[nodeOfRequest[request]].ask(limit, 1, timeNs(request)).limited() ? 0 : 1;
        }
        System.out.printf("fleet: a static split admits %,d%n", admitted);
        assertEquals(8_997, admitted);
    }

    /**
     * A node that holds no living token asks the centre for up to 20; the centre grants what it has. Tokens live for
     * less than 50 ms and what is left of them then is lost. After an empty answer a node refuses for 5 ms unasked.
     */
    @Test
    void shouldComeCloseToTheBoundWithLeasesForHalfTheCalls() {
        final WordKey central = new WordKey(new Gcra());
        final Limit limit = limit(BURST, INTERVAL_NS);
        final long[] held = new long[NODES];
        final long[] expiresNs = new long[NODES];
        final long[] pausedUntilNs = new long[NODES];
        int admitted = 0;
        int calls = 0;
        for (int request = 0; request < REQUESTS; request++) {
            final int node = nodeOfRequest[request];
            final long nowNs = timeNs(request);
            final boolean leased = held[node] > 0 && nowNs < expiresNs[node];
            if (!leased && nowNs >= pausedUntilNs[node]) {
                calls++;
                held[node] = lease(central, limit, nowNs);
                expiresNs[node] = nowNs + LEASE_LIFE_NS;
                pausedUntilNs[node] = held[node] > 0 ? 0 : nowNs + EMPTY_PAUSE_NS;
            } else if (!leased) {
                held[node] = 0;
            }
            if (held[node] > 0) {
                held[node]--;
                admitted++;
            }
        }
        final long callsPerThousand = (calls * 1_000L + REQUESTS / 2) / REQUESTS;
        System.out.printf("fleet: leases admit %,d at 0.%03d central calls per request%n", admitted, callsPerThousand);
        assertEquals(10_058, admitted);
        assertEquals(566, callsPerThousand);
    }

    private static long lease(final WordKey central, final Limit limit, final long nowNs) {
        final long granted = Math.min(LEASE_TOKENS, central.ask(limit, 0, nowNs).remaining());
        if (granted > 0) {
            central.ask(limit, granted, nowNs);
        }
        return granted;
    }
}
