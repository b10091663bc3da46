package io.sluice.server.script;

import io.sluice.lua.LuaError;
import io.sluice.lua.LuaFunction;
import io.sluice.lua.LuaLimits;
import io.sluice.lua.LuaRuntime;
import io.sluice.lua.LuaString;
import io.sluice.lua.LuaTable;
import io.sluice.lua.LuaValues;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;
import io.sluice.server.command.CommandContext;
import io.sluice.server.command.CommandSpec;
import io.sluice.server.command.Dispatcher;
import io.sluice.server.command.Errors;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * Runs scripts and functions. One runs at a time, on the event loop, in the unit of the command that called it.
 *
 * <p>A script that has run for {@code busy-reply-threshold} is interrupted every few milliseconds: then the loop serves
 * its sockets from inside the script, everybody else is told {@code -BUSY}, and {@code SCRIPT KILL}, {@code FUNCTION
 * KILL} and {@code SHUTDOWN NOSAVE} can end it.
 */
public final class ScriptEngine {
    private static final Logger LOG = LoggerFactory.getLogger(ScriptEngine.class);

    private static final String BUSY_SCRIPT =
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
    private static final String BUSY_FUNCTION =
        "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.";
    private static final String STOPPED = "ERR Script killed by SHUTDOWN.";
    private static final LuaString KEYS = LuaString.name("KEYS");
    private static final LuaString ARGV = LuaString.name("ARGV");
    private static final LuaString ERR = LuaString.name("err");
    private static final LuaString SOURCE = LuaString.name("source");
    private static final LuaString LINE = LuaString.name("line");
    private static final LuaString COUNTED = LuaString.name("ignore_error_stats_update");
    /** Index of the first key in EVAL, EVALSHA and FCALL. */
    public static final int FIRST_KEY = 3;

    /**
     * Heap for compiled code of each kind: of EVAL, of SCRIPT LOAD, of functions. A share of what there is, so that
     * whoever needs more of them gives the server a larger heap.
     */
    private static final long CODE_BYTES_MAX = Runtime.getRuntime().maxMemory() / 8;

    private final LuaRuntime scriptRuntime = new LuaRuntime(LuaLimits.DEFAULT);
    private final LuaRuntime functionRuntime = new LuaRuntime(LuaLimits.DEFAULT);
    private final ScriptRun run = new ScriptRun();
    private final ScriptTimer timer;
    private final ScriptCache cache;
    private final FunctionLibraries functions;
    private final Config config;
    private Dispatcher dispatcher;
    private Runnable serveOthers;
    private boolean servingOthers;
    private boolean overdue;
    private boolean errorCodeBare;
    private volatile long busyAfterNs;
    private volatile boolean stopping;
    private long stopAfterNs;

    /** An engine that follows these settings. */
    public ScriptEngine(Config config) {
        this.config = config;
        timer = new ScriptTimer(() -> busyAfterNs);
        RedisTable table = new RedisTable(this, run);
        table.define(scriptRuntime);
        table.define(functionRuntime);
        functions = new FunctionLibraries(table, CODE_BYTES_MAX);
        scriptRuntime.define(KEYS, new LuaTable());
        scriptRuntime.define(ARGV, new LuaTable());
        for (LuaRuntime runtime : new LuaRuntime[] {scriptRuntime, functionRuntime}) {
            runtime.seal();
            runtime.onInterrupt(rt -> interrupted());
        }
        cache = new ScriptCache(scriptRuntime, CODE_BYTES_MAX);
        config.follow(this::readSettings, ConfigTable.BUSY_REPLY_THRESHOLD, ConfigTable.SCRIPT_STOP_THRESHOLD,
                ConfigTable.SCRIPT_ERROR_CODE);
    }

    private void readSettings() {
        long busyMs = config.number(ConfigTable.BUSY_REPLY_THRESHOLD);
        long stopMs = config.number(ConfigTable.SCRIPT_STOP_THRESHOLD);
        busyAfterNs = busyMs == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(busyMs);
        stopAfterNs = stopMs == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(stopMs);
        errorCodeBare = config.text(ConfigTable.SCRIPT_ERROR_CODE).equals(ConfigTable.BARE);
    }

    /** Who executes the commands that scripts call. */
    public void attach(Dispatcher newDispatcher) {
        dispatcher = newDispatcher;
    }

