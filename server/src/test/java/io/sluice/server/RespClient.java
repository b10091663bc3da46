package io.sluice.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A plain blocking client for tests: sends bytes, reads replies as text. */
public final class RespClient implements AutoCloseable {
    private static final int READ_TIMEOUT_MS = 30_000;

    private final Socket socket;
    private final InputStream in;

    /** Connects to this port of the loopback interface. */
    public RespClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(READ_TIMEOUT_MS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    public Socket socket() {
        return socket;
    }

    /** Sends bytes, one per character. */
    public void send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Sends an inline command and reads its reply. */
    public String run(String command) throws IOException {
        send(command + "\r\n");
        return readReply();
    }

    /** The next line without its end; null if the connection has ended. */
    public String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toString();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return null;
    }

    /** The next reply, if it is a line or a bulk string; a bulk string's content. Null if the connection has ended. */
    public String readReply() throws IOException {
        String line = readLine();
        if (line == null || line.charAt(0) != '$' && line.charAt(0) != '=' || line.equals("$-1")) {
            return line;
        }
        byte[] content = in.readNBytes(Integer.parseInt(line.substring(1)));
        in.skipNBytes(2);
        return new String(content, StandardCharsets.ISO_8859_1);
    }

    /** Reads how a full sync begins, up to the end of its snapshot. Returns the answer's words. */
    public String[] skipFullSync() throws IOException {
        String[] answer = readLine().split(" ");
        if (!answer[0].equals("+FULLRESYNC")) {
            throw new IOException("no full sync but " + answer[0]);
        }
        String line = readLine();
        while (line.isEmpty()) {
            line = readLine();
        }
        in.skipNBytes(Integer.parseInt(line.substring(1)));
        return answer;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
