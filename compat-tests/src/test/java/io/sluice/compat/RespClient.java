package io.sluice.compat;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A client that hides nothing: sends the bytes it is told to and hands out replies as the bytes that came. Text is
 * ISO-8859-1 throughout, so that every byte has its character.
 */
final class RespClient implements AutoCloseable {
    private static final int REPLY_WAIT_MS = (int) Duration.ofSeconds(20).toMillis();

    private final Socket socket;
    private final InputStream in;

    RespClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(REPLY_WAIT_MS);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How long a reply is waited for from now on. */
    void patience(Duration wait) {
        try {
            socket.setSoTimeout((int) wait.toMillis());
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends one command and returns its reply as {@link RespValue#parse} gives it. */
    Object call(String... words) {
        return RespValue.parse(raw(words));
    }

    /** Sends one command, written with blanks between its words, and returns its reply. */
    Object line(String words) {
        return call(words.split(" "));
    }

    /** Sends one command and returns the bytes of its reply. */
    String raw(String... words) {
        send(command(words));
        return read();
    }

    void send(String bytes) {
        try {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the bytes of one command as clients send it. */
    static String command(String... words) {
        return command(List.of(words));
    }

    /** Returns the bytes of one command as clients send it. */
    static String command(List<String> words) {
        StringBuilder bytes = new StringBuilder("*" + words.size() + "\r\n");
        for (String word : words) {
            bytes.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return bytes.toString();
    }

    /** Returns the bytes of the next reply. Fails where the server closes the connection first. */
    String read() {
        try {
            ByteArrayOutputStream reply = new ByteArrayOutputStream();
            readInto(reply);
            return reply.toString(StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readInto(ByteArrayOutputStream reply) throws IOException {
        String head = readLine(reply);
        char type = head.charAt(0);
        if ("+-:_,#(".indexOf(type) >= 0) {
            return;
        }
        int count = Integer.parseInt(head.substring(1));
        switch (type) {
            case '$', '=', '!' -> readBody(count, reply);
            case '*', '~', '>' -> readMany(count, reply);
            case '%' -> readMany(2 * count, reply);
            default -> throw new IOException("no RESP reply begins with " + head);
        }
    }

    private void readMany(int count, ByteArrayOutputStream reply) throws IOException {
        for (int i = 0; i < count; i++) {
            readInto(reply);
        }
    }

    private void readBody(int length, ByteArrayOutputStream reply) throws IOException {
        if (length >= 0) {
            byte[] body = in.readNBytes(length + 2);
            if (body.length < length + 2) {
                throw new EOFException("the connection ended in a reply");
            }
            reply.writeBytes(body);
        }
    }

    private String readLine(ByteArrayOutputStream reply) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended after: " + line);
            }
            line.append((char) b);
            reply.write(b);
        }
        reply.write('\n');
        return line.substring(0, line.length() - 1);
    }

    /** Returns what the server sends until it closes the connection in good order; a reset fails. */
    String readToEnd() {
        try {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Succeeds where the server closes the connection, by whatever means, without another byte. */
    boolean isClosedByServer() {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
