package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RespReplyTest {
    private final ByteBuf out = Unpooled.directBuffer(0);
    private final RespReply reply = new RespReply().wrap(out);

    /** A reply and its bytes in either protocol. */
    private record Case(String name, Consumer<Reply> write, String resp2, String resp3) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case same(String name, Consumer<Reply> write, String bytes) {
        return new Case(name, write, bytes, bytes);
    }

    static Stream<Case> scalars() {
        byte[] text = "a\r\nb".getBytes(StandardCharsets.ISO_8859_1);
        return Stream.of(
            same("ok", Reply::ok, "+OK\r\n"),
            same("pong", Reply::pong, "+PONG\r\n"),
            same("simple", r -> r.simple("QUEUED"), "+QUEUED\r\n"),
            same("error", r -> r.error("ERR syntax error"), "-ERR syntax error\r\n"),
            same("error with line ends", r -> r.error("ERR a\r\n+OK\tb"), "-ERR a  +OK b\r\n"),
            same("error with bytes", r -> r.error("ERR \u00c3\u00a9\u20ac"), "-ERR \u00c3\u00a9?\r\n"),
            same("0", r -> r.integer(0), ":0\r\n"),
            same("9", r -> r.integer(9), ":9\r\n"),
            same("10", r -> r.integer(10), ":10\r\n"),
            same("-1", r -> r.integer(-1), ":-1\r\n"),
            same("-2", r -> r.integer(-2), ":-2\r\n"),
            same("greatest integer", r -> r.integer(Long.MAX_VALUE), ":9223372036854775807\r\n"),
            same("least integer", r -> r.integer(Long.MIN_VALUE), ":-9223372036854775808\r\n"),
            same("empty bulk", r -> r.bulk(new byte[0]), "$0\r\n\r\n"),
            same("bulk", r -> r.bulk(text), "$4\r\na\r\nb\r\n"),
            same("bulk of integer", r -> r.bulkOfLong(-120), "$4\r\n-120\r\n"),
            same("bulk of least integer", r -> r.bulkOfLong(Long.MIN_VALUE), "$20\r\n-9223372036854775808\r\n"),
            same("bulk of text", r -> r.bulkText("\u00e9"), "$2\r\n\u00c3\u00a9\r\n"),
            new Case("null", Reply::nullValue, "$-1\r\n", "_\r\n"),
            new Case("null array", Reply::nullArray, "*-1\r\n", "_\r\n"),
            new Case("true", r -> r.bool(true), ":1\r\n", "#t\r\n"),
            new Case("false", r -> r.bool(false), ":0\r\n", "#f\r\n"),
            new Case("double", r -> r.doubleValue(0.1), "$3\r\n0.1\r\n", ",0.1\r\n"),
            new Case("infinity", r -> r.doubleValue(Double.NEGATIVE_INFINITY), "$4\r\n-inf\r\n", ",-inf\r\n"),
            new Case("double in text", r -> r.doubleText("4351286.779"), "$11\r\n4351286.779\r\n",
                ",4351286.779\r\n"),
            new Case("big number", r -> r.bigNumber("-12345678901234567890"), "$21\r\n-12345678901234567890\r\n",
                "(-12345678901234567890\r\n"),
            new Case("verbatim", r -> r.verbatim("txt", text), "$4\r\na\r\nb\r\n", "=8\r\ntxt:a\r\nb\r\n"));
    }

    static Stream<Case> aggregates() {
        return Stream.of(
            same("empty array", r -> r.array(0), "*0\r\n"),
            same("array", r -> r.array(12), "*12\r\n"),
            new Case("map", r -> r.map(5), "*10\r\n", "%5\r\n"),
            new Case("map of many", r -> r.map(Integer.MAX_VALUE), "*4294967294\r\n", "%2147483647\r\n"),
            new Case("set", r -> r.set(3), "*3\r\n", "~3\r\n"),
            new Case("push", r -> r.push(2), "*2\r\n", ">2\r\n"));
    }

    static Stream<Case> cases() {
        return Stream.concat(scalars(), aggregates());
    }

    @AfterEach
    void release() {
        out.release();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldWriteResp2(Case c) {
        c.write.accept(reply.protocol(2));
        assertEquals(c.resp2, ReplyReader.text(out));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldWriteResp3(Case c) {
        c.write.accept(reply.protocol(3));
        assertEquals(c.resp3, ReplyReader.text(out));
    }

    @Test
    void shouldWriteBytesAtANativeAddress() {
        ByteBuf source = Unpooled.directBuffer().writeBytes("xxkey\r\nxx".getBytes(StandardCharsets.US_ASCII));
        reply.bulk(source.memoryAddress() + 2, 5);
        source.release();
        assertEquals("$5\r\nkey\r\n\r\n", ReplyReader.text(out));
    }

    @Test
    void shouldTakeBackAReplyHalfWritten() {
        reply.ok();
        int before = reply.position();
        reply.array(3);
        reply.integer(1);
        reply.rewind(before);
        reply.error("OOM command not allowed when used memory > 'maxmemory'.");
        assertEquals("+OK\r\n-OOM command not allowed when used memory > 'maxmemory'.\r\n", ReplyReader.text(out));
    }

    @Test
    void shouldChangeTheProtocolBetweenReplies() {
        reply.protocol(3).nullValue();
        reply.protocol(2).nullValue();
        assertEquals("_\r\n$-1\r\n", ReplyReader.text(out));
    }

    @Test
    void shouldRefuseAnotherProtocol() {
        assertThrows(IllegalArgumentException.class, () -> reply.protocol(4));
        assertThrows(IllegalArgumentException.class, () -> reply.verbatim("text", new byte[0]));
        assertEquals(2, reply.protocol());
    }
}
