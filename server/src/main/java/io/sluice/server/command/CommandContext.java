package io.sluice.server.command;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Limit;
import io.sluice.persistence.Entry;
import io.sluice.persistence.Keyspace;
import io.sluice.persistence.store.Store;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;
import io.sluice.server.Database;
import io.sluice.server.net.Connection;
import io.sluice.server.stats.DecisionStats;

/**
 * What a handler works with. One reusable object per dispatcher: a handler must not keep it, nor the request, nor an
 * entry.
 */
public final class CommandContext {
    /** Entries that a handler may use at the same time. */
    public static final int ENTRIES = 4;

    private static final String KEY_TOO_LONG = "ERR key is too long";

    private final Dispatcher dispatcher;
    private final DecisionStats decisions;
    private final Args args = new Args();
    private final Entry[] entries = new Entry[ENTRIES];
    private Database database;
    private Keyspace keyspace;
    private Connection connection;
    private CommandSpec command;
    private Request request;
    private Reply reply;
    private long nowNs;
    private boolean mayWait;
    private boolean waitsAlready;
    private boolean waits;

    CommandContext(Dispatcher dispatcher, DecisionStats decisions) {
        this.dispatcher = dispatcher;
        this.decisions = decisions;
        for (int i = 0; i < ENTRIES; i++) {
            entries[i] = new Entry();
        }
    }

    void database(Database opened) {
        database = opened;
        keyspace = opened.keyspace();
    }

    void unit(Connection newConnection, long newNowNs) {
        connection = newConnection;
        nowNs = newNowNs;
    }

    void command(CommandSpec newCommand, Request newRequest, Reply newReply) {
        command = newCommand;
        request = newRequest;
        reply = newReply;
        args.wrap(newRequest, newCommand.firstArg());
    }

    /**
     * Says whether the next command may let its client wait, and whether it is executed because it waits already.
     */
    void waiting(boolean allowed, boolean already) {
        mayWait = allowed;
        waitsAlready = already;
        waits = false;
    }

    /**
     * Lets the client wait until one of its keys changes, and executes the command again then.
     *
     * @param firstKey  index of the first argument that is a key to wait for
     * @param lastKey   index of the last one
     * @param timeoutMs time after which the client is answered with nothing; 0 for no end
     * @param type      what a key must become
     * @return false if it may not wait, in a transaction or a script, and is to be answered at once
     */
    boolean waitForKeys(int firstKey, int lastKey, long timeoutMs, int type) {
        if (mayWait && !waitsAlready) {
            dispatcher.blocked().add(this, firstKey, lastKey, timeoutMs, type);
        }
        waits = mayWait;
        return waits;
    }

    /** Whether the client waits, and so has no reply yet. */
    boolean waits() {
        return waits;
    }

    /** The command's words, its own name first. */
    public Request request() {
        return request;
    }

    public Reply reply() {
        return reply;
    }

    /** The cursor, behind the command's name (and its subcommand's). */
    public Args args() {
        return args;
    }

    /** Null while loading, which only commands with that flag can meet. */
    public Keyspace keyspace() {
        return keyspace;
    }

    /** The keyspace with what looks after it; null while loading. */
    public Database database() {
        return database;
    }

    /** Time of the unit (command, EXEC or script), nanoseconds since the epoch. */
    public long nowNs() {
        return nowNs;
    }

    /** {@link #nowNs()} in whole milliseconds, rounded down. */
    public long nowMs() {
        return Math.floorDiv(nowNs, 1_000_000L);
    }

    /** The client's selected database. */
    public int db() {
        return connection.db();
    }

    public Connection connection() {
        return connection;
    }

    /** The row of the running command. */
    public CommandSpec command() {
        return command;
    }

    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Has replicas execute the running command, which changes no key, if there are any. */
    void relay() {
        if (keyspace != null && keyspace.hasEffects()) {
            byte[][] words = new byte[request.argCount()][];
            for (int i = 0; i < words.length; i++) {
                words[i] = request.argBytes(i);
            }
            keyspace.relay(words);
        }
    }

    /** Counts what a limiter decided about units of the key of an entry; {@code type} is the algorithm's. */
    public void decided(int type, Entry entry, Limit limit, Decision decision, long quantity) {
        decisions.count(type, decision.limited(), quantity, entry, limit, nowNs);
    }

    /** One of {@link #ENTRIES} reusable entries. */
    public Entry entry(int i) {
        return entries[i];
    }

    /**
     * Looks up the key in argument {@code arg}, without counting a hit or a miss.
     *
     * @param i which entry to use
     * @throws CommandException if the key is longer than a key may be
     */
    public Entry lookup(int i, int arg) {
        return lookupIn(i, connection.db(), arg);
    }

    /** As {@link #lookup}, in another database than the client's. */
    public Entry lookupIn(int i, int db, int arg) {
        Entry entry = entries[i];
        keyspace.lookup(entry, db, request.argAddress(arg), keyLength(arg));
        return entry;
    }

    /** As {@link #lookup}, and counts a hit or a miss. */
    public Entry lookupRead(int i, int arg) {
        Entry entry = entries[i];
        keyspace.lookupRead(entry, connection.db(), request.argAddress(arg), keyLength(arg));
        return entry;
    }

    /** Length of the key in argument {@code arg}, checked. */
    public int keyLength(int arg) {
        int length = request.argLength(arg);
        if (length > Store.KEY_BYTES_MAX) {
            throw new CommandException(KEY_TOO_LONG);
        }
        return length;
    }
}
