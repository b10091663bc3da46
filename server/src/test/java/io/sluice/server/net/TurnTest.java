package io.sluice.server.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class TurnTest {
    /** A client whose turn has failed and that nobody is told of would wait for ever. */
    @Test
    void shouldTellTheConnectionThatItHasFailed() {
        List<Throwable> caught = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                caught.add(cause);
            }
        });
        Connection connection = new Connection(1, channel, "127.0.0.1:1", "127.0.0.1:6379", true, 0);
        IllegalStateException failure = new IllegalStateException("no memory left for buffers");
        Turn turn = new Turn(connection, () -> {
            throw failure;
        });
        turn.schedule(channel.eventLoop());
        channel.runPendingTasks();
        assertEquals(List.of(failure), caught);
        channel.finishAndReleaseAll();
    }
}
