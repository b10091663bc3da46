package io.sluice.benchmarks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The bytes of one request: one command or several, in which every {@value #PLACEHOLDER} becomes a number of twelve
 * digits, the same throughout the request.
 */
final class RequestTemplate {
    static final String PLACEHOLDER = "__rand_int__";

    private final byte[] bytes;
    private final int[] placeholders;
    private final int commands;
    private final long keys;
    private final SplittableRandom random;

    /**
     * Makes a template.
     *
     * @param commands words of each command, separated by blanks
     * @param keys     how many different numbers there are
     * @param seed     start of the random sequence
     */
    RequestTemplate(List<String> commands, long keys, long seed) {
        StringBuilder stream = new StringBuilder();
        commands.forEach(command -> stream.append(encode(command)));
        this.bytes = stream.toString().getBytes(StandardCharsets.ISO_8859_1);
        List<Integer> found = new ArrayList<>();
        for (int at = stream.indexOf(PLACEHOLDER); at >= 0; at = stream.indexOf(PLACEHOLDER, at + 1)) {
            found.add(at);
        }
        this.placeholders = found.stream().mapToInt(Integer::intValue).toArray();
        this.commands = commands.size();
        this.keys = keys;
        this.random = new SplittableRandom(seed);
    }

    /** A command in RESP, one character per byte. */
    static String encode(String command) {
        String[] words = command.trim().split(" +");
        StringBuilder stream = new StringBuilder("*").append(words.length).append("\r\n");
        for (String word : words) {
            int length = word.getBytes(StandardCharsets.ISO_8859_1).length;
            stream.append('$').append(length).append("\r\n").append(word).append("\r\n");
        }
        return stream.toString();
    }

    int byteLength() {
        return bytes.length;
    }

    /** Replies that one request asks for. */
    int commands() {
        return commands;
    }

    /** Appends the next request to a buffer that has room for it. */
    void put(ByteBuffer out) {
        int start = out.position();
        out.put(bytes);
        if (placeholders.length == 0) {
            return;
        }
        long rest = random.nextLong(keys);
        for (int digit = PLACEHOLDER.length() - 1; digit >= 0; digit--) {
            byte ascii = (byte) ('0' + rest % 10);
            rest /= 10;
            for (int placeholder : placeholders) {
                out.put(start + placeholder + digit, ascii);
            }
        }
    }
}
