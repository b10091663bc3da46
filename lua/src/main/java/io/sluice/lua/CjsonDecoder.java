package io.sluice.lua;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/**
 * Reads JSON; messages and leniency are lua-cjson's. Nesting is kept in a list of open tables, so that it takes no Java
 * stack.
 */
final class CjsonDecoder {

    private static final int CHECK_MASK = 0x3ff;
    private static final int LEVEL_BYTES = 32;

    /** Kinds of tokens; lower-case ones are never shown. */
    private enum Kind {
        T_OBJ_BEGIN, T_OBJ_END, T_ARR_BEGIN, T_ARR_END, T_STRING, T_NUMBER, T_BOOLEAN, T_NULL, T_COLON, T_COMMA, T_END,
        T_ERROR
    }

    private final LuaRuntime rt;
    private final Cjson config;
    private final byte[] text;
    private final ArrayDeque<Level> levels = new ArrayDeque<>();
    private int at;
    private int steps;

    private Kind kind;
    private Object value;
    private int tokenAt;
    private String problem;

    /** An object or array that is being read. */
    private static final class Level {
        final LuaTable table = new LuaTable();
        final boolean object;
        /** The key whose value comes next. */
        Object key;
        int count;

        Level(boolean object) {
            this.object = object;
        }
    }

    CjsonDecoder(LuaRuntime rt, Cjson config, byte[] text) {
        this.rt = rt;
        this.config = config;
        this.text = text;
    }

    Object document() {
        if (text.length >= 2 && (text[0] == 0 || text[1] == 0)) {
            throw rt.error("JSON parser does not support UTF-16 or UTF-32");
        }
        next();
        Object result = value();
        while (!levels.isEmpty()) {
            Level level = levels.peek();
            if (result != null) {
                add(level, result);
            }
            result = isClosed(level, result == null) ? levels.pop().table : value();
        }
        next();
        if (kind != Kind.T_END) {
            throw unexpected("the end");
        }
        return result;
    }

    private LuaError unexpected(String expected) {
        String found = kind == Kind.T_ERROR ? problem : kind.name();
        return rt.error("Expected " + expected + " but found " + found + " at character " + (tokenAt + 1));
    }

    /** The value that begins with the current token; null when it is a table, which is then the innermost level. */
    private Object value() {
        if ((++steps & CHECK_MASK) == 0) {
            rt.checkpoint();
        }
        switch (kind) {
            case T_STRING, T_NUMBER, T_BOOLEAN:
                return value;
            case T_NULL:
                return LuaUserdata.NULL;
            case T_OBJ_BEGIN, T_ARR_BEGIN:
                open(kind == Kind.T_OBJ_BEGIN);
                return null;
            default:
                throw unexpected("value");
        }
    }

    private void open(boolean object) {
        int depth = levels.size() + 1;
        if (depth > config.decodeDepthMax) {
            throw rt.error("Found too many nested data structures (" + depth + ") at character " + at);
        }
        rt.allocate(LuaTable.initialFootprint(0, 0) + LEVEL_BYTES);
        levels.push(new Level(object));
    }

    private void add(Level level, Object item) {
        if (level.object) {
            rt.set(level.table, level.key, item);
        } else {
            rt.set(level.table, (double) ++level.count, item);
        }
    }

    /** Reads on to the level's next value, or finds its end. */
    private boolean isClosed(Level level, boolean first) {
        next();
        Kind end = level.object ? Kind.T_OBJ_END : Kind.T_ARR_END;
        if (kind == end) {
            return true;
        }
        if (!first) {
            if (kind != Kind.T_COMMA) {
                throw unexpected(level.object ? "comma or object end" : "comma or array end");
            }
            next();
        }
        if (level.object) {
            key(level);
        }
        return false;
    }

    private void key(Level level) {
        if (kind != Kind.T_STRING) {
            throw unexpected("object key string");
        }
        level.key = value;
        next();
        if (kind != Kind.T_COLON) {
            throw unexpected("colon");
        }
        next();
    }

    private int peek(int ahead) {
        return at + ahead < text.length ? text[at + ahead] & 0xff : 0;
    }

