package io.sluice.server.command;

import io.netty.util.internal.OutOfDirectMemoryError;
import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceFullException;
import io.sluice.persistence.ValueTooLargeException;
import io.sluice.persistence.store.Store;
import io.sluice.resp.ReplyTooLargeException;
import io.sluice.resp.Request;
import io.sluice.resp.RespReply;
import io.sluice.server.Database;
import io.sluice.server.net.Connection;
import io.sluice.server.script.CallReply;
import io.sluice.server.script.ScriptEngine;
import io.sluice.server.tracking.Tracking;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;

/**
 * Runs commands that may run: a client's in a unit of its own, those that EXEC has queued and a script calls in the
 * unit of their caller, those of clients that waited, and those of the primary's stream. All of a unit has one
 * {@code now}.
 */
public final class CommandRunner {
    private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);

    private final CommandTable table;
    private final CommandRules rules;
    private final ServerState state;
    private final CommandClock time;
    private final CommandAccount account;
    private final CommandWatch watch;
    private final AccessControl access;
    private final BlockedClients blocked;
    private final Tracking tracking;
    private final ScriptEngine scripts;
    private final Lifecycle lifecycle;
    private final FullnessLog fullness = new FullnessLog();
    /** The running unit's; while a script lets others be served, theirs. */
    private CommandContext ctx;
    private final CommandContext ctxOfUnit;
    private final CommandContext ctxWhileBusy;
    private final CommandContext ctxOfScript;
    private final Entry entryOfStream = new Entry();
    private Keyspace keyspace;

    CommandRunner(Dispatcher dispatcher, CommandAccount account, CommandWatch watch, ServerParts parts) {
        table = dispatcher.table();
        rules = dispatcher.rules();
        state = parts.state();
        time = dispatcher.time();
        blocked = dispatcher.blocked();
        this.account = account;
        this.watch = watch;
        access = parts.access();
        tracking = parts.tracking();
        scripts = parts.scripts();
        lifecycle = parts.lifecycle();
        ctxOfUnit = new CommandContext(dispatcher, parts.decisions());
        ctxWhileBusy = new CommandContext(dispatcher, parts.decisions());
        ctxOfScript = new CommandContext(dispatcher, parts.decisions());
        ctx = ctxOfUnit;
    }

    void open(Database opened) {
        keyspace = opened.keyspace();
        ctxOfUnit.database(opened);
        ctxWhileBusy.database(opened);
        ctxOfScript.database(opened);
    }

    /** A script lets others be served: what runs until {@link #endServingOthers} is theirs. */
    void beginServingOthers() {
        ctx = ctxWhileBusy;
    }

    void endServingOthers() {
        ctx = ctxOfUnit;
    }

    /** Runs a command of a client in a unit of its own, and then those that waited for what it has changed. */
    void runUnit(Connection connection, CommandSpec spec, Request request) {
        if (keyspace == null || scripts.isServingOthers()) {
            ctx.unit(connection, time.epochNs());
            run(connection, spec, request);
            return;
        }
        beginUnit(connection, false);
        try {
            run(connection, spec, request);
        } finally {
            endUnit();
        }
        if (blocked.isDue()) {
            blocked.serve(keyspace, this::runWaiting);
        }
    }

    /** Runs the command of a client that waits, in a unit of its own. False if it goes on waiting. */
    private boolean runWaiting(BlockedClients.Waiter waiter) {
        Connection connection = waiter.connection;
        int mark = connection.reply().position();
        beginUnit(connection, true);
        try {
            connection.beginCommand();
            runIfAllowed(connection, waiter.request);
            if (waiter.muted) {
                connection.reply().rewind(mark);
            }
            connection.endCommand();
        } finally {
            endUnit();
        }
        return !ctx.waits();
    }

    private void beginUnit(Connection connection, boolean waitsAlready) {
        long nowNs = time.epochNs();
        ctx.unit(connection, nowNs);
        keyspace.begin(nowNs);
        tracking.changing(connection);
        ctx.waiting(true, waitsAlready);
    }

    private void endUnit() {
        tracking.changing(null);
        keyspace.end();
    }

    /** Gives the running unit the clock's time as it is now; for the command that has set the clock. */
    void restartUnit() {
        long nowNs = time.epochNs();
        ctx.unit(ctx.connection(), nowNs);
        if (keyspace != null) {
            keyspace.end();
            keyspace.begin(nowNs);
        }
    }

    /**
     * Runs a command that was queued, inside the unit of the EXEC that is running. Its reply follows what is written.
     */
    void runQueued(Request request) {
        RespReply reply = ctx.connection().reply();
        if (reply.position() > state.replyBytesMax()) {
            reply.error(Errors.REPLY_TOO_LARGE);
            return;
        }
        ctx.waiting(false, false);
        runIfAllowed(ctx.connection(), request);
    }

    /** Runs a command that was accepted earlier, unless the client has lost the right to it. */
    private void runIfAllowed(Connection connection, Request request) {
        CommandSpec spec = table.resolve(request);
        String denial = access.denialAtExec(connection, spec, request);
        if (denial == null) {
            run(connection, spec, request);
        } else {
            int mark = connection.reply().position();
            connection.reply().error(denial);
            account.refused(spec, connection.reply(), mark);
        }
    }

    private void run(Connection connection, CommandSpec spec, Request request) {
        RespReply reply = connection.reply();
        int mark = reply.position();
        long startNs = time.sampleNs();
        account.starting();
        // What writes answers with no more than a value, and its answer must not get lost.
        reply.bytesMax(spec.has(CommandFlag.WRITE) ? Integer.MAX_VALUE : state.replyBytesMax());
        ctx.command(spec, request, reply);
        watch.starting(connection, spec, request);
        String error = handle(spec, ctx);
        if (error != null) {
            reply.rewind(mark);
            reply.error(error);
        }
        time.sample();
        if (ctx.waits()) {
            return;
        }
        long durationNs = time.sampleNs() - startNs;
        account.executed(connection, spec, request, reply, mark, durationNs);
        watch.executed(connection, spec, request, keyspace, reply.position() - mark, durationNs);
    }

    /** Runs a handler; gives the error that has to stand in place of its reply, or null. */
    private String handle(CommandSpec spec, CommandContext context) {
        try {
            spec.handler().handle(context);
            return null;
        } catch (CommandException e) {
            return e.getMessage();
        } catch (KeyspaceFullException e) {
            return fullness.refused(e, keyspace, time.sampleNs());
        } catch (ValueTooLargeException e) {
            return Errors.VALUE_TOO_LARGE;
        } catch (ReplyTooLargeException e) {
            return Errors.REPLY_TOO_LARGE;
        } catch (OutOfDirectMemoryError e) {
            // Of buffers, which other clients fill: the keyspace and its invariants have no part in that.
            LOG.warn("Command {}: no memory left for buffers", spec.fullName());
            return Errors.NO_BUFFERS;
        } catch (RuntimeException | StackOverflowError e) {
            account.failedUnexpectedly();
            LOG.error("Command {} failed", spec.fullName(), e);
            return Errors.INTERNAL;
        } catch (Error e) {
            lifecycle.fail(e);
            throw e;
        }
    }

    /** Runs a command that the running script calls: for its client, at its time, in its unit. */
    public void runInScript(CommandSpec spec, Request request, CallReply reply) {
        long startNs = time.sampleNs();
        Connection connection = ctx.connection();
        ctxOfScript.unit(connection, ctx.nowNs());
        ctxOfScript.command(spec, request, reply);
        String error = handle(spec, ctxOfScript);
        if (error != null) {
            reply.begin();
            reply.error(error);
        }
        time.sample();
        account.executedInScript(connection, spec, request, reply.errorText(), time.sampleNs() - startNs);
        watch.executedInScript(connection, spec, request);
    }

    /** Whether a script is running that lets others be served meanwhile: no other unit can begin. */
    public boolean isScriptRunning() {
        return scripts.isServingOthers();
    }

    /** A unit of the primary's stream comes: nothing has expired at its time, so all of it is stored as it is. */
    public void beginPrimaryUnit() {
        time.sample();
        keyspace.begin(Keyspace.BEFORE_ALL_EXPIRY_NS);
    }

    /** The unit is complete, or has failed. */
    public void endPrimaryUnit() {
        keyspace.end();
    }

    /** Whether there is such a database. */
    public boolean hasDatabase(int db) {
        return db < keyspace.databases();
    }

    /** Empties a database, for a primary's stream. */
    public void empty(int db) {
        keyspace.flushDb(db);
    }

    /** Empties all databases, for a primary's stream. */
    public void emptyAll() {
        keyspace.flushAll();
    }

    /** Whether a key that a command of a primary's stream names is stored. */
    public boolean holds(int db, Request request, int arg) {
        return hasDatabase(db) && request.argLength(arg) <= Store.KEY_BYTES_MAX
                && keyspace.lookup(entryOfStream, db, request.argAddress(arg), request.argLength(arg));
    }

    /** Removes a key that a command of a primary's stream names, if it is stored. */
    public void remove(int db, Request request, int arg) {
        if (holds(db, request, arg)) {
            keyspace.remove(entryOfStream);
        }
    }

    /**
     * Runs a command of a primary's stream that changes data, whatever a client may not do.
     *
     * @return the error, if it could not be applied, else null
     */
    public String applyFromPrimary(Connection primary, Request request) {
        CommandSpec spec = table.resolve(request);
        String refusal = rules.refusalFromPrimary(spec, request);
        if (refusal != null) {
            return refusal;
        }
        boolean ofTheSelected = !spec.keySpecs().isEmpty() || spec.name().equals("flushdb");
        if (ofTheSelected && !hasDatabase(primary.db())) {
            return Errors.DB_OUT_OF_RANGE;
        }
        ctx.unit(primary, spec.needsTime() ? time.epochNs() : Keyspace.BEFORE_ALL_EXPIRY_NS);
        RespReply reply = primary.reply();
        int mark = reply.position();
        // The primary did not wait for what it sends: as in a transaction, a blocking command does what it can.
        ctx.waiting(false, false);
        run(primary, spec, request);
        String error = reply.isErrorAt(mark)
                ? reply.buffer().toString(mark + 1, reply.position() - mark - 3, StandardCharsets.ISO_8859_1) : null;
        reply.rewind(mark);
        return error;
    }
}
