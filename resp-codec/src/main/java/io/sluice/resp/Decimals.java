package io.sluice.resp;

import io.netty.buffer.ByteBuf;

/** Reads decimal numbers exactly: {@code [+-]?digits[.digits][e[+-]digits]}, {@code .5} and {@code 5.} included. */
public final class Decimals {
    private Decimals() {
    }

    /**
     * Reads a number.
     *
     * @return whether it is one (no blanks, no hexadecimal, no {@code nan} or {@code inf}) whose magnitude Redis
     *     could hold as well; {@code result} is then set
     */
    public static boolean parse(ByteBuf buffer, int offset, int length, DecimalValue result) {
        throw new UnsupportedOperationException();
    }

    /** 1 for {@code inf}, {@code +inf}, {@code infinity} in any case, -1 for the negative ones, 0 for all else. */
    public static int infinitySign(ByteBuf buffer, int offset, int length) {
        throw new UnsupportedOperationException();
    }
}