    private void next() {
        int c = peek(0);
        while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            at++;
            c = peek(0);
        }
        tokenAt = at;
        switch (c) {
            case '{' -> single(Kind.T_OBJ_BEGIN);
            case '}' -> single(Kind.T_OBJ_END);
            case '[' -> single(Kind.T_ARR_BEGIN);
            case ']' -> single(Kind.T_ARR_END);
            case ',' -> single(Kind.T_COMMA);
            case ':' -> single(Kind.T_COLON);
            case 0 -> kind = Kind.T_END;
            case '"' -> string();
            default -> word(c);
        }
    }

    private void single(Kind k) {
        kind = k;
        at++;
    }

    private void fail(String what) {
        kind = Kind.T_ERROR;
        tokenAt = at;
        problem = what;
    }

    private void word(int c) {
        if (c == '-' || CharClass.isDigit(c)) {
            if (!config.decodeInvalid && invalidNumber()) {
                fail("invalid number");
            } else {
                number();
            }
        } else if (literal("true")) {
            kind = Kind.T_BOOLEAN;
            value = Boolean.TRUE;
        } else if (literal("false")) {
            kind = Kind.T_BOOLEAN;
            value = Boolean.FALSE;
        } else if (literal("null")) {
            kind = Kind.T_NULL;
        } else if ("iInN+".indexOf(c) >= 0 && config.decodeInvalid && invalidNumber()) {
            number();
        } else {
            fail("invalid token");
        }
    }

    private boolean literal(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (peek(i) != word.charAt(i)) {
                return false;
            }
        }
        at += word.length();
        return true;
    }

    /** What strtod takes and strict JSON does not: a plus, hexadecimal, leading zeros, inf and nan. */
    private boolean invalidNumber() {
        if (peek(0) == '+') {
            return true;
        }
        int i = peek(0) == '-' ? 1 : 0;
        if (peek(i) == '0') {
            int second = peek(i + 1);
            return (second | 0x20) == 'x' || CharClass.isDigit(second);
        }
        if (peek(i) <= '9') {
            return false;
        }
        String word = "" + (char) (peek(i) | 0x20) + (char) (peek(i + 1) | 0x20) + (char) (peek(i + 2) | 0x20);
        return "inf".equals(word) || "nan".equals(word);
    }

    private void number() {
        int[] end = new int[1];
        double d = NumberParser.parsePrefix(text, at, end);
        if (NumberParser.isFailure(d)) {
            fail("invalid number");
            return;
        }
        kind = Kind.T_NUMBER;
        value = d;
        at = end[0];
    }

    private void string() {
        at++;
        int start = at;
        ByteBuilder out = null;
        while (peek(0) != '"') {
            int c = peek(0);
            if (c == 0) {
                fail("unexpected end of string");
                return;
            }
            if (c == '\\') {
                if (out == null) {
                    out = new ByteBuilder(at - start + 32);
                    out.add(text, start, at);
                }
                if (!escape(out)) {
                    return;
                }
            } else {
                if (out != null) {
                    out.add(c);
                }
                at++;
            }
        }
        kind = Kind.T_STRING;
        value = rt.counted(out != null ? out.toLuaString() : LuaString.copyOf(text, start, at));
        at++;
    }

    private boolean escape(ByteBuilder out) {
        int c = peek(1);
        int i = "\"\\/btnfr".indexOf(c);
        if (c != 0 && i >= 0) {
            out.add("\"\\/\b\t\n\f\r".charAt(i));
            at += 2;
            return true;
        }
        if (c != 'u') {
            fail("invalid escape code");
            return false;
        }
        int codepoint = hex4(2);
        int length = 6;
        if ((codepoint & 0xf800) == 0xd800) {
            int low = peek(6) == '\\' && peek(7) == 'u' ? hex4(8) : -1;
            boolean pair = (codepoint & 0x400) == 0 && (low & 0xfc00) == 0xdc00;
            codepoint = pair && low >= 0 ? ((codepoint & 0x3ff) << 10 | low & 0x3ff) + 0x10000 : -1;
            length = 12;
        }
        if (codepoint < 0) {
            fail("invalid unicode escape code");
            return false;
        }
        out.add(utf8(codepoint));
        at += length;
        return true;
    }

    private int hex4(int from) {
        int codeUnit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit((char) peek(from + i), 16);
            if (digit < 0) {
                return -1;
            }
            codeUnit = codeUnit << 4 | digit;
        }
        return codeUnit;
    }

    private static byte[] utf8(int codepoint) {
        return new String(Character.toChars(codepoint)).getBytes(StandardCharsets.UTF_8);
    }
}
