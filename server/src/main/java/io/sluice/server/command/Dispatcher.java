package io.sluice.server.command;

import io.sluice.persistence.KeyPrefetch;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.store.Store;
import io.sluice.resp.Request;
import io.sluice.resp.RespReply;
import io.sluice.server.Database;
import io.sluice.server.config.ConfigTable;
import io.sluice.server.net.Connection;
import io.sluice.server.net.ReadAhead;
import io.sluice.server.net.RequestExecutor;
import io.sluice.server.net.Transaction;
import io.sluice.server.pubsub.PubSub;
import io.sluice.server.replica.Replication;
import io.sluice.server.script.FunctionLibraries;
import io.sluice.server.script.ScriptEngine;
import io.sluice.server.tracking.Tracking;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes each command of a client from its words to its reply: finds its row, asks the {@link CommandRules}, and refuses
 * it, holds it back, queues it, or lets the {@link CommandRunner} run it. One per server, on the event loop.
 */
public final class Dispatcher implements RequestExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final CommandTable table;
    private final CommandClock time;
    private final CommandRules rules;
    private final CommandAccount account;
    private final CommandRunner runner;
    private final ServerState state;
    private final AccessControl access;
    private final ScriptEngine scripts;
    private final PubSub pubSub;
    private final Tracking tracking;
    private final Replication replication;
    private final ClientPause pause = new ClientPause();
    private final WatchTable watches = new WatchTable();
    private final BlockedClients blocked = new BlockedClients();
    private final BrowserGuard browsers = new BrowserGuard();
    private final ClientSwitches switches;
    private final CommandWatch watch;
    private final KeyNotifier notifier;
    private Database database;
    private Keyspace keyspace;
    private boolean stopped;

    /** A dispatcher of these commands, which answers that it is loading until {@link #open}. */
    public Dispatcher(CommandTable table, ServerParts parts) {
        this.table = table;
        state = parts.state();
        access = parts.access();
        scripts = parts.scripts();
        pubSub = parts.pubSub();
        tracking = parts.tracking();
        replication = parts.replication();
        time = new CommandClock(parts.clock());
        rules = new CommandRules(table, parts);
        account = new CommandAccount(table, time, parts);
        switches = new ClientSwitches(tracking);
        watch = new CommandWatch(parts);
        notifier = new KeyNotifier(pubSub);
        parts.config().follow(() -> notifier.select(parts.config().text(ConfigTable.NOTIFY_EVENTS)),
                ConfigTable.NOTIFY_EVENTS);
        access.users().open(table);
        scripts.attach(this);
        runner = new CommandRunner(this, account, watch, parts);
    }

    /** The database is there: loading ends. */
    public void open(Database opened) {
        database = opened;
        keyspace = opened.keyspace();
        runner.open(opened);
        opened.keyspace().observer(new KeyObservers(watches, tracking, notifier, blocked));
        state.loading(false);
    }

    /** Executes nothing from now on: the database is about to be closed. */
    public void stop() {
        stopped = true;
    }

    @Override
    public void beginBatch() {
        time.sample();
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
        runner.beginServingOthers();
        try {
            return executeWhole(connection, request);
        } finally {
            runner.endServingOthers();
        }
    }

    private boolean executeWhole(Connection connection, Request request) {
        connection.beginCommand();
        boolean done = connection.isReplica() ? executeOfReplica(connection, request)
                : executeOne(connection, request);
        connection.endCommand();
        return done;
    }

    /** Nothing but the stream goes to a replica: what would be answered ends its connection, as in Redis. */
    private boolean executeOfReplica(Connection connection, Request request) {
        CommandSpec spec = table.resolve(request);
        int mark = connection.reply().position();
        boolean taken = spec != null && spec.has(CommandFlag.FROM_REPLICA);
        boolean done = !taken || executeOne(connection, request);
        if (!taken || connection.reply().position() > mark) {
            connection.reply().rewind(mark);
            LOG.warn("Closing replica {}, which has sent what has an answer: {}", connection.address(),
                    spec == null ? "an unknown command" : spec.fullName());
            connection.close();
        }
        return done;
    }

    private boolean executeOne(Connection connection, Request request) {
        CommandSpec spec = table.resolve(request);
        if (spec == null && BrowserGuard.isHttp(request)) {
            browsers.close(connection, time.sampleNs());
            return true;
        }
        int mark = connection.reply().position();
        connection.active(spec == null ? "NULL" : spec.fullName(), time.sampleNs());
        String refusal = rules.refusal(connection, spec, request);
        if (refusal != null) {
            refuse(connection, spec, refusal);
        } else if (pause.isActive() && pause.holds(
                connection, rules.mayReplicate(connection, spec, request), rules.isSentinelHello(request))) {
            return false;
        } else if (connection.transaction().isOpen() && !spec.has(CommandFlag.NOT_QUEUED)) {
            queue(connection, spec, request);
        } else if (rules.runsScript(connection, spec) && !connection.isInTask()) {
            return false;
        } else {
            runner.runUnit(connection, spec, request);
        }
        switches.answered(connection, spec, mark);
        return true;
    }

    private void refuse(Connection connection, CommandSpec spec, String error) {
        RespReply reply = connection.reply();
        int mark = reply.position();
        if (rules.isExec(spec)) {
            connection.transaction().close();
            watches.unwatch(connection);
            reply.error(Errors.execAbort(error));
        } else {
            connection.transaction().abort();
            reply.error(error);
        }
        account.refused(spec, reply, mark);
    }

    private void queue(Connection connection, CommandSpec spec, Request request) {
        Transaction transaction = connection.transaction();
        if (!transaction.add(request, state.transactionBytesMax())) {
            refuse(connection, spec, Errors.QUEUE_FULL);
            return;
        }
        if (spec.has(CommandFlag.SCRIPT)) {
            transaction.markScript();
        }
        if (rules.mayReplicate(connection, spec, request)) {
            transaction.markReplicating();
        }
        if (spec.has(CommandFlag.WRITE)) {
            transaction.writes();
        }
        connection.reply().simple("QUEUED");
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

    /** Null while loading for the first time. */
    public Database database() {
        return database;
    }

    public CommandTable table() {
        return table;
    }

    /** The keys of commands that a primary sends. */
    public StreamedKeys streamedKeys() {
        return new StreamedKeys(table);
    }

    /** Most bytes of replies that one command which only reads may add to. */
    int replyBytesMax() {
        return state.replyBytesMax();
    }

    /** Whether a command may run now. */
    public CommandRules rules() {
        return rules;
    }

    /** Runs commands for scripts, transactions and the primary's stream. */
    public CommandRunner runner() {
        return runner;
    }

    /** What commands have done. */
    public CommandAccount account() {
        return account;
    }

    /** The time of the running command. */
    public CommandClock time() {
        return time;
    }

    /** Who may do what. */
    public AccessControl access() {
        return access;
    }

    /** The functions that are loaded. */
    public FunctionLibraries functions() {
        return scripts.functions();
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
}
