package io.sluice.server.net;

import io.netty.channel.ChannelPromise;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.sluice.server.acl.User;
import io.sluice.server.command.CommandTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ConnectionHandlerTest {
    private static final String PING = "*1\r\n$4\r\nPING\r\n";
    private static final String PONG = "+PONG\r\n";

    private final CommandTester server = new CommandTester("--client-query-buffer-limit", "1mb");
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Connection connection = new Connection(99, channel, "1.2.3.4:5", "1.2.3.4:6379", false, 0);

    ConnectionHandlerTest() {
        connection.authenticated(true, User.UNRESTRICTED);
        channel.pipeline().addLast(new ConnectionHandler(connection, server.dispatcher(), server.parts().settings(),
                server.parts().clients(), server.parts().stats(), new ReadAhead()));
    }

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
        server.close();
    }

    private void receive(String bytes) {
        channel.writeOneInbound(direct(bytes));
        channel.pipeline().fireChannelReadComplete();
        channel.runPendingTasks();
    }

    private static ByteBuf direct(String bytes) {
        return Unpooled.directBuffer().writeBytes(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Everything sent since the last call. */
    private String sent() {
        StringBuilder text = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            text.append(out.toString(StandardCharsets.ISO_8859_1));
            out.release();
        }
        return text.toString();
    }

    private int writes() {
        int count = 0;
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            count++;
            out.release();
        }
        return count;
    }

    @Test
    void shouldAnswerTheSameWhereverTheBytesAreCut() {
        String pipeline = "SET k v\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n\r\n"
                + "*2\r\n$4\r\nECHO\r\n$4\r\na\r\nb\r\nPING 'a b'\r\n";
        receive(pipeline);
        String whole = sent();
        assertEquals("+OK\r\n$1\r\nv\r\n$4\r\na\r\nb\r\n$3\r\na b\r\n", whole);
        for (int cut = 1; cut < pipeline.length(); cut++) {
            receive(pipeline.substring(0, cut));
            receive(pipeline.substring(cut));
            assertEquals(whole, sent(), "cut at " + cut);
        }
        for (int i = 0; i < pipeline.length(); i++) {
            receive(pipeline.substring(i, i + 1));
        }
        assertEquals(whole, sent());
    }

    @Test
    void shouldSendTheRepliesOfOneReadAtOnce() {
        receive(PING.repeat(100));
        assertEquals(1, writes());
        assertEquals(1, server.parts().stats().writes);
    }

    @Test
    void shouldGiveOthersTheirTurnInTheMidstOfALongPipeline() {
        int more = 10;
        channel.writeOneInbound(direct(PING.repeat(NetSettings.COMMANDS_PER_TURN + more)));
        channel.pipeline().fireChannelReadComplete();
        assertEquals(PONG.repeat(NetSettings.COMMANDS_PER_TURN), sent());
        assertFalse(channel.config().isAutoRead());
        assertEquals(1, server.parts().stats().turnsCut);
        channel.runPendingTasks();
        assertEquals(PONG.repeat(more), sent());
        assertTrue(channel.config().isAutoRead());
    }

    @Test
    void shouldNeitherExecuteNorReadForAClientThatTakesNoReplies() {
        receive(PING);
        assertEquals(PONG, sent());
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        receive(PING);
        assertEquals(PONG, sent());
        assertFalse(channel.config().isAutoRead());
        receive(PING + PING);
        assertEquals("", sent());
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
        channel.runPendingTasks();
        assertEquals(PONG + PONG, sent());
        assertTrue(channel.config().isAutoRead());
    }

    @Test
    void shouldAnswerAProtocolErrorAndExecuteNothingBehindIt() {
        receive(PING + "*1\r\n+PING\r\n" + PING);
        assertEquals(PONG + "-ERR Protocol error: expected '$', got '+'\r\n", sent());
        assertFalse(channel.isActive());
        assertEquals(1, server.parts().stats().protocolErrors);
    }

    @Test
    void shouldCloseAClientThatQuitsAfterItsReply() {
        receive("QUIT\r\n" + PING);
        assertEquals("+OK\r\n", sent());
        assertFalse(channel.isActive());
    }

    @Test
    void shouldCloseABrowserWithoutExecutingItsRequest() {
        receive("POST / HTTP/1.1\r\nHost: x\r\n\r\nSET k v\r\n");
        assertEquals("", sent());
        assertFalse(channel.isActive());
        assertEquals("$-1", server.run("GET", "k"));
    }

    @Test
    void shouldCloseABrowserAtItsHostLine() {
        receive("GET / HTTP/1.1\r\nHost: x\r\nSET k v\r\n");
        assertFalse(channel.isActive());
        assertEquals("$-1", server.run("GET", "k"));
    }

    @Test
    void shouldExecuteWhatWasSentBeforeTheClientEndedItsOutput() {
        int more = 10;
        channel.writeOneInbound(direct(PING.repeat(NetSettings.COMMANDS_PER_TURN + more)));
        channel.pipeline().fireChannelReadComplete();
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertTrue(channel.isActive());
        channel.runPendingTasks();
        assertEquals(PONG.repeat(NetSettings.COMMANDS_PER_TURN + more), sent());
        assertFalse(channel.isActive());
    }

    @Test
    void shouldCloseAClientWhoseUnreadCommandsTakeTooMuch() {
        receive("*2\r\n$4\r\nECHO\r\n$1048576\r\n" + "x".repeat(1_048_000));
        assertTrue(channel.isActive());
        receive("*3\r\n".repeat(200));
        assertFalse(channel.isActive());
        assertEquals(1, server.parts().stats().queryLimitDisconnections);
    }

    @Test
    void shouldHoldACommandBackUntilThePauseEnds() {
        server.run("CLIENT", "PAUSE", "1000", "WRITE");
        receive("GET k\r\nSET k 'a b'\r\nGET k\r\n");
        assertEquals("$-1\r\n", sent());
        assertFalse(channel.config().isAutoRead());
        receive(PING);
        assertEquals("", sent());
        server.run("CLIENT", "UNPAUSE");
        channel.runPendingTasks();
        assertEquals("+OK\r\n$3\r\na b\r\n+PONG\r\n", sent());
        assertTrue(channel.config().isAutoRead());
    }

    /** Given as inline commands, what comes behind MULTI in a row of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"EVAL 'return redis.call(\"set\", \"k\", \"v\")' 0", "FCALL f 0", "PUBLISH c m"})
    void shouldHoldBackWhateverMayWriteAndTransactionsWithIt(String command) {
        receive("MULTI\r\nPING\r\n" + command + "\r\n");
        assertEquals("+OK\r\n+QUEUED\r\n+QUEUED\r\n", sent());
        server.run("CLIENT", "PAUSE", "1000", "WRITE");
        receive("EXEC\r\n");
        assertEquals("", sent());
        server.run("CLIENT", "UNPAUSE");
        channel.runPendingTasks();
        assertTrue(sent().startsWith("*2\r\n+PONG\r\n"));
        server.run("CLIENT", "PAUSE", "1000", "WRITE");
        receive("MULTI\r\nPING\r\nEXEC\r\n" + command + "\r\n");
        assertEquals("+OK\r\n+QUEUED\r\n*1\r\n+PONG\r\n", sent());
    }

    @Test
    void shouldKeepTheOrderOfAPipelineThatIsHeldBackInItsMidst() {
        String get = "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n";
        String pipeline = get + "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n" + get + PING + "ECHO 'a b'\r\n" + get;
        String held = "$1\r\nv\r\n+PONG\r\n$3\r\na b\r\n$1\r\nv\r\n";
        for (int cut = get.length(); cut <= pipeline.length(); cut++) {
            server.run("DEL", "k");
            server.run("CLIENT", "PAUSE", "1000", "WRITE");
            receive(pipeline.substring(0, cut));
            assertEquals("$-1\r\n", sent(), "cut at " + cut);
            receive(pipeline.substring(cut));
            server.run("CLIENT", "UNPAUSE");
            channel.runPendingTasks();
            assertEquals("+OK\r\n" + held, sent(), "cut at " + cut);
        }
    }

    @Test
    void shouldExecuteNothingOfWhatWasReadAheadBehindAQuit() {
        receive(PING + "*1\r\n$4\r\nQUIT\r\n" + "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n");
        assertEquals(PONG + "+OK\r\n", sent());
        assertFalse(channel.isActive());
        assertEquals("$-1", server.run("GET", "k"));
    }

    @Test
    void shouldLimitAClientBeforeItHasAuthenticated() {
        connection.authenticated(false, User.UNRESTRICTED);
        receive("*11\r\n");
        assertEquals("-ERR Protocol error: unauthenticated multibulk length\r\n", sent());
        assertFalse(channel.isActive());
    }

    @Test
    void shouldForgetAClientThatIsGone() {
        receive("MULTI\r\nPING\r\n");
        assertEquals(1, server.parts().clients().size());
        channel.close();
        assertEquals(0, server.parts().clients().size());
        assertEquals(0, connection.transaction().size());
    }

    @Test
    void shouldLeaveOutRepliesThatTheClientDoesNotWant() {
        receive("CLIENT REPLY OFF\r\nPING\r\nCLIENT REPLY ON\r\nPING\r\n");
        assertEquals("+OK\r\n" + PONG, sent());
        receive("CLIENT REPLY SKIP\r\nPING\r\nECHO a\r\n");
        assertEquals("$1\r\na\r\n", sent());
    }

    /** Its input ends while its commands still wait for their turn: nobody would notice later that it has gone. */
    @Test
    void shouldCloseAClientThatComesToWaitWhenItsInputHasEnded() {
        channel.writeOneInbound(direct(PING.repeat(NetSettings.COMMANDS_PER_TURN) + "BLPOP l 0\r\n"));
        channel.pipeline().fireChannelReadComplete();
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        channel.runPendingTasks();
        assertEquals(PONG.repeat(NetSettings.COMMANDS_PER_TURN), sent());
        assertFalse(channel.isActive());
        assertEquals(0, server.dispatcher().blocked().size());
    }

    /** With TLS the socket is open until the peer has been told of its end. */
    @Test
    void shouldExecuteNothingForAClientThatIsBeingClosed() {
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
                // Later.
            }
        });
        connection.close();
        receive("SET k v\r\n");
        assertEquals(":0", server.run("EXISTS", "k"));
    }
}
