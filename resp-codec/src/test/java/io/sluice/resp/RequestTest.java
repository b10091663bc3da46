package io.sluice.resp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestTest {
    private final ByteBuf scratch = Unpooled.directBuffer(1).writeByte('x');
    private final ByteBuf queue = Unpooled.directBuffer(1);
    private final Request request = Request.of(scratch, bytes("Get"), bytes(""), bytes("k\0\u00ff"));

    @AfterEach
    void release() {
        scratch.release();
        queue.release();
    }

    @Test
    void shouldShowItsArguments() {
        assertEquals(3, request.argCount());
        assertEquals(List.of("Get", "", "k\0\u00ff"), ParserDriver.args(request));
        assertEquals(3, request.argLength(2));
        assertEquals((byte) 0xFF, request.argByte(2, 2));
        assertArrayEquals(bytes("k\0\u00ff"), request.argBytes(2));
        assertEquals(6, request.argBytesTotal());
    }

    @Test
    void shouldShowWhereItsArgumentsLie() {
        assertEquals('k', request.buffer().getByte(request.argOffset(2)));
        assertEquals(scratch.memoryAddress() + request.argOffset(2), request.argAddress(2));
    }

    @Test
    void shouldCompareInAnyCase() {
        assertTrue(request.argIs(0, bytes("get")));
        assertFalse(request.argIs(0, bytes("gex")));
        assertFalse(request.argIs(0, bytes("getx")));
        assertFalse(request.argIs(0, bytes("ge")));
        assertTrue(request.argIs(1, bytes("")));
    }

    @Test
    void shouldFoldLettersOnly() {
        Request odd = Request.of(scratch, bytes("@["));
        assertFalse(odd.argIs(0, bytes("`{")));
    }

    @Test
    void shouldOutliveItsBufferOnceAppendedToAnother() {
        Request first = request.appendTo(queue);
        Request second = Request.of(scratch, bytes("PING")).appendTo(queue);
        scratch.setZero(0, scratch.capacity());
        assertEquals(List.of("Get", "", "k\0\u00ff"), ParserDriver.args(first));
        assertEquals(List.of("PING"), ParserDriver.args(second));
    }

    private static byte[] bytes(String latin1) {
        return ParserDriver.bytes(latin1);
    }
}
