package io.sluice.server.command;

import io.sluice.persistence.KeyPrefetch;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceFullException;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.store.Store;
import io.sluice.resp.ErrorText;
import io.sluice.resp.Request;
import io.sluice.resp.RespReply;
import io.sluice.server.Database;
import io.sluice.server.ServerClock;
import io.sluice.server.acl.AclLog;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.net.Connection;
import io.sluice.server.net.ReadAhead;
import io.sluice.server.net.RequestExecutor;
import io.sluice.server.pubsub.PubSub;
import io.sluice.server.replica.Replication;
import io.sluice.server.script.CallReply;
import io.sluice.server.script.ScriptEngine;
import io.sluice.server.script.ScriptRun;
import io.sluice.server.stats.ErrorStats;
import io.sluice.server.stats.LatencyMonitor;
import io.sluice.server.stats.SlowLog;
import io.sluice.server.tracking.ClientTracking;
import io.sluice.server.tracking.Tracking;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a command may run, runs it, and keeps account: every rule that concerns all commands lives here and
 * in no handler. One per server, on the event loop.
 *
 * <p>Time: one sample of the monotonic clock when a batch begins and one after each command. It is the end of that
 * command's duration and the start, hence the {@code now}, of the next.
 */
public final class Dispatcher implements RequestExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private static final byte[] POST = Words.lower("post");
    private static final byte[] HOST = Words.lower("host:");
    private static final long BEFORE_ALL_EXPIRY_NS = 0;
    private static final long HTTP_WARNING_PERIOD_NS = 60_000_000_000L;

    private final CommandTable table;
    private final ServerClock clock;
    private final ServerState state;
    private final ErrorStats errors;
    private final SlowLog slowLog;
    private final LatencyMonitor latency;
    private final Lifecycle lifecycle;
    private final PubSub pubSub;
    private final Tracking tracking;
    private final AccessControl access;
    private final ClientPause pause = new ClientPause();
    private final WatchTable watches = new WatchTable();
    private final BlockedClients blocked = new BlockedClients();
    private final ScriptEngine scripts;
    /** The running unit's; while a script lets others be served, theirs. */
    private CommandContext ctx;
    private final CommandContext ctxWhileBusy;
    private final CommandContext ctxOfScript;
    private final CommandWatch watch;
    private final KeyNotifier notifier;
    private final CommandSpec exec;
    private final Replication replication;
    private Database database;
    private Keyspace keyspace;
    private long sampleNs;
    private long commandsProcessed;
    private long unexpectedErrors;
    private boolean stopped;
    private boolean errorCounted;
    private long httpWarnedNs;

    public Dispatcher(CommandTable table, ServerParts parts) {
        this.table = table;
        clock = parts.clock();
        state = parts.state();
        errors = parts.errors();
        slowLog = parts.slowLog();
        latency = parts.latency();
        lifecycle = parts.lifecycle();
        scripts = parts.scripts();
        scripts.attach(this);
        pubSub = parts.pubSub();
        tracking = parts.tracking();
        watch = new CommandWatch(parts);
        notifier = new KeyNotifier(pubSub);
        parts.config().follow(() -> notifier.select(parts.config().text(ConfigTable.NOTIFY_EVENTS)),
                ConfigTable.NOTIFY_EVENTS);
        access = parts.access();
        access.users().open(table);
        ctx = new CommandContext(this, parts.decisions());
        ctxWhileBusy = new CommandContext(this, parts.decisions());
        ctxOfScript = new CommandContext(this, parts.decisions());
        exec = table.find("exec");
        replication = parts.replication();
        sampleNs = clock.monotonicNs();
    }

    /** The database is there: loading ends. */
    public void open(Database opened) {
        database = opened;
        keyspace = opened.keyspace();
        ctx.database(opened);
        ctxWhileBusy.database(opened);
        ctxOfScript.database(opened);
        opened.keyspace().observer(new KeyObservers(watches, tracking, notifier, blocked));
        state.loading(false);
    }

    /** Gives the running unit the clock's time as it is now; for the command that has set the clock. */
    void restartUnit() {
        long nowNs = clock.epochNs(sampleNs);
        ctx.unit(ctx.connection(), nowNs);
        if (keyspace != null) {
            keyspace.end();
            keyspace.begin(nowNs);
        }
    }

    /** Executes nothing from now on: the database is about to be closed. */
    public void stop() {
        stopped = true;
    }

    /** Null while loading for the first time. */
    public Database database() {
        return database;
    }

    public CommandTable table() {
        return table;
    }

    /** Who may do what: scripts ask for each command that they call. */
    public AccessControl access() {
        return access;
    }

    public ClientPause pause() {
        return pause;
    }

    /** Who watches which keys. */
    public WatchTable watches() {
        return watches;
    }

    /** Who sees all commands. */
    public MonitorFeed monitors() {
        return watch.monitors();
    }

    /** Who waits for which keys. */
    public BlockedClients blocked() {
        return blocked;
    }

    /** Commands executed, those inside transactions included. */
    public long commandsProcessed() {
        return commandsProcessed;
    }

    /** Handlers that ended with an exception that is no answer. */
    public long unexpectedErrors() {
        return unexpectedErrors;
    }

    /** The last sample of the monotonic clock: when the running command started. */
    public long sampleNs() {
        return sampleNs;
    }

    /** Sets the counters of {@code INFO} to zero. */
    public void resetStats() {
        commandsProcessed = 0;
        unexpectedErrors = 0;
        errors.reset();
        for (CommandSpec spec : table.specs()) {
            spec.stats().reset();
            spec.subcommands().forEach(sub -> sub.stats().reset());
        }
    }

    @Override
    public void beginBatch() {
        sampleNs = clock.monotonicNs();
    }

    @Override
    public void closed(Connection connection) {
        pause.forget(connection);
        watches.unwatch(connection);
        pubSub.unsubscribeAll(connection);
        tracking.disable(connection);
        watch.monitors().remove(connection);
        blocked.forget(connection);
        replication.closed(connection);
    }

    @Override
    public void prefetch(Connection connection, ReadAhead commands) {
        if (keyspace == null || scripts.isServingOthers()) {
            return;
        }
        KeyPrefetch keys = keyspace.prefetch();
        for (int i = 0; i < commands.size(); i++) {
            Request request = commands.request(i);
            CommandSpec spec = table.find(request, 0);
            int key = spec == null ? 0 : spec.has(CommandFlag.SCRIPT) ? ScriptEngine.FIRST_KEY : spec.firstKey();
            if (key > 0 && key < request.argCount() && request.argLength(key) <= Store.KEY_BYTES_MAX) {
                keys.add(connection.db(), request.argAddress(key), request.argLength(key));
            }
        }
        keys.fetch();
    }

    @Override
    public boolean execute(Connection connection, Request request) {
        if (stopped) {
            connection.close();
            return true;
        }
        if (!scripts.isServingOthers()) {
            return executeWhole(connection, request);
        }
        if (scripts.isEnding()) {
            // What comes now would be told that the server is busy although it will not be.
            return false;
        }
        CommandContext ofScript = ctx;
        ctx = ctxWhileBusy;
        try {
            return executeWhole(connection, request);
        } finally {
            ctx = ofScript;
        }
    }

    private boolean executeWhole(Connection connection, Request request) {
        connection.beginCommand();
        boolean done = executeOne(connection, request);
        connection.endCommand();
        return done;
    }

    private boolean executeOne(Connection connection, Request request) {
        CommandSpec spec = find(request);
        if (spec == null && isHttp(request)) {
            closeBrowser(connection);
            return true;
        }
        int mark = connection.reply().position();
        connection.active(spec == null ? "NULL" : spec.fullName(), sampleNs);
        String refusal = spec == null ? unknown(request) : refusal(connection, spec, request);
        if (refusal != null) {
            reject(connection, spec, refusal);
        } else if (pause.isActive() && pause.holds(connection, mayReplicate(connection, spec))) {
            return false;
        } else if (connection.transaction().isOpen() && !spec.has(CommandFlag.NOT_QUEUED)) {
            queue(connection, spec, request);
        } else if (runsScript(connection, spec) && !connection.isInTask()) {
            return false;
        } else {
            runUnit(connection, spec, request);
        }
        if (connection.replyMode() != Connection.ReplyMode.ON) {
            mute(connection, mark, spec);
        }
        if (connection.isTracking()) {
            endException(connection, spec);
        }
        return true;
    }

    private boolean mayReplicate(Connection connection, CommandSpec spec) {
        return spec == exec ? connection.transaction().mayReplicate()
                : spec.has(CommandFlag.WRITE) || spec.has(CommandFlag.MAY_REPLICATE);
    }

    private boolean runsScript(Connection connection, CommandSpec spec) {
        return spec == exec ? connection.transaction().runsScript() : spec.has(CommandFlag.SCRIPT);
    }

    /**
     * Runs a command that was queued, inside the unit of the EXEC that is running. Its reply follows what is written.
     */
    public void executeQueued(Request request) {
        ctx.waiting(false, false);
        runIfAllowed(ctx.connection(), request);
    }

    /** Runs a command that was accepted earlier, unless the client has lost the right to it. */
    private void runIfAllowed(Connection connection, Request request) {
        CommandSpec spec = find(request);
        String denial = access.denialAtExec(connection, spec, request);
        if (denial == null) {
            run(connection, spec, request);
        } else {
            int mark = connection.reply().position();
            spec.stats().rejected();
            connection.reply().error(denial);
            errors.count(connection.reply().buffer(), mark);
        }
    }

    /** Whether a script is running that lets others be served meanwhile: no other unit can begin. */
    public boolean isScriptRunning() {
        return scripts.isServingOthers();
    }

    /** A unit of the primary's stream comes: nothing has expired at its time, so all of it is stored as it is. */
    public void beginPrimaryUnit() {
        sampleNs = clock.monotonicNs();
        keyspace.begin(BEFORE_ALL_EXPIRY_NS);
    }

    /** The unit is complete. */
    public void endPrimaryUnit() {
        keyspace.end();
    }

    /**
     * Executes a command of a primary's stream, whatever a client may not do.
     *
     * @return the error, if it could not be applied, else null
     */
    public String applyFromPrimary(Connection primary, Request request) {
        CommandSpec spec = find(request);
        if (spec == null || !spec.arityAllows(request.argCount())) {
            return spec == null ? unknown(request) : Errors.wrongArity(spec.fullName());
        }
        long nowNs = spec.needsTime() ? clock.epochNs(sampleNs) : BEFORE_ALL_EXPIRY_NS;
        ctx.unit(primary, nowNs);
        RespReply reply = primary.reply();
        int mark = reply.position();
        run(primary, spec, request);
        boolean failed = reply.position() > mark && reply.buffer().getByte(mark) == '-';
        String error = failed ? reply.buffer().toString(mark + 1, reply.position() - mark - 3,
                java.nio.charset.StandardCharsets.ISO_8859_1) : null;
        reply.rewind(mark);
        return error;
    }

    /** The command or subcommand that a request names; null if there is none. */
    public CommandSpec find(Request request) {
        CommandSpec spec = table.find(request, 0);
        if (spec != null && spec.subcommandTable() != null && request.argCount() > 1) {
            return spec.subcommandTable().find(request, 1);
        }
        return spec;
    }

    /** A browser can be led to send a POST here; what is in its body must not be executed. */
    private static boolean isHttp(Request request) {
        return request.argIs(0, POST) || request.argIs(0, HOST);
    }

    private void closeBrowser(Connection connection) {
        if (httpWarnedNs == 0 || sampleNs - httpWarnedNs > HTTP_WARNING_PERIOD_NS) {
            httpWarnedNs = sampleNs;
            LOG.warn("Closing client {}: it speaks HTTP, which may be an attack by way of somebody's browser. "
                    + "More of them within a minute are closed without a word here.", connection.address());
        }
        connection.close();
    }

    private String unknown(Request request) {
        CommandSpec container = table.find(request, 0);
        return container == null ? ErrorText.unknownCommand(request)
                : Errors.unknownSubcommand(ErrorText.echo(request, 1), container.name());
    }

    /**
     * Why a command may not run now, or null. In the order of Redis, so that the same client mistake gets the same
     * answer.
     */
    private String refusal(Connection connection, CommandSpec spec, Request request) {
        if (!spec.arityAllows(request.argCount())) {
            return Errors.wrongArity(spec.fullName());
        }
        if (spec.has(CommandFlag.PROTECTED) && !state.mayDebug(connection.isLocal())) {
            return Errors.PROTECTED;
        }
        if (!connection.isAuthenticated() && !spec.has(CommandFlag.NO_AUTH) && access.users().mustAuthenticate()) {
            return Errors.NO_AUTH;
        }
        if (spec.has(CommandFlag.NO_MULTI) && connection.transaction().isOpen()) {
            return Errors.NOT_IN_MULTI;
        }
        String denial = access.denial(connection, spec, request, connection.transaction().isOpen()
                ? AclLog.Context.MULTI : AclLog.Context.TOPLEVEL);
        if (denial != null) {
            return "NOPERM " + denial;
        }
        boolean writes = spec.has(CommandFlag.WRITE) || spec == exec && connection.transaction().isWriting();
        if (writes && state.hasTooFewReplicas()) {
            return Errors.NO_REPLICAS;
        }
        if (writes && state.isReadOnly()) {
            return Errors.READONLY;
        }
        if (connection.isSubscribed() && connection.reply().protocol() == 2 && !spec.has(CommandFlag.WHEN_SUBSCRIBED)) {
            return Errors.notWhenSubscribed(spec.fullName());
        }
        if (state.isLoading() && !spec.has(CommandFlag.LOADING)) {
            return Errors.LOADING;
        }
        if (state.isPrimaryMissing() && !spec.has(CommandFlag.STALE)) {
            return Errors.PRIMARY_DOWN;
        }
        if (scripts.isServingOthers() && !spec.has(CommandFlag.ALLOW_BUSY)) {
            return scripts.busyError();
        }
        return null;
    }

    /**
     * Why the script that is running may not call a command, or null: the rules of {@link #refusal} that hold there.
     *
     * @param spec null if there is no such command
     */
    public String refusalInScript(CommandSpec spec, Request request, ScriptRun run) {
        if (spec == null) {
            return Errors.UNKNOWN_IN_SCRIPT;
        }
        if (!spec.arityAllows(request.argCount())) {
            return Errors.WRONG_ARITY_IN_SCRIPT;
        }
        if (spec.has(CommandFlag.NOSCRIPT) || spec.handler() == null) {
            return Errors.NOT_FROM_SCRIPT;
        }
        if (spec.has(CommandFlag.PROTECTED) && !state.mayDebug(ctx.connection().isLocal())) {
            return Errors.PROTECTED;
        }
        String denial = access.denial(ctx.connection(), spec, request, AclLog.Context.SCRIPT);
        if (denial != null) {
            return "ERR ACL failure in script: " + denial;
        }
        if (run.isReadOnly() && (spec.has(CommandFlag.WRITE) || spec.has(CommandFlag.MAY_REPLICATE))) {
            return Errors.WRITE_IN_READ_ONLY_SCRIPT;
        }
        if (state.hasTooFewReplicas() && spec.has(CommandFlag.WRITE) && !run.hasWritten()) {
            return Errors.NO_REPLICAS;
        }
        if (state.isReadOnly() && spec.has(CommandFlag.WRITE) && !run.hasWritten()) {
            return Errors.READONLY;
        }
        return null;
    }

    private void reject(Connection connection, CommandSpec spec, String error) {
        RespReply reply = connection.reply();
        int mark = reply.position();
        if (spec != null) {
            spec.stats().rejected();
        }
        if (spec != null && spec == exec) {
            connection.transaction().close();
            watches.unwatch(connection);
            reply.error(Errors.execAbort(error));
        } else {
            connection.transaction().abort();
            reply.error(error);
        }
        errors.count(reply.buffer(), mark);
    }

    private void queue(Connection connection, CommandSpec spec, Request request) {
        if (connection.transaction().add(request, state.transactionBytesMax())) {
            if (spec.has(CommandFlag.SCRIPT)) {
                connection.transaction().markScript();
            }
            if (mayReplicate(connection, spec)) {
                connection.transaction().markReplicating();
            }
            connection.reply().simple("QUEUED");
            if (spec.has(CommandFlag.WRITE)) {
                connection.transaction().writes();
            }
        } else {
            reject(connection, spec, Errors.QUEUE_FULL);
        }
    }

    private void runUnit(Connection connection, CommandSpec spec, Request request) {
        long nowNs = clock.epochNs(sampleNs);
        ctx.unit(connection, nowNs);
        if (keyspace == null || scripts.isServingOthers()) {
            run(connection, spec, request);
            return;
        }
        keyspace.begin(nowNs);
        tracking.changing(connection);
        ctx.waiting(true, false);
        run(connection, spec, request);
        tracking.changing(null);
        keyspace.end();
        if (blocked.isDue()) {
            blocked.serve(keyspace, this::executeWaiting);
        }
    }

    /** Executes the command of a client that waits, in a unit of its own. False if it goes on waiting. */
    private boolean executeWaiting(BlockedClients.Waiter waiter) {
        Connection connection = waiter.connection;
        int mark = connection.reply().position();
        long nowNs = clock.epochNs(sampleNs);
        ctx.unit(connection, nowNs);
        keyspace.begin(nowNs);
        tracking.changing(connection);
        ctx.waiting(true, true);
        connection.beginCommand();
        runIfAllowed(connection, waiter.request);
        if (waiter.muted) {
            connection.reply().rewind(mark);
        }
        connection.endCommand();
        tracking.changing(null);
        keyspace.end();
        return !ctx.waits();
    }

    /** Notes which keys a client that is told of changes has read. */
    private void noteReads(Connection connection, CommandSpec spec, Request request) {
        if (spec.has(CommandFlag.READONLY) && tracking.remembers(connection)) {
            for (KeySpec keys : spec.keySpecs()) {
                keys.forEachKey(request, arg -> tracking.read(connection, request.argBytes(arg)));
            }
        }
    }

    /** What CLIENT CACHING said holds for one command, or for the transaction that begins with it. */
    private void endException(Connection connection, CommandSpec spec) {
        boolean isClient = spec != null && spec.parent() != null && "client".equals(spec.parent().name());
        ClientTracking own = tracking.of(connection);
        if (!isClient && own != null && !connection.transaction().isOpen()) {
            own.caching(false);
        }
    }

    private void run(Connection connection, CommandSpec spec, Request request) {
        RespReply reply = connection.reply();
        int mark = reply.position();
        long startNs = sampleNs;
        errorCounted = false;
        ctx.command(spec, request, reply);
        watch.starting(connection, spec, request);
        String error = handle(spec, ctx);
        if (error != null) {
            reply.rewind(mark);
            reply.error(error);
        }
        sampleNs = clock.monotonicNs();
        if (ctx.waits()) {
            return;
        }
        boolean failed = reply.position() > mark && reply.buffer().getByte(mark) == '-';
        if (failed && !errorCounted) {
            errors.count(reply.buffer(), mark);
        }
        account(connection, spec, request, failed, sampleNs - startNs);
        watch.executed(connection, spec, request, keyspace, reply.position() - mark, sampleNs - startNs);
    }

    /** Runs a handler; gives the error that has to stand in place of its reply, or null. */
    private String handle(CommandSpec spec, CommandContext context) {
        try {
            spec.handler().handle(context);
            return null;
        } catch (CommandException e) {
            return e.getMessage();
        } catch (KeyspaceFullException e) {
            return Errors.OUT_OF_MEMORY;
        } catch (ValueTooLargeException e) {
            return Errors.VALUE_TOO_LARGE;
        } catch (RuntimeException | StackOverflowError e) {
            unexpectedErrors++;
            LOG.error("Command {} failed", spec.fullName(), e);
            return Errors.INTERNAL;
        } catch (Error e) {
            lifecycle.fail(e);
            throw e;
        }
    }

    /** Executes a command that the running script calls: for its client, at its time, in its unit. */
    public void executeInScript(CommandSpec spec, Request request, CallReply reply) {
        long startNs = sampleNs;
        Connection connection = ctx.connection();
        ctxOfScript.unit(connection, ctx.nowNs());
        ctxOfScript.command(spec, request, reply);
        String error = handle(spec, ctxOfScript);
        if (error != null) {
            reply.begin();
            reply.error(error);
        }
        sampleNs = clock.monotonicNs();
        if (reply.errorText() != null) {
            errors.count(reply.errorText());
        }
        account(connection, spec, request, reply.errorText() != null, sampleNs - startNs);
        watch.executedInScript(connection, spec, request);
    }

    /** Whether a client may run a command with these arguments, as far as its rights go. */
    public boolean mayRun(Connection connection, CommandSpec spec, Request request) {
        return (!spec.has(CommandFlag.PROTECTED) || state.mayDebug(connection.isLocal()))
                && access.allows(connection.account(), spec, request);
    }

    /** Whether clients may not write. */
    public boolean isReadOnly() {
        return state.isReadOnly();
    }

    /** A script's call was refused: counts that. */
    public void countRefusalInScript(CommandSpec spec, String error) {
        if (spec != null) {
            spec.stats().rejected();
        }
        errors.count(error);
    }

    /** The error that the running command answers has been counted already. */
    public void errorIsCounted() {
        errorCounted = true;
    }

    private void account(Connection connection, CommandSpec spec, Request request, boolean failed, long durationNs) {
        commandsProcessed++;
        spec.stats().executed(durationNs, failed);
        if (connection.isTracking()) {
            noteReads(connection, spec, request);
        }
        if (slowLog.isSlow(durationNs) && !spec.has(CommandFlag.SKIP_SLOWLOG)) {
            slowLog.add(request, arg -> Redaction.hides(spec, request, arg), connection, durationNs,
                    clock.epochNs(sampleNs));
        }
        if (latency.isKept(durationNs)) {
            latency.sample(spec.has(CommandFlag.FAST) ? "fast-command" : "command", durationNs,
                    clock.epochNs(sampleNs));
        }
    }

    /** Takes back a reply that the client does not want. */
    private void mute(Connection connection, int mark, CommandSpec spec) {
        RespReply reply = connection.reply();
        boolean refused = reply.position() > mark && reply.buffer().getByte(mark) == '-';
        if (refused || spec == null || !spec.has(CommandFlag.ANSWERS_BY_PUSH)) {
            reply.rewind(mark);
        }
        if (connection.replyMode() == Connection.ReplyMode.SKIP_NEXT && !isReplySwitch(spec)) {
            connection.replyMode(Connection.ReplyMode.ON);
        }
    }

    private static boolean isReplySwitch(CommandSpec spec) {
        return spec != null && "client|reply".equals(spec.fullName());
    }
}
