package io.sluice.server.script;

import io.sluice.lua.LuaError;
import io.sluice.lua.LuaHost;
import io.sluice.lua.LuaHostFunction;
import io.sluice.lua.LuaRuntime;
import io.sluice.lua.LuaString;
import io.sluice.lua.LuaTable;
import io.sluice.lua.LuaValues;
import io.sluice.resp.Request;
import io.sluice.server.Version;
import io.sluice.server.command.CommandFlag;
import io.sluice.server.command.CommandSpec;
import io.sluice.server.command.Dispatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The global {@code redis}, which is also called {@code server}: what scripts can ask of the server. */
final class RedisTable {
    /** Where {@code redis.log} goes. */
    private static final Logger LOG = LoggerFactory.getLogger("io.sluice.script");

    private static final LuaString ERR = LuaString.name("err");
    private static final LuaString OK = LuaString.name("ok");
    private static final int LOG_DEBUG = 0;
    private static final int LOG_VERBOSE = 1;
    private static final int LOG_NOTICE = 2;
    private static final int LOG_WARNING = 3;
    private static final int REPL_ALL = 3;
    private static final String NO_ARGUMENT = "Please specify at least one argument for this redis lib call";
    private static final String BAD_ARGUMENT = "Lua redis lib command arguments must be strings or integers";

    private final ScriptEngine engine;
    private final ScriptRun run;
    private final CallRequest arguments = new CallRequest();
    private final CallReply reply = new CallReply();
    private final CommandNames commands = new CommandNames();
    private final Sha1 sha1 = new Sha1();

    RedisTable(ScriptEngine engine, ScriptRun run) {
        this.engine = engine;
        this.run = run;
    }

    /** Gives the table to a runtime whose scripts call commands. */
    void define(LuaRuntime runtime) {
        LuaTable table = new LuaTable(0, 32);
        defineTools(table);
        add(table, "call", (rt, args) -> call(rt, args, true));
        add(table, "pcall", (rt, args) -> call(rt, args, false));
        add(table, "setresp", this::setProtocol);
        add(table, "set_repl", RedisTable::setReplication);
        add(table, "replicate_commands", (rt, args) -> Boolean.TRUE);
        add(table, "acl_check_cmd", this::mayCall);
        add(table, "breakpoint", (rt, args) -> Boolean.FALSE);
        add(table, "debug", (rt, args) -> LuaValues.NONE);
        table.set("REPL_NONE", 0.0);
        table.set("REPL_AOF", 1.0);
        table.set("REPL_SLAVE", 2.0);
        table.set("REPL_REPLICA", 2.0);
        table.set("REPL_ALL", (double) REPL_ALL);
        define(runtime, table);
    }

    /** Gives a table to a runtime that loads a library: what needs no server, and the given function. */
    void defineForLoading(LuaRuntime runtime, LuaHost registerFunction) {
        LuaTable table = new LuaTable(0, 16);
        defineTools(table);
        add(table, "register_function", registerFunction);
        define(runtime, table);
    }

    private void defineTools(LuaTable table) {
        add(table, "log", RedisTable::log);
        add(table, "sha1hex", this::sha1hex);
        add(table, "error_reply", this::errorReply);
        add(table, "status_reply", RedisTable::statusReply);
        table.set("LOG_DEBUG", (double) LOG_DEBUG);
        table.set("LOG_VERBOSE", (double) LOG_VERBOSE);
        table.set("LOG_NOTICE", (double) LOG_NOTICE);
        table.set("LOG_WARNING", (double) LOG_WARNING);
        table.set("REDIS_VERSION", LuaString.of(Version.REDIS));
        table.set("REDIS_VERSION_NUM", (double) versionNumber(Version.REDIS));
    }

    private static void define(LuaRuntime runtime, LuaTable table) {
        runtime.define("redis", table);
        runtime.define("server", table);
    }

    private static void add(LuaTable table, String name, LuaHost body) {
        table.set(name, LuaHostFunction.of(body));
    }

    /** 0x00MMmmpp. */
    static int versionNumber(String version) {
        int number = 0;
        for (String part : version.split("\\.")) {
            number = number << 8 | Integer.parseInt(part);
        }
        return number;
    }

    private Object call(LuaRuntime rt, Object[] args, boolean raising) {
        Object answer = answer(rt, args);
        if (raising && answer instanceof LuaTable table && table.get(ERR) != null) {
            throw rt.raise(table);
        }
        return answer;
    }

    private Object answer(LuaRuntime rt, Object[] args) {
        if (!run.isRunning()) {
            return CallReply.errorTable("ERR redis.call/pcall can only be called inside a script invocation");
        }
        if (args.length == 0) {
            return CallReply.errorTable("ERR " + NO_ARGUMENT);
        }
        try {
            Request request = arguments.of(args);
            if (request == null) {
                return CallReply.errorTable("ERR " + BAD_ARGUMENT);
            }
            return execute(rt, request, args[0]);
        } finally {
            arguments.done();
        }
    }

