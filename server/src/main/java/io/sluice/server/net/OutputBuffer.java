package io.sluice.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.sluice.resp.RespReply;

/**
 * What a client is going to be sent: the replies to its commands in one buffer, and pushes, of which none lands in the
 * midst of a reply.
 */
final class OutputBuffer {
    private static final int BYTES_INITIAL = 512;
    private static final int BYTES_INITIAL_MAX = 64 * 1024;
    /** A push of this length or more is not copied for each of its receivers. */
    private static final int SHARED_BYTES_MIN = 16 * 1024;

    private final Channel channel;
    private final RespReply reply = new RespReply();
    private ByteBuf out;
    private int bytesExpected = BYTES_INITIAL;
    private boolean commandRunning;
    private ByteBuf pushesBehindReply;
    private boolean overSoftLimit;
    private long overSoftLimitSinceNs;

    OutputBuffer(Channel channel) {
        this.channel = channel;
    }

    RespReply reply() {
        if (out == null) {
            out = channel.alloc().directBuffer(bytesExpected);
            reply.wrap(out);
        }
        return reply;
    }

    /** The version of the protocol of the replies, 2 or 3. */
    int protocol() {
        return reply.protocol();
    }

    /** Bytes not yet handed to the channel. */
    int length() {
        return out == null ? 0 : out.readableBytes();
    }

    /** Bytes that the socket has not taken. */
    long unsentBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return length() + (pushesBehindReply == null ? 0 : pushesBehindReply.readableBytes())
                + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
    }

    /** Hands what there is to the channel without flushing it; false if there was nothing. */
    boolean write() {
        if (out == null) {
            return false;
        }
        ByteBuf written = out;
        out = null;
        int length = written.readableBytes();
        if (length == 0) {
            written.release();
            return false;
        }
        bytesExpected = Math.min(BYTES_INITIAL_MAX, Math.max(BYTES_INITIAL, Integer.highestOneBit(length) << 1));
        channel.write(written, channel.voidPromise());
        return true;
    }

    /** A command begins: pushes wait behind its reply. */
    void beginCommand() {
        commandRunning = true;
    }

    /** The command's reply is complete. */
    void endCommand() {
        commandRunning = false;
        if (pushesBehindReply != null) {
            reply().buffer().writeBytes(pushesBehindReply);
            pushesBehindReply.release();
            pushesBehindReply = null;
        }
    }

    /** Whether a push goes to the channel as it is ({@link #writeShared}) and is not copied ({@link #append}). */
    boolean isShared(ByteBuf push) {
        return !commandRunning && push.readableBytes() >= SHARED_BYTES_MIN;
    }

    /** Copies a push behind what there is, and behind the reply of the running command. */
    void append(ByteBuf push) {
        int length = push.readableBytes();
        if (!commandRunning) {
            reply().buffer().writeBytes(push, push.readerIndex(), length);
            return;
        }
        if (pushesBehindReply == null) {
            pushesBehindReply = channel.alloc().directBuffer(length);
        }
        pushesBehindReply.writeBytes(push, push.readerIndex(), length);
    }

    /** Hands a push to the channel; what was before it must have been {@linkplain #write written}. */
    void writeShared(ByteBuf push) {
        channel.write(push.retainedDuplicate(), channel.voidPromise());
    }

    /** Notes whether the unsent bytes are over the soft limit now, and tells for how long they have been. */
    long overSoftLimitNs(boolean over, long nowNs) {
        if (over && !overSoftLimit) {
            overSoftLimitSinceNs = nowNs;
        }
        overSoftLimit = over;
        return over ? nowNs - overSoftLimitSinceNs : 0;
    }

    void release() {
        if (out != null) {
            out.release();
            out = null;
        }
        if (pushesBehindReply != null) {
            pushesBehindReply.release();
            pushesBehindReply = null;
        }
    }
}
