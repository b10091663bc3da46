package io.sluice.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.sluice.resp.RequestParser;
import io.sluice.server.stats.ServerStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/**
 * Moves one client's bytes: what is read is parsed where it lies and executed, replies are collected and sent once
 * per batch.
 *
 * <p>A client's commands stop being executed, and its socket being read, when it has had its turn and others wait,
 * when it does not take its replies, or when a command holds it back; each of these is a {@link Stop} with its own
 * way to go on.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);

    /** Why nothing is executed at the moment. */
    private enum Stop {
        /** There is no complete command; go on with the next bytes. */
        NEEDS_BYTES,
        /** The turn is over; go on when the others had theirs. */
        TURN_OVER,
        /** Replies are not taken; go on when the channel becomes writable. */
        UNWRITABLE,
        /** A command holds the client back; go on when it is resumed. */
        SUSPENDED,
        /** The next command may run for long; go on as a task, out of the loop's round through its sockets. */
        NEEDS_TASK,
        /** Nothing more will be executed. */
        CLOSING
    }

    private final Connection connection;
    private final RequestExecutor executor;
    private final NetSettings settings;
    private final ClientRegistry clients;
    private final ServerStats stats;
    private final ReadAhead readAhead;
    private final RequestParser parser = new RequestParser();
    private ChannelHandlerContext channelContext;
    private ByteBuf in;
    private Stop stop = Stop.NEEDS_BYTES;
    private int commandsLeft = NetSettings.COMMANDS_PER_TURN;
    private boolean turnScheduled;
    /** A command is running; whatever the socket brings meanwhile (see {@link ServerLoop}) waits for its end. */
    private boolean executing;
    /** What was read meanwhile. */
    private ByteBuf late;
    /** The socket was closed meanwhile. */
    private boolean lost;
    private boolean inputEnded;
    private boolean finishing;
    /** All replies are sent, and the peer is told that no more will come. */
    private boolean outputEnded;
    private int drainedBytes;

    ConnectionHandler(Connection connection, RequestExecutor executor, NetSettings settings, ClientRegistry clients,
            ServerStats stats, ReadAhead readAhead) {
        this.connection = connection;
        this.executor = executor;
        this.settings = settings;
        this.clients = clients;
        this.stats = stats;
        this.readAhead = readAhead;
        connection.attach(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channelContext = ctx;
        clients.add(connection);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stop = Stop.CLOSING;
        clients.remove(connection);
        if (executing) {
            lost = true;
            connection.closeAfterReplies();
        } else {
            release();
        }
        ctx.fireChannelInactive();
    }

    private void release() {
        executor.closed(connection);
        connection.release();
        releaseInput();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        int length = received.readableBytes();
        stats.netInputBytes += length;
        connection.received(length);
        if (executing) {
            late = joined(late, received);
            return;
        }
        if (stop == Stop.CLOSING) {
            received.release();
            drain(length);
            return;
        }
        in = joined(in, received);
        if (in.readableBytes() > settings.queryBytesMax(connection.isAuthenticated())) {
            stats.queryLimitDisconnections++;
            LOG.warn("Closing client {}: more than {} bytes of unread commands", connection.address(),
                    settings.queryBytesMax(connection.isAuthenticated()));
            closeAtOnce();
            return;
        }
        if (stop == Stop.NEEDS_BYTES) {
            executeCommands();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        stats.reads++;
        if (!executing) {
            endBatch();
        }
    }

    /** The peer will send no more: what it has sent is executed and answered, then the connection ends. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE || event == SslCloseCompletionEvent.SUCCESS) {
            inputEnded = true;
            if (executing) {
                return;
            }
            if (stop == Stop.NEEDS_BYTES) {
                finish();
            } else if (stop == Stop.SUSPENDED || outputEnded) {
                closeAtOnce();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            goOnAfter(Stop.UNWRITABLE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // TLS wraps what went wrong with the socket or the handshake.
        boolean wrapped = cause instanceof DecoderException || cause instanceof UncheckedIOException;
        boolean isPeers = (wrapped ? cause.getCause() : cause) instanceof IOException;
        if (!isPeers) {
            LOG.error("Closing client {}", connection.address(), cause);
        }
        closeAtOnce();
    }

    /** All unread bytes in one direct buffer: the first fragment as it came, later ones behind it. */
    private ByteBuf joined(ByteBuf before, ByteBuf received) {
        if (before == null && received.hasMemoryAddress()) {
            return received;
        }
        int length = received.readableBytes();
        int unread = before == null ? 0 : before.readableBytes();
        ByteBuf all = before;
        if (before == null || before.writableBytes() < length) {
            all = channelContext.alloc().directBuffer(Math.max(unread + length, 2 * unread));
            if (before != null) {
                all.writeBytes(before);
                before.release();
            }
        }
        all.writeBytes(received);
        received.release();
        return all;
    }

    private void executeCommands() {
        executor.beginBatch();
        stop = Stop.NEEDS_BYTES;
        ReadAhead ahead = readAhead.use();
        executing = true;
        try {
            executeAll(ahead);
        } finally {
            executing = false;
            ahead.leave();
            takeWhatCameMeanwhile();
        }
        keepUnread();
    }

    private void executeAll(ReadAhead ahead) {
        while (stop == Stop.NEEDS_BYTES) {
            RequestParser.Result result = ahead.fill(
                    parser, in, settings.respLimits(), connection.isAuthenticated(), commandsLeft);
            if (result == RequestParser.Result.INCOMPLETE) {
                return;
            }
            if (result == RequestParser.Result.PROTOCOL_ERROR) {
                stats.protocolErrors++;
                connection.reply().error("ERR " + parser.errorText());
                stop = Stop.CLOSING;
            } else {
                executeAhead(ahead);
            }
        }
    }

    private void takeWhatCameMeanwhile() {
        if (late != null) {
            in = joined(in, late);
            late = null;
            if (stop == Stop.NEEDS_BYTES) {
                stop = Stop.TURN_OVER;
            }
        }
        if (lost) {
            stop = Stop.CLOSING;
            release();
        }
    }

    /** Executes what was read ahead, and puts back what has to wait. */
    private void executeAhead(ReadAhead ahead) {
        int size = ahead.size();
        if (size > 1) {
            executor.prefetch(connection, ahead);
        }
        for (int i = 0; i < size; i++) {
            boolean executed = executor.execute(connection, ahead.request(i));
            if (executed) {
                commandsLeft--;
            }
            stop = executed ? afterCommand() : connection.isSuspended() ? Stop.SUSPENDED : Stop.NEEDS_TASK;
            if (stop != Stop.NEEDS_BYTES) {
                if (in != null) {
                    ahead.putBack(executed ? i + 1 : i, parser, in);
                }
                return;
            }
        }
    }

    /** What an executed command leaves the connection in. */
    private Stop afterCommand() {
        if (connection.isClosing()) {
            return Stop.CLOSING;
        }
        if (connection.outBytes() >= NetSettings.replyBytesPerFlush(connection) && !flushMany()) {
            return Stop.UNWRITABLE;
        }
        if (connection.isClosing()) {
            return Stop.CLOSING;
        }
        if (connection.isSuspended()) {
            return Stop.SUSPENDED;
        }
        return commandsLeft > 0 ? Stop.NEEDS_BYTES : Stop.TURN_OVER;
    }

    /** Sends replies in the midst of a batch; false if the client does not take them. */
    private boolean flushMany() {
        flush();
        checkOutputLimit();
        return channelContext.channel().isWritable();
    }

    private void checkOutputLimit() {
        long limit = settings.outputLimit(connection).hardBytes();
        if (limit > 0 && connection.unsentBytes() > limit) {
            stats.outputLimitDisconnections++;
            LOG.warn("Closing client {}: more than {} bytes of replies not taken", connection.address(), limit);
            closeAtOnce();
        }
    }

    /** The client has been given something that is no reply, so many bytes of it directly to the channel. */
    void pushed(int bytesToChannel) {
        stats.netOutputBytes += bytesToChannel;
        checkOutputLimit();
    }

    /** Bytes received and not executed yet. */
    int unreadBytes() {
        return in == null ? 0 : in.readableBytes();
    }

    void flush() {
        int length = connection.outBytes();
        if (connection.write()) {
            stats.netOutputBytes += length;
            stats.writes++;
            channelContext.flush();
        }
    }

    /** Gives memory back that unread bytes do not need. */
    private void keepUnread() {
        if (in == null) {
            return;
        }
        int unread = in.readableBytes();
        if (unread == 0) {
            releaseInput();
        } else if (in.capacity() > 4 * unread + 4096) {
            ByteBuf smaller = channelContext.alloc().directBuffer(unread);
            smaller.writeBytes(in);
            in.release();
            in = smaller;
        }
    }

    private void releaseInput() {
        if (in != null) {
            in.release();
            in = null;
        }
    }

    /** Sends what there is and arranges how this client goes on. */
    private void endBatch() {
        if (stop == Stop.NEEDS_TASK) {
            goOnAsTask();
            return;
        }
        commandsLeft = NetSettings.COMMANDS_PER_TURN;
        if (stop == Stop.CLOSING) {
            finish();
            return;
        }
        flush();
        if (stop == Stop.NEEDS_BYTES && !channelContext.channel().isWritable()) {
            stop = Stop.UNWRITABLE;
        }
        if (stop == Stop.NEEDS_BYTES && inputEnded) {
            finish();
            return;
        }
        boolean reading = stop == Stop.NEEDS_BYTES || stop == Stop.SUSPENDED && connection.isBlocked()
                && unreadBytes() < NetSettings.BLOCKED_UNREAD_BYTES_MAX;
        if (channelContext.channel().config().isAutoRead() != reading) {
            channelContext.channel().config().setAutoRead(reading);
        }
        if (stop == Stop.TURN_OVER) {
            stats.turnsCut++;
            scheduleTurn();
        }
    }

    void authenticationChanged(boolean authenticated) {
        clients.authenticationChanged(authenticated);
    }

    void resume() {
        goOnAfter(Stop.SUSPENDED);
    }

    private void goOnAfter(Stop reason) {
        if (stop == reason) {
            scheduleTurn();
        }
    }

    /**
     * The next turn is a timer that is due at once: a plain task would run before the loop looks at its sockets
     * again, and the other clients would wait for all of this one's turns.
     */
    private void scheduleTurn() {
        if (!turnScheduled) {
            turnScheduled = true;
            channelContext.executor().schedule(this::turn, 0, TimeUnit.NANOSECONDS);
        }
    }

    /** Soon, and before the loop looks at its sockets again. */
    private void goOnAsTask() {
        if (!turnScheduled) {
            turnScheduled = true;
            channelContext.executor().execute(this::turn);
        }
    }

    /** Takes a turn that is scheduled now: while a script runs for long, the loop runs no tasks. */
    void takeDueTurn() {
        if (!executing) {
            turn();
        }
    }

    private void turn() {
        if (!turnScheduled) {
            return;
        }
        turnScheduled = false;
        connection.inTask(true);
        takeTurn();
        connection.inTask(false);
    }

    private void takeTurn() {
        if (stop == Stop.CLOSING || stop == Stop.SUSPENDED && connection.isSuspended()) {
            return;
        }
        stop = Stop.NEEDS_BYTES;
        if (in != null) {
            executeCommands();
        }
        endBatch();
    }

    /**
     * Sends the last replies and ends the connection so that they can be read: closing a socket with unread input
     * would reset it and lose them. The output is shut down, and input is read and thrown away for a bounded while.
     */
    private void finish() {
        var channel = channelContext.channel();
        if (finishing || !channel.isActive()) {
            return;
        }
        finishing = true;
        stop = Stop.CLOSING;
        // While the peer takes its time to leave, nobody counts it as a subscriber any more.
        executor.closed(connection);
        releaseInput();
        channel.config().setAutoRead(!inputEnded);
        int length = connection.outBytes();
        stats.netOutputBytes += length;
        connection.write();
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener((ChannelFutureListener) sent -> {
            if (sent.isSuccess() && !inputEnded && channel instanceof DuplexChannel duplex) {
                endOutput(duplex);
                outputEnded = true;
                channel.eventLoop().schedule(() -> channel.close(), NetSettings.DRAIN_MS_MAX, TimeUnit.MILLISECONDS);
            } else {
                channel.close();
            }
        });
    }

    /** With TLS the peer has to be told before the stream ends. */
    private static void endOutput(DuplexChannel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            channel.shutdownOutput();
        } else {
            tls.closeOutbound().addListener(told -> channel.shutdownOutput());
        }
    }

    private void drain(int bytes) {
        drainedBytes += bytes;
        if (drainedBytes > NetSettings.DRAIN_BYTES_MAX) {
            closeAtOnce();
        }
    }

    private void closeAtOnce() {
        stop = Stop.CLOSING;
        connection.close();
    }
}
