package io.sluice.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.store.HeapStore;
import io.sluice.persistence.store.Store;
import io.sluice.resp.Request;
import io.sluice.server.Database;
import io.sluice.server.ManualClock;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.ConfigReader;
import io.sluice.server.net.Connection;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * All commands over a heap store and a clock that stands still: what tests of families run commands on, without a
 * socket.
 *
 * <pre>{@code
 * CommandTester redis = new CommandTester();
 * assertEquals("+OK", redis.run("SET", "k", "v"));
 * assertEquals("$1 v", redis.run("GET", "k"));
 * }</pre>
 */
public final class CommandTester implements AutoCloseable {
    private final ManualClock clock = new ManualClock();
    private final ServerParts parts;
    private final Dispatcher dispatcher;
    private final Database database;
    private final Store store;
    private final List<Client> clients = new ArrayList<>();
    private final Client client;

    /** A server with these settings, given as on the command line. */
    public CommandTester(String... options) {
        this(KeyspaceLimits.NONE, options);
    }

    /** A server with these limits and settings. */
    public CommandTester(KeyspaceLimits limits, String... options) {
        this(new HeapStore(42), limits, options);
    }

    /** A server that knows these commands too. */
    static CommandTester with(CommandSpec... extra) {
        return new CommandTester(new HeapStore(42), KeyspaceLimits.NONE, List.of(extra));
    }

    /** A server over this store, which it closes in the end, with these limits and settings. */
    public CommandTester(Store store, KeyspaceLimits limits, String... options) {
        this(store, limits, List.of(), options);
    }

    private CommandTester(Store store, KeyspaceLimits limits, List<CommandSpec> extra, String... options) {
        this.store = store;
        Config config = config(options);
        parts = ServerParts.of(config, clock.serverClock(), new NoLifecycle());
        List<CommandSpec> specs = new ArrayList<>(Families.specs(parts));
        specs.addAll(extra);
        dispatcher = new Dispatcher(new CommandTable(specs, config.renamedCommands()), parts);
        database = new Database(config, parts.clock(), store);
        database.keyspace().limits(limits);
        dispatcher.open(database);
        client = newClient();
    }

    private static Config config(String... options) {
        try {
            return new ConfigReader(InputStream.nullInputStream()).read(options);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Runs a command of the first client and gives the reply, each line end shown as one blank. */
    public String run(String... words) {
        return client.run(words);
    }

    /** Another client. */
    public Client newClient() {
        Client added = new Client(clients.size() + 1);
        clients.add(added);
        return added;
    }

    public ManualClock clock() {
        return clock;
    }

    public Keyspace keyspace() {
        return database.keyspace();
    }

    public ServerParts parts() {
        return parts;
    }

    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** The first client. */
    public Client client() {
        return client;
    }

    @Override
    public void close() {
        closeClients();
        database.close();
    }

    /** Ends the clients, and leaves the store to whoever opens it next. */
    public void closeClients() {
        for (Client each : clients) {
            each.connection.transaction().close();
            each.connection.reply().buffer().release();
        }
        clients.clear();
    }

    /** A process that cannot be stopped and has no port. */
    private static final class NoLifecycle implements Lifecycle {
        @Override
        public void shutdown(Boolean save, boolean evenIfSaveFails) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void fail(Throwable cause) {
            throw new AssertionError(cause);
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

    /** One client. */
    public final class Client {
        private final Connection connection;

        private Client(int id) {
            connection = new Connection(id, new EmbeddedChannel(), "127.0.0.1:" + id, "127.0.0.1:6379", true, 0);
            connection.authenticated(true, parts.access().users().defaultUser());
        }

        public Connection connection() {
            return connection;
        }

        /** Runs a command and gives the reply, each line end shown as one blank. */
        public String run(String... words) {
            return rawReply(words).replace("\r\n", " ").stripTrailing();
        }

        /** What was replied since the last command, each line end shown as one blank. */
        public String taken() {
            ByteBuf replies = connection.reply().buffer();
            String text = replies.toString(StandardCharsets.ISO_8859_1);
            replies.clear();
            return text.replace("\r\n", " ").stripTrailing();
        }

        /** Runs a command and gives the bytes of the reply, one character each. */
        public String rawReply(String... words) {
            byte[][] args = new byte[words.length][];
            for (int i = 0; i < words.length; i++) {
                args[i] = words[i].getBytes(StandardCharsets.ISO_8859_1);
            }
            ByteBuf scratch = PooledByteBufAllocator.DEFAULT.directBuffer();
            try {
                dispatcher.beginBatch();
                dispatcher.execute(connection, Request.of(scratch, args));
                ByteBuf replies = connection.reply().buffer();
                String text = replies.toString(StandardCharsets.ISO_8859_1);
                replies.clear();
                return text;
            } finally {
                scratch.release();
            }
        }
    }
}
