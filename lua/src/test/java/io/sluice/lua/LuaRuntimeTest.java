package io.sluice.lua;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The seam to the host. */
final class LuaRuntimeTest {

    private static Object run(LuaRuntime rt, String source) {
        return rt.invoke(rt.load(Lua.compile(source)));
    }

    @Test
    void shouldCallHostFunctionsWithTheirArguments() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        List<Object> seen = new ArrayList<>();
        rt.define("host", LuaHostFunction.of((r, args) -> {
            seen.addAll(List.of(args));
            return new Object[] {1.0, LuaString.of("two")};
        }));
        Object[] results = LuaValues.all(run(rt, "return host('a', 2, true)"));
        assertEquals(List.of(LuaString.of("a"), 2.0, true), seen);
        assertArrayEquals(new Object[] {1.0, LuaString.of("two")}, results);
    }

    @Test
    void shouldPassErrorsOfHostFunctionsThroughPcall() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        rt.define("fail", LuaHostFunction.of((r, args) -> {
            throw r.error("no good");
        }));
        Object[] caught = LuaValues.all(run(rt, "\nreturn pcall(function() fail() end)"));
        assertEquals("user_script:2: no good", caught[1].toString());
        LuaError error = assertThrows(LuaError.class, () -> run(rt, "\n\nfail()"));
        assertEquals("user_script:3: no good", error.getMessage());
        assertEquals("@user_script", error.source());
        assertEquals(3, error.line());
    }

    @Test
    void shouldReportTheLineOfTheFunctionThatFailed() {
        String source = "local function f()\n error({err = 'x'})\nend\nf()";
        LuaError error = assertThrows(LuaError.class, () -> Lua.run(source));
        assertEquals(2, error.line());
        assertEquals("(error object is a table value)", error.getMessage());
    }

    @Test
    void shouldCallBackFromHostFunctions() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        rt.define("twice", LuaHostFunction.of((r, args) -> {
            Object once = LuaValues.first(r.call((LuaFunction) args[0], args[1]));
            return r.call((LuaFunction) args[0], once);
        }));
        assertEquals(12.0, run(rt, "return twice(function(x) return x * 2 end, 3)"));
    }

    @Test
    void shouldKeepFunctionsAcrossRuns() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        LuaFunction counter = (LuaFunction) run(rt, "local n = 0 return function(by) n = n + by return n end");
        assertEquals(2.0, rt.invoke(counter, 2.0));
        assertEquals(5.0, rt.invoke(counter, 3.0));
    }

    @Test
    void shouldRunOneScriptInSeveralRuntimes() {
        LuaScript script = Lua.compile("return name");
        for (String name : new String[] {"a", "b"}) {
            LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
            rt.define("name", LuaString.of(name));
            assertEquals(name, rt.invoke(rt.load(script)).toString());
        }
    }

    @Test
    void shouldRecoverAfterAnError() {
        LuaRuntime rt = Lua.sealed();
        assertThrows(LuaError.class, () -> run(rt, "local function f() return 1 + f() end f()"));
        assertThrows(LuaError.class, () -> run(rt, "local t = {} while true do t[#t + 1] = 'x' .. #t end"));
        assertEquals(1.0, run(rt, "return 1"));
    }

    @Test
    void shouldLetTheHostSetGlobalsOfASealedRuntime() {
        LuaRuntime rt = Lua.sealed();
        rt.define("KEYS", LuaTable.ofArray(LuaString.of("k")));
        assertEquals("k", run(rt, "return KEYS[1]").toString());
        assertThrows(LuaError.class, () -> run(rt, "KEYS = 1"));
    }

    @Test
    void shouldNotLetOneScriptLeaveAnythingToTheNext() {
        LuaRuntime rt = Lua.sealed();
        for (String attempt : new String[] {"x = 1", "_G.x = 1", "rawset(_G, 'x', 1)", "string.x = 1",
            "setmetatable(_G, nil)", "getmetatable('').__index = {}", "getmetatable(_G).__index = nil",
            "table.insert(math, 1)", "bit.band = nil", "setmetatable(string, {})", "cjson.encode = nil",
                "for k in pairs(_G) do _G[k] = nil end",
            "rawset(getmetatable(''), '__len', 1)", "loadstring('y = 1')()",
            "table.sort({2, 1}, function() z = 1 end)"}) {
            assertThrows(LuaError.class, () -> run(rt, attempt), attempt);
        }
        assertEquals("user_script:1: Script attempted to access nonexistent global variable 'x'",
            assertThrows(LuaError.class, () -> run(rt, "return x")).getMessage());
        assertEquals(3.0, run(rt, "return ('abc'):len()"));
    }

    @Test
    void shouldRunHostFunctionsOfCoroutinesOnTheThreadOfTheRun() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        Thread here = Thread.currentThread();
        rt.define("host", LuaHostFunction.of((r, args) -> {
            assertSame(here, Thread.currentThread());
            return args[0];
        }));
        rt.define("fail", LuaHostFunction.of((r, args) -> {
            throw r.error("from host");
        }));
        String nested = "return coroutine.wrap(function()"
            + " return host(coroutine.wrap(function() return host(5) end)()) end)()";
        assertEquals(5.0, LuaValues.first(run(rt, nested)));
        Object[] failed = LuaValues.all(run(rt, "return coroutine.resume(coroutine.create(function() fail() end))"));
        assertEquals("user_script:1: from host", failed[1].toString());
    }

    @Test
    void shouldEndCoroutinesWithTheirRun() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        for (int i = 0; i < 20; i++) {
            assertEquals(10.0, run(rt, "local n = 0 for i = 1, 10 do"
                + " local f = coroutine.wrap(function() coroutine.yield(1) error('never') end)"
                + " n = n + f() end return n"));
        }
        long left = Thread.getAllStackTraces().keySet().stream()
            .filter(t -> t.getName().equals("sluice-lua-coroutine")).filter(t -> !hasEnded(t)).count();
        assertEquals(0, left);
    }

    private static boolean hasEnded(Thread t) {
        try {
            t.join(10_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return !t.isAlive();
    }

    @Test
    void shouldConvertNumbersForCommandsAndReplies() {
        assertEquals("9007199254740991", argument(9007199254740991.0));
        assertEquals("0.10000000000000001", argument(0.1));
        assertEquals("1700000000.123456", argument(1700000000.123456));
        assertEquals(3, LuaValues.replyInteger(3.99));
        assertEquals(-3, LuaValues.replyInteger(-3.99));
        assertEquals(Long.MIN_VALUE, LuaValues.replyInteger(1e300));
        assertEquals(Long.MIN_VALUE, LuaValues.replyInteger(Double.NaN));
    }

    private static String argument(double number) {
        return new String(LuaValues.argumentText(number), StandardCharsets.US_ASCII);
    }

    @Test
    void shouldBeBinarySafe() {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        rt.define("s", LuaString.of(all));
        LuaString back = (LuaString) run(rt, "return s:sub(1, 128) .. s:sub(129):reverse():reverse()");
        assertArrayEquals(all, back.bytes());
        assertEquals(256.0, run(rt, "local n = 0 for c in s:gmatch('.') do n = n + 1 end return n"));
    }

    @Test
    void shouldNotFindWhatRedisTakesAway() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        for (String name : new String[] {"print", "os", "io", "require", "dofile", "loadfile", "module", "package",
            "debug", "setfenv", "getfenv", "newproxy"}) {
            assertNull(rt.global(name), name);
        }
    }
}
