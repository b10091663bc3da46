package io.sluice.lua;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What EVAL would answer, as text: the conversion of results and errors that Redis does around the engine. Written
 * as the
 * recorded files of these tests have it: {@code :3}, {@code "text"}, {@code nil}, {@code [a, b]}, {@code +OK},
 * {@code -ERR ...}.
 */
final class RedisReply {

    private RedisReply() {
    }

    static String eval(String script) {
        LuaScript compiled;
        try {
            compiled = Lua.compile(script);
        } catch (LuaError e) {
            return escape("-ERR Error compiling script (new function): " + e.getMessage());
        }
        LuaRuntime rt = Lua.sealed();
        try {
            return show(LuaValues.first(rt.invoke(rt.load(compiled))));
        } catch (LuaError e) {
            String where = " script: " + sha1(script) + ", on " + e.source() + ":" + e.line() + ".";
            return escape("-" + errorText(e) + where);
        }
    }

    private static String errorText(LuaError e) {
        if (e.value() instanceof LuaTable t) {
            return String.valueOf(t.get(LuaString.name("err")));
        }
        Object text = e.value() == null ? "nil" : LuaValues.toLuaString(e.value());
        return "ERR " + text;
    }

    private static String show(Object value) {
        if (value instanceof LuaString s) {
            return '"' + escape(s.toString()).replace("\"", "\\x22") + '"';
        }
        if (value instanceof Double d) {
            return ":" + LuaValues.replyInteger(d);
        }
        if (value instanceof Boolean b) {
            return b ? ":1" : "nil";
        }
        return value instanceof LuaTable t ? table(t) : "nil";
    }

    private static String table(LuaTable t) {
        if (t.get(LuaString.name("err")) instanceof LuaString s) {
            return escape("-" + oneLine(s));
        }
        if (t.get(LuaString.name("ok")) instanceof LuaString s) {
            return escape("+" + oneLine(s));
        }
        StringBuilder out = new StringBuilder("[");
        for (int i = 1; t.get(i) != null; i++) {
            out.append(i > 1 ? ", " : "").append(show(t.get(i)));
        }
        return out.append(']').toString();
    }

    private static String oneLine(LuaString s) {
        return s.toString().replace('\r', ' ').replace('\n', ' ');
    }

    private static String escape(String text) {
        StringBuilder out = new StringBuilder();
        for (char c : text.toCharArray()) {
            boolean plain = c >= 32 && c < 127 && c != '"' && c != '\\';
            out.append(plain ? String.valueOf(c) : String.format("\\x%02x", (int) c));
        }
        return out.toString();
    }

    private static String sha1(String script) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(Lua.bytes(script)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
