package io.sluice.server;

import io.netty.channel.EventLoop;
import io.netty.util.internal.OutOfDirectMemoryError;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.ServerParts;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.net.ClientCron;
import io.sluice.server.stats.ServerStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What the event loop does between batches, in bounded slices: expiry, snapshots, time limits of clients, rates, the
 * clock. A round comes soon after one that found work, and rarely when there is none.
 */
final class Duties {
    private static final Logger LOG = LoggerFactory.getLogger(Duties.class);
    private static final long BUSY_DELAY_US = 1_000;
    private static final long IDLE_DELAY_US = 10_000;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long RATE_PERIOD_NS = NS_PER_SECOND / 10;
    private static final long DECAY_PERIOD_NS = NS_PER_SECOND;
    private static final long CLOCK_PERIOD_NS = 10 * NS_PER_SECOND;

    private final EventLoop loop;
    private final ServerParts parts;
    private final Dispatcher dispatcher;
    private final ClientCron clientCron;
    private Database database;
    private boolean stopped;
    private long dueNs;
    private long cronNs;
    private long ratesNs;
    private long clockNs;
    private long decayNs;
    private long failureNs;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    Duties(EventLoop loop, ServerParts parts, Dispatcher dispatcher) {
        this.loop = loop;
        this.parts = parts;
        this.dispatcher = dispatcher;
        clientCron = new ClientCron(parts.clients(), parts.settings(), parts.stats());
        long nowNs = parts.clock().monotonicNs();
        dueNs = nowNs;
        cronNs = nowNs;
        ratesNs = nowNs;
        clockNs = nowNs;
        decayNs = nowNs;
        failureNs = nowNs - NS_PER_SECOND;
    }

    void start() {
        loop.execute(this::round);
    }

    /** There is a database to look after from now on. */
    void open(Database opened) {
        database = opened;
    }

    void stop() {
        stopped = true;
    }

    private void round() {
        if (stopped) {
            return;
        }
        boolean busy = doWork();
        long delayUs = busy ? BUSY_DELAY_US : IDLE_DELAY_US;
        dueNs = parts.clock().monotonicNs() + TimeUnit.MICROSECONDS.toNanos(delayUs);
        loop.schedule(this::round, delayUs, TimeUnit.MICROSECONDS);
    }

    /** How late a round comes is how long the loop was away: in clients' turns, a collection, off the processor. */
    private void noteLateness(long startNs) {
        ServerStats stats = parts.stats();
        stats.longestPauseNs = Math.max(stats.longestPauseNs, startNs - dueNs);
        parts.latency().sample("loop-turn", startNs - dueNs, parts.clock().epochNs(startNs));
    }

    /** One round; true if there is more to do. */
    boolean doWork() {
        ServerClock clock = parts.clock();
        long startNs = clock.monotonicNs();
        noteLateness(startNs);
        dispatcher.pause().expire(startNs);
        boolean busy = database != null && attempt(this::lookAfterDatabase);
        busy |= attempt(parts.replication()::doWork);
        busy |= attempt(() -> lookAfterRest(startNs));
        ServerStats stats = parts.stats();
        stats.dutyCycles++;
        stats.dutyNs += clock.monotonicNs() - startNs;
        return busy;
    }

    /**
     * Does a duty. One that fails is due again, and keeps none of the others from being done: without them nothing
     * would expire, be saved, reach replicas or time out.
     */
    private boolean attempt(BooleanSupplier duty) {
        try {
            return duty.getAsBoolean();
        } catch (RuntimeException | OutOfDirectMemoryError e) {
            long nowNs = parts.clock().monotonicNs();
            if (nowNs - failureNs >= NS_PER_SECOND) {
                failureNs = nowNs;
                LOG.error("A duty between commands has failed", e);
            }
            return false;
        } catch (Error e) {
            parts.lifecycle().fail(e);
            throw e;
        }
    }

    /** What is due now and then. Nothing of it is more to do soon. */
    private boolean lookAfterRest(long startNs) {
        ServerClock clock = parts.clock();
        if (startNs - ratesNs >= RATE_PERIOD_NS) {
            ratesNs = startNs;
            sampleRates(startNs);
        }
        if (startNs - decayNs >= DECAY_PERIOD_NS) {
            decayNs += DECAY_PERIOD_NS;
            parts.decisions().decay();
        }
        if (startNs - cronNs >= NS_PER_SECOND / parts.config().number(ConfigTable.HZ)) {
            cronNs = startNs;
            clientCron.run(startNs);
            if (database != null && !parts.state().isLoading()) {
                database.checkSavePoints();
            }
        }
        if (startNs - clockNs >= CLOCK_PERIOD_NS) {
            clockNs = startNs;
            clock.resample(CLOCK_PERIOD_NS);
            parts.tls().reloadIfChanged();
            if (database != null) {
                database.reportGrowth();
            }
        }
        return false;
    }

    private boolean lookAfterDatabase() {
        ServerClock clock = parts.clock();
        long startNs = clock.monotonicNs();
        boolean swept = !dispatcher.pause().isActive() && database.sweep();
        long sweptNs = clock.monotonicNs();
        boolean saving = database.snapshotSlice();
        long endNs = clock.monotonicNs();
        parts.latency().sample("expire-cycle", sweptNs - startNs, clock.epochNs(sweptNs));
        parts.latency().sample("snapshot-slice", endNs - sweptNs, clock.epochNs(endNs));
        parts.latency().sample("resize", database.store().takeGrowthWaitNs(), clock.epochNs(endNs));
        parts.latency().sample("disk-write", database.diskTimes().takeWriteNs(), clock.epochNs(endNs));
        parts.latency().sample("disk-sync", database.diskTimes().takeSyncNs(), clock.epochNs(endNs));
        return swept || saving;
    }

    private void sampleRates(long nowNs) {
        ServerStats stats = parts.stats();
        stats.loopRate.sample(threads.getCurrentThreadCpuTime(), nowNs);
        parts.decisions().sample(nowNs);
        stats.commandRate.sample(dispatcher.account().commandsProcessed(), nowNs);
        stats.inputRate.sample(stats.netInputBytes, nowNs);
        stats.outputRate.sample(stats.netOutputBytes, nowNs);
    }
}
