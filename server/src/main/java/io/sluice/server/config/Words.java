package io.sluice.server.config;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of a configuration file as words, quoted as in Redis: double quotes with escapes, single quotes with {@code
 * \'}.
 */
public final class Words {
    private final String line;
    private int position;

    private Words(String line) {
        this.line = line;
    }

    /** The words of a line, or null if its quotes do not match. */
    public static List<String> split(String line) {
        return new Words(line).all();
    }

    /** A word as it must be written to be read back. */
    static String quote(String word) {
        if (!word.isEmpty() && word.chars().allMatch(c -> c > ' ' && c < 0x7f && "\"'\\".indexOf(c) < 0)) {
            return word;
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            switch (c) {
                case '\\', '"' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private List<String> all() {
        List<String> words = new ArrayList<>();
        while (true) {
            while (position < line.length() && Character.isWhitespace(line.charAt(position))) {
                position++;
            }
            if (position >= line.length()) {
                return words;
            }
            String word = next();
            if (word == null) {
                return null;
            }
            words.add(word);
        }
    }

    private String next() {
        StringBuilder word = new StringBuilder();
        while (position < line.length() && !Character.isWhitespace(line.charAt(position))) {
            char c = line.charAt(position++);
            if (c == '"' || c == '\'') {
                if (!quoted(c, word)) {
                    return null;
                }
            } else {
                word.append(c);
            }
        }
        return word.toString();
    }

    /** Reads to the closing quote, behind which the word must end. */
    private boolean quoted(char quote, StringBuilder word) {
        while (position < line.length()) {
            char c = line.charAt(position++);
            if (c == quote) {
                return position == line.length() || Character.isWhitespace(line.charAt(position));
            }
            if (c != '\\' || position == line.length()) {
                word.append(c);
            } else if (quote == '"') {
                word.append(escaped());
            } else if (line.charAt(position) == '\'') {
                word.append('\'');
                position++;
            } else {
                word.append(c);
            }
        }
        return false;
    }

    private char escaped() {
        char c = line.charAt(position++);
        if (c == 'x' && position + 2 <= line.length()) {
            int high = Character.digit(line.charAt(position), 16);
            int low = Character.digit(line.charAt(position + 1), 16);
            if (high >= 0 && low >= 0) {
                position += 2;
                return (char) (high << 4 | low);
            }
        }
        return switch (c) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 0x07;
            default -> c;
        };
    }
}
