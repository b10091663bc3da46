package io.sluice.lua;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What tests need to run Lua. */
final class Lua {

    private Lua() {
    }

    static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    static LuaScript compile(String source) {
        return LuaScript.compile(bytes(source), "@user_script");
    }

    /** All results of a program in a fresh runtime that is not sealed. */
    static Object[] run(String source) {
        return run(LuaLimits.DEFAULT, source);
    }

    static Object[] run(LuaLimits limits, String source) {
        LuaRuntime rt = new LuaRuntime(limits);
        return LuaValues.all(rt.invoke(rt.load(compile(source))));
    }

    /** The first result of a program, strings as Java strings. */
    static Object eval(String source) {
        Object value = LuaValues.first(run(source));
        return value instanceof LuaString ? value.toString() : value;
    }

    /** A runtime as the server makes it for EVAL: KEYS and ARGV, sealed. */
    static LuaRuntime sealed() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        rt.define("redis", new LuaTable());
        rt.seal();
        rt.define("KEYS", new LuaTable());
        rt.define("ARGV", new LuaTable());
        return rt;
    }

    /** A resource of these tests as Latin-1 text. */
    static String resource(String name) {
        try (InputStream in = Lua.class.getResourceAsStream("/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of a resource that are not empty. */
    static List<String> lines(String name) {
        List<String> lines = new ArrayList<>();
        for (String line : resource(name).split("\n")) {
            if (!line.isEmpty()) {
                lines.add(line);
            }
        }
        return lines;
    }
}
