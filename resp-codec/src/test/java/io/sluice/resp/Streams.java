package io.sluice.resp;

import java.util.List;
import java.util.Random;

/** Makes byte streams (one character per byte) out of commands, and feeds them in pieces. */
final class Streams {
    private Streams() {
    }

    static String array(List<String> args) {
        StringBuilder stream = new StringBuilder("*").append(args.size()).append("\r\n");
        for (String arg : args) {
            stream.append('$').append(arg.length()).append("\r\n").append(arg).append("\r\n");
        }
        return stream.toString();
    }

    /** Double quotes can carry any byte, single quotes and bare words only some. */
    static String quotedLine(List<String> args, Random random) {
        StringBuilder line = new StringBuilder();
        for (String arg : args) {
            line.append(" \t".charAt(random.nextInt(2)));
            if (arg.matches("[a-zA-Z0-9]+") && random.nextBoolean()) {
                line.append(arg);
            } else if (arg.indexOf('\n') < 0 && arg.indexOf('\\') < 0 && random.nextBoolean()) {
                line.append('\'').append(arg.replace("'", "\\'")).append('\'');
            } else {
                line.append('"');
                arg.chars().forEach(c -> line.append(escaped((char) c, random)));
                line.append('"');
            }
        }
        return line.append(random.nextBoolean() ? "\r\n" : "\n").toString();
    }

    static void feedInPieces(ParserDriver driver, byte[] bytes, Random random) {
        int from = 0;
        while (from < bytes.length) {
            int to = Math.min(bytes.length, from + 1 + random.nextInt(random.nextBoolean() ? 3 : 60));
            driver.feed(bytes, from, to);
            from = to;
        }
    }

    private static String escaped(char c, Random random) {
        if (c == '\n') {
            return random.nextBoolean() ? "\\n" : "\\x0a";
        }
        if (c == '"' || c == '\\') {
            return "\\" + c;
        }
        return random.nextInt(4) == 0 ? String.format("\\x%02X", (int) c) : String.valueOf(c);
    }
}
