package io.sluice.compat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes random Lua scripts that Redis and Sluice must answer alike: values of all types that go into commands, come
 * out of them and go back to the client, and errors of all kinds in all places. The same seed makes the same scripts.
 *
 * <p>Nothing depends on time, on the order of {@code pairs} over more than one key, or on addresses. No error is raised
 * that is a table without a text: Redis 7.0.15 crashes at it.
 */
final class ScriptGenerator {
    private static final String[] NUMBERS = {"0", "1", "-1", "3.99", "-3.99", "0.1", "1e15", "1e17", "1e300", "-1e300",
        "2^53", "2^53 - 1", "2^63", "-2^63", "1/0", "-1/0", "1700000000.123456", "0x10", "100", "1/3", "5e-324"};
    private static final String[] STRINGS = {"''", "'x'", "'5'", "' 7 '", "'0x10'", "'1e3'", "'abc'", "'a\\0b'",
        "'\\255\\200'", "'3.7'", "'-2'", "('ab'):rep(20)", "'line\\r\\nline'"};
    private static final String[] KEYS = {"'a'", "'b'", "'c'", "KEYS[1]", "KEYS[2]", "ARGV[1]"};
    private static final String[] HASH_KEYS = {"'h1'", "'h2'", "'a'"};
    private static final String[] LIST_KEYS = {"'l1'", "'l2'", "'a'"};
    private static final String[] SET_KEYS = {"'s1'", "'a'"};
    private static final String[] SORTED_KEYS = {"'z1'", "'z2'", "'a'"};
    private static final String[] NO_VALUES = {"nil", "{}", "true", "print", "redis.call"};
    private static final String[] OPERATORS = {"+", "-", "*", "/", "%", "^", ".."};
    private static final String[] COMPARISONS = {"<", "<=", "==", "~=", ">", ">="};
    private static final String[] FORMATS = {"'%d'", "'%s'", "'%.3f'", "'%g'", "'%x'", "'%5.1f|'", "'%q'", "'%i'",
        "'%-8s|'", "'%c'"};

    private final Random random;
    private final boolean collections;

    /** @param collections whether scripts call commands on hashes, lists and sets */
    ScriptGenerator(long seed, boolean collections) {
        random = new Random(seed);
        this.collections = collections;
    }

    /** A script. It is given two keys and two further arguments. */
    String next() {
        List<String> lines = new ArrayList<>();
        String head = chance(12)
            ? pick("#!lua", "#!lua flags=no-writes", "#!lua flags=allow-oom,no-writes", "#!lua x") + "\n" : "";
        if (chance(5)) {
            lines.add("redis.setresp(" + pick("2", "3", "3", "3", "'3'", "4", "") + ")");
        }
        int statements = random.nextInt(4);
        for (int i = 0; i < statements; i++) {
            lines.add(statement(i));
        }
        lines.add(chance(15) ? failure() : "return " + result(3));
        return head + String.join(chance(2) ? "\n" : " ", lines);
    }

    private String statement(int i) {
        return switch (random.nextInt(6)) {
            case 0 -> "local v" + i + " = " + value(2);
            case 1, 2 -> command("redis.call");
            case 3 -> "local r" + i + " = " + command("redis.pcall");
            case 4 -> "if " + condition() + " then " + command("redis.call") + " end";
            default -> "for i = 1, " + random.nextInt(4) + " do " + command("redis.pcall") + " end";
        };
    }

    /** What a script may return. */
    private String result(int depth) {
        return switch (random.nextInt(depth > 0 ? 16 : 6)) {
            case 0 -> number();
            case 1 -> string();
            case 2 -> pick("true", "false", "nil");
            case 3, 4, 5, 6 -> command(chance(3) ? "redis.pcall" : "redis.call");
            case 7, 8 -> "{" + list(depth) + "}";
            case 9 -> "{" + pick("ok", "err") + " = " + pick(string(), number(), "{}") + "}";
            case 10 -> typed();
            case 11 -> "redis." + pick("error_reply", "status_reply") + "(" + pick(string(), string(), number(), "")
                + ")";
            case 12 -> "{pcall(" + pick("redis.call", "redis.pcall", "tonumber", "error") + ", " + value(1) + ")}";
            case 13 -> "tostring(" + value(depth - 1) + ")";
            case 14 -> "type(" + command("redis.pcall") + ")";
            default -> value(depth);
        };
    }

    private String list(int depth) {
        List<String> items = new ArrayList<>();
        int size = random.nextInt(5);
        for (int i = 0; i < size; i++) {
            items.add(result(depth - 1));
        }
        return String.join(", ", items);
    }

    private String typed() {
        return switch (random.nextInt(7)) {
            case 0 -> "{double = " + pick("0.5", "3", "-2.25", "1e3", "1/0", "'x'") + "}";
            case 1 -> "{map = {[" + pick(string(), number()) + "] = " + result(1) + "}}";
            case 2 -> "{set = {[" + pick(string(), number()) + "] = " + result(0) + " or true}}";
            case 3 -> "{big_number = " + pick("'12345678901234567890'", "'1'", "5") + "}";
            case 4 -> "{verbatim_string = {format = 'txt', string = " + string() + "}}";
            case 5 -> "{map = {}, " + pick("ok", "set", "big_number") + " = " + pick("'x'", "1", "{}") + ", double = "
                + pick("0.5", "nil") + ", verbatim_string = " + pick("1", "{format = 'markdown', string = ''}") + "}";
            default -> "{set = {}, [1] = 2}";
        };
    }

