package io.sluice.server;

import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.ConfigReader;

/** Starts the server. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) throws Exception {
        Config config;
        try {
            config = new ConfigReader(System.in).read(args);
        } catch (ConfigException e) {
            System.err.println("\n*** FATAL CONFIG FILE ERROR (Sluice " + Version.SLUICE + ") ***\n" + e.getMessage());
            System.exit(1);
            return;
        }
        Server server = new Server(config, new ServerClock());
        server.listen();
        System.out.println("port " + server.port());
        io.sluice.persistence.store.HeapStore store = new io.sluice.persistence.store.HeapStore(1);
        server.open(store, new io.sluice.persistence.Keyspace(store, 16, io.sluice.persistence.KeyspaceLimits.NONE, 0));
    }
}
