package io.sluice.server.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FunctionCommandsTest {
    private static final String LIBRARY = """
        #!lua name=lib
        local n = 0
        redis.register_function('count', function(keys, args) n = n + 1 return {n, keys[1], args[1]} end)
        redis.register_function{function_name = 'put', description = 'puts',
          callback = function(keys, args) return redis.call('set', keys[1], args[1]) end}
        redis.register_function{function_name = 'look', flags = {'no-writes'},
          callback = function(keys) return redis.call('get', keys[1]) end}
        """;

    private final CommandTester redis = new CommandTester();

    @AfterEach
    void close() {
        redis.close();
    }

    private String load(String code) {
        return redis.run("FUNCTION", "LOAD", code);
    }

    @Test
    void shouldCallFunctionsOfALibrary() {
        assertEquals("$3 lib", load(LIBRARY));
        assertEquals("+OK", redis.run("FCALL", "put", "1", "k", "v"));
        assertEquals("$1 v", redis.run("FCALL_RO", "look", "1", "k"));
        assertEquals("*3 :1 $1 k $1 a", redis.run("FCALL", "count", "1", "k", "a"));
        assertEquals("*3 :2 $1 k $1 a", redis.run("FCALL", "COUNT", "1", "k", "a"));
        assertEquals("-ERR Function not found", redis.run("FCALL", "nope", "0"));
        assertEquals("-ERR Bad number of keys provided", redis.run("FCALL", "put", "x"));
        assertEquals("-ERR Can not execute a script with write flag using *_ro command.",
            redis.run("FCALL_RO", "put", "1", "k", "v"));
    }

    @Test
    void shouldNameTheFunctionInErrors() {
        load("#!lua name=lib\nredis.register_function('f', function() error('oops') end)");
        assertEquals("-ERR user_function:2: oops script: f, on @user_function:2.", redis.run("FCALL", "f", "0"));
    }

    @Test
    void shouldReplaceALibraryOnlyWhenTold() {
        load(LIBRARY);
        assertEquals("-ERR Library 'lib' already exists", load(LIBRARY));
        assertEquals("$3 lib", redis.run("FUNCTION", "LOAD", "REPLACE",
            "#!lua name=lib\nserver.register_function('other', function() return 1 end)"));
        assertEquals("-ERR Function not found", redis.run("FCALL", "count", "0"));
        assertEquals(":1", redis.run("FCALL", "other", "0"));
    }

    @Test
    void shouldRefuseALibraryWhole() {
        load(LIBRARY);
        assertEquals("-ERR Function put already exists",
            load("#!lua name=b\nredis.register_function('new', print) redis.register_function('put', tostring)"
                .replace("print", "tostring")));
        assertEquals("-ERR Function not found", redis.run("FCALL", "new", "0"));
        assertEquals("-ERR No functions registered", load("#!lua name=b\nreturn 1"));
        assertEquals("-ERR Missing library metadata", load("return 1"));
        assertTrue(load("#!lua name=b\nredis.call('set', 'a', '1')").startsWith("-ERR Error registering functions: "));
        assertTrue(load("#!lua name=b\nreturn (").startsWith("-ERR Error compiling function: "));
    }

    @Test
    void shouldEndALibraryThatDoesNotEndLoading() {
        assertEquals("-ERR Error registering functions: ERR FUNCTION LOAD timeout",
            load("#!lua name=b\nwhile true do end"));
    }

    @Test
    void shouldListLibraries() {
        load("#!lua name=lib\nredis.register_function{function_name = 'f', callback = tostring, "
            + "flags = {'no-writes'}, description = 'd'}");
        String listed = "*1 *6 $12 library_name $3 lib $6 engine $3 LUA $9 functions *1 *6 $4 name $1 f "
            + "$11 description $1 d $5 flags *1 +no-writes";
        assertEquals(listed, redis.run("FUNCTION", "LIST"));
        assertEquals(listed, redis.run("FUNCTION", "LIST", "LIBRARYNAME", "L*"));
        assertEquals("*0", redis.run("FUNCTION", "LIST", "LIBRARYNAME", "x*"));
        assertTrue(redis.run("FUNCTION", "LIST", "WITHCODE").contains("$12 library_code"));
        assertTrue(redis.run("FUNCTION", "STATS").endsWith("$15 libraries_count :1 $15 functions_count :1"));
    }

    @Test
    void shouldRemoveLibraries() {
        load(LIBRARY);
        assertEquals("-ERR Library not found", redis.run("FUNCTION", "DELETE", "x"));
        assertEquals("+OK", redis.run("FUNCTION", "DELETE", "lib"));
        assertEquals("-ERR Function not found", redis.run("FCALL", "put", "1", "k", "v"));
        load(LIBRARY);
        assertEquals("+OK", redis.run("FUNCTION", "FLUSH", "ASYNC"));
        assertEquals("*0", redis.run("FUNCTION", "LIST"));
    }

    @Test
    void shouldTakeBackWhatItDumped() {
        load(LIBRARY);
        String reply = redis.client().rawReply("FUNCTION", "DUMP");
        String payload = reply.substring(reply.indexOf('\n') + 1, reply.length() - 2);
        assertEquals("-ERR Library 'lib' already exists", redis.run("FUNCTION", "RESTORE", payload));
        assertEquals("+OK", redis.run("FUNCTION", "RESTORE", payload, "REPLACE"));
        assertEquals("+OK", redis.run("FUNCTION", "RESTORE", payload, "FLUSH"));
        assertEquals("+OK", redis.run("FCALL", "put", "1", "k", "v"));
        assertEquals("-ERR DUMP payload version or checksum are wrong",
            redis.run("FUNCTION", "RESTORE", payload.substring(1), "FLUSH"));
    }

    @Test
    void shouldNotLetLibrariesGatherMemoryWithoutEnd() {
        load("#!lua name=lib\nlocal kept = {}\nredis.register_function('keep', function(keys, args) "
            + "kept[#kept + 1] = args[1] .. #kept return #kept end)");
        String large = "x".repeat(500_000);
        int calls = 0;
        String reply = redis.run("FCALL", "keep", "0", large);
        while (reply.startsWith(":") && calls < 1_000) {
            calls++;
            reply = redis.run("FCALL", "keep", "0", large);
        }
        assertTrue(reply.startsWith("-ERR variables of libraries hold too much memory"), reply);
        assertTrue(calls > 100, () -> "refused too early");
        redis.run("FUNCTION", "DELETE", "lib");
        load(LIBRARY);
        assertEquals("+OK", redis.run("FCALL", "put", "1", "k", "v"));
    }

    @Test
    void shouldBoundWhatLibrariesHoldWhenTheyAreLoaded() {
        String reply = "";
        int loaded = 0;
        while (loaded < 10 && !reply.startsWith("-")) {
            reply = load("#!lua name=l" + loaded + "\nlocal s = string.rep('x', 10000000)\n"
                + "redis.register_function('f" + loaded + "', function() return #s end)");
            loaded++;
        }
        assertEquals("-ERR libraries take too much memory", reply);
        assertEquals(7, loaded);
        assertEquals(":10000000", redis.run("FCALL", "f0", "0"));
    }
}
