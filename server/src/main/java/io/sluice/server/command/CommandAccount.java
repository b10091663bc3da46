package io.sluice.server.command;

import io.sluice.resp.Request;
import io.sluice.resp.RespReply;
import io.sluice.server.net.Connection;
import io.sluice.server.stats.ErrorStats;
import io.sluice.server.stats.LatencyMonitor;
import io.sluice.server.stats.SlowLog;
import io.sluice.server.tracking.Tracking;

/**
 * Keeps account of commands: how many, how long, with which errors; which were slow, and who has read what. One for
 * clients, transactions and scripts alike.
 */
public final class CommandAccount {
    private final CommandTable table;
    private final CommandClock time;
    private final ErrorStats errors;
    private final SlowLog slowLog;
    private final LatencyMonitor latency;
    private final Tracking tracking;
    private long commandsProcessed;
    private long unexpectedErrors;
    private boolean errorCounted;

    CommandAccount(CommandTable table, CommandClock time, ServerParts parts) {
        this.table = table;
        this.time = time;
        errors = parts.errors();
        slowLog = parts.slowLog();
        latency = parts.latency();
        tracking = parts.tracking();
    }

    /** Commands executed, those inside transactions included. */
    public long commandsProcessed() {
        return commandsProcessed;
    }

    /** Handlers that ended with an exception that is no answer. */
    public long unexpectedErrors() {
        return unexpectedErrors;
    }

    /** Sets the counters of {@code INFO} to zero. */
    void reset() {
        commandsProcessed = 0;
        unexpectedErrors = 0;
        errors.reset();
        for (CommandSpec spec : table.specs()) {
            spec.stats().reset();
            spec.subcommands().forEach(sub -> sub.stats().reset());
        }
    }

    /**
     * A command was not executed but answered with an error.
     *
     * @param spec null if there is no such command
     * @param mark where the error begins
     */
    void refused(CommandSpec spec, RespReply reply, int mark) {
        if (spec != null) {
            spec.stats().rejected();
        }
        errors.count(reply.buffer(), mark);
    }

    /**
     * A command that a script has called was not executed.
     *
     * @param spec null if there is no such command
     */
    public void refusedInScript(CommandSpec spec, String error) {
        if (spec != null) {
            spec.stats().rejected();
        }
        errors.count(error);
    }

    /** The error that the running command answers has been counted already, where a script's call met it. */
    public void errorIsCounted() {
        errorCounted = true;
    }

    /** A command begins. */
    void starting() {
        errorCounted = false;
    }

    /** A handler has ended with an exception that is no answer. */
    void failedUnexpectedly() {
        unexpectedErrors++;
    }

    /** A command has been executed, which took so long; its reply begins at the mark. */
    void executed(
            Connection connection, CommandSpec spec, Request request, RespReply reply, int mark, long durationNs) {
        boolean failed = reply.isErrorAt(mark);
        if (failed && !errorCounted) {
            errors.count(reply.buffer(), mark);
        }
        executed(connection, spec, request, failed, durationNs);
    }

    /** A script's call has been executed, with an error or null. */
    void executedInScript(
            Connection connection, CommandSpec spec, Request request, String error, long durationNs) {
        if (error != null) {
            errors.count(error);
        }
        executed(connection, spec, request, error != null, durationNs);
    }

    private void executed(
            Connection connection, CommandSpec spec, Request request, boolean failed, long durationNs) {
        commandsProcessed++;
        spec.stats().executed(durationNs, failed);
        if (connection.isTracking()) {
            noteReads(connection, spec, request);
        }
        if (slowLog.isSlow(durationNs) && !spec.has(CommandFlag.SKIP_SLOWLOG)) {
            slowLog.add(request, arg -> Redaction.hides(spec, request, arg), connection, durationNs, time.epochNs());
        }
        if (latency.isKept(durationNs)) {
            latency.sample(spec.has(CommandFlag.FAST) ? "fast-command" : "command", durationNs, time.epochNs());
        }
    }

    /** Notes which keys a client that is told of changes has read. */
    private void noteReads(Connection connection, CommandSpec spec, Request request) {
        if (spec.has(CommandFlag.READONLY) && tracking.remembers(connection)) {
            for (KeySpec keys : spec.keySpecs()) {
                keys.forEachKey(request, arg -> tracking.read(connection, request.argBytes(arg)));
            }
        }
    }
}
