package io.sluice.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyPrefetch;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.store.StoreOpenException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of finding and of overwriting the value of one key that is there, in the store of a server in the directory for
 * temporary files.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar KeyspaceBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class KeyspaceBenchmark {
    static final int BATCH = KeyPrefetch.KEYS_MAX;

    private static final long NOW_NS = 1_700_000_000_000_000_000L;
    private static final long EXPIRE_AT_MS = NOW_NS / 1_000_000 + 3_600_000;

    /** Keys that there are, all of them {@value Keys#KEY_BYTES} bytes long; one is a hot key. */
    @Param({"1", "1000000"})
    public int keyCount;

    /** Whether the keys of a batch are fetched from memory together, as those of a pipeline are. */
    @Param({"false", "true"})
    public boolean prefetch;

    private final Entry entry = new Entry();
    private final long[] words = {NOW_NS};
    private final ByteBuf batch = Unpooled.directBuffer(BATCH * Keys.KEY_BYTES);
    private Keys keys;
    private TemporaryStore temporary;
    private Keyspace keyspace;

    /** Stores a value for each key. */
    @Setup(Level.Trial)
    public void fill() throws IOException, StoreOpenException {
        keys = new Keys(keyCount);
        temporary = new TemporaryStore();
        keyspace = new Keyspace(temporary.store(), 1, KeyspaceLimits.NONE, NOW_NS);
        keyspace.begin(NOW_NS);
        for (int i = 0; i < BATCH; i++) {
            batch.writeCharSequence(Keys.FIRST, StandardCharsets.US_ASCII);
        }
        for (int number = 0; number < keyCount; number++) {
            Keys.number(batch, 0, number);
            keyspace.lookup(entry, 0, batch.memoryAddress(), Keys.KEY_BYTES);
            keyspace.putInt(entry, number, EXPIRE_AT_MS);
        }
    }

    /** Removes the store. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        keyspace.end();
        batch.release();
        temporary.close();
    }

    /** Finds the value; answers how many keys have one. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int lookup() {
        draw();
        int found = 0;
        for (int i = 0; i < BATCH; i++) {
            found += find(i) ? 1 : 0;
        }
        return found;
    }

    /** Finds it and puts an integer in its place. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long putInt() {
        draw();
        for (int i = 0; i < BATCH; i++) {
            find(i);
            keyspace.putInt(entry, i, EXPIRE_AT_MS);
        }
        return keyspace.dirty();
    }

    /** Finds it and puts the state of a GCRA in its place. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long putWords() {
        draw();
        for (int i = 0; i < BATCH; i++) {
            find(i);
            words[0]++;
            keyspace.putWords(entry, ValueType.GCRA, words, 1, EXPIRE_AT_MS);
        }
        return keyspace.dirty();
    }

    /** Keys of the whole keyspace. */
    long size() {
        return keyspace.size();
    }

    private boolean find(int i) {
        return keyspace.lookup(entry, 0, batch.memoryAddress() + (long) i * Keys.KEY_BYTES, Keys.KEY_BYTES);
    }

    private void draw() {
        for (int i = 0; i < BATCH; i++) {
            Keys.number(batch, i * Keys.KEY_BYTES, keys.random());
        }
        if (prefetch) {
            KeyPrefetch together = keyspace.prefetch();
            for (int i = 0; i < BATCH; i++) {
                together.add(0, batch.memoryAddress() + (long) i * Keys.KEY_BYTES, Keys.KEY_BYTES);
            }
            together.fetch();
        }
    }
}
