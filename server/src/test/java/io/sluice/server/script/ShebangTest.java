package io.sluice.server.script;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class ShebangTest {
    private static Shebang script(String source) throws ScriptException {
        return Shebang.ofScript(source.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String refusal(String library) {
        return assertThrows(ScriptException.class,
            () -> Shebang.ofLibrary(library.getBytes(StandardCharsets.ISO_8859_1))).getMessage();
    }

    @Test
    void shouldExpectAnythingOfAScriptThatSaysNothing() throws ScriptException {
        assertEquals(new Shebang(ScriptFlags.UNDECLARED, null, 0), script("return 1"));
        assertEquals(new Shebang(ScriptFlags.UNDECLARED, null, 0), script(""));
    }

    @Test
    void shouldReadFlags() throws ScriptException {
        assertEquals(new Shebang(0, null, 5), script("#!lua\nreturn 1"));
        assertEquals(new Shebang(ScriptFlags.NO_WRITES | ScriptFlags.ALLOW_OOM, null, 31),
            script("#!lua flags=no-writes,allow-oom\nreturn 1"));
        assertEquals(new Shebang(ScriptFlags.ALLOW_STALE, null, 34),
            script("#!lua flags=allow-stale,other-flag\nreturn 1"));
    }

    @Test
    void shouldReadTheNameOfALibrary() throws ScriptException {
        assertEquals(new Shebang(0, "my_Lib1", 18),
            Shebang.ofLibrary("#!LUA name=my_Lib1\nx".getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Test
    void shouldRefuseALibraryWithoutAProperFirstLine() {
        assertEquals("ERR Missing library metadata", refusal("return 1"));
        assertEquals("ERR Invalid library metadata", refusal("#!lua name=x"));
        assertEquals("ERR Library name was not given", refusal("#!lua\n"));
        assertEquals("ERR Invalid metadata value given: x=1", refusal("#!lua x=1\n"));
        assertEquals("ERR Invalid metadata value, name argument was given multiple times",
            refusal("#!lua name=a name=b\n"));
        assertEquals("ERR Engine 'js' not found", refusal("#!js name=a\n"));
        assertEquals("ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one "
            + "character long", refusal("#!lua name=a-b\n"));
    }
}
