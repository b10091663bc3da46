package io.sluice.server.replica;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** What calls itself a primary: answers the greeting, sends a snapshot of one key {@code a} and then these commands. */
final class FakePrimary implements AutoCloseable {
    private static final String ID = "f".repeat(40);
    /** A string in database 0; the checksum of zero says that there is none. */
    private static final String SNAPSHOT = "REDIS0010\u00fe\0\0\1a\1b\u00ff\0\0\0\0\0\0\0\0";

    private final ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final String commands;
    private final AtomicInteger syncs = new AtomicInteger();
    private volatile Socket link;

    FakePrimary(String commands) throws IOException {
        this.commands = commands;
        Thread thread = new Thread(this::serve, "fake-primary");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Full syncs that were begun. */
    int syncs() {
        return syncs.get();
    }

    /** Ends the link to its replica. */
    void cut() throws IOException {
        link.close();
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket replica = listener.accept()) {
                link = replica;
                serve(new BufferedInputStream(replica.getInputStream()), replica.getOutputStream());
            } catch (IOException e) {
                // The replica has gone, or the test is over.
                continue;
            }
        }
    }

    private void serve(InputStream in, OutputStream out) throws IOException {
        for (String line = readLine(in); line != null; line = readLine(in)) {
            switch (line) {
                case "PING" -> send(out, "+PONG\r\n");
                case "REPLCONF" -> send(out, "+OK\r\n");
                case "ACK" -> {
                    // Says how far it is.
                }
                case "PSYNC" -> {
                    syncs.incrementAndGet();
                    send(out, "+FULLRESYNC " + ID + " 0\r\n$" + SNAPSHOT.length() + "\r\n" + SNAPSHOT + commands);
                    in.transferTo(OutputStream.nullOutputStream());
                }
                default -> {
                    // Lengths and arguments.
                }
            }
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toString().strip();
            }
            line.append((char) c);
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
