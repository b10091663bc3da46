package io.sluice.server.command;

import io.sluice.resp.Integers;
import io.sluice.resp.LongValue;
import io.sluice.resp.Request;
import org.agrona.UnsafeApi;

/** An integer of so many bits, signed or not, and its arithmetic: that of Redis's {@code BITFIELD}. Reused. */
final class BitFieldType {
    /** Most bytes that a field lies in. */
    static final int TOUCHED_BYTES_MAX = 9;

    private static final int SIGNED_BITS_MAX = 64;
    private static final int UNSIGNED_BITS_MAX = 63;

    private final LongValue number = new LongValue();
    private boolean signed;
    private int bits;
    private long result;

    /** What becomes of a number that has no room in its field. */
    enum Overflow {
        /** It loses its upper bits. */
        WRAP,
        /** It is the greatest or least that has. */
        SAT,
        /** It is not written. */
        FAIL
    }

    /** Reads a type such as {@code i16} or {@code u8}. False if it is none. */
    boolean parse(Request request, int arg) {
        int length = request.argLength(arg);
        byte letter = length == 0 ? 0 : request.argByte(arg, 0);
        signed = letter == 'i';
        if (letter != 'i' && letter != 'u'
            || !Integers.parseStrict(request.buffer(), request.argOffset(arg) + 1, length - 1, number)
            || number.value < 1 || number.value > (signed ? SIGNED_BITS_MAX : UNSIGNED_BITS_MAX)) {
            bits = 0;
            return false;
        }
        bits = (int) number.value;
        return true;
    }

    int bits() {
        return bits;
    }

    /** The field at an offset in bits. Behind the end of the string all bits are zero. */
    long read(StringBytes string, long offset) {
        long value = 0;
        for (long at = offset; at < offset + bits; at++) {
            long index = at >> 3;
            int each = index < string.length() ? UnsafeApi.getByte(string.address() + index) : 0;
            value = value << 1 | each >> 7 - (int) (at & 7) & 1;
        }
        int unused = Long.SIZE - bits;
        return signed ? value << unused >> unused : value;
    }

    /**
     * Gives the bytes that a field lies in with its new value.
     *
     * @param target where they go, at most {@link #TOUCHED_BYTES_MAX}
     * @return how many
     */
    int write(StringBytes string, long offset, long value, long target) {
        long firstByte = offset >> 3;
        int length = (int) ((offset + bits - 1 >> 3) - firstByte + 1);
        UnsafeApi.copyMemory(string.address() + firstByte, target, length);
        for (int i = 0; i < bits; i++) {
            int at = (int) (offset & 7) + i;
            int mask = 1 << 7 - (at & 7);
            long address = target + (at >> 3);
            int old = UnsafeApi.getByte(address);
            boolean on = (value >>> bits - 1 - i & 1) != 0;
            UnsafeApi.putByte(address, (byte) (on ? old | mask : old & ~mask));
        }
        return length;
    }

    /** Adds two numbers, the second of which is signed. Returns whether the sum fits; {@link #result} fits anyway. */
    boolean add(long value, long increment, Overflow overflow) {
        long least = signed ? -1L << bits - 1 : 0;
        long greatest = signed ? ~least : (1L << bits) - 1;
        long sum = value + increment;
        boolean above;
        boolean below;
        if (signed) {
            // Redis's comparisons, which wrap around: of a number far below the range it says that it is above.
            boolean narrow = bits < Long.SIZE;
            above = value > greatest || (narrow || value >= 0 && increment > 0) && increment > greatest - value;
            below = !above && (value < least || (narrow || value < 0 && increment < 0) && increment < least - value);
        } else {
            // A negative number is one beyond the range.
            above = value < 0 || value > greatest || increment > 0 && increment > greatest - value;
            below = !above && increment < 0 && increment < -value;
        }
        if (!above && !below) {
            result = sum;
            return true;
        }
        if (overflow == Overflow.SAT) {
            result = above ? greatest : least;
        } else {
            int unused = Long.SIZE - bits;
            result = signed ? sum << unused >> unused : sum << unused >>> unused;
        }
        return false;
    }

    /** What the last {@link #add} came to. */
    long result() {
        return result;
    }
}
