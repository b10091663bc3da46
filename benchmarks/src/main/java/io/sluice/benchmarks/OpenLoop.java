package io.sluice.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Open-loop load generator for any RESP server: requests are sent at a fixed rate, whatever the server does, and the
 * latency of each counts from the moment it was <em>due</em>. A server that stalls is thus charged for every request it
 * delayed, which a client that waits for replies before it goes on would hide.
 *
 * <pre>
 * java -cp benchmarks/target/benchmarks.jar io.sluice.benchmarks.OpenLoop --port 6379 --rate 50000
 *     --command "CL.THROTTLE user:__rand_int__ 15 30 60"
 * </pre>
 *
 * <p>One thread does all and never waits: give it a core of its own. {@link Result#sendLagMaxNs} tells how late it was
 * itself; a run in which that is not small beside the latencies says nothing about the server.
 */
public final class OpenLoop {
    private static final int READ_BYTES = 64 * 1024;
    /** Requests sent before replies are looked at again, when the generator has to catch up. */
    private static final int SEND_BURST_MAX = 256;
    /** Requests that may be under way on all connections; a server further behind cannot keep up with the rate. */
    private static final int UNANSWERED_MAX = 1 << 18;
    private static final long LATENCY_NS_MAX = TimeUnit.HOURS.toNanos(1);
    /** How long replies are waited for after the last request; on a busy machine a server may be away for seconds. */
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(30);

    private final OpenLoopOptions options;
    private final RequestTemplate template;
    private final Histogram latencyNs = new Histogram(LATENCY_NS_MAX, 3);
    private final List<LoadConnection> connections = new ArrayList<>();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_BYTES);
    private long startNs;
    private long measureFromNs;
    private long nowNs;
    private long requests;
    private long lastAnswerNs;
    private long sendLagMaxNs;

    private OpenLoop(OpenLoopOptions options) {
        this.options = options;
        this.template = new RequestTemplate(options.commands(), options.keys(), options.seed());
    }

    /**
     * What a run has shown. Latencies and rate leave the warm-up out.
     *
     * @param latencyNs    from when a request was due to its last reply
     * @param achievedRate requests answered per second
     * @param errors       error replies, warm-up included
     * @param firstError   the first of them, or nothing
     * @param unanswered   requests without a reply at the end
     * @param sendLagMaxNs longest delay between when a request was due and when it was sent
     */
    public record Result(
        Histogram latencyNs, double achievedRate, long errors, String firstError, long unanswered, long sendLagMaxNs) {

        @Override
        public String toString() {
            return String.format(
                "rate=%.0f/s requests=%d p50=%.1fus p99=%.1fus p99.9=%.1fus max=%.1fus errors=%d unanswered=%d"
                    + " send_lag_max=%.1fus%s",
                achievedRate, latencyNs.getTotalCount(), micros(latencyNs.getValueAtPercentile(50)),
                micros(latencyNs.getValueAtPercentile(99)), micros(latencyNs.getValueAtPercentile(99.9)),
                micros(latencyNs.getMaxValue()), errors, unanswered, micros(sendLagMaxNs),
                firstError.isEmpty() ? "" : " first error: " + firstError);
        }

        private static double micros(long ns) {
            return ns / 1000.0;
        }
    }

    /** Runs with the options given as arguments and prints the result; see {@link OpenLoopOptions#USAGE}. */
    public static void main(String[] args) {
        try {
            System.out.println(run(OpenLoopOptions.parse(args)));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + System.lineSeparator() + OpenLoopOptions.USAGE);
            System.exit(2);
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /**
     * Runs.
     *
     * @param options what to send where
     * @return what came of it
     * @throws IOException if the server refuses or closes a connection, or cannot keep up with the rate
     */
    public static Result run(OpenLoopOptions options) throws IOException {
        return new OpenLoop(options).run();
    }

    private Result run() throws IOException {
        try (Selector selector = Selector.open()) {
            int unansweredMax = Math.max(1, UNANSWERED_MAX / options.connections());
            for (int i = 0; i < options.connections(); i++) {
                connections.add(new LoadConnection(options.address(), selector, template, unansweredMax));
            }
            startNs = System.nanoTime();
            measureFromNs = startNs + options.warmupNs();
            long requestsMax = options.requestsUntil(options.warmupNs() + options.durationNs());
            long drainUntilNs = startNs + options.warmupNs() + options.durationNs() + DRAIN_NS;
            do {
                nowNs = System.nanoTime();
                sendDue(requestsMax);
                selector.selectNow(this::ready);
            } while (requests < requestsMax || unanswered() > 0 && nowNs < drainUntilNs);
            return result();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            for (LoadConnection connection : connections) {
                connection.close();
            }
        }
    }

    private void sendDue(long requestsMax) throws IOException {
        long burstEnd = Math.min(requestsMax, requests + SEND_BURST_MAX);
        long first = requests;
        while (requests < burstEnd) {
            long dueNs = startNs + options.dueNs(requests);
            if (dueNs > nowNs) {
                break;
            }
            if (dueNs >= measureFromNs) {
                sendLagMaxNs = Math.max(sendLagMaxNs, nowNs - dueNs);
            }
            if (!connectionOf(requests).enqueue(template, dueNs)) {
                throw new IOException("the server cannot keep up: " + unanswered() + " requests are unanswered");
            }
            requests++;
        }
        long touched = Math.min(requests - first, connections.size());
        for (long i = 0; i < touched; i++) {
            LoadConnection connection = connectionOf(first + i);
            if (!connection.isBlocked()) {
                connection.flush();
            }
        }
    }

    private LoadConnection connectionOf(long request) {
        return connections.get((int) (request % connections.size()));
    }

    private void ready(SelectionKey key) {
        LoadConnection connection = (LoadConnection) key.attachment();
        try {
            if (key.isWritable()) {
                connection.flush();
            }
            if (key.isReadable()) {
                connection.read(scratch, this::answered);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answered(long dueNs) {
        if (dueNs >= measureFromNs) {
            lastAnswerNs = System.nanoTime();
            latencyNs.recordValue(Math.min(lastAnswerNs - dueNs, LATENCY_NS_MAX));
        }
    }

    private long unanswered() {
        long unanswered = 0;
        for (LoadConnection connection : connections) {
            unanswered += connection.unanswered();
        }
        return unanswered;
    }

    private Result result() {
        long errors = 0;
        String firstError = "";
        for (LoadConnection connection : connections) {
            errors += connection.replies().errors();
            firstError = firstError.isEmpty() ? connection.replies().firstError() : firstError;
        }
        double seconds = (lastAnswerNs - measureFromNs) / 1e9;
        double rate = latencyNs.getTotalCount() == 0 ? 0 : latencyNs.getTotalCount() / seconds;
        return new Result(latencyNs, rate, errors, firstError, unanswered(), sendLagMaxNs);
    }
}
