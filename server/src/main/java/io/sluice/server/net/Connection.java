package io.sluice.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.sluice.resp.RespReply;
import io.sluice.server.acl.User;

/**
 * One client, as commands see it: its identity, its settings, and where its replies go. Owned by the event loop.
 * Times are samples of the monotonic clock.
 */
public final class Connection {
    private final long id;
    private final Channel channel;
    private final String address;
    private final String localAddress;
    private final boolean local;
    private final long createdNs;
    private final OutputBuffer output;
    private final Transaction transaction = new Transaction();
    private final ClientSettings settings = new ClientSettings();

    private int db;
    private boolean authenticated;
    private User account = User.UNRESTRICTED;
    private boolean replica;
    private boolean monitor;
    private int subscriptions;
    private int patternSubscriptions;
    private int shardSubscriptions;
    private boolean tracking;
    private String lastCommand = "NULL";
    private long lastActiveNs;
    private long bytesIn;
    private boolean closing;
    private boolean suspended;
    private boolean inTask;
    private boolean blocked;
    private boolean flushScheduled;
    private ConnectionHandler handler;

    /**
     * A client that has just connected.
     *
     * @param id           never used before in this process
     * @param address      the peer, {@code ip:port} or the path of the socket and {@code :0}
     * @param localAddress the server's end
     * @param local        whether the peer is on this machine
     */
    public Connection(long id, Channel channel, String address, String localAddress, boolean local, long nowNs) {
        this.id = id;
        this.channel = channel;
        output = new OutputBuffer(channel);
        this.address = address;
        this.localAddress = localAddress;
        this.local = local;
        createdNs = nowNs;
        lastActiveNs = nowNs;
    }

    public long id() {
        return id;
    }

    public Channel channel() {
        return channel;
    }

    public String address() {
        return address;
    }

    public String localAddress() {
        return localAddress;
    }

    /** Whether the peer is on this machine: loopback or unix socket. */
    public boolean isLocal() {
        return local;
    }

    public long createdNs() {
        return createdNs;
    }

    /** Where to write to this client; what is written goes out when the batch ends, or with {@link #flush}. */
    public RespReply reply() {
        return output.reply();
    }

    /** The version of the protocol that the client speaks, 2 or 3. */
    public int protocol() {
        return output.protocol();
    }

    /** Reply bytes not yet handed to the channel. */
    public int outBytes() {
        return output.length();
    }

    /** Hands the replies to the channel without flushing it; false if there were none. */
    boolean write() {
        return output.write();
    }

    /** Sends what was written outside of a batch of the client's own commands. */
    public void flush() {
        if (handler != null) {
            handler.flush();
        } else if (write()) {
            channel.flush();
        }
    }

    /** Pushes wait behind the reply of the command that begins here: they must not come into its midst. */
    public void beginCommand() {
        output.beginCommand();
    }

    /** The command's reply is complete. */
    public void endCommand() {
        output.endCommand();
    }

    /**
     * Sends the client something that is no reply, when the event loop has done what it is at; a replica, which gets
     * nothing but the stream, is sent nothing.
     */
    public void push(PushMessage message) {
        if (closing || replica) {
            return;
        }
        ByteBuf bytes = message.encoded(protocol());
        int shared = 0;
        if (output.isShared(bytes)) {
            flush();
            output.writeShared(bytes);
            shared = bytes.readableBytes();
        } else {
            output.append(bytes);
        }
        if (handler != null) {
            handler.pushed(shared);
        }
        if (!flushScheduled) {
            flushScheduled = true;
            channel.eventLoop().execute(this::flushPushes);
        }
    }

    private void flushPushes() {
        flushScheduled = false;
        flush();
        channel.flush();
    }

    /** Answers what is written so far, then closes; commands behind this one are not executed. */
    public void closeAfterReplies() {
        closing = true;
    }

    /** Whether no further command may run. */
    public boolean isClosing() {
        return closing;
    }

    /** Closes when the replies so far are sent; completes when that is done. */
    public ChannelFuture closeWhenSent() {
        closing = true;
        write();
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        return channel.closeFuture();
    }

    /** Closes at once. */
    public void close() {
        closing = true;
        channel.close();
    }

    /** Gives back what it holds; the channel has ended. */
    public void release() {
        closing = true;
        output.release();
        transaction.close();
    }

