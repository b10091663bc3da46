package io.sluice.server.script;

import io.sluice.lua.LuaError;
import io.sluice.lua.LuaFunction;
import io.sluice.lua.LuaLimits;
import io.sluice.lua.LuaRuntime;
import io.sluice.lua.LuaScript;
import io.sluice.lua.LuaString;
import io.sluice.lua.LuaTable;
import io.sluice.lua.LuaValues;
import io.sluice.resp.ErrorText;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Loads a library: runs its source once, where it can do nothing but define and register functions, for a bounded
 * time.
 */
final class LibraryLoader {
    /** How long a library may take to load. */
    private static final long LOAD_NS_MAX = TimeUnit.MILLISECONDS.toNanos(500);

    private static final String CHUNK = "@user_function";
    private static final LuaString ERR = LuaString.name("err");

    private final LuaRuntime runtime = new LuaRuntime(LuaLimits.DEFAULT);
    private final ScriptTimer timer = new ScriptTimer(() -> LOAD_NS_MAX);
    /** What the library that is being loaded has registered; null between libraries. */
    private List<LibraryFunction> registered;

    LibraryLoader(RedisTable table) {
        table.defineForLoading(runtime, this::register);
        runtime.seal();
        runtime.onInterrupt(rt -> {
            throw LuaError.kill(CallReply.errorTable("ERR FUNCTION LOAD timeout"));
        });
    }

    FunctionLibrary load(Shebang shebang, byte[] code) throws ScriptException {
        LuaScript script;
        try {
            script = LuaScript.compile(Arrays.copyOfRange(code, shebang.length(), code.length), CHUNK);
        } catch (LuaError e) {
            throw new ScriptException("ERR Error compiling function: " + ErrorText.sanitise(e.getMessage()));
        }
        registered = new ArrayList<>();
        timer.begin(runtime);
        try {
            runtime.invoke(runtime.load(script));
        } catch (LuaError e) {
            throw new ScriptException("ERR Error registering functions: " + text(e));
        } finally {
            timer.end();
        }
        List<LibraryFunction> functions = registered;
        registered = null;
        if (functions.isEmpty()) {
            throw new ScriptException("ERR No functions registered");
        }
        return new FunctionLibrary(shebang.name(), code, List.copyOf(functions));
    }

    private static String text(LuaError error) {
        LuaString text = error.value() instanceof LuaTable table ? LuaValues.toLuaString(table.get(ERR))
                : LuaString.of("ERR " + error.getMessage());
        return text == null ? "ERR unknown error" : ErrorText.sanitise(ScriptResult.asText(text));
    }

    private Object register(LuaRuntime rt, Object[] args) {
        if (registered == null) {
            throw RedisTable.raised(rt, "redis.register_function can only be called on FUNCTION LOAD command");
        }
        if (args.length < 1 || args.length > 2) {
            throw RedisTable.raised(rt, "wrong number of arguments to redis.register_function");
        }
        LibraryFunction function = args.length == 1 ? named(rt, args[0]) : positional(rt, args);
        if (!Shebang.isName(function.name())) {
            throw RedisTable.raised(rt, "Function names can only contain letters, numbers, or underscores(_) and must "
                    + "be at least one character long");
        }
        if (registered.stream().anyMatch(other -> other.name().equals(function.name()))) {
            throw RedisTable.raised(rt, "Function already exists in the library");
        }
        registered.add(function);
        return LuaValues.NONE;
    }

    private static LibraryFunction positional(LuaRuntime rt, Object[] args) {
        LuaString name = text(rt, args[0], "first argument to redis.register_function must be a string");
        if (!(args[1] instanceof LuaFunction callback)) {
            throw RedisTable.raised(rt, "second argument to redis.register_function must be a function");
        }
        return new LibraryFunction(name.toString(), callback, null, 0);
    }

    private static LuaString text(LuaRuntime rt, Object value, String error) {
        LuaString text = LuaValues.toLuaString(value);
        if (text == null) {
            throw RedisTable.raised(rt, error);
        }
        return text;
    }

    private static LibraryFunction named(LuaRuntime rt, Object arg) {
        if (!(arg instanceof LuaTable table)) {
            throw RedisTable.raised(rt, "calling redis.register_function with a single argument is only applicable to "
                    + "Lua table (representing named arguments).");
        }
        NamedArguments given = new NamedArguments(rt);
        table.forEach(given::take);
        if (given.name == null) {
            throw RedisTable.raised(rt, "redis.register_function must get a function name argument");
        }
        if (given.callback == null) {
            throw RedisTable.raised(rt, "redis.register_function must get a callback argument");
        }
        return new LibraryFunction(given.name, given.callback, given.description, given.flags);
    }

    /** The fields of the table that a call with names gives. */
    private static final class NamedArguments {
        private final LuaRuntime rt;
        private String name;
        private LuaFunction callback;
        private byte[] description;
        private int flags;

        NamedArguments(LuaRuntime rt) {
            this.rt = rt;
        }

        void take(Object key, Object value) {
            LuaString field = text(rt, key, "named argument key given to redis.register_function is not a string");
            switch (field.toString()) {
                case "function_name" -> name = text(rt, value,
                        "function_name argument given to redis.register_function must be a string").toString();
                case "description" -> description = text(rt, value,
                        "description argument given to redis.register_function must be a string").bytes();
                case "callback" -> {
                    if (!(value instanceof LuaFunction function)) {
                        throw RedisTable.raised(rt,
                                "callback argument given to redis.register_function must be a function");
                    }
                    callback = function;
                }
                case "flags" -> takeFlags(value);
                default -> throw RedisTable.raised(rt, "unknown argument given to redis.register_function");
            }
        }

        private void takeFlags(Object value) {
            if (!(value instanceof LuaTable list)) {
                throw RedisTable.raised(rt, "flags argument to redis.register_function must be a table representing "
                        + "function flags");
            }
            for (int i = 1; list.get(i) != null; i++) {
                int flag = list.get(i) instanceof LuaString text ? ScriptFlags.of(text.toString()) : 0;
                if (flag == 0) {
                    throw RedisTable.raised(rt, "unknown flag given");
                }
                flags |= flag;
            }
        }
    }
}
