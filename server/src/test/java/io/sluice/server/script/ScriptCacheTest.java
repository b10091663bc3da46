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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
    void shouldForgetTheLoadedScriptThatWasNotUsedForLongest() throws ScriptException {
        for (int i = 0; i < SCRIPTS_THAT_FIT; i++) {
            cache.load(source(i), 0);
        }
        assertEquals(0, cache.evicted());
        cache.evaluated(source(0), 0);
        cache.load(source(8), 0);
        assertEquals(SCRIPTS_THAT_FIT, cache.size());
        assertEquals(1, cache.evicted());
        assertTrue(isKnown(0));
        assertFalse(isKnown(1));
        cache.load(source(1), 0);
        assertTrue(isKnown(1));
        assertFalse(isKnown(2));
        assertEquals(SCRIPTS_THAT_FIT * LuaScript.heapBytes(LENGTH), cache.heapBytes());
        cache.flush();
        assertEquals(0, cache.heapBytes());
        assertEquals(0, cache.size());
    }

    @Test
    void shouldRefuseToLoadAScriptThatTakesMoreThanAllMay() throws ScriptException {
        cache.load(source(1), 0);
        bytes.clear();
        String large = "return 1 --" + "x".repeat(10 * LENGTH * SCRIPTS_THAT_FIT * 100);
        assertEquals("ERR the script takes more memory than all scripts may", assertThrows(ScriptException.class,
            () -> cache.load(Request.of(bytes, large.getBytes(StandardCharsets.ISO_8859_1)), 0)).getMessage());
        assertTrue(isKnown(1));
        assertEquals(1, cache.size());
    }

    /** Asked for in a way that does not count as use. */
    private boolean isKnown(int number) {
        byte[] source = ("return " + number).getBytes(StandardCharsets.ISO_8859_1);
        bytes.clear();
        return cache.contains(Request.of(bytes, HexFormat.of().formatHex(sha1(source))
            .getBytes(StandardCharsets.ISO_8859_1)), 0);
    }

    private static byte[] sha1(byte[] source) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(source);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
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
