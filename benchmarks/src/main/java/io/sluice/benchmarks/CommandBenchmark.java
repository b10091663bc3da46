package io.sluice.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.channel.local.LocalChannel;
import io.sluice.persistence.store.StoreOpenException;
import io.sluice.resp.RequestParser;
import io.sluice.server.Database;
import io.sluice.server.ServerClock;
import io.sluice.server.acl.User;
import io.sluice.server.command.CommandTable;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.Families;
import io.sluice.server.command.Lifecycle;
import io.sluice.server.command.ServerParts;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.ConfigReader;
import io.sluice.server.net.Connection;
import io.sluice.server.net.ReadAhead;
import java.io.IOException;
import java.io.InputStream;
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
 * Cost of one command of a pipeline of {@value #PIPELINE}, from its bytes to the bytes of its reply: all that a server
 * does but for its sockets, with a server's store in the directory for temporary files.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar CommandBenchmark -prof gc
 * java -jar benchmarks/target/benchmarks.jar CommandBenchmark -prof gc -p command=GET,SET -p keyCount=1000000
 * java -jar benchmarks/target/benchmarks.jar CommandBenchmark -p command=CL_THROTTLE_ALLOWED -p trackKeys=yes,no
 * </pre>
 *
 * <p>{@code gc.alloc.rate.norm} has to be 0 for every command here: on the command path nothing is left to the
 * collector. JMH itself allocates some 10 KB per iteration, and with the last one it counts the end of the run, when
 * the store is closed: some 500 KB. That makes fractions of a byte; a command that allocates would show 16 at least.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CommandBenchmark {
    static final int PIPELINE = 16;

    /** What is sent for a key, what was sent for it before, and how the reply begins. */
    public enum Command {
        /** Half a billion pass, each of which puts the arrival time off by ten seconds: no key expires meanwhile. */
        CL_THROTTLE_ALLOWED("CL.THROTTLE %s 500000000 1 10", "*5\r\n:0\r\n"),
        /** The first request took all there is for eleven days. */
        CL_THROTTLE_DENIED("CL.THROTTLE %s 0 1 1000000", "*5\r\n:1\r\n"),
        /** A quantity of 0. */
        CL_THROTTLE_PEEK("CL.THROTTLE %s 15 1 1000000 0", "CL.THROTTLE %s 15 1 1000000", "*5\r\n:0\r\n"),
        /** Granted. */
        RL_BUCKET("RL.BUCKET %s 500000000 1 10", "*5\r\n:0\r\n"),
        /** Granted. */
        RL_SLIDING("RL.SLIDING %s 5000000000 3600", "*5\r\n:0\r\n"),
        /** A value of 30 bytes. */
        GET("GET %s", "SET %s some-value-of-thirty-bytes-xxx", "$30\r\n"),
        /** A value of 30 bytes over another. */
        SET("SET %s some-value-of-thirty-bytes-xxx", "+OK\r\n"),
        /** An integer. */
        INCR("INCR %s", ":");

        private final String request;
        private final String before;
        private final String replyStart;

        Command(String request, String replyStart) {
            this(request, request, replyStart);
        }

        Command(String request, String before, String replyStart) {
            this.request = String.format(request, Keys.FIRST);
            this.before = String.format(before, Keys.FIRST);
            this.replyStart = replyStart;
        }
    }

    /** The command. */
    @Param
    public Command command;

    /** Keys that there are, all of them {@value Keys#KEY_BYTES} bytes long; one is a hot key. */
    @Param({"1", "1000000"})
    public int keyCount;

    /** Whether decisions are counted by key, the setting {@code track-keys}. */
    @Param("yes")
    public String trackKeys;

    private final RequestParser parser = new RequestParser();
    private final ReadAhead readAhead = new ReadAhead();
    private Keys keys;
    private TemporaryStore temporary;
    private ServerParts parts;
    private Database database;
    private Dispatcher dispatcher;
    private Connection connection;
    private Pipeline pipeline;

    /** Builds a server without sockets, and makes the keys. */
    @Setup(Level.Trial)
    public void open() throws ConfigException, IOException, StoreOpenException {
        Config config = new ConfigReader(InputStream.nullInputStream()).read("--track-keys", trackKeys);
        parts = ServerParts.of(config, new ServerClock(), new NoLifecycle());
        dispatcher = new Dispatcher(new CommandTable(Families.specs(parts), config.renamedCommands()), parts);
        temporary = new TemporaryStore();
        database = new Database(config, parts.clock(), temporary.store());
        dispatcher.open(database);
        connection = new Connection(1, new LocalChannel(), "127.0.0.1:1", "127.0.0.1:6379", true, 0);
        connection.authenticated(true, User.UNRESTRICTED);
        keys = new Keys(keyCount);
        try (Pipeline before = new Pipeline(command.before, PIPELINE)) {
            for (int number = 0; number < keyCount; number += PIPELINE) {
                execute(before.from(number, keys));
            }
        }
        pipeline = new Pipeline(command.request, PIPELINE);
    }

    /** Removes the server and its files. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        pipeline.close();
        connection.reply().buffer().release();
        database.close();
        temporary.close();
    }

    /** Sees to it that what was measured is what was meant. */
    @TearDown(Level.Iteration)
    public void checkReply() {
        if (!lastReplies().startsWith(command.replyStart)) {
            throw new IllegalStateException("unexpected reply: " + lastReplies());
        }
    }

    /** A pipeline; answers the length of its replies. */
    @Benchmark
    @OperationsPerInvocation(PIPELINE)
    public int pipeline() {
        return execute(pipeline.random(keys));
    }

    /** What a connection does with the bytes of one read. */
    private int execute(ByteBuf in) {
        ByteBuf out = connection.reply().buffer().clear();
        dispatcher.beginBatch();
        while (readAhead.fill(parser, in, parts.settings().respLimits(), true, PIPELINE)
                == RequestParser.Result.COMPLETE) {
            dispatcher.prefetch(connection, readAhead);
            for (int i = 0; i < readAhead.size(); i++) {
                dispatcher.execute(connection, readAhead.request(i));
            }
        }
        return out.writerIndex();
    }

    String lastReplies() {
        return connection.reply().buffer().toString(StandardCharsets.ISO_8859_1);
    }

    long keysStored() {
        return database.keyspace().size();
    }

    /** A process that has no port and is not stopped by commands. */
    private static final class NoLifecycle implements Lifecycle {
        @Override
        public void shutdown(Boolean save, boolean evenIfSaveFails) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void fail(Throwable cause) {
            throw new IllegalStateException(cause);
        }

        @Override
        public int port() {
            return 0;
        }

        @Override
        public String transport() {
            return "none";
        }
    }
}
