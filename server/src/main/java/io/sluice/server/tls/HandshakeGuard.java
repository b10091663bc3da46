package io.sluice.server.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sluice.server.stats.ServerStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what is held of a peer whose handshake is not done, whatever lengths it announces: beyond that nothing is
 * read. Either what is there completes the handshake (a client's first commands may come right behind its last words),
 * or the deadline ends the connection. Stands before the TLS handler, and goes when the handshake is done.
 */
final class HandshakeGuard extends ChannelDuplexHandler {
    /** A ClientHello and a chain of client certificates fit many times over. */
    static final int HANDSHAKE_BYTES_MAX = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(HandshakeGuard.class);

    private final ServerStats stats;
    private int received;
    private boolean readWithheld;

    HandshakeGuard(ServerStats stats) {
        this.stats = stats;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        received += ((ByteBuf) message).readableBytes();
        if (received > HANDSHAKE_BYTES_MAX) {
            // Ends the transport's round of reads; who switches it on again asks for a read, which is withheld.
            ctx.channel().config().setAutoRead(false);
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void read(ChannelHandlerContext ctx) {
        if (received > HANDSHAKE_BYTES_MAX) {
            readWithheld = true;
        } else {
            ctx.read();
        }
    }

    /** Stands behind the TLS handler and takes the guard away when the handshake is done. */
    final class Done extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof SslHandshakeCompletionEvent done) {
                if (done.isSuccess()) {
                    ctx.pipeline().remove(HandshakeGuard.this);
                    if (readWithheld) {
                        ctx.channel().config().setAutoRead(true);
                        ctx.channel().read();
                    }
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