    /** How others are served while a script runs; null where there are none. */
    public void serveOthersBy(Runnable serving) {
        serveOthers = serving;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    boolean isErrorCodeBare() {
        return errorCodeBare;
    }

    public ScriptCache cache() {
        return cache;
    }

    public FunctionLibraries functions() {
        return functions;
    }

    /**
     * The server stops, on any thread: a script of which others are told that it is busy is ended, whatever it has
     * written, since nobody can wait for it; so is one that has run for this long.
     */
    public void stop(long ranNsMax) {
        busyAfterNs = Math.min(busyAfterNs, ranNsMax);
        stopping = true;
    }

    /** What is running, if anything. */
    public ScriptRun run() {
        return run;
    }

    /** Whether a command that is executed now comes in the midst of a script. */
    public boolean isServingOthers() {
        return servingOthers;
    }

    /** Whether the script that lets others be served will end when they are. */
    public boolean isEnding() {
        return run.killed() != null;
    }

    /** What others are told while a script runs. */
    public String busyError() {
        return run.isFunction() ? BUSY_FUNCTION : BUSY_SCRIPT;
    }

    /** Runs the script whose source or SHA-1 is the first argument. */
    public void eval(CommandContext ctx, boolean bySha, boolean readOnly) throws ScriptException {
        Request request = ctx.request();
        if (bySha && request.argLength(1) != Sha1.TEXT_LENGTH) {
            throw noScript();
        }
        int keys = keyCount(ctx, Errors.NOT_AN_INTEGER);
        Script script = bySha ? cache.find(request, 1) : cache.evaluated(request, 1);
        if (script == null) {
            throw noScript();
        }
        checkMayRun(script.flags(), readOnly);
        scriptRuntime.define(KEYS, table(request, FIRST_KEY, keys));
        scriptRuntime.define(ARGV, table(request, FIRST_KEY + keys, request.argCount() - FIRST_KEY - keys));
        boolean mayOnlyRead = readOnly || (script.flags() & ScriptFlags.NO_WRITES) != 0;
        run.begin(ctx.connection(), request, script.sha(), false, mayOnlyRead, System.nanoTime());
        run(ctx, scriptRuntime, script.function(), LuaValues.NONE);
    }

    /** Whether what a command would run says of itself that it does not write. */
    public boolean saysItOnlyReads(CommandSpec spec, Request request) {
        int flags = switch (spec.name()) {
            case "eval" -> declaredFlags(request);
            case "evalsha" -> {
                Script script = cache.find(request, 1);
                yield script == null ? 0 : script.flags();
            }
            case "fcall" -> {
                LibraryFunction function = functions.find(request.argText(1));
                yield function == null ? 0 : function.flags();
            }
            default -> 0;
        };
        return (flags & ScriptFlags.NO_WRITES) != 0;
    }

    private static int declaredFlags(Request request) {
        if (request.argLength(1) == 0 || request.argByte(1, 0) != '#') {
            return 0;
        }
        try {
            return Shebang.ofScript(request.argBytes(1)).flags();
        } catch (ScriptException e) {
            // It will be told when it is run.
            return 0;
        }
    }

    private static ScriptException noScript() {
        return new ScriptException("NOSCRIPT No matching script. Please use EVAL.");
    }

    /** Runs the function that the first argument names. */
    public void call(CommandContext ctx, boolean readOnly) throws ScriptException {
        Request request = ctx.request();
        LibraryFunction function = functions.find(request.argText(1));
        if (function == null) {
            throw new ScriptException("ERR Function not found");
        }
        if (functions.areFull()) {
            throw new ScriptException("ERR variables of libraries hold too much memory; FUNCTION DELETE or REPLACE "
                    + "frees it");
        }
        int keys = keyCount(ctx, "ERR Bad number of keys provided");
        checkMayRun(function.flags(), readOnly);
        Object[] args = {table(request, FIRST_KEY, keys),
            table(request, FIRST_KEY + keys, request.argCount() - FIRST_KEY - keys)};
        boolean mayOnlyRead = readOnly || (function.flags() & ScriptFlags.NO_WRITES) != 0;
        run.begin(ctx.connection(), request, function.name(), true, mayOnlyRead, System.nanoTime());
        run(ctx, functionRuntime, function.callback(), args);
        functions.left(functionRuntime.allocated());
    }

    private static int keyCount(CommandContext ctx, String noInteger) throws ScriptException {
        ctx.args().next();
        long count = ctx.args().nextLong(noInteger);
        if (ctx.args().error() != null) {
            throw new ScriptException(ctx.args().error());
        }
        if (count > ctx.request().argCount() - FIRST_KEY) {
            throw new ScriptException(Errors.TOO_MANY_KEYS);
        }
        if (count < 0) {
            throw new ScriptException("ERR Number of keys can't be negative");
        }
        return (int) count;
    }

    /** What a script says of itself decides before it runs. One that says nothing is stopped where it goes wrong. */
    private void checkMayRun(int flags, boolean readOnly) throws ScriptException {
        if ((flags & (ScriptFlags.UNDECLARED | ScriptFlags.NO_WRITES)) != 0) {
            return;
        }
        if (dispatcher.rules().isReadOnly()) {
            throw new ScriptException("READONLY Can not run script with write flag on readonly replica.");
        }
        if (readOnly) {
            throw new ScriptException("ERR Can not execute a script with write flag using *_ro command.");
        }
    }

    private static LuaTable table(Request request, int from, int count) {
        Object[] values = new Object[count];
        for (int i = 0; i < count; i++) {
            values[i] = LuaString.of(request.argBytes(from + i));
        }
        return LuaTable.ofArray(values);
    }

    private void run(CommandContext ctx, LuaRuntime runtime, LuaFunction function, Object[] args) {
        int db = ctx.connection().db();
        timer.begin(runtime);
        try {
            Object result = LuaValues.first(runtime.invoke(function, args));
            if (result instanceof LuaTable table && table.get(COUNTED) == Boolean.TRUE) {
                dispatcher.account().errorIsCounted();
            }
            ScriptResult.answer(ctx.reply(), run.protocol(), result);
        } catch (LuaError e) {
            answer(ctx.reply(), e);
        } finally {
            timer.end();
            ctx.connection().db(db);
            overdue = false;
            run.end();
        }
    }

    /** What ended a script: its own error or that of a command, and where it was. */
    private void answer(Reply reply, LuaError error) {
        String text;
        String source = error.source();
        String line = Integer.toString(error.line());
        if (error.value() instanceof LuaTable table) {
            LuaString message = LuaValues.toLuaString(table.get(ERR));
            text = message == null ? "ERR unknown error" : ScriptResult.asText(message);
            if (table.get(COUNTED) == Boolean.TRUE) {
                dispatcher.account().errorIsCounted();
            }
            if (source == null) {
                LuaString given = LuaValues.toLuaString(table.get(SOURCE));
                LuaString givenLine = LuaValues.toLuaString(table.get(LINE));
                source = given == null || givenLine == null ? null : given.toString();
                line = String.valueOf(givenLine);
            }
        } else {
            LuaString message = LuaValues.toLuaString(error.value());
            text = "ERR " + (message == null ? String.valueOf(error.value() == null ? "nil" : error.value())
                    : ScriptResult.asText(message));
        }
        reply.error(source == null ? text : text + " script: " + run.name() + ", on " + source + ":" + line + ".");
    }

    /** In the midst of a script, which the timer has interrupted. */
    private void interrupted() {
        long ranNs = System.nanoTime() - run.startNs();
        if (!run.isRunning() || ranNs < busyAfterNs) {
            return;
        }
        if (!overdue) {
            overdue = true;
            LOG.warn("Slow script detected: still in execution after {} milliseconds. You can try killing the script "
                    + "using the {} KILL command. Script name is: {}.", TimeUnit.NANOSECONDS.toMillis(ranNs),
                    run.isFunction() ? "FUNCTION" : "SCRIPT", run.name());
        }
        if (serveOthers != null && run.connection().isInTask()) {
            serveOthers();
        }
        if (run.killed() == null && stopping) {
            run.kill(STOPPED);
        }
        if (run.killed() == null && ranNs >= stopAfterNs && !run.hasWritten()) {
            run.kill("ERR Script stopped: it ran for longer than script-stop-threshold.");
        }
        if (run.killed() != null) {
            LOG.info("{}", run.killed());
            if (run.hasWritten()) {
                LOG.warn("{} had written before it was ended: a part of its work is kept", run.name());
            }
            throw LuaError.kill(CallReply.errorTable(run.killed()));
        }
    }

    /**
     * Ends what runs, unless it has written: then it would leave half of its work.
     *
     * @param function whether it is a function that is to be ended; one command does not end what the other is for
     * @return null if it will end, else the error reply
     */
    public String kill(boolean function) {
        if (!run.isRunning()) {
            return "NOTBUSY No scripts in execution right now.";
        }
        if (run.hasWritten()) {
            return "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either "
                + "wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.";
        }
        if (function != run.isFunction()) {
            return busyError();
        }
        run.kill("ERR Script killed by user with " + (function ? "FUNCTION" : "SCRIPT") + " KILL.");
        return null;
    }

    private void serveOthers() {
        run.connection().stopReading();
        servingOthers = true;
        try {
            serveOthers.run();
        } finally {
            servingOthers = false;
        }
    }
}