    /** Executes no further command of this client until {@link #resume}; nothing is read meanwhile. */
    public void suspend() {
        suspended = true;
    }

    /** As {@link #suspend}, with a command that may wait for ever: that the client goes away is noticed meanwhile. */
    public void block() {
        blocked = true;
        suspended = true;
    }

    public boolean isBlocked() {
        return blocked;
    }

    /** Ends {@link #suspend} and {@link #block}: goes on with what was received. */
    public void resume() {
        if (suspended) {
            suspended = false;
            blocked = false;
            if (handler != null) {
                handler.resume();
            }
        }
    }

    public boolean isSuspended() {
        return suspended;
    }

    /**
     * Whether the command that is running may serve other sockets (see {@link ServerLoop}): it was not called from the
     * loop's own round through them.
     */
    public boolean isInTask() {
        return inTask || handler == null;
    }

    void inTask(boolean value) {
        inTask = value;
    }

    /** Goes on now with commands that wait for a turn which the loop has not come to. */
    public void takeDueTurn() {
        if (handler != null) {
            handler.takeDueTurn();
        }
    }

    /** Reads nothing more from this client until its command has ended. */
    public void stopReading() {
        channel.config().setAutoRead(false);
    }

    void attach(ConnectionHandler newHandler) {
        handler = newHandler;
    }

    /** Bytes received and not executed yet. */
    public int unreadBytes() {
        return handler == null ? 0 : handler.unreadBytes();
    }

    /** Reply bytes that the socket has not taken. */
    public long unsentBytes() {
        return output.unsentBytes();
    }

    /** Notes whether the unsent bytes are over the soft limit now, and tells for how long they have been. */
    long overSoftLimitNs(boolean over, long nowNs) {
        return output.overSoftLimitNs(over, nowNs);
    }

    public Transaction transaction() {
        return transaction;
    }

    /** The selected database. */
    public int db() {
        return db;
    }

    public void db(int newDb) {
        db = newDb;
    }

    public boolean isAuthenticated() {
        return authenticated;
    }

    /** Sets the user; false puts the client back to before AUTH. */
    public void authenticated(boolean value, User newAccount) {
        if (handler != null && value != authenticated) {
            handler.authenticationChanged(value);
        }
        authenticated = value;
        account = newAccount;
    }

    /** Whose rights the client has. */
    public User account() {
        return account;
    }

    /** The name of the user that the client is. */
    public String user() {
        return account.name();
    }

    /** What the client has said of itself, and how it wants to be treated. */
    public ClientSettings settings() {
        return settings;
    }

    /** Whether the client is connected to the unix socket, by whose path its address then begins. */
    public boolean isUnix() {
        return address.endsWith(":0");
    }

    /** Whether this client sees all commands, see {@code MONITOR}. */
    public boolean isMonitor() {
        return monitor;
    }

    public void monitor(boolean value) {
        monitor = value;
    }

    /** Whether this client is a replica of ours. */
    public boolean isReplica() {
        return replica;
    }

    public void replica(boolean value) {
        replica = value;
    }

    public int subscriptions() {
        return subscriptions;
    }

    public int patternSubscriptions() {
        return patternSubscriptions;
    }

    public int shardSubscriptions() {
        return shardSubscriptions;
    }

    /** Whether the client is subscribed to anything. */
    public boolean isSubscribed() {
        return subscriptions + patternSubscriptions + shardSubscriptions > 0;
    }

    /** How many channels, patterns and shard channels the client is subscribed to. */
    public void subscriptions(int channels, int patterns, int shardChannels) {
        subscriptions = channels;
        patternSubscriptions = patterns;
        shardSubscriptions = shardChannels;
    }

    /** Whether the client is told of changes to what it has read. */
    public boolean isTracking() {
        return tracking;
    }

    public void tracking(boolean value) {
        tracking = value;
    }

    /** The full name of the last command, {@code NULL} before the first. */
    public String lastCommand() {
        return lastCommand;
    }

    public long lastActiveNs() {
        return lastActiveNs;
    }

    /** A command has run. */
    public void active(String command, long nowNs) {
        lastCommand = command;
        lastActiveNs = nowNs;
    }

    public long bytesIn() {
        return bytesIn;
    }

    void received(int bytes) {
        bytesIn += bytes;
    }
}
