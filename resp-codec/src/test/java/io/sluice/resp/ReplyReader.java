package io.sluice.resp;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads replies back, strictly and with no help from the code under test. A value becomes its marker and its text, an
 * aggregate its marker and a list.
 */
final class ReplyReader {
    private final String stream;
    private int at;

    private ReplyReader(String stream) {
        this.stream = stream;
    }

    /** Every reply in a buffer, which is read to its end. */
    static List<Object> readAll(ByteBuf buffer) {
        ReplyReader reader = new ReplyReader(text(buffer));
        List<Object> replies = new ArrayList<>();
        while (reader.at < reader.stream.length()) {
            replies.add(reader.read());
        }
        return replies;
    }

    static String text(ByteBuf buffer) {
        return buffer.readCharSequence(buffer.readableBytes(), StandardCharsets.ISO_8859_1).toString();
    }

    private Object read() {
        char marker = stream.charAt(at++);
        String line = line();
        switch (marker) {
            case '+', '-', ':', ',', '(', '#', '_':
                return marker + line;
            case '$', '=':
                return line.equals("-1") ? "null" : marker + bytes(Integer.parseInt(line));
            case '*', '~', '>':
                return line.equals("-1") ? "null" : List.of(marker, elements(Integer.parseInt(line)));
            case '%':
                return List.of(marker, elements(2 * Integer.parseInt(line)));
            default:
                throw new AssertionError("no reply starts with " + marker);
        }
    }

    private List<Object> elements(int count) {
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(read());
        }
        return elements;
    }

    private String line() {
        int end = stream.indexOf('\n', at);
        if (end < 1 || stream.charAt(end - 1) != '\r') {
            throw new AssertionError("a line must end with CR LF");
        }
        String line = stream.substring(at, end - 1);
        if (line.indexOf('\r') >= 0) {
            throw new AssertionError("a line must hold no CR");
        }
        at = end + 1;
        return line;
    }

    private String bytes(int count) {
        String bytes = stream.substring(at, at + count);
        at += count;
        if (!line().isEmpty()) {
            throw new AssertionError("a bulk string must end where it says");
        }
        return bytes;
    }
}
