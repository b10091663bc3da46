package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Seeded commands that nobody means: each from the table of the server, admin ones included, some with arguments as
 * described there, some with odd ones, too few, too many, or another command's. Only what ends the server is left out.
 */
final class FuzzGenerator {
    private static final Set<String> LEFT_OUT = Set.of("shutdown");
    /** Settings that would lock the test itself out, let clients keep memory, or scripts go on for ever. */
    private static final Set<String> SETTINGS_LEFT_OUT = Set.of("maxclients", "requirepass",
        "client-output-buffer-limit", "client-query-buffer-limit", "proto-max-bulk-len", "busy-reply-threshold",
        "lua-time-limit", "script-stop-threshold");
    /** A pause holds the witness, too. */
    private static final List<String> PAUSES = List.of("0", "1", "5", "10", "-1", "x", "");
    private static final List<String> KEYS = List.of("string", "int", "hash", "list", "set", "zset", "gcra", "bucket",
        "log", "bits", "missing", "other", "{tag}a", "", "\0\r\n\u00ff");
    private static final List<String> NUMBERS = List.of("0", "1", "-1", "2", "10", "100", "3600", "4294967296",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "1e3", "1.5",
        "-0.0", "1e400", "nan", "inf", "-inf", "+inf", "(1", "[a", "-", "+", "0x10", "01", " 1", "1 ", "+1", "");
    private static final List<String> TEXTS = List.of("v", "", "*", "a*a*a*a*a*a*a*b", "[", "[^", "\\", "?",
        "\r\n+OK\r\n", "\0", "\u00ff\u00fe", "nosuch", "default", "~*", "+@all", "-@all", "on", "all", "sync", "async",
        "0-0", "$", ">");
    private static final List<String> SCRIPTS = List.of("return 1", "return redis.call('GET', KEYS[1])",
        "return redis.pcall('INCR', KEYS[1])", "return {1, {2, {3}}, false, 'x', 3.9}", "error('x')",
        "return {err='E x'}",
        "local t = {} for i = 1, 100000 do t[i] = i end return #t", "return string.rep('x', 10000000)",
        "return redis.call('NOSUCH')", "return redis.call()", "return cjson.decode('[')", "syntax error here",
        "return string.format('%d', 1e300)", "local function f() return f() + 1 end return f()", "return KEYS",
        "return ARGV",
        "#!lua flags=no-writes\nreturn redis.call('SET', KEYS[1], 1)", "return redis.call('SUBSCRIBE', 'x')",
        "return redis.call('MULTI')", "return struct.unpack('>I2', 'a')", "return cmsgpack.unpack('\\193')",
        "for i = 1, 3 do redis.pcall('SET', KEYS[1] or 'k', 'v') end return 1", "return ('x'):rep(-1)",
        "return tostring(setmetatable({}, {__tostring = function() error('y') end}))");
    private static final int LONG_TEXT = 70_000;
    private static final int REPEATS_MAX = 4;

    private final Random random;
    private final List<CommandShape> shapes;
    private final List<String> settings;

    /** @param settings names and values in turns, as {@code CONFIG GET} tells them */
    FuzzGenerator(long seed, List<CommandShape> all, List<String> settings) {
        random = new Random(seed);
        this.settings = settings;
        shapes = all.stream().filter(shape -> !LEFT_OUT.contains(shape.name())).toList();
    }

    /** Commands that it chooses from. */
    int shapes() {
        return shapes.size();
    }

    /** The next command, its words. */
    List<String> next() {
        CommandShape shape = pick(shapes);
        List<String> words = new ArrayList<>(shape.words());
        switch (random.nextInt(10)) {
            case 0 -> odd(words, random.nextInt(8));
            case 1 -> described(words, pick(shapes).args());
            case 2 -> {
                described(words, shape.args());
                words.subList(Math.min(words.size(), 1 + random.nextInt(words.size())), words.size()).clear();
            }
            case 3 -> {
                described(words, shape.args());
                odd(words, 1 + random.nextInt(3));
            }
            default -> described(words, shape.args());
        }
        if (words.size() > shape.words().size() && random.nextInt(4) == 0) {
            int at = shape.words().size() + random.nextInt(words.size() - shape.words().size());
            words.set(at, odd());
        }
        if (shape.name().equals("client pause") && words.size() > 2) {
            words.set(2, pick(PAUSES));
        }
        return shape.name().equals("config set") ? setting() : words;
    }

    private List<String> setting() {
        List<String> words = new ArrayList<>(List.of("config", "set"));
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(settings.size() / 2) * 2;
            if (!SETTINGS_LEFT_OUT.contains(settings.get(at))) {
                words.add(settings.get(at));
                words.add(random.nextBoolean() ? settings.get(at + 1) : odd());
            }
        }
        return words;
    }

    /** The bytes of a command, one time in ten not as they should be. */
    String frame(List<String> words) {
        String frame = RespClient.command(words);
        if (random.nextInt(10) > 0) {
            return frame;
        }
        StringBuilder bytes = new StringBuilder(frame);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(bytes.length());
            switch (random.nextInt(4)) {
                case 0 -> bytes.setCharAt(at, (char) random.nextInt(256));
                case 1 -> bytes.insert(at, (char) random.nextInt(256));
                case 2 -> bytes.setLength(at + 1);
                default -> bytes.insert(at, "\r\n$-1\r\n");
            }
        }
        return bytes.toString();
    }

    private void odd(List<String> words, int count) {
        for (int i = 0; i < count; i++) {
            words.add(odd());
        }
    }

    private String odd() {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> pick(KEYS);
            case 3, 4, 5, 6 -> pick(NUMBERS);
            case 7 -> Long.toString(random.nextLong() >> random.nextInt(64));
            case 8 -> random.nextInt(20) == 0 ? "x".repeat(LONG_TEXT) : "x";
            case 9 -> pick(SCRIPTS);
            default -> pick(TEXTS);
        };
    }

    private void described(List<String> words, List<CommandShape.Arg> args) {
        for (CommandShape.Arg arg : args) {
            if (arg.optional() && random.nextInt(3) > 0) {
                continue;
            }
            int times = arg.multiple() ? 1 + random.nextInt(REPEATS_MAX) : 1;
            for (int i = 0; i < times; i++) {
                described(words, arg);
            }
        }
    }

    private void described(List<String> words, CommandShape.Arg arg) {
        if (arg.token() != null) {
            words.add(arg.token());
        }
        switch (arg.type()) {
            case "pure-token" -> { }
            case "oneof" -> described(words, pick(arg.parts()));
            case "block" -> described(words, arg.parts());
            case "key" -> words.add(pick(KEYS));
            case "integer", "double", "unix-time" ->
                words.add(random.nextInt(3) > 0 ? Integer.toString(random.nextInt(20)) : pick(NUMBERS));
            case "pattern" -> words.add(pick(TEXTS));
            default -> words.add(random.nextInt(3) == 0 ? pick(SCRIPTS) : pick(TEXTS));
        }
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
