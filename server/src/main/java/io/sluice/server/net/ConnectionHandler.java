package io.sluice.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.sluice.resp.RequestParser;
import io.sluice.server.stats.ServerStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;

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
    private final QueryBuffer in = new QueryBuffer();
    private final Turn turn;
    private final LingeringClose lingeringClose;
    private ChannelHandlerContext channelContext;
    private Stop stop = Stop.NEEDS_BYTES;
    private int commandsLeft = NetSettings.COMMANDS_PER_TURN;
    /** A command is running; whatever the socket brings meanwhile (see {@link ServerLoop}) waits for its end. */
    private boolean executing;
    /** What was read meanwhile. */
    private final QueryBuffer late = new QueryBuffer();
    /** The socket was closed meanwhile. */
    private boolean lost;

    ConnectionHandler(Connection connection, RequestExecutor executor, NetSettings settings, ClientRegistry clients,
            ServerStats stats, ReadAhead readAhead) {
        this.connection = connection;
        this.executor = executor;
        this.settings = settings;
        this.clients = clients;
        this.stats = stats;
        this.readAhead = readAhead;
        lingeringClose = new LingeringClose(connection.channel());
        turn = new Turn(connection, this::takeTurn);
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
        in.release();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        int length = received.readableBytes();
        stats.netInputBytes += length;
        connection.received(length);
        if (executing) {
            late.add(received, ctx.alloc());
            return;
        }
        if (stop == Stop.CLOSING) {
            received.release();
            if (lingeringClose.drained(length)) {
                closeAtOnce();
            }
            return;
        }
        in.add(received, ctx.alloc());
        if (in.length() > settings.queryBytesMax(connection.isAuthenticated())) {
            stats.queryLimitDisconnections++;
            LOG.warn("Closing client {}: more than {} bytes of unread commands", connection.address(),
                    settings.queryBytesMax(connection.isAuthenticated()));
            closeAtOnce();
            return;
        }
        if (stop == Stop.NEEDS_BYTES) {
            if (connection.isClosing()) {
                // Closed by others; with TLS the socket stays until the peer has been told.
                stop = Stop.CLOSING;
                return;
            }
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
            lingeringClose.inputHasEnded();
            if (executing) {
                return;
            }
            if (stop == Stop.NEEDS_BYTES) {
                finish();
            } else if (stop == Stop.SUSPENDED || lingeringClose.isOutputEnded()) {
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
        in.trim(channelContext.alloc());
    }

    private void executeAll(ReadAhead ahead) {
        while (stop == Stop.NEEDS_BYTES) {
            RequestParser.Result result = ahead.fill(
                    parser, in.bytes(), settings.respLimits(), connection.isAuthenticated(), commandsLeft);
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
        if (!late.isEmpty()) {
            in.addAll(late, channelContext.alloc());
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
                if (!in.isEmpty()) {
                    ahead.putBack(executed ? i + 1 : i, parser, in.bytes());
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
        return in.length();
    }

    void flush() {
        int length = connection.outBytes();
        if (connection.write()) {
            stats.netOutputBytes += length;
            stats.writes++;
            channelContext.flush();
        }
    }

    /** Sends what there is and arranges how this client goes on. */
    private void endBatch() {
        if (stop == Stop.NEEDS_TASK) {
            turn.scheduleAsTask(channelContext.executor());
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
        boolean waits = stop == Stop.NEEDS_BYTES || stop == Stop.SUSPENDED && connection.isBlocked();
        if (waits && lingeringClose.isInputEnded()) {
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
            turn.schedule(channelContext.executor());
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
            turn.schedule(channelContext.executor());
        }
    }

    /** Takes a turn that is scheduled now: while a script runs for long, the loop runs no tasks. */
    void takeDueTurn() {
        if (!executing) {
            turn.take();
        }
    }

    private void takeTurn() {
        if (stop == Stop.CLOSING || stop == Stop.SUSPENDED && connection.isSuspended()) {
            return;
        }
        stop = connection.isClosing() ? Stop.CLOSING : Stop.NEEDS_BYTES;
        if (stop == Stop.NEEDS_BYTES && !in.isEmpty()) {
            executeCommands();
        }
        endBatch();
    }

    /** Sends the last replies and ends the connection so that they can be read. */
    private void finish() {
        if (lingeringClose.hasBegun() || !channelContext.channel().isActive()) {
            return;
        }
        stop = Stop.CLOSING;
        // While the peer takes its time to leave, nobody counts it as a subscriber any more.
        executor.closed(connection);
        in.release();
        stats.netOutputBytes += connection.outBytes();
        connection.write();
        lingeringClose.begin();
    }

    private void closeAtOnce() {
        stop = Stop.CLOSING;
        connection.close();
    }
}
