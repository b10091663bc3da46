package io.sluice.server;

import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.DamagedFileException;
import io.sluice.persistence.store.RecoveryReport;
import io.sluice.persistence.store.StoreConfig;
import io.sluice.persistence.store.StoreOpenException;
import io.sluice.server.command.InfoText;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.ConfigReader;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.config.FileErrors;
import io.sluice.server.log.LogFile;
import io.sluice.server.log.LogLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Starts the server: {@code [file] [-] [--option value ...]}.
 *
 * <p>Exit codes: 0 stopped cleanly, 1 bad configuration, 2 an address cannot be listened on, 3 heap exhausted (the
 * JVM's own), 65 data damaged, 70 broken invariant or out of memory, 71 data directory in use by another process, 73
 * data directory not writable, 74 no room on the disk, 76 data of another format version.
 */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final String USAGE = """
            Usage: sluice-server [sluice.conf] [-] [--option value ...]

              sluice-server                         all defaults: port 6379, data in ./data
              sluice-server sluice.conf --port 7000
              echo 'maxkeys 1000000' | sluice-server -

              --check-config   check the settings, the users and the certificates that they name, and stop
              --check-file     check snapshots and map files, see bin/sluice-check
              --version, -v    print the version
              --help, -h       print this

            An option is any setting of sluice.conf, which describes them all.""";

    private static final String NO_LOG = "Can't open the log file: ";
    private static final String CHECK_CONFIG = "--check-config";
    private static final SystemdNotifier SYSTEMD = SystemdNotifier.ofEnvironment();
    private static volatile int exitCode;
    /** Whether the server ends by itself, or by a command: else it is a signal. */
    private static volatile boolean asked;
    private static volatile Server server;

    private Main() {
    }

    /** See {@link Main}. */
    public static void main(String[] args) {
        String first = args.length == 0 ? "" : args[0];
        switch (first) {
            case "--version", "-v" -> System.out.println("Sluice server v=" + Version.SLUICE + " redis=" + Version.REDIS
                    + " java=" + System.getProperty("java.version"));
            case "--help", "-h" -> System.out.println(USAGE);
            case "--check-file" -> System.exit(
                new FileCheck(System.out).run(Arrays.copyOfRange(args, 1, args.length)));
            default -> {
                List<String> settings = new ArrayList<>(List.of(args));
                boolean check = settings.removeIf(CHECK_CONFIG::equals);
                Config config = read(settings.toArray(new String[0]));
                checkMemory(config);
                if (check) {
                    checkParts(config);
                } else {
                    start(config);
                }
            }
        }
    }

    /** Makes the parts of a server as a start would: users, certificates, commands, and refuses as that would. */
    private static void checkParts(Config config) {
        try {
            LogFile.check(config.text(ConfigTable.LOG_FILE));
            new Server(config, new ServerClock(), new Exit());
        } catch (IOException e) {
            System.err.println(NO_LOG + e.getMessage());
            System.exit(ProcessExit.BAD_CONFIG);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(ProcessExit.BAD_CONFIG);
        }
        if (!config.unusedDirectives().isEmpty()) {
            System.out.println(ignored(config));
        }
        System.out.println("Configuration is valid.");
        System.exit(0);
    }

    private static Config read(String... args) {
        try {
            return new ConfigReader(System.in).read(args);
        } catch (ConfigException e) {
            System.err.println("\n*** FATAL CONFIG FILE ERROR (Sluice " + Version.SLUICE + ") ***\n" + e.getMessage());
            System.exit(ProcessExit.BAD_CONFIG);
            throw new IllegalStateException(e);
        }
    }

    /** Refuses what a container has no room for. */
    private static void checkMemory(Config config) {
        MemoryPlan plan = MemoryPlan.of(config);
        if (!plan.fits()) {
            System.err.println("This may come to take more memory than the container has, which then kills it:\n"
                    + plan + ", of " + InfoText.human(plan.available())
                    + ".\nLower maxmemory, lower the heap (SLUICE_JAVA_OPTS='-Xms128m -Xmx128m'), or raise the limit.");
            System.exit(ProcessExit.BAD_CONFIG);
        }
    }

    private static void start(Config config) {
        openLog(config);
        ServerClock clock = new ServerClock();
        Runtime.getRuntime().addShutdownHook(new Thread(Main::stop, "sluice-stop"));
        try {
            server = new Server(config, clock, new Exit());
            server.listen();
            writePidFile(config);
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("{}", e.getMessage());
            exit(e instanceof IOException ? ProcessExit.CANNOT_LISTEN : ProcessExit.BAD_CONFIG);
            return;
        }
        describe(config);
        new Thread(() -> open(config, clock), "sluice-open").start();
    }

    private static void openLog(Config config) {
        config.follow(() -> LogFile.level(LogLevel.of(config.text(ConfigTable.LOG_LEVEL))), ConfigTable.LOG_LEVEL);
        try {
            LogFile.open(config.text(ConfigTable.LOG_FILE));
        } catch (IOException e) {
            System.err.println(NO_LOG + e.getMessage());
            System.exit(ProcessExit.BAD_CONFIG);
        }
    }

    private static void describe(Config config) {
        var limits = Database.limits(config);
        LOG.info("Sluice {}, pid {}, Java {}, {}", Version.SLUICE, ProcessHandle.current().pid(),
                System.getProperty("java.version"), config.file() == null ? "no config file" : config.file());
        describeWaysIn(config);
        LOG.info("Data in {}; room for {} of entries{}, policy {}; heap {}, machine {}",
                Path.of(config.text(ConfigTable.DIR)).toAbsolutePath().normalize(),
                InfoText.human(limits.maxMemoryBytes()),
                limits.maxKeys() == 0 ? "" : " and " + limits.maxKeys() + " keys", limits.policy().configName(),
                InfoText.human(Runtime.getRuntime().maxMemory()),
                InfoText.human(ProcessInfo.totalMemoryBytes()));
        if (config.number(ConfigTable.MAX_MEMORY) > ProcessInfo.totalMemoryBytes()) {
            LOG.warn("maxmemory is more than the machine has: the system will take memory from the files of the "
                    + "keyspace, and wait for the disk, before new keys are refused");
        }
        if (!config.unusedDirectives().isEmpty()) {
            LOG.warn("{}", ignored(config));
        }
    }

    private static String ignored(Config config) {
        return "These directives of Redis have no meaning here and are ignored: "
                + String.join(" ", config.unusedDirectives());
    }

    private static void describeWaysIn(Config config) {
        String unixSocket = config.text(ConfigTable.UNIX_SOCKET);
        boolean tls = config.integer(ConfigTable.TLS_PORT) > 0;
        if (config.integer(ConfigTable.PORT) > 0) {
            LOG.info("Listening on port {} of {}{}, transport {}", config.text(ConfigTable.PORT),
                    config.text(ConfigTable.BIND), unixSocket.isEmpty() ? "" : " and " + unixSocket,
                    server.transport());
        } else if (!unixSocket.isEmpty()) {
            LOG.info("Listening on {}, transport {}", unixSocket, server.transport());
        } else if (!tls) {
            LOG.warn("There is no way in: port and tls-port are 0, and there is no unixsocket");
        }
        if (tls) {
            LOG.info("TLS on port {} of {}, engine {}", config.text(ConfigTable.TLS_PORT),
                    config.text(ConfigTable.BIND), server.tlsEngine());
        }
        if (config.integer(ConfigTable.METRICS_PORT) > 0) {
            LOG.info("Metrics on port {}", config.text(ConfigTable.METRICS_PORT));
        }
    }

    /** As in Redis, a server does without the file rather than not to start. */
    private static void writePidFile(Config config) {
        if (!config.text(ConfigTable.PID_FILE).isEmpty()) {
            Path file = Path.of(config.text(ConfigTable.PID_FILE));
            try {
                Files.writeString(file, ProcessHandle.current().pid() + "\n");
                file.toFile().deleteOnExit();
            } catch (IOException e) {
                LOG.warn("Cannot write the pidfile {}: {}", file, FileErrors.reason(e));
            }
        }
    }

    /** Opens or recovers the store, which may take long; clients are told so meanwhile. */
    private static void open(Config config, ServerClock clock) {
        try {
            var limits = Database.limits(config);
            long keys = limits.maxKeys() == 0 ? StoreConfig.INITIAL_KEYS_DEFAULT
                    : Math.min(limits.maxKeys(), StoreConfig.INITIAL_KEYS_DEFAULT);
            boolean importing = Database.awaitsImport(config);
            boolean setAside = config.text(ConfigTable.DAMAGED_FILES).equals(ConfigTable.SET_ASIDE);
            ChronicleStore store = ChronicleStore.open(new StoreConfig(Path.of(config.text(ConfigTable.DIR)), keys,
                    limits.maxKeys(), limits.maxMemoryBytes(), setAside));
            Database database = new Database(config, clock, store);
            server.keepFunctions();
            if (importing) {
                database.importSnapshot(server::importFunctions);
            }
            describe(store, database);
            server.open(database);
            SYSTEMD.ready("Ready to accept connections");
        } catch (StoreOpenException e) {
            LOG.error("{}", e.getMessage());
            exit(e.reason().exitCode());
        } catch (IOException | DamagedFileException e) {
            LOG.error("Cannot open the keyspace: {}", e.getMessage());
            exit(StoreOpenException.Reason.DAMAGED.exitCode());
        } catch (RuntimeException e) {
            LOG.error("Cannot open the keyspace", e);
            exit(StoreOpenException.Reason.DAMAGED.exitCode());
        } catch (Error e) {
            // As where a disk without room fails under a mapped file: else clients would be told to wait for ever.
            new Exit().fail(e);
        }
    }

    private static void describe(ChronicleStore store, Database database) {
        RecoveryReport report = store.recovery();
        var capacity = store.capacity();
        LOG.info("{} keys {} in {} ms{}; {} of entries in {} files of {}", database.keyspace().size(),
                report.clean() || report.created() ? "opened" : "recovered after an unclean stop", report.millis(),
                report.repairs() == 0 ? "" : ", " + report.repairs() + " repairs",
                InfoText.human(capacity.bytesUsed()), capacity.files().size(),
                InfoText.human(capacity.bytesAllocated()));
        long unsound = report.dropped() + database.keyspace().damaged();
        if (unsound > 0) {
            LOG.warn("{} entries were not sound and have been removed", unsound);
        }
        if (!report.setAside().isEmpty()) {
            LOG.warn("Set aside as damaged; of their keys only those are there that were sound: {}",
                    String.join(", ", report.setAside()));
        }
    }

    private static void exit(int code) {
        exitCode = code;
        asked = true;
        new Thread(() -> System.exit(code), "sluice-exit").start();
    }

    /**
     * Runs at every orderly end of the JVM, signals included, which would otherwise give an exit code of their own.
     */
    private static void stop() {
        SYSTEMD.stopping();
        if (!asked) {
            LOG.info("Stopping, as SIGTERM or SIGINT asks");
        }
        if (server != null) {
            server.close();
        }
        if (exitCode == 0) {
            LOG.info("Bye");
        }
        Runtime.getRuntime().halt(exitCode);
    }

    /** The real end. */
    private static final class Exit implements ProcessExit {
        @Override
        public void stop() {
            exit(0);
        }

        @Override
        public void fail(Throwable cause) {
            LOG.error("Stopping at once: an invariant is broken or memory has run out", cause);
            Runtime.getRuntime().halt(BROKEN);
        }
    }
}
