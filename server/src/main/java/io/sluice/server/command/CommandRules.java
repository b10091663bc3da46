package io.sluice.server.command;

import io.sluice.resp.ErrorText;
import io.sluice.resp.Request;
import io.sluice.server.acl.AclLog;
import io.sluice.server.net.Connection;
import io.sluice.server.net.Transaction;
import io.sluice.server.script.ScriptEngine;
import io.sluice.server.script.ScriptRun;

/** Whether a command may run now: every rule that concerns all commands is here and in no handler. */
public final class CommandRules {
    private static final byte[] PUBLISH = Words.lower("publish");
    private static final byte[] SENTINEL_HELLO = Words.lower("__sentinel__:hello");

    private final CommandTable table;
    private final ServerState state;
    private final AccessControl access;
    private final ScriptEngine scripts;
    private final CommandSpec exec;

    CommandRules(CommandTable table, ServerParts parts) {
        this.table = table;
        state = parts.state();
        access = parts.access();
        scripts = parts.scripts();
        exec = table.find("exec");
    }

    /**
     * Why a command may not run now, or null. In the order of Redis, so that the same client mistake gets the same
     * answer.
     *
     * @param spec null if there is no such command
     */
    String refusal(Connection connection, CommandSpec spec, Request request) {
        if (spec == null) {
            return unknown(request);
        }
        if (!spec.arityAllows(request.argCount())) {
            return Errors.wrongArity(spec.fullName());
        }
        if (spec.has(CommandFlag.PROTECTED) && !state.mayDebug(connection.isLocal())) {
            return Errors.PROTECTED;
        }
        if (!connection.isAuthenticated() && !spec.has(CommandFlag.NO_AUTH) && access.users().mustAuthenticate()) {
            return Errors.NO_AUTH;
        }
        Transaction transaction = connection.transaction();
        if (spec.has(CommandFlag.NO_MULTI) && transaction.isOpen()) {
            return Errors.NOT_IN_MULTI;
        }
        String denial = access.denial(connection, spec, request,
                transaction.isOpen() ? AclLog.Context.MULTI : AclLog.Context.TOPLEVEL);
        if (denial != null) {
            return "NOPERM " + denial;
        }
        boolean writes = spec.has(CommandFlag.WRITE) || spec == exec && transaction.isWriting();
        if (writes && state.hasTooFewReplicas()) {
            return Errors.NO_REPLICAS;
        }
        if (writes && state.isReadOnly()) {
            return Errors.READONLY;
        }
        if (connection.isSubscribed() && connection.protocol() == 2 && !spec.has(CommandFlag.WHEN_SUBSCRIBED)) {
            return Errors.notWhenSubscribed(spec.fullName());
        }
        return refusalOfServer(spec);
    }

    /** Why no client at all may run a command now, or null. */
    private String refusalOfServer(CommandSpec spec) {
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
     * Why a command of the primary's stream is not applied, or null. What changes no data would change the server: its
     * role, whom it follows, whether it runs.
     *
     * @param spec null if there is no such command
     */
    String refusalFromPrimary(CommandSpec spec, Request request) {
        if (spec == null) {
            return unknown(request);
        }
        if (!spec.arityAllows(request.argCount())) {
            return Errors.wrongArity(spec.fullName());
        }
        boolean changesData = spec.has(CommandFlag.WRITE) || spec.has(CommandFlag.MAY_REPLICATE)
                || spec.has(CommandFlag.FROM_PRIMARY);
        return changesData ? null : Errors.NOT_FROM_PRIMARY;
    }

    /** The answer to a command that there is not. */
    String unknown(Request request) {
        CommandSpec container = table.find(request, 0);
        return container == null ? ErrorText.unknownCommand(request)
                : Errors.unknownSubcommand(ErrorText.echo(request, 1), container.name());
    }

    /**
     * Why the script that a client runs may not call a command, or null: the rules of {@link #refusal} that hold there.
     *
     * @param spec null if there is no such command
     */
    public String refusalInScript(Connection connection, CommandSpec spec, Request request, ScriptRun run) {
        if (spec == null) {
            return Errors.UNKNOWN_IN_SCRIPT;
        }
        if (!spec.arityAllows(request.argCount())) {
            return Errors.WRONG_ARITY_IN_SCRIPT;
        }
        if (spec.has(CommandFlag.NOSCRIPT) || spec.handler() == null) {
            return Errors.NOT_FROM_SCRIPT;
        }
        if (spec.has(CommandFlag.PROTECTED) && !state.mayDebug(connection.isLocal())) {
            return Errors.PROTECTED;
        }
        String denial = access.denial(connection, spec, request, AclLog.Context.SCRIPT);
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

    /** Whether a client may run a command with these arguments, as far as its rights go. */
    public boolean mayRun(Connection connection, CommandSpec spec, Request request) {
        return (!spec.has(CommandFlag.PROTECTED) || state.mayDebug(connection.isLocal()))
                && access.allows(connection.account(), spec, request);
    }

    /** Whether clients may not write. */
    public boolean isReadOnly() {
        return state.isReadOnly();
    }

    boolean isExec(CommandSpec spec) {
        return spec != null && spec == exec;
    }

    /** Whether a command may change what replicas hold, or send something to them; EXEC as what is queued may. */
    boolean mayReplicate(Connection connection, CommandSpec spec, Request request) {
        return spec == exec ? connection.transaction().mayReplicate()
                : spec.has(CommandFlag.WRITE) || spec.has(CommandFlag.MAY_REPLICATE)
                && !(spec.has(CommandFlag.SCRIPT) && scripts.saysItOnlyReads(spec, request));
    }

    /** Whether it is the message by which Sentinels find each other. */
    boolean isSentinelHello(Request request) {
        return request.argCount() == 3 && request.argIs(0, PUBLISH) && request.argIs(1, SENTINEL_HELLO);
    }

    /** Whether a command runs scripts; EXEC as what is queued does. */
    boolean runsScript(Connection connection, CommandSpec spec) {
        return spec == exec ? connection.transaction().runsScript() : spec.has(CommandFlag.SCRIPT);
    }
}
