package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ErrorTextProperties {

    @Property
    void shouldGiveOneReplyLineForAnyText(@ForAll String text, @ForAll boolean resp3) {
        ByteBuf out = Unpooled.directBuffer();
        try {
            Reply reply = new RespReply().wrap(out).protocol(resp3 ? 3 : 2);
            reply.error(text);
            reply.simple(text);
            reply.doubleText(text);
            reply.bigNumber(text);
            assertEquals(4, ReplyReader.readAll(out).size());
        } finally {
            out.release();
        }
    }

    @Property
    void shouldGiveOneReplyLineForAnyCommand(@ForAll List<byte[]> args) {
        if (args.isEmpty()) {
            return;
        }
        ByteBuf scratch = Unpooled.directBuffer();
        ByteBuf out = Unpooled.directBuffer();
        try {
            Request request = Request.of(scratch, args.toArray(byte[][]::new));
            String text = ErrorText.unknownCommand(request);
            assertTrue(text.length() <= 2 * ErrorText.ECHO_BYTES_MAX + 70);
            assertTrue(ErrorText.echo(request, 0).length() <= ErrorText.ECHO_BYTES_MAX);
            new RespReply().wrap(out).error(text);
            assertEquals(List.of("-" + text), ReplyReader.readAll(out));
        } finally {
            scratch.release();
            out.release();
        }
    }

    @Test
    void shouldReplaceControlCharactersAndKeepAllOthers() {
        assertEquals("a  b c d e \u00e9\u00ff", ErrorText.sanitise("a\r\nb\0c\td\u007fe\u001b\u00e9\u00ff"));
        String clean = "ERR syntax error";
        assertSame(clean, ErrorText.sanitise(clean));
    }

    @Test
    void shouldCutWhatItEchoes() {
        assertEquals("x".repeat(128), ErrorText.echo("x".repeat(129)));
        assertEquals("x".repeat(128), echo("x".repeat(129)));
        assertEquals("x".repeat(127) + " ", echo("x".repeat(127) + "\n\n"));
        assertEquals("x".repeat(1000), ErrorText.sanitise("x".repeat(1000)));
    }

    /** Texts as Redis 7.0.15 gives them. */
    @Test
    void shouldSayThatACommandIsUnknownAsRedisDoes() {
        assertEquals("ERR unknown command 'foo', with args beginning with: ", unknown("foo"));
        assertEquals("ERR unknown command '', with args beginning with: 'x' ", unknown("", "x"));
        assertEquals("ERR unknown command 'x', with args beginning with: 'a' 'b' ", unknown("x", "a", "b"));
        assertEquals("ERR unknown command 'FOO  +OK  :1', with args beginning with: ", unknown("FOO\r\n+OK\r\n:1"));
        assertEquals("ERR unknown command 'foo', with args beginning with: '" + "a".repeat(128) + "' ",
            unknown("foo", "a".repeat(200), "b"));
        assertEquals("ERR unknown command '" + "f".repeat(128) + "', with args beginning with: '" + "b".repeat(100)
            + "' '" + "c".repeat(25) + "' ", unknown("f".repeat(200), "b".repeat(100), "c".repeat(50), "d"));
        assertEquals("ERR unknown command 'foo', with args beginning with: '" + "b".repeat(124) + "' 'c' ",
            unknown("foo", "b".repeat(124), "c", "d"));
        assertEquals("ERR unknown command 'foo', with args beginning with: '" + "b".repeat(125) + "' ",
            unknown("foo", "b".repeat(125), "c", "d"));
    }

    private static String unknown(String... args) {
        ByteBuf scratch = Unpooled.directBuffer();
        byte[][] bytes = new byte[args.length][];
        for (int i = 0; i < args.length; i++) {
            bytes[i] = ParserDriver.bytes(args[i]);
        }
        String text = ErrorText.unknownCommand(Request.of(scratch, bytes));
        scratch.release();
        return text;
    }

    private static String echo(String arg) {
        ByteBuf scratch = Unpooled.directBuffer();
        String text = ErrorText.echo(Request.of(scratch, ParserDriver.bytes(arg)), 0);
        scratch.release();
        return text;
    }
}
