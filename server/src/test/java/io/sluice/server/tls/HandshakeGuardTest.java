package io.sluice.server.tls;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sluice.server.stats.ServerStats;
import org.junit.jupiter.api.Test;

import java.io.IOException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HandshakeGuardTest {
    private final ServerStats stats = new ServerStats();
    private final HandshakeGuard guard = new HandshakeGuard(stats);
    private int reads;
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
        @Override
        public void read(ChannelHandlerContext ctx) {
            reads++;
            ctx.read();
        }
    }, guard, guard.new Done());

    private void receive(int bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[bytes]));
        channel.releaseInbound();
    }

    @Test
    void shouldReadNoMoreThanAHandshakeNeedsUntilItIsDone() {
        receive(HandshakeGuard.HANDSHAKE_BYTES_MAX);
        int before = reads;
        channel.read();
        assertEquals(before + 1, reads);
        receive(1);
        assertFalse(channel.config().isAutoRead());
        before = reads;
        channel.config().setAutoRead(true);
        channel.read();
        assertEquals(before, reads);
        channel.pipeline().fireUserEventTriggered(SslHandshakeCompletionEvent.SUCCESS);
        assertTrue(reads > before);
        assertEquals(0, stats.tlsHandshakesFailed);
        receive(10 * HandshakeGuard.HANDSHAKE_BYTES_MAX);
        assertTrue(channel.config().isAutoRead());
    }

    @Test
    void shouldCountHandshakesThatFail() {
        channel.pipeline().fireUserEventTriggered(new SslHandshakeCompletionEvent(new IOException("for the test")));
        assertEquals(1, stats.tlsHandshakesFailed);
    }
}
