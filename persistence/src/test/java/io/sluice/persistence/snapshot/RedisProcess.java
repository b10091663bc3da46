package io.sluice.persistence.snapshot;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real redis-server on a free port of this machine. Strings stand for bytes (ISO 8859-1). */
final class RedisProcess implements AutoCloseable {

    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);

    private final Process process;
    private final Socket socket;
    private final InputStream in;

    /** A server whose directory has the file {@code dump.rdb}, or has not. */
    RedisProcess(final Path directory) throws IOException {
        assumeTrue(isInstalled("redis-server"), "redis-server is not installed");
        final int port = freePort();
        process = new ProcessBuilder(
            "redis-server", "--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", "",
            "--dir", directory.toString(), "--enable-debug-command", "yes")
            .redirectErrorStream(true).redirectOutput(directory.resolve("redis.log").toFile()).start();
        socket = connect(port);
        in = new BufferedInputStream(socket.getInputStream());
        while (call("PING").equals("-LOADING Redis is loading the dataset in memory")) {
            Thread.onSpinWait();
        }
    }

    /** Runs a program to its end and returns what it printed, its exit code in front. */
    static String run(final String... command) throws IOException, InterruptedException {
        assumeTrue(isInstalled(command[0]), command[0] + " is not installed");
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        return process.waitFor() + "\n" + output;
    }

    /** The answer as text: integers and statuses plainly, errors with their '-', null as {@code (nil)}. */
    String call(final String... words) throws IOException {
        final StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
        for (final String word : words) {
            request.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
        return reply();
    }

    private String reply() throws IOException {
        final String line = line();
        switch (line.charAt(0)) {
            case '+', ':' -> {
                return line.substring(1);
            }
            case '$' -> {
                final int length = Integer.parseInt(line.substring(1));
                if (length < 0) {
                    return "(nil)";
                }
                final String bulk = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
                in.skipNBytes(2);
                return bulk;
            }
            case '*' -> {
                final List<String> elements = new ArrayList<>();
                for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
                    elements.add(reply());
                }
                return elements.toString();
            }
            default -> {
                return line;
            }
        }
    }

    private String line() throws IOException {
        final ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b = in.read();
        while (b != '\r') {
            if (b < 0) {
                throw new EOFException();
            }
            line.write(b);
            b = in.read();
        }
        in.skipNBytes(1);
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private Socket connect(final int port) throws IOException {
        final long deadline = System.nanoTime() + DEADLINE_NS;
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (final IOException e) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    process.destroyForcibly();
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return server.getLocalPort();
        }
    }

    private static boolean isInstalled(final String program) {
        for (final String directory : System.getenv("PATH").split(":")) {
            if (Path.of(directory, program).toFile().canExecute()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        socket.close();
        process.destroy();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
