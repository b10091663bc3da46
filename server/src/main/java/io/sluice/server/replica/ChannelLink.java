package io.sluice.server.replica;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.sluice.replication.Link;
import io.sluice.server.net.Connection;
import org.agrona.UnsafeApi;

/** A connection as replication sees it. Used on the event loop only. */
final class ChannelLink implements Link {
    private final Channel channel;
    private final Connection connection;
    private long received;
    private boolean dirty;

    /** @param connection what clients' commands are executed for on this channel, whose replies come first */
    ChannelLink(Channel channel, Connection connection) {
        this.channel = channel;
        this.connection = connection;
    }

    /** Bytes have come that the connection does not count itself. */
    void received(int bytes) {
        received += bytes;
    }

    @Override
    public void send(long address, int length) {
        if (connection.outBytes() > 0) {
            connection.flush();
        }
        ByteBuf copy = channel.alloc().directBuffer(length);
        UnsafeApi.copyMemory(address, copy.memoryAddress(), length);
        copy.writerIndex(length);
        channel.write(copy, channel.voidPromise());
        dirty = true;
    }

    @Override
    public void flush() {
        if (dirty) {
            dirty = false;
            channel.flush();
        }
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public long unsentBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    @Override
    public long receivedBytes() {
        return received + connection.bytesIn();
    }

    @Override
    public void reading(boolean on) {
        channel.config().setAutoRead(on);
    }

    @Override
    public void closeWhenSent() {
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void close() {
        channel.close();
    }
}
