package io.sluice.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.RespReply;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of writing one reply into an output buffer that has room.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar ReplyBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ReplyBenchmark {
    private static final int OUT_BYTES = 16 * 1024;
    private static final int VALUE_BYTES = 30;

    private final RespReply reply = new RespReply();
    private ByteBuf out;
    private ByteBuf value;
    private long remaining;
    private long arrivalNs = 1_700_000_000_000_000_000L;

    /** Makes the buffers. */
    @Setup(Level.Trial)
    public void open() {
        out = PooledByteBufAllocator.DEFAULT.directBuffer(OUT_BYTES);
        value = PooledByteBufAllocator.DEFAULT.directBuffer();
        value.writeBytes("v".repeat(VALUE_BYTES).getBytes(StandardCharsets.US_ASCII));
        reply.wrap(out);
    }

    /** Gives the buffers back. */
    @TearDown(Level.Trial)
    public void release() {
        out.release();
        value.release();
    }

    /** {@code +OK}. */
    @Benchmark
    public int ok() {
        start();
        reply.ok();
        return out.writerIndex();
    }

    /** The five integers of {@code CL.THROTTLE}. */
    @Benchmark
    public int throttle() {
        start();
        remaining = remaining == 0 ? 15 : remaining - 1;
        reply.array(5);
        reply.integer(0);
        reply.integer(16);
        reply.integer(remaining);
        reply.integer(-1);
        reply.integer(32 - 2 * remaining);
        return out.writerIndex();
    }

    /** A value of {@value #VALUE_BYTES} bytes out of native memory. */
    @Benchmark
    public int bulk() {
        start();
        reply.bulk(value.memoryAddress(), VALUE_BYTES);
        return out.writerIndex();
    }

    /** An arrival time of 19 digits, as {@code GET} shows it. */
    @Benchmark
    public int bulkOfLong() {
        start();
        reply.bulkOfLong(arrivalNs++);
        return out.writerIndex();
    }

    private void start() {
        out.clear();
    }
}
