package io.sluice.lua;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No script takes more than it is given. */
final class LimitsTest {

    private static final LuaLimits SMALL = new LuaLimits(4 << 20, 4000, 200, 8);

    private static String failure(LuaLimits limits, String source) {
        return assertThrows(LuaError.class, () -> Lua.run(limits, source), source).getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "return string.rep('x', 1e9)",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = 'x' .. #t end",
        "local t = {} while true do t[#t + 1] = {} end",
        "local t = {} local i = 0 while true do i = i + 1 t['k' .. i] = i end",
        "local t = {} local i = 0 while true do i = i + 1 t[i * 3] = i end",
        "local t = {} while true do t[#t + 1] = function() return t end end",
        "local t = {} while true do t = {t} end",
        "local function f(...) return f({}, ...) end f()",
        "local s = ('x'):rep(1e6) while true do s = s:gsub('x', 'xx') end",
        "local t = {} for i = 1, 1e6 do t[i] = 'some text' end return table.concat(t, (' '):rep(1000))",
        "local s, t = ('%99d'):rep(90), {} for i = 1, 90 do t[i] = i end"
            + " while true do s = s .. string.format(s:sub(1, 450), unpack(t)) end",
        "local t = {} while true do t[#t + 1] = ('a'):gmatch(('b'):rep(1000) .. #t) end",
        "local t = {} while true do t[#t + 1] = loadstring('return 1') end",
        "local t = {('x'):rep(1e6)} for i = 1, 10 do t[#t + 1] = cjson.encode({t[1], t[1], t[1]}) end",
        "return cjson.decode('[' .. ('[],'):rep(3e5) .. '1]')",
        "return cmsgpack.unpack('\\221\\255\\255\\255\\255' .. ('\\144'):rep(1e6))",
        "local t = setmetatable({}, {__index = function(t, k) return ('x'):rep(1e6) .. k end}) local r = {}"
            + " for i = 1, 1000 do r[i] = t[i] end",
    })
    void shouldEndWithNotEnoughMemory(String source) {
        String message = failure(SMALL, source);
        assertTrue(message.contains("not enough memory") || message.contains("stack overflow"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "local s for i = 1, 200000 do s = 'garbage ' .. i end return #s",
        "local t for i = 1, 200000 do t = {i, {i}} end return #t",
        "local n = 0 for i = 1, 50000 do local f = function() return i end n = n + f() % 2 end return n",
        "local function work(i) local t = {} for j = 1, 10 do t[j] = 'value ' .. i .. j end return #t end"
            + " local n = 0 for i = 1, 20000 do n = n + work(i) end return n",
        "local n = 0 for i = 1, 20000 do pcall(function() local t = {} for j = 1, 10 do t[j] = j .. '' end end)"
            + " n = n + 1 end return n",
        "local q = {} for i = 1, 100000 do q[i % 10 + 1] = ('x'):rep(100) .. i end return #q",
    })
    void shouldNotCountGarbageForEver(String source) {
        assertTrue((Double) LuaValues.first(Lua.run(SMALL, source)) > 0);
    }

    /** Where references are not compressed, a number in a table takes 8 bytes for that and 24 for an object. */
    @ParameterizedTest
    @ValueSource(strings = {
        "local t = {} for i = 1, 131073 do t[i] = i + 0.5 end return #t",
        "local t = {} for i = 1, 65537 do t[-i] = i + 0.5 end return 1",
    })
    void shouldCountNumbersInTablesAsWhatTheyTake(String source) {
        assertEquals("not enough memory", failure(SMALL, source));
    }

    @Test
    void shouldKeepCountingWhatUnfinishedStatementsHold() {
        String hoard = "local function hoard(n) if n == 0 then return 0 end"
            + " return #{('x'):rep(2e5), hoard(n - 1),"
            + " (function() local s for i = 1, 1000 do s = ('y'):rep(100) .. i end end)()} end return hoard(100)";
        assertEquals("not enough memory", failure(SMALL, hoard));
    }

    @Test
    void shouldSeeWhatNestedIteratorsAreGiven() {
        StringBuilder source = new StringBuilder();
        for (int i = 0; i < 45; i++) {
            source.append("for _ in next, {('x'):rep(2e5) .. ").append(i).append("} do ");
        }
        source.append(" for i = 1, 1e5 do local s = 'x' .. i end ").append("end ".repeat(45));
        assertEquals("not enough memory", failure(SMALL, source.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "local function f() return 1 + f() end return f()",
        "local function f(x) local y = f({x}) return y end return f(1)",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k .. 'x'] end return t.a",
        "local t = setmetatable({}, {}) getmetatable(t).__add = function(a, b) return a + b end return t + t",
        "local t = setmetatable({}, {}) getmetatable(t).__concat = function(a, b) return a .. b end return t .. t",
        "local t = setmetatable({}, {}) getmetatable(t).__eq = function(a, b) return a == b end"
            + " return t == setmetatable({}, getmetatable(t))",
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = tostring return tostring(t)",
        "local function f(s) return s:gsub('.', f) end return f('abc')",
        "local function f() table.sort({3, 2, 1}, f) end f()",
        "local function f() table.foreach({1}, f) end f()",
        "local function f() return pcall(f) and error('x') end f() error('stack overflow')",
        "local t = {} for i = 1, 7000 do t[i] = pcall end local r = {pcall(unpack(t))} error('stack overflow')",
        "local function f() return xpcall(f, f) end f() error('stack overflow')",
        "local function f() return load(f) end f() error('stack overflow')",
        "local co local function f() return coroutine.wrap(f)() end f()",
    })
    void shouldEndDeepRecursion(String source) {
        String message = failure(LuaLimits.DEFAULT, source);
        boolean expected = message.contains("stack overflow") || message.contains("too many coroutines")
            || message.contains("not enough memory");
        assertTrue(expected, message);
    }

    @Test
    void shouldStayOnASmallJavaStack() throws InterruptedException {
        // What a Java thread has by default; the code is still interpreted, which takes the most stack.
        String[] sources = {
            "local function f() return 1 + f() end return f()",
            "local function f(a) local t = {x = {y = a and (1 + (2 * (3 - f(a)))) or 2}} return t end return f(1)",
            "local function f() return (('x'):gsub('x', f)) end f()",
            "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.a",
            "local function f() return pcall(f) end f() local function g() return 1 + g() end g()",
        };
        AtomicReference<Throwable> seen = new AtomicReference<>();
        for (String source : sources) {
            LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
            rt.define("deep", LuaHostFunction.of((r, a) -> 1.0));
            LuaFunction function = rt.load(Lua.compile(source));
            Thread thread = new Thread(null, () -> {
                try {
                    function.call(rt, LuaValues.NONE);
                } catch (LuaError e) {
                    assertTrue(e.getMessage().contains("stack overflow"));
                } catch (Throwable e) {
                    seen.set(e);
                }
            }, "small stack", 1 << 20);
            thread.start();
            thread.join();
            assertEquals(null, seen.get(), source);
        }
    }

    @Test
    void shouldRunDeepButBoundedRecursion() {
        String recursion = "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(400)";
        assertEquals(400.0, Lua.eval(recursion));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "{", "not ", "- ", "#", "f(", "a[", "function() return ", "do ", "while x do ",
        "if x then ", "a ^ ", "a .. ", "1 + (", "repeat ", "for i = 1, 2 do ", "f{", "return function() "})
    void shouldRefuseDeepNesting(String opening) {
        String prefix = opening.matches("(do|while|if|repeat|for|return).*") ? "" : "return ";
        String source = prefix + opening.repeat(100_000);
        String message = assertThrows(LuaError.class, () -> Lua.compile(source)).getMessage();
        assertTrue(message.contains("too many syntax levels") || message.contains("local variables"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {" + 1", " and 1", " == 1", ".x", "()", "[1]", ":m()", " .. 'x'", " or 1"})
    void shouldRefuseLongChainsWithoutOverflow(String link) {
        String source = "return x" + link.repeat(200_000);
        String message = assertThrows(LuaError.class, () -> Lua.compile(source)).getMessage();
        assertTrue(message.contains("too many syntax levels"), message);
    }

    @Test
    void shouldCompileLongFlatSources() {
        StringBuilder source = new StringBuilder("local t = {");
        for (int i = 0; i < 20_000; i++) {
            source.append(i).append(", ");
        }
        source.append("} local n = 0 if n == -1 then n = 1 ");
        for (int i = 0; i < 2_000; i++) {
            source.append("elseif n == ").append(i + 1).append(" then n = n + 1 ");
        }
        source.append("end return #t");
        assertEquals(20_000.0, Lua.eval(source.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "while true do end",
        "repeat until false",
        "for i = 1, math.huge do end",
        "local function f() return f() end f()",
        "for _ in function() return 1 end do end",
        "while true do pcall(error) end",
        "while true do pcall(function() while true do end end) end",
        "return (('a'):rep(40)):find(('a?'):rep(40) .. ('a'):rep(40))",
        "return (('a'):rep(3000)):find('.-.-.-.-.-b')",
        "return (('a'):rep(100000) .. 'b'):find(('.-'):rep(30) .. 'c')",
        "return ('x'):rep(300000):find(('x'):rep(100000) .. 'y', 1, true)",
        "local t = {} table.insert(t, -2^31, 1)",
        "local s = ('('):rep(100000) for i = 1, 1e9 do s:find('%b()') end",
        "load(function() return ' ' end)",
        "coroutine.wrap(function() while true do end end)()",
        "coroutine.wrap(function() while true do pcall(coroutine.wrap(function() while true do end end)) end end)()",
        "table.sort({1, 2, 3}, function() while true do end end)",
        "return ('x'):gsub('x', function() while true do end end)",
    })
    void shouldEndAtTheTimeLimitAndNotBeCaught(String source) throws InterruptedException {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        AtomicInteger asked = new AtomicInteger();
        Thread host = Thread.currentThread();
        rt.onInterrupt(r -> {
            assertEquals(host, Thread.currentThread());
            if (asked.incrementAndGet() == 3) {
                throw LuaError.kill("Script killed by user with SCRIPT KILL.");
            }
            r.interrupt();
        });
        LuaFunction function = rt.load(Lua.compile(source));
        rt.interrupt();
        LuaError error = assertThrows(LuaError.class, () -> rt.invoke(function));
        assertEquals("Script killed by user with SCRIPT KILL.", error.getMessage());
        assertEquals(3, asked.get());
        assertEquals(1.0, LuaValues.first(rt.invoke(rt.load(Lua.compile("return 1")))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "while true do end|1",
        "@while true do@end|2",
        "@@for i = 1, 1e9 do@end|3",
        "@repeat@@until false|4",
        "local t = {}@for _ in (function() return 1 end) do@end|2",
        "local x@local s = ('x'):rep(10000)@while true do@s:find('z')@end|3",
    })
    void shouldTellTheLineWhereAScriptWasEnded(String source, int line) {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        AtomicInteger asked = new AtomicInteger();
        rt.onInterrupt(r -> {
            if (asked.incrementAndGet() == 2) {
                throw LuaError.kill("killed");
            }
            r.interrupt();
        });
        LuaFunction function = rt.load(Lua.compile(source.replace('@', '\n')));
        rt.interrupt();
        LuaError error = assertThrows(LuaError.class, () -> rt.invoke(function));
        assertEquals(line, error.line());
    }

    @Test
    void shouldGoOnWhenTheInterruptSaysSo() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        AtomicInteger asked = new AtomicInteger();
        rt.onInterrupt(r -> asked.incrementAndGet());
        rt.interrupt();
        Object result = rt.invoke(rt.load(Lua.compile("local s = 0 for i = 1, 100 do s = s + i end return s")));
        assertEquals(5050.0, result);
        assertEquals(1, asked.get());
    }

    @Test
    void shouldRefuseMoreValuesThanACallTakes() {
        assertEquals("user_script:1: too many results to unpack",
            failure(LuaLimits.DEFAULT, "return unpack({}, 1, 8000)"));
        assertEquals("user_script:1: stack overflow (string slice too long)",
            failure(LuaLimits.DEFAULT, "return ('x'):rep(9000):byte(1, -1)"));
    }

    @Test
    void shouldKeepTheJavaStackFreeForHostFunctions() {
        LuaRuntime rt = new LuaRuntime(LuaLimits.DEFAULT);
        AtomicInteger deepest = new AtomicInteger();
        rt.define("host", LuaHostFunction.of((r, args) -> {
            deepest.incrementAndGet();
            return descend(500);
        }));
        String source = "local function f() host() return 1 + f() end return f()";
        assertThrows(LuaError.class, () -> rt.invoke(rt.load(Lua.compile(source))));
        assertTrue(deepest.get() > 100);
    }

    private static Object descend(int n) {
        return n == 0 ? (Object) 1.0 : descend(n - 1);
    }
}
