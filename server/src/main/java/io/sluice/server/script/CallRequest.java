package io.sluice.server.script;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.lua.LuaString;
import io.sluice.lua.LuaValues;
import io.sluice.resp.Integers;
import io.sluice.resp.Request;

/**
 * The arguments of {@code redis.call} as a command, written behind one another into one buffer that is used again and
 * again.
 */
final class CallRequest {
    private static final int BYTES_INITIAL = 1024;
    /** A buffer that a large command has made grow is not kept. */
    private static final int BYTES_KEPT_MAX = 1 << 20;
    /** Below, all digits of a whole number fit the 17 that {@code %.17g} prints. */
    private static final double WHOLE_MAX = 1e17;

    private final Request request = new Request();
    private ByteBuf bytes;
    private int[] offsets = new int[16];
    private int[] lengths = new int[16];

    /** The command, or null if one of the arguments is neither a string nor a number. Valid until {@link #done}. */
    Request of(Object[] args) {
        if (bytes == null) {
            bytes = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES_INITIAL);
        }
        if (args.length > offsets.length) {
            offsets = new int[args.length];
            lengths = new int[args.length];
        }
        for (int i = 0; i < args.length; i++) {
            int start = bytes.writerIndex();
            Object arg = args[i];
            if (arg instanceof LuaString text) {
                bytes.writeBytes(text.bytes());
            } else if (arg instanceof Double number) {
                write(number);
            } else {
                return null;
            }
            offsets[i] = start;
            lengths[i] = bytes.writerIndex() - start;
        }
        return request.wrap(bytes, 0, offsets, lengths, args.length);
    }

    private void write(double number) {
        long whole = (long) number;
        if (whole == number && Math.abs(number) < WHOLE_MAX && (whole != 0 || 1 / number > 0)) {
            bytes.ensureWritable(Integers.TEXT_BYTES_MAX);
            int at = bytes.writerIndex();
            bytes.writerIndex(at + Integers.put(bytes, at, whole));
        } else {
            bytes.writeBytes(LuaValues.argumentText(number));
        }
    }

    /** The command is not needed any more. */
    void done() {
        if (bytes != null) {
            bytes.clear();
            if (bytes.capacity() > BYTES_KEPT_MAX) {
                bytes.release();
                bytes = null;
            }
        }
    }
}
