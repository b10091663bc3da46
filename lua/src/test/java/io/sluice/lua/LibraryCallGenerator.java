package io.sluice.lua;

import java.util.Random;

/** Makes calls of the string and table libraries with arguments that stress them. The seed decides which. */
final class LibraryCallGenerator {

    private static final String[] ITEMS = {"a", "b", ".", "%a", "%d", "%s", "%w", "%W", "[abc]", "[^ab]", "[a-c]",
        "[%d%s]", "[]a]", "[a-]", "%.", "%%", "x", "(", ")", "-", "[", "%", "%z", "[^%w]", "%u", "%l", "%p", "%x"};
    private static final String[] SUFFIXES = {"", "", "", "*", "+", "-", "?"};
    private static final String[] SUBJECT = {"a", "b", "c", "x", "1", "2", " ", "(", ")", ".", "-", "%", "A", "_", "["};
    private static final String[] FLAGS = {"", "-", "+", " ", "#", "0", "-0", "+0", "#0", " 0", "-+"};
    private static final String[] WIDTHS = {"", "5", "10", "1", "20"};
    private static final String[] PRECISIONS = {"", ".", ".0", ".3", ".10", ".1"};
    private static final String[] DIRECTIVES = {"d", "i", "u", "c", "x", "X", "o", "e", "E", "f", "g", "G", "s", "q"};
    private static final String[] NUMBERS = {"0", "1", "-1", "42", "-3.7", "1e10", "123456.789", "0.000123", "2^31",
        "-2^31", "1e20", "1/0", "'12'", "0.5", "2.5", "1e-7", "99999.5", "255", "65"};
    private static final String[] ORDERS = {"a < b", "a > b", "a <= b", "a % 3 < b % 3", "true", "false",
        "n % 2 == 0"};

    private final Random random;

    LibraryCallGenerator(Random random) {
        this.random = random;
    }

    private String pick(String[] from) {
        return from[random.nextInt(from.length)];
    }

    private static String quoted(String s) {
        return "'" + s + "'";
    }

    String patternCalls() {
        String s = quoted(repeat(SUBJECT, random.nextInt(12)));
        String p = quoted(pattern());
        String replacement = pick(new String[] {"'<%0>'", "'%1'", "'x%2'", "'%%'", "''"});
        return "return pcall(string.find, " + s + ", " + p + "), pcall(string.gsub, " + s + ", " + p + ", "
            + replacement
            + "), pcall(function() local r = {} for x, y in string.gmatch(" + s + ", " + p
            + ") do r[#r + 1] = x r[#r + 1] = y end return unpack(r) end)";
    }

    private String repeat(String[] from, int count) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < count; i++) {
            out.append(pick(from));
        }
        return out.toString();
    }

    private String pattern() {
        StringBuilder out = new StringBuilder(random.nextInt(6) == 0 ? "^" : "");
        int open = 0;
        int count = random.nextInt(1, 6);
        for (int i = 0; i < count; i++) {
            switch (random.nextInt(12)) {
                case 0 -> {
                    out.append('(');
                    open++;
                }
                case 1 -> {
                    out.append(open > 0 ? ")" : "()");
                    open = Math.max(0, open - 1);
                }
                case 2 -> out.append("%b()");
                case 3 -> out.append("%f[%w]");
                case 4 -> out.append("%1");
                default -> out.append(pick(ITEMS)).append(pick(SUFFIXES));
            }
        }
        out.append(")".repeat(random.nextInt(8) == 0 ? 0 : open));
        return out.append(random.nextInt(6) == 0 ? "$" : "").toString();
    }

    String formatCall() {
        String directive = "%" + pick(FLAGS) + pick(WIDTHS) + pick(PRECISIONS) + pick(DIRECTIVES);
        return "return pcall(string.format, " + quoted(directive) + ", " + pick(NUMBERS) + ")";
    }

    String sortCall() {
        StringBuilder out = new StringBuilder("local n, t = 0, {");
        int count = random.nextInt(2, 25);
        for (int i = 0; i < count; i++) {
            out.append(random.nextInt(8)).append(", ");
        }
        return out + "} local ok, e = pcall(table.sort, t, function(a, b) n = n + 1 return " + pick(ORDERS)
            + " end) return ok, ok and table.concat(t, ',') or e, n";
    }

    /** Changes at both ends and in the middle of an array without holes. */
    String arrayChanges() {
        StringBuilder out = new StringBuilder("local t, o = {1, 2, 3, 'four', 5}, {} ");
        int count = random.nextInt(1, 10);
        for (int i = 0; i < count; i++) {
            int at = random.nextInt(1, 7);
            out.append(switch (random.nextInt(6)) {
                case 0 -> "table.insert(t, 'i" + i + "') ";
                case 1 -> "o[#o + 1] = tostring((table.remove(t))) ";
                case 2 -> "table.insert(t, math.min(#t + 1, " + at + "), 'p" + i + "') ";
                case 3 -> "o[#o + 1] = tostring((table.remove(t, " + at + "))) ";
                case 4 -> "t[#t] = nil ";
                default -> "t[#t + 1] = 'e" + i + "' ";
            }).append("o[#o + 1] = #t ");
        }
        return out.append("return table.concat(o, ' '), t").toString();
    }
}
