package io.sluice.compat;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Clients that spend from some limits as fast as they can, at whichever server they are told of. */
final class Spenders implements AutoCloseable {
    static final int CLIENTS = 3;
    /** Requests for each limit that a client sends at a time. */
    static final int BATCH = 4;
    private static final long NS_PER_MS = 1_000_000;
    private static final double NS_PER_SECOND = 1e9;

    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final List<Future<?>> running = new ArrayList<>();
    private final Map<Limit, AtomicLong> admitted = new TreeMap<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final long startNs = System.nanoTime();
    private final String requests;
    private volatile int port;

    /** A key and the limit that it is under: a GCRA limit of so many at once and so many a second. */
    record Limit(String key, int capacity, int ratePerSecond) implements Comparable<Limit> {
        @Override
        public int compareTo(Limit other) {
            return key.compareTo(other.key);
        }

        String request() {
            return RespClient.command("CL.THROTTLE", key, Integer.toString(capacity - 1),
                Integer.toString(ratePerSecond), "1");
        }
    }

    Spenders(int port, Collection<Limit> limits) {
        this.port = port;
        StringBuilder all = new StringBuilder();
        for (Limit limit : limits) {
            admitted.put(limit, new AtomicLong());
        }
        admitted.keySet().forEach(limit -> all.append(limit.request().repeat(BATCH)));
        requests = all.toString();
        for (int i = 0; i < CLIENTS; i++) {
            running.add(threads.submit(this::run));
        }
    }

    private void run() {
        while (!stopped.get()) {
            try (RespClient client = new RespClient(port)) {
                while (!stopped.get() && spend(client)) {
                    Thread.onSpinWait();
                }
            } catch (UncheckedIOException e) {
                LockSupport.parkNanos(NS_PER_MS);
            }
        }
    }

    /** Returns false when the server refuses. */
    private boolean spend(RespClient client) {
        client.send(requests);
        boolean served = true;
        for (AtomicLong count : admitted.values()) {
            for (int i = 0; i < BATCH; i++) {
                String reply = client.read();
                served &= !reply.startsWith("-");
                if (reply.startsWith("*5\r\n:0")) {
                    count.incrementAndGet();
                }
            }
        }
        return served;
    }

    void moveTo(ServerProcess server) {
        port = server.port();
    }

    /** Waits until so many more have been admitted of each limit. */
    void awaitMore(long count) {
        admitted.forEach((limit, soFar) -> {
            long enough = soFar.get() + count;
            Await.until(count + " admissions of " + limit, Duration.ofSeconds(40), () -> soFar.get() >= enough);
        });
    }

    /** How many have been admitted by all limits. */
    long admitted() {
        return admitted.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** Stops. Returns how many were admitted of each limit beyond what one server may in the time that has gone by. */
    Map<Limit, Double> stop() throws ExecutionException, InterruptedException {
        stopped.set(true);
        for (Future<?> one : running) {
            one.get();
        }
        double seconds = (System.nanoTime() - startNs) / NS_PER_SECOND;
        Map<Limit, Double> beyond = new TreeMap<>();
        admitted.forEach((limit, count) ->
            beyond.put(limit, count.get() - limit.capacity() - limit.ratePerSecond() * seconds));
        return beyond;
    }

    @Override
    public void close() {
        stopped.set(true);
        threads.shutdownNow();
    }
}
