package io.sluice.benchmarks;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Decision;
import io.sluice.limiter.FixedWindow;
import io.sluice.limiter.Gcra;
import io.sluice.limiter.LeakyMeter;
import io.sluice.limiter.Limit;
import io.sluice.limiter.LimitError;
import io.sluice.limiter.LimiterState;
import io.sluice.limiter.LogChange;
import io.sluice.limiter.SlidingWindow;
import io.sluice.limiter.SlidingWindowLog;
import io.sluice.limiter.TokenBucket;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of setting the limit and deciding one request for one unit, without storing. Each method answers whether the
 * request was refused.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar DecideBenchmark -prof gc
 * </pre>
 *
 * <p>Requests come one microsecond apart. Where they are to pass the limit admits just as many; where they are to be
 * refused it admits next to none, and what it admits goes to the first requests of the warm-up.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class DecideBenchmark {
    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final long STEP_NS = 1_000;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long STEPS_PER_SECOND = SECOND_NS / STEP_NS;
    private static final long CAPACITY = 16;
    private static final long FOREVER_SECONDS = 1_000_000;
    private static final long FOREVER_NS = FOREVER_SECONDS * SECOND_NS;
    /** Requests per window, and entries of the log. */
    private static final long WINDOW_UNITS = 1_000;
    private static final long WINDOW_NS = WINDOW_UNITS * STEP_NS;

    /** How many limits, which differ by one unit, take turns: with more than one, none equals the one set before. */
    @Param({"1", "2"})
    public int limits;

    private final Gcra gcra = new Gcra();
    private final TokenBucket bucket = new TokenBucket();
    private final LeakyMeter leaky = new LeakyMeter();
    private final FixedWindow fixed = new FixedWindow();
    private final SlidingWindow sliding = new SlidingWindow();
    private final SlidingWindowLog slidingLog = new SlidingWindowLog();
    private final Limit limit = new Limit();
    private final LimiterState state = new LimiterState();
    private final Decision decision = new Decision();
    private final RingLog log = new RingLog();
    private final LogChange logChange = new LogChange();
    private long nowNs = START_NS;
    private int turn;

    /** GCRA, granted. */
    @Benchmark
    public boolean gcraAllowed() {
        return throttle(CAPACITY, STEPS_PER_SECOND, 1);
    }

    /** GCRA, refused. */
    @Benchmark
    public boolean gcraDenied() {
        return throttle(1, 1, FOREVER_SECONDS);
    }

    /** Token bucket, granted. */
    @Benchmark
    public boolean bucketAllowed() {
        return rate(bucket, CAPACITY, STEPS_PER_SECOND, SECOND_NS);
    }

    /** Token bucket, refused. */
    @Benchmark
    public boolean bucketDenied() {
        return rate(bucket, 1, 1, FOREVER_NS);
    }

    /** Leaky bucket, granted. */
    @Benchmark
    public boolean leakyAllowed() {
        return rate(leaky, CAPACITY, STEPS_PER_SECOND, SECOND_NS);
    }

    /** Leaky bucket, refused. */
    @Benchmark
    public boolean leakyDenied() {
        return rate(leaky, 1, 1, FOREVER_NS);
    }

    /** Fixed window, granted. */
    @Benchmark
    public boolean fixedAllowed() {
        return window(fixed, WINDOW_UNITS, WINDOW_NS);
    }

    /** Fixed window, refused. */
    @Benchmark
    public boolean fixedDenied() {
        return window(fixed, 1, FOREVER_NS);
    }

    /** Sliding window counter, granted; one more per window than come, as the weight is rounded up. */
    @Benchmark
    public boolean slidingAllowed() {
        return window(sliding, WINDOW_UNITS + 1, WINDOW_NS);
    }

    /** Sliding window counter, refused. */
    @Benchmark
    public boolean slidingDenied() {
        return window(sliding, 1, FOREVER_NS);
    }

    /** Sliding window log of {@value #WINDOW_UNITS} entries, granted. */
    @Benchmark
    public boolean logAllowed() {
        return log(WINDOW_NS);
    }

    /** Sliding window log of {@value #WINDOW_UNITS} entries, refused. */
    @Benchmark
    public boolean logDenied() {
        return log(FOREVER_NS);
    }

    private boolean throttle(long units, long amount, long periodSeconds) {
        check(limit.setClThrottle(units - 1 + nextTurn(), amount, periodSeconds));
        return decide(gcra);
    }

    private boolean rate(Algorithm algorithm, long units, long amount, long periodNs) {
        check(limit.setRate(units + nextTurn(), amount, periodNs));
        return decide(algorithm);
    }

    private boolean window(Algorithm algorithm, long units, long windowNs) {
        check(limit.setWindow(units + nextTurn(), windowNs));
        return decide(algorithm);
    }

    private boolean decide(Algorithm algorithm) {
        nowNs += STEP_NS;
        check(algorithm.decide(state, limit, 1, nowNs, decision));
        state.exists(state.exists() || decision.changed());
        return decision.limited();
    }

    private boolean log(long windowNs) {
        check(limit.setWindow(WINDOW_UNITS + nextTurn(), windowNs));
        nowNs += STEP_NS;
        slidingLog.decide(log, limit, 1, nowNs, decision, logChange);
        if (decision.changed()) {
            log.apply(logChange);
        }
        return decision.limited();
    }

    private int nextTurn() {
        turn = turn + 1 < limits ? turn + 1 : 0;
        return turn;
    }

    private static void check(LimitError error) {
        if (error != LimitError.NONE) {
            throw new IllegalStateException(error.toString());
        }
    }
}