    private String value(int depth) {
        if (depth == 0) {
            return chance(2) ? number() : string();
        }
        return switch (random.nextInt(12)) {
            case 0, 1 -> number();
            case 2, 3 -> string();
            case 4, 5 -> "(" + value(depth - 1) + " " + pick(OPERATORS) + " " + value(depth - 1) + ")";
            case 6 -> "tonumber(" + value(depth - 1) + ")";
            case 7 -> "string.format(" + pick(FORMATS) + ", " + value(depth - 1) + ")";
            case 8 -> "math." + pick("floor", "ceil", "abs", "sqrt") + "(" + value(depth - 1) + ")";
            case 9 -> "math." + pick("max", "min", "fmod") + "(" + value(depth - 1) + ", " + value(depth - 1) + ")";
            case 10 -> "(" + condition() + ")";
            default -> "#" + string();
        };
    }

    private String condition() {
        return value(0) + " " + pick(COMPARISONS) + " " + value(0);
    }

    private String number() {
        return "(" + pick(NUMBERS) + ")";
    }

    private String string() {
        return pick(STRINGS);
    }

    /** An end in an error. */
    private String failure() {
        return switch (random.nextInt(10)) {
            case 0 -> "error(" + pick(string(), number(), "nil", "true", "") + ")";
            case 1 -> "error({err = " + pick("'MY code'", "'one'", "''", "5") + "})";
            case 2 -> "return nosuchvariable";
            case 3 -> "global = 1";
            case 4 -> "local t = nil return t.x";
            case 5 -> "return " + value(0) + " " + pick(COMPARISONS) + " " + pick(NO_VALUES);
            case 6 -> "redis.call(" + pick("", "'nosuch'", "'get'", "'multi'", "{}", "nil", "'config', 'nosuch'") + ")";
            case 7 -> "return redis.nosuch()";
            case 8 -> "local x = = 1";
            default -> "error(redis.error_reply(" + string() + "))";
        };
    }

    private String command(String call) {
        return call + "(" + switch (random.nextInt(collections ? 9 : 4)) {
            case 0, 1, 2 -> onString();
            case 3 -> onAnything();
            case 4, 5 -> onHash();
            case 6 -> onList();
            case 7 -> onSet();
            default -> onSortedSet();
        } + ")";
    }

    private String argument() {
        return switch (random.nextInt(20)) {
            case 0 -> pick(NO_VALUES);
            case 1, 2, 3 -> value(1);
            case 4, 5, 6, 7, 8, 9 -> number();
            default -> string();
        };
    }

    private String onString() {
        String key = pick(KEYS);
        return switch (random.nextInt(11)) {
            case 0, 1 -> "'set', " + key + ", " + argument();
            case 2, 3 -> pick("'get'", "'GET'", "'getdel'") + ", " + key;
            case 4 -> pick("'incr'", "'decr'") + ", " + key;
            case 5 -> "'incrby', " + key + ", " + argument();
            case 6 -> "'append', " + key + ", " + string();
            case 7 -> "'mget', " + key + ", " + pick(KEYS);
            case 8 -> "'set', " + key + ", " + argument() + ", " + pick("'nx'", "'xx'", "'get'", "'px', 90000000");
            case 9 -> "'getrange', " + key + ", " + argument() + ", -1";
            default -> "'strlen', " + key;
        };
    }

    private String onAnything() {
        String key = pick(pick(KEYS), pick(HASH_KEYS), pick(LIST_KEYS), pick(SORTED_KEYS));
        return switch (random.nextInt(8)) {
            case 0 -> "'del', " + key;
            case 1 -> "'exists', " + key + ", 'a'";
            case 2 -> "'type', " + key;
            case 3 -> "'expire', " + key + ", " + pick("864000", "-1", "'x'", "1.5");
            case 4 -> "'persist', " + key;
            case 5 -> pick("'ping'", "'echo', " + argument(), "'select', " + pick("0", "1", "99"));
            case 6 -> "'rename', " + key + ", " + pick(KEYS);
            default -> pick("'get'", "'auth', 'x'", "'subscribe', 'x'", "'eval', 'return 1', 0", "'object', 'help2'");
        };
    }

    private String onHash() {
        String key = pick(HASH_KEYS);
        return switch (random.nextInt(7)) {
            case 0, 1 -> "'hset', " + key + ", 'f', " + argument();
            case 2 -> "'hget', " + key + ", " + pick("'f'", "'none'");
            case 3 -> "'hgetall', " + key;
            case 4 -> "'hmget', " + key + ", 'f', 'none'";
            case 5 -> "'hincrby', " + key + ", 'n', " + argument();
            default -> "'hdel', " + key + ", " + pick("'f'", "'n'");
        };
    }

    private String onList() {
        String key = pick(LIST_KEYS);
        return switch (random.nextInt(5)) {
            case 0, 1 -> pick("'lpush'", "'rpush'") + ", " + key + ", " + argument();
            case 2 -> "'lrange', " + key + ", " + argument() + ", -1";
            case 3 -> "'lpop', " + key;
            default -> "'llen', " + key;
        };
    }

    private String onSet() {
        String key = pick(SET_KEYS);
        return switch (random.nextInt(4)) {
            case 0 -> "'sadd', " + key + ", 'm'";
            case 1 -> "'smembers', " + key;
            case 2 -> "'sismember', " + key + ", " + argument();
            default -> "'srem', " + key + ", 'm'";
        };
    }

    private String onSortedSet() {
        String key = pick(SORTED_KEYS);
        return switch (random.nextInt(5)) {
            case 0, 1 -> "'zadd', " + key + ", " + pick("1", "2.5", "-3", "'(1'", "'x'") + ", " + string();
            case 2 -> "'zscore', " + key + ", " + string();
            case 3 -> "'zrange', " + key + ", 0, -1" + pick("", ", 'withscores'");
            default -> "'zcard', " + key;
        };
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
