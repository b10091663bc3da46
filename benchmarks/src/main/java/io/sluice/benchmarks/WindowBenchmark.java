package io.sluice.benchmarks;

import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.collection.ListValue;
import io.sluice.persistence.collection.ZSetValue;
import io.sluice.persistence.store.StoreOpenException;
import org.agrona.UnsafeApi;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Cost of one step of the sliding window logs that limiters in Lua keep: a sorted set or a list that gains an element
 * at one end and loses the oldest one at the other. One operation is all calls of a step.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar WindowBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WindowBenchmark {
    private static final long NOW_NS = 1_700_000_000_000_000_000L;
    private static final int KEY_BYTES = 8;
    private static final int MEMBER_BYTES = 16;

    /** Elements that the log holds. */
    @Param({"100", "10000", "50000"})
    public int entries;

    private final Entry entry = new Entry();
    private final ZSetValue zset = new ZSetValue();
    private final ListValue list = new ListValue();
    private final long keys = UnsafeApi.allocateMemory(2 * KEY_BYTES);
    private final long member = UnsafeApi.allocateMemory(MEMBER_BYTES);
    private TemporaryStore temporary;
    private Keyspace keyspace;
    private long time;

    /** Fills both logs. */
    @Setup(Level.Trial)
    public void fill() throws IOException, StoreOpenException {
        temporary = new TemporaryStore();
        keyspace = new Keyspace(temporary.store(), 1, KeyspaceLimits.NONE, NOW_NS);
        keyspace.begin(NOW_NS);
        UnsafeApi.putLong(keys, 'z');
        UnsafeApi.putLong(keys + KEY_BYTES, 'l');
        for (int i = 0; i < entries; i++) {
            nextMember();
            openSortedSet();
            zset.put(time, member, MEMBER_BYTES);
            openList();
            list.pushLast(member, MEMBER_BYTES);
        }
    }

    /** Removes the store. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        keyspace.end();
        temporary.close();
    }

    /** {@code ZADD} of a new highest score, {@code ZREMRANGEBYSCORE} of the lowest one, {@code ZCARD}. */
    @Benchmark
    public int sortedSet() {
        nextMember();
        openSortedSet();
        zset.put(time, member, MEMBER_BYTES);
        openSortedSet();
        int dead = zset.firstAbove(zset.score(zset.at(0)));
        zset.removeRange(0, dead);
        openSortedSet();
        return zset.size();
    }

    /** {@code RPUSH}, {@code LTRIM} of the first one. */
    @Benchmark
    public int list() {
        nextMember();
        openList();
        list.pushLast(member, MEMBER_BYTES);
        openList();
        list.removeFirst(list.size() - entries);
        return list.size();
    }

    private void nextMember() {
        time++;
        UnsafeApi.putLong(member, time * 0x9E37_79B9_7F4A_7C15L);
        UnsafeApi.putLong(member + Long.BYTES, time);
    }

    private void openSortedSet() {
        keyspace.lookup(entry, 0, keys, KEY_BYTES);
        zset.open(keyspace, entry);
    }

    private void openList() {
        keyspace.lookup(entry, 0, keys + KEY_BYTES, KEY_BYTES);
        list.open(keyspace, entry);
    }
}
