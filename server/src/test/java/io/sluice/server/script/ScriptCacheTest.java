package io.sluice.server.script;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.lua.LuaLimits;
import io.sluice.lua.LuaRuntime;
import io.sluice.lua.LuaScript;
import io.sluice.resp.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ScriptCacheTest {
    private static final int SCRIPTS_THAT_FIT = 4;
    private static final int LENGTH = "return 0".length();

    private final ByteBuf bytes = Unpooled.directBuffer();
    private final ScriptCache cache = new ScriptCache(new LuaRuntime(LuaLimits.DEFAULT),
            SCRIPTS_THAT_FIT * LuaScript.heapBytes(LENGTH));

    @AfterEach
    void release() {
        bytes.release();
    }

    private Request source(int number) {
        bytes.clear();
        return Request.of(bytes, ("return " + number).getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void shouldRefuseToKeepMoreScriptsThanThereIsHeapFor() throws ScriptException {
        for (int i = 0; i < SCRIPTS_THAT_FIT; i++) {
            cache.load(source(i), 0);
        }
        assertEquals("ERR scripts take too much memory; SCRIPT FLUSH forgets them",
            assertThrows(ScriptException.class, () -> cache.load(source(9), 0)).getMessage());
        cache.load(source(0), 0);
        assertEquals(SCRIPTS_THAT_FIT, cache.size());
        cache.flush();
        cache.load(source(9), 0);
        assertEquals(1, cache.size());
    }

    @Test
    void shouldForgetTheEvaluatedScriptThatWasNotUsedForLongest() throws ScriptException {
        for (int i = 0; i < SCRIPTS_THAT_FIT; i++) {
            cache.evaluated(source(i), 0);
        }
        cache.evaluated(source(0), 0);
        cache.evaluated(source(8), 0);
        Script first = cache.evaluated(source(0), 0);
        assertEquals(SCRIPTS_THAT_FIT, cache.size());
        assertTrue(first == cache.evaluated(source(0), 0));
    }

    @Test
    void shouldRunAScriptThatIsLargerThanAllItMayKeep() throws ScriptException {
        String large = "return 1 --" + "x".repeat(10 * LENGTH * SCRIPTS_THAT_FIT * 100);
        cache.evaluated(source(1), 0);
        bytes.clear();
        cache.evaluated(Request.of(bytes, large.getBytes(StandardCharsets.ISO_8859_1)), 0);
        assertEquals(1, cache.size());
    }
}
