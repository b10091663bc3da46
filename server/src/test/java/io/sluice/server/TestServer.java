package io.sluice.server;

import io.sluice.persistence.store.HeapStore;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.ConfigReader;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A whole server inside the test's process: real sockets, a heap store, a clock that the test moves. */
public final class TestServer implements AutoCloseable {
    private final ManualClock clock = new ManualClock();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Config config;
    private final ServerClock serverClock = clock.serverClock();
    private final Server server;

    /** Starts it with these settings, given as on the command line. */
    public TestServer(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--port", Integer.toString(freePort()), "--bind", "127.0.0.1"));
        all.addAll(List.of(options));
        try {
            config = new ConfigReader(InputStream.nullInputStream()).read(all.toArray(new String[0]));
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e);
        }
        server = new Server(config, serverClock, new ProcessExit() {
            @Override
            public void stop() {
                new Thread(server()::close).start();
            }

            @Override
            public void fail(Throwable cause) {
                failure.set(cause);
            }
        });
        server.listen();
    }

    private Server server() {
        return server;
    }

    /** A port that nobody listens on. */
    public static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    /** Gives it a database, and waits until commands are executed. */
    public TestServer open() throws IOException {
        server.open(new Database(config, serverClock, new HeapStore(42)));
        try (RespClient client = client()) {
            while (!"+PONG".equals(client.run("PING"))) {
                Thread.onSpinWait();
            }
        }
        return this;
    }

    public ManualClock clock() {
        return clock;
    }

    public int port() {
        return server.port();
    }

    public RespClient client() throws IOException {
        return new RespClient(server.port());
    }

    @Override
    public void close() {
        server.close();
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }
}
