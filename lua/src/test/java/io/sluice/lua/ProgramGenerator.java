package io.sluice.lua;

import java.util.Random;

/** Makes small programs whose outcome depends on nothing but the language. The seed decides which. */
final class ProgramGenerator {

    private static final String[] ARITHMETIC = {"+", "-", "*", "/", "%", "^"};
    private static final String[] COMPARISON = {"<", "<=", ">", ">=", "==", "~="};
    private static final String[] CONSTANTS = {"nil", "true", "false", "1", "2", "3", "7", "10", "0.5", "1e3", "-3",
        "'a'", "'b'", "'10'", "' 5 '", "'0x10'", "''", "'abc'", "{}", "{1, 2, 3}", "{x = 1, y = 'z'}"};
    private static final String[] PATTERNS = {"'%w+'", "'(a)(b)'", "'.'", "'[a-c]*'", "'%d'", "'a?b'", "'^a'", "'c$'",
        "'()'", "'b-'", "'[^a]'"};

    private final Random random;
    private final StringBuilder out = new StringBuilder();
    private int locals;
    private int statements;
    private int loops;

    ProgramGenerator(Random random) {
        this.random = random;
    }

    String program() {
        int count = random.nextInt(1, 6);
        for (int i = 0; i < count; i++) {
            statement(2);
        }
        out.append("return ");
        for (int i = 0; i < locals; i++) {
            out.append("v").append(i).append(", ");
        }
        expression(2);
        return out.toString();
    }

    private String pick(String[] from) {
        return from[random.nextInt(from.length)];
    }

    private void statement(int depth) {
        if (++statements > 30) {
            return;
        }
        int before = locals;
        switch (random.nextInt(depth > 0 ? 10 : 3)) {
            case 0, 1, 2 -> {
                declare("", 3, random.nextInt(3) == 0 ? "\n" : " ", 0);
                return;
            }
            case 3 -> assignment();
            case 4 -> {
                out.append("if ");
                expression(2);
                out.append(" then ");
                block(depth);
                out.append(" else ");
                loopBody(depth);
            }
            case 5 -> {
                out.append("for i = 1, ").append(random.nextInt(5)).append(" do ");
                loopBody(depth);
            }
            case 6 -> {
                int n = loops++;
                out.append("local n# = 0 while n# < 3 do n# = n# + 1 ".replace("#", Integer.toString(n)));
                loopBody(depth);
            }
            case 7 -> {
                out.append("for _, e in ipairs({");
                expression(1);
                out.append(", ");
                expression(1);
                out.append("}) do ");
                loopBody(depth);
            }
            case 8 -> {
                declare("(function(...) ", 2, " end)(v0 or 5) ", depth);
                return;
            }
            default -> {
                declare("{pcall(function() ", 2, " end)} ", depth);
                return;
            }
        }
        locals = before;
    }

    private void loopBody(int depth) {
        block(depth);
        out.append(" end ");
    }

    /** A new local; with a block in front of its value where {@code blockDepth} is above 0. */
    private void declare(String before, int expressionDepth, String after, int blockDepth) {
        out.append("local v").append(locals).append(" = ").append(before);
        if (blockDepth > 0) {
            block(blockDepth);
            out.append(" return ");
        }
        expression(expressionDepth);
        out.append(after);
        locals++;
    }

    private void block(int depth) {
        int before = locals;
        int count = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            statement(depth - 1);
        }
        locals = before;
    }

    private void assignment() {
        if (locals == 0) {
            out.append("do end ");
            return;
        }
        out.append("v").append(random.nextInt(locals));
        if (random.nextInt(4) == 0) {
            out.append("[");
            expression(1);
            out.append("]");
        }
        out.append(" = ");
        expression(2);
        out.append(" ");
    }

    private void expression(int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            out.append(locals > 0 && random.nextBoolean() ? "v" + random.nextInt(locals) : pick(CONSTANTS));
            return;
        }
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> binary(pick(ARITHMETIC), depth);
            case 3 -> binary(pick(COMPARISON), depth);
            case 4 -> binary("..", depth);
            case 5 -> binary(random.nextBoolean() ? "and" : "or", depth);
            case 6 -> call(new String[] {"tostring", "tonumber", "type", "#", "not ", "-"}, depth);
            case 7 -> call(new String[] {"math.floor", "math.abs", "math.max", "math.ceil", "select"}, depth);
            case 8 -> stringCall(depth);
            case 9 -> {
                out.append("({");
                expression(depth - 1);
                out.append(", ");
                expression(depth - 1);
                out.append("})[");
                expression(depth - 1);
                out.append("]");
            }
            case 10 -> {
                out.append("(");
                expression(depth - 1);
                out.append(").x");
            }
            default -> {
                out.append("(function() return ");
                expression(depth - 1);
                out.append(" end)()");
            }
        }
    }

    private void binary(String operator, int depth) {
        out.append("(");
        expression(depth - 1);
        out.append(" ").append(operator).append(" ");
        expression(depth - 1);
        out.append(")");
    }

    private void call(String[] functions, int depth) {
        out.append(pick(functions)).append("((");
        expression(depth - 1);
        out.append("))");
    }

    private void stringCall(int depth) {
        switch (random.nextInt(5)) {
            case 0 -> {
                out.append("(string.gsub((");
                expression(depth - 1);
                out.append("), ").append(pick(PATTERNS)).append(", '<%0>'))");
            }
            case 1 -> {
                out.append("string.find((");
                expression(depth - 1);
                out.append("), ").append(pick(PATTERNS)).append(")");
            }
            case 2 -> {
                out.append("string.sub((");
                expression(depth - 1);
                out.append("), (");
                expression(depth - 1);
                out.append("))");
            }
            case 3 -> {
                out.append("string.format('%s|%5.1f|%d', (");
                expression(depth - 1);
                out.append("), (");
                expression(depth - 1);
                out.append("), 3)");
            }
            default -> {
                out.append("table.concat({(");
                expression(depth - 1);
                out.append("), 'k'}, '-')");
            }
        }
    }
}