    private Object execute(LuaRuntime rt, Request request, Object name) {
        Dispatcher dispatcher = engine.dispatcher();
        CommandSpec spec = commands.find(dispatcher.table(), request, name);
        String refusal = dispatcher.rules().refusalInScript(run.connection(), spec, request, run);
        if (refusal != null) {
            dispatcher.account().refusedInScript(spec, refusal);
            reply.of(rt, run.protocol());
            reply.error(refusal);
            return reply.value();
        }
        if (spec.has(CommandFlag.WRITE)) {
            run.written();
        }
        reply.of(rt, run.protocol());
        dispatcher.runner().runInScript(spec, request, reply);
        return reply.value();
    }

    private Object setProtocol(LuaRuntime rt, Object[] args) {
        if (args.length != 1) {
            throw raised(rt, "redis.setresp() requires one argument.");
        }
        double version = LuaValues.isNumber(args[0]) ? LuaValues.toNumber(args[0]) : 0;
        if ((int) version != 2 && (int) version != 3) {
            throw raised(rt, "RESP version must be 2 or 3.");
        }
        run.protocol((int) version);
        return LuaValues.NONE;
    }

    /** What a script writes always goes to replicas: only the whole of it keeps them equal. */
    private static Object setReplication(LuaRuntime rt, Object[] args) {
        if (args.length != 1) {
            throw raised(rt, "redis.set_repl() requires two arguments.");
        }
        double flags = LuaValues.isNumber(args[0]) ? LuaValues.toNumber(args[0]) : 0;
        if (((int) flags & ~REPL_ALL) != 0) {
            throw raised(rt, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
        }
        return LuaValues.NONE;
    }

    private Object mayCall(LuaRuntime rt, Object[] args) {
        if (args.length == 0) {
            throw raised(rt, NO_ARGUMENT);
        }
        try {
            Request request = arguments.of(args);
            if (request == null) {
                throw raised(rt, BAD_ARGUMENT);
            }
            CommandSpec spec = engine.dispatcher().table().resolve(request);
            if (spec == null) {
                throw raised(rt, "Invalid command passed to redis.acl_check_cmd()");
            }
            return engine.dispatcher().rules().mayRun(run.connection(), spec, request);
        } finally {
            arguments.done();
        }
    }

    private static Object log(LuaRuntime rt, Object[] args) {
        if (args.length < 2) {
            throw raised(rt, "redis.log() requires two arguments or more.");
        }
        if (!(args[0] instanceof Double level)) {
            throw raised(rt, "First argument must be a number (log level).");
        }
        if (level < LOG_DEBUG || level > LOG_WARNING) {
            throw raised(rt, "Invalid debug level.");
        }
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < args.length; i++) {
            LuaString part = LuaValues.toLuaString(args[i]);
            if (part != null) {
                text.append(i > 1 ? " " : "").append(part);
            }
        }
        switch ((int) (double) level) {
            case LOG_DEBUG -> LOG.trace("{}", text);
            case LOG_VERBOSE -> LOG.debug("{}", text);
            case LOG_NOTICE -> LOG.info("{}", text);
            default -> LOG.warn("{}", text);
        }
        return LuaValues.NONE;
    }

    private Object sha1hex(LuaRuntime rt, Object[] args) {
        if (args.length != 1) {
            throw raised(rt, "wrong number of arguments");
        }
        LuaString text = LuaValues.toLuaString(args[0]);
        return LuaString.of(sha1.of(text == null ? new byte[0] : text.bytes()));
    }

    private Object errorReply(LuaRuntime rt, Object[] args) {
        if (args.length != 1 || !(args[0] instanceof LuaString given)) {
            return CallReply.errorTable("ERR wrong number or type of arguments");
        }
        return CallReply.errorTable(errorText(ScriptResult.asText(given)));
    }

    /**
     * The error of {@code error_reply}: a first word is the code. A single word has none, so ERR stands before it, as
     * since Redis 7.0, or it is the code itself, as before.
     */
    private String errorText(String given) {
        String text = given.startsWith("-") ? given.substring(1) : given;
        int end = text.length();
        while (end > 0 && (text.charAt(end - 1) == '\r' || text.charAt(end - 1) == '\n')) {
            end--;
        }
        text = text.substring(0, end);
        return text.indexOf(' ') >= 0 || engine.isErrorCodeBare() ? text : "ERR " + text;
    }

    private static Object statusReply(LuaRuntime rt, Object[] args) {
        if (args.length != 1 || !(args[0] instanceof LuaString text)) {
            return CallReply.errorTable("ERR wrong number or type of arguments");
        }
        LuaTable table = new LuaTable(0, 1);
        table.set(OK, text);
        return table;
    }

    /** An error as the functions of the table raise it. */
    static LuaError raised(LuaRuntime rt, String text) {
        return rt.raise(CallReply.errorTable("ERR " + text));
    }
}
