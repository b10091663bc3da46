package io.sluice.compat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server as a child process on a free port of 127.0.0.1 with a data folder of its own. As a static
 * {@code @RegisterExtension} it runs for one test class; a test that starts and stops servers itself closes them.
 */
abstract class ServerProcess implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(60);
    private static final Duration STOP_MAX = Duration.ofSeconds(30);
    private static final int PORT_MIN = 10_000;
    private static final int PORT_END = 32_768;
    private static final Set<Integer> TAKEN_PORTS = ConcurrentHashMap.newKeySet();

    private final Path dir = temporaryDirectory();
    private final int port = freePort();
    private final List<String> options;
    private Process process;

    ServerProcess(String... options) {
        this.options = List.of(options);
    }

    /** The command line that starts the server at {@link #port()} on the data in {@link #dir()}. */
    abstract List<String> command(List<String> options);

    final int port() {
        return port;
    }

    /** Where the server keeps its data. */
    final Path dir() {
        return dir;
    }

    /** The process identifier of the running server. */
    final long pid() {
        return process.pid();
    }

    /** Starts the server and returns when it answers, be it that it wants a password. */
    final void start() {
        launch();
        awaitReady();
    }

    /** Waits until it answers. */
    final void awaitReady() {
        Await.until("an answer of the server at port " + port, START_MAX, () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("the server stopped: " + stdout() + stderr());
            }
            return isReady();
        });
    }

    /** Starts the server and does not wait for it. */
    final void launch() {
        try {
            Files.createDirectories(dir);
            ProcessBuilder builder = new ProcessBuilder(command(options));
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            process = builder
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(".out").toFile()))
                .redirectError(ProcessBuilder.Redirect.appendTo(log(".err").toFile()))
                .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isReady() {
        try (RespClient client = connect()) {
            return !client.raw("PING").startsWith("-LOADING ");
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** Sends SIGTERM. Returns the exit code. */
    final int stop() {
        process.destroy();
        return awaitExit();
    }

    /** Sends SIGKILL. */
    final void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Sends SIGSTOP, and waits until no thread runs any more. */
    final void freeze() {
        Programs.run(dir, "kill", "-STOP", Long.toString(pid()));
        Await.until("the stop of " + pid(), STOP_MAX, () -> threadStates().allMatch("T"::equals));
    }

    /** Sends SIGCONT. */
    final void thaw() {
        Programs.run(dir, "kill", "-CONT", Long.toString(pid()));
    }

    /** The letters that the kernel has for what threads are at. */
    private Stream<String> threadStates() {
        return Stream.of(new File("/proc/" + pid() + "/task").listFiles()).map(thread -> {
            try {
                String stat = Files.readString(thread.toPath().resolve("stat"));
                return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
            } catch (IOException e) {
                return "it ended while it was looked at";
            }
        });
    }

    final boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Waits for the process to end. Returns the exit code. */
    final int awaitExit() {
        try {
            if (!process.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the server did not stop within " + STOP_MAX);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the server wrote to standard output since the first start. */
    final String stdout() {
        return read(log(".out"));
    }

    /** What the server wrote to standard error since the first start. */
    final String stderr() {
        return read(log(".err"));
    }

    private Path log(String suffix) {
        return dir.resolveSibling(dir.getFileName() + suffix);
    }

    final RespClient connect() {
        return new RespClient(port);
    }

    @Override
    public final void beforeAll(ExtensionContext context) {
        start();
    }

    @Override
    public final void afterAll(ExtensionContext context) {
        close();
    }

    /** Stops the server where it runs, and removes its data. */
    @Override
    public final void close() {
        if (isRunning()) {
            kill();
        }
        deleteTree(dir);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path temporaryDirectory() {
        try {
            Path parent = Files.createDirectories(Path.of("target", "servers").toAbsolutePath());
            return Files.createTempDirectory(parent, "data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteTree(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A port that is not given to anybody else, also while nobody listens on it: before a start, and between two. It is
     * below those that Linux gives to connections, of which the clients of other tests open thousands.
     */
    static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_END);
            if (TAKEN_PORTS.add(port) && isFree(port)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
