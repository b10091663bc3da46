package io.sluice.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Feeds a parser as the server does: what arrives is appended to one direct buffer, every complete command is taken,
 * and before more arrives the unread rest is moved to the front of the buffer or to another one.
 */
final class ParserDriver implements AutoCloseable {
    final RequestParser parser = new RequestParser();
    final List<List<String>> commands = new ArrayList<>();
    int argCapacityMax;

    private final RespLimits limits;
    private final boolean authenticated;
    private ByteBuf unread = PooledByteBufAllocator.DEFAULT.directBuffer(64);
    private boolean move;

    ParserDriver(RespLimits limits, boolean authenticated) {
        this.limits = limits;
        this.authenticated = authenticated;
    }

    RequestParser.Result feed(byte[] bytes, int from, int to) {
        makeRoom(to - from);
        unread.writeBytes(bytes, from, to - from);
        RequestParser.Result result = parser.parse(unread, limits, authenticated);
        while (result == RequestParser.Result.COMPLETE) {
            commands.add(args(parser.request()));
            argCapacityMax = Math.max(argCapacityMax, parser.argCapacity());
            result = parser.parse(unread, limits, authenticated);
        }
        argCapacityMax = Math.max(argCapacityMax, parser.argCapacity());
        return result;
    }

    int unreadBytes() {
        return unread.readableBytes();
    }

    static List<String> args(Request request) {
        List<String> args = new ArrayList<>();
        for (int i = 0; i < request.argCount(); i++) {
            args.add(request.argText(i));
        }
        return args;
    }

    static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        unread.release();
    }

    private void makeRoom(int bytes) {
        move = !move;
        if (move) {
            ByteBuf other = PooledByteBufAllocator.DEFAULT.directBuffer(unread.readableBytes() + bytes + 7);
            other.writeZero(7).readerIndex(7).writeBytes(unread);
            unread.release();
            unread = other;
        } else {
            unread.discardReadBytes();
        }
    }
}
