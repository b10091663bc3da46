package io.sluice.server.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sluice.server.stats.ServerStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what a peer may send before its handshake is done, whatever lengths it announces. Stands before the TLS
 * handler, which it cuts off, and goes when the handshake is done.
 */
final class HandshakeGuard extends ChannelInboundHandlerAdapter {
    /** Most bytes of a handshake: a ClientHello and a chain of client certificates fit many times over. */
    static final int HANDSHAKE_BYTES_MAX = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(HandshakeGuard.class);

    private final ServerStats stats;
    private int received;

    HandshakeGuard(ServerStats stats) {
        this.stats = stats;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        received += ((ByteBuf) message).readableBytes();
        if (received > HANDSHAKE_BYTES_MAX) {
            ((ByteBuf) message).release();
            stats.tlsHandshakesFailed++;
            LOG.debug("Closing {}: a handshake of more than {} bytes", ctx.channel().remoteAddress(),
                    HANDSHAKE_BYTES_MAX);
            ctx.close();
            return;
        }
        ctx.fireChannelRead(message);
    }

    /** Stands behind the TLS handler and takes the guard away when the handshake is done. */
    final class Done extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof SslHandshakeCompletionEvent done) {
                if (done.isSuccess()) {
                    ctx.pipeline().remove(HandshakeGuard.this);
                } else {
                    stats.tlsHandshakesFailed++;
                    LOG.debug("No TLS with {}: {}", ctx.channel().remoteAddress(), done.cause().getMessage());
                }
                ctx.pipeline().remove(this);
            }
            ctx.fireUserEventTriggered(event);
        }
    }
}
