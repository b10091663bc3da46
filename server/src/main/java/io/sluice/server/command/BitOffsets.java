package io.sluice.server.command;

import io.sluice.resp.Integers;
import io.sluice.resp.LongValue;
import io.sluice.resp.Request;

/** Offsets of bits as arguments. */
final class BitOffsets {
    static final String BAD_OFFSET = "ERR bit offset is not an integer or out of range";

    private final LongValue number = new LongValue();

    /**
     * Takes an offset that lies within what a value may hold.
     *
     * @param width bits of the field that the offset is for, in which {@code #} counts; 0 where {@code #} is none
     */
    long next(CommandContext ctx, int width) {
        Args args = ctx.args();
        Request request = ctx.request();
        int arg = args.next();
        if (args.error() != null) {
            return 0;
        }
        boolean counted = width > 0 && request.argLength(arg) > 0 && request.argByte(arg, 0) == '#';
        int skipped = counted ? 1 : 0;
        boolean valid = Integers.parseStrict(request.buffer(), request.argOffset(arg) + skipped,
            request.argLength(arg) - skipped, number);
        long bitsMax = 8L * ctx.keyspace().valueBytesMax();
        if (!valid || number.value < 0 || number.value >= bitsMax || counted && number.value * width >= bitsMax) {
            args.fail(BAD_OFFSET);
        }
        return counted ? number.value * width : number.value;
    }
}
