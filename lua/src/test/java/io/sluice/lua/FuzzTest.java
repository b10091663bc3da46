package io.sluice.lua;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whatever is thrown at the engine, nothing but a LuaError comes out, and in bounded time. */
final class FuzzTest {

    private static final int RUNS = 6000;
    private static final LuaLimits LIMITS = new LuaLimits(4 << 20, 2000, 100, 4);

    private static final String SIGNS = "(){}[]=+-*/%^#<>~;:,.\"'\\ 09ax\n";

    private final List<byte[]> seeds = seeds();

    private static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (String file : new String[] {"language", "errors", "strings"}) {
            for (String program : ReferenceLua.split(Lua.resource("differential/" + file + ".lua"))) {
                seeds.add(Lua.bytes(program));
            }
        }
        for (String file : new String[] {"snippets", "errors", "libraries"}) {
            for (String line : Lua.lines("redis/" + file + ".txt")) {
                seeds.add(Lua.bytes(line));
            }
        }
        return seeds;
    }

    @Test
    void shouldGiveAResultOrALuaErrorForMutatedPrograms() {
        for (int seed = 0; seed < RUNS; seed++) {
            run(mutate(new Random(seed)), seed);
        }
    }

    @Test
    void shouldGiveAResultOrALuaErrorForLibraryCallsWithAnyArguments() {
        String[] tables = {"string", "table", "math", "cjson", "cmsgpack", "struct", "bit", "coroutine", "_G"};
        String[] values = {"nil", "true", "0", "1", "-1", "2^31", "-2^63", "1e308", "0/0", "1/0", "''", "'abc'", "'%d'",
            "'(a*(.)%w(%s*))'", "'%b'", "'[]]'", "{}", "{1,2,3}", "{x=1}", "t", "print", "string.rep", "function() end",
            "cjson.null", "'\\0\\255'", "'>!8 i4 c0 s'", "co", "'[{\"a\":1}]'"};
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            String table = tables[random.nextInt(tables.length)];
            StringBuilder call = new StringBuilder("local t = {} t[1] = t local co = coroutine.create(function(...)"
                + " coroutine.yield(...) end) local names = {} for k, v in pairs(" + table
                + ") do if type(v) == 'function' then names[#names + 1] = k end end table.sort(names) local f = "
                + table + "[names[" + random.nextInt(40) + " % #names + 1]] return f(");
            int count = random.nextInt(5);
            for (int i = 0; i < count; i++) {
                call.append(i > 0 ? ", " : "").append(values[random.nextInt(values.length)]);
            }
            run(Lua.bytes(call.append(")").toString()), seed);
        }
    }

    @Test
    void shouldRefuseBytecode() {
        byte[] chunk = "\033Lua\u0051\0\1\4\10\4\10\0".getBytes(StandardCharsets.ISO_8859_1);
        assertThrows(LuaError.class, () -> LuaScript.compile(chunk, "@x"));
    }

    private byte[] mutate(Random random) {
        byte[] program = seeds.get(random.nextInt(seeds.size())).clone();
        int changes = random.nextInt(4);
        for (int i = 0; i < changes && program.length > 1; i++) {
            int at = random.nextInt(program.length);
            switch (random.nextInt(4)) {
                case 0 -> program[at] = (byte) random.nextInt(256);
                case 1 -> program[at] = (byte) SIGNS.charAt(random.nextInt(SIGNS.length()));
                case 2 -> program = splice(program, at, random.nextInt(program.length), new byte[0]);
                default -> program = splice(program, at, at, seeds.get(random.nextInt(seeds.size())));
            }
        }
        return program;
    }

    private static byte[] splice(byte[] program, int a, int b, byte[] insert) {
        int from = Math.min(a, b);
        int to = Math.max(a, b);
        byte[] out = new byte[program.length - (to - from) + insert.length];
        System.arraycopy(program, 0, out, 0, from);
        System.arraycopy(insert, 0, out, from, insert.length);
        System.arraycopy(program, to, out, from + insert.length, program.length - to);
        return out;
    }

    private static void run(byte[] source, int seed) {
        LuaRuntime rt = new LuaRuntime(LIMITS);
        AtomicInteger asked = new AtomicInteger();
        rt.define("print", LuaHostFunction.of((r, args) -> {
            r.interrupt();
            return args;
        }));
        rt.onInterrupt(r -> {
            if (asked.incrementAndGet() > 2000) {
                throw LuaError.kill("time limit");
            }
            r.interrupt();
        });
        rt.interrupt();
        try {
            rt.invoke(rt.load(LuaScript.compile(source, "@user_script")));
        } catch (LuaError e) {
            e.getMessage();
        } catch (Throwable e) {
            throw new AssertionError("seed " + seed + ": " + new String(source, StandardCharsets.ISO_8859_1), e);
        }
    }
}
