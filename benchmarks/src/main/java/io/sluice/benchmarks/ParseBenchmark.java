package io.sluice.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.resp.Integers;
import io.sluice.resp.LongValue;
import io.sluice.resp.Request;
import io.sluice.resp.RequestParser;
import io.sluice.resp.RespLimits;
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
 * Cost of parsing one command out of a pipeline of {@value #PIPELINE}.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar ParseBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ParseBenchmark {
    static final int PIPELINE = 16;

    private static final int FIRST_NUMBER = 2;

    /** Words of the command. */
    @Param({"GET user:123456789012", "SET user:123456789012 some-value-of-thirty-bytes-xxx",
        "CL.THROTTLE user:123456789012 15 30 60 1"})
    public String command;

    private final RespLimits limits = RespLimits.of(1024 * 1024);
    private final RequestParser parser = new RequestParser();
    private final LongValue number = new LongValue();
    private ByteBuf arrays;
    private ByteBuf lines;

    /** Fills the read buffers. */
    @Setup(Level.Trial)
    public void fill() {
        byte[] array = RequestTemplate.encode(command).getBytes(StandardCharsets.ISO_8859_1);
        byte[] line = (command + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        arrays = PooledByteBufAllocator.DEFAULT.directBuffer();
        lines = PooledByteBufAllocator.DEFAULT.directBuffer();
        for (int i = 0; i < PIPELINE; i++) {
            arrays.writeBytes(array);
            lines.writeBytes(line);
        }
    }

    /** Gives the buffers back. */
    @TearDown(Level.Trial)
    public void release() {
        arrays.release();
        lines.release();
    }

    /** Arrays of bulk strings: what every client library sends. */
    @Benchmark
    @OperationsPerInvocation(PIPELINE)
    public long array() {
        return parseAll(arrays);
    }

    /** Inline commands. */
    @Benchmark
    @OperationsPerInvocation(PIPELINE)
    public long inline() {
        return parseAll(lines);
    }

    /** Arrays, and then every argument from the second on that is a number. */
    @Benchmark
    @OperationsPerInvocation(PIPELINE)
    public long arrayWithNumbers() {
        arrays.readerIndex(0);
        long sum = 0;
        while (parser.parse(arrays, limits, true) == RequestParser.Result.COMPLETE) {
            Request request = parser.request();
            for (int i = FIRST_NUMBER; i < request.argCount(); i++) {
                if (Integers.parseLenient(arrays, request.argOffset(i), request.argLength(i), number)) {
                    sum += number.value;
                }
            }
        }
        return sum;
    }

    private long parseAll(ByteBuf stream) {
        stream.readerIndex(0);
        long sum = 0;
        while (parser.parse(stream, limits, true) == RequestParser.Result.COMPLETE) {
            Request request = parser.request();
            sum += request.argOffset(request.argCount() - 1);
        }
        return sum;
    }
}
