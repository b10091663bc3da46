package io.sluice.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;

import java.util.concurrent.TimeUnit;

/**
 * Ends a connection so that its last replies can be read: closing a socket with unread input would reset it and lose
 * them. The output is shut down, and input is read and thrown away for a bounded while.
 */
final class LingeringClose {
    private final Channel channel;
    private boolean begun;
    private boolean inputEnded;
    /** All replies are sent, and the peer is told that no more will come. */
    private boolean outputEnded;
    private int drainedBytes;

    LingeringClose(Channel channel) {
        this.channel = channel;
    }

    /** The peer will send no more. */
    void inputHasEnded() {
        inputEnded = true;
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    boolean isOutputEnded() {
        return outputEnded;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Flushes what was written, then ends; completes by itself. */
    void begin() {
        begun = true;
        channel.config().setAutoRead(!inputEnded);
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

    /** So many bytes came that are thrown away. Returns whether that is enough. */
    boolean drained(int bytes) {
        drainedBytes += bytes;
        return drainedBytes > NetSettings.DRAIN_BYTES_MAX;
    }
}
