package io.sluice.resp;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * One command: a flyweight of argument offsets over one contiguous direct buffer. Argument 0 is the command's name.
 *
 * <p>Holds no bytes of its own. It is valid until the buffer beneath is compacted, grown or released, or, for the
 * request of a {@link RequestParser}, until the next call of that parser. {@link #appendTo} keeps a command longer.
 */
public final class Request {
    /** Room that {@link #copy} starts with, and the most it keeps for the next command. */
    private static final int COPY_CAPACITY_MIN = 16;
    private static final int COPY_KEPT_MAX = 256;

    private ByteBuf buffer;
    private int base;
    private int[] offsets;
    private int[] lengths;
    private int count;

    /**
     * Points this flyweight at a command. The arrays are used as they are, not copied.
     *
     * @param buffer  direct buffer that holds every argument
     * @param base    index in {@code buffer} that the offsets count from
     * @param offsets start of each argument, relative to {@code base}
     * @param lengths bytes of each argument
     * @param count   number of arguments, at most the length of either array
     * @return this
     */
    public Request wrap(ByteBuf buffer, int base, int[] offsets, int[] lengths, int count) {
        this.buffer = buffer;
        this.base = base;
        this.offsets = offsets;
        this.lengths = lengths;
        this.count = count;
        return this;
    }

    /**
     * Makes a command from arguments, for tests and cold paths.
     *
     * @param scratch direct buffer the arguments are appended to
     * @param args    the arguments, name first
     * @return a new request over {@code scratch}
     */
    public static Request of(ByteBuf scratch, byte[]... args) {
        int base = scratch.writerIndex();
        int[] offsets = new int[args.length];
        int[] lengths = new int[args.length];
        for (int i = 0; i < args.length; i++) {
            offsets[i] = scratch.writerIndex() - base;
            lengths[i] = args[i].length;
            scratch.writeBytes(args[i]);
        }
        return new Request().wrap(scratch, base, offsets, lengths, args.length);
    }

    /**
     * Copies the arguments behind one another to the end of a buffer, for a command that is executed later.
     *
     * @param target direct buffer that must outlive the result; it may grow later
     * @return a new request over {@code target}
     */
    public Request appendTo(ByteBuf target) {
        int start = target.writerIndex();
        int[] copiedOffsets = new int[count];
        int[] copiedLengths = new int[count];
        for (int i = 0; i < count; i++) {
            copiedOffsets[i] = target.writerIndex() - start;
            copiedLengths[i] = lengths[i];
            target.writeBytes(buffer, base + offsets[i], lengths[i]);
        }
        return new Request().wrap(target, start, copiedOffsets, copiedLengths, count);
    }

    /** Points this flyweight at the command of another one, by offsets of its own: it outlives the other's next use. */
    public Request copy(Request other) {
        if (offsets == null || offsets.length < other.count || offsets.length > COPY_KEPT_MAX) {
            offsets = new int[Math.max(COPY_CAPACITY_MIN, other.count)];
            lengths = new int[offsets.length];
        }
        buffer = other.buffer;
        base = other.base;
        count = other.count;
        for (int i = 0; i < count; i++) {
            offsets[i] = other.offsets[i];
            lengths[i] = other.lengths[i];
        }
        return this;
    }

    /** Number of arguments, the command's name included. */
    public int argCount() {
        return count;
    }

    /** Bytes of all arguments together. */
    public long argBytesTotal() {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += lengths[i];
        }
        return total;
    }

    /** The buffer that holds the arguments. */
    public ByteBuf buffer() {
        return buffer;
    }

    /** Index in {@link #buffer()} of the first byte of argument {@code i}. */
    public int argOffset(int i) {
        return base + offsets[i];
    }

    /** Bytes of argument {@code i}. */
    public int argLength(int i) {
        return lengths[i];
    }

    /** Native address of the first byte of argument {@code i}. */
    public long argAddress(int i) {
        return buffer.memoryAddress() + base + offsets[i];
    }

    /** Byte {@code position} of argument {@code i}. */
    public byte argByte(int i, int position) {
        return buffer.getByte(base + offsets[i] + position);
    }

    /** Whether argument {@code i} is the given word in any case. The word must be in lower-case ASCII. */
    public boolean argIs(int i, byte[] lowerCaseAscii) {
        int length = lengths[i];
        if (length != lowerCaseAscii.length) {
            return false;
        }
        int offset = base + offsets[i];
        for (int k = 0; k < length; k++) {
            if (toLowerCase(buffer.getByte(offset + k)) != lowerCaseAscii[k]) {
                return false;
            }
        }
        return true;
    }

    /** A copy of argument {@code i}; allocates, for cold paths. */
    public byte[] argBytes(int i) {
        byte[] bytes = new byte[lengths[i]];
        buffer.getBytes(base + offsets[i], bytes);
        return bytes;
    }

    /** Argument {@code i} with one character per byte (ISO 8859-1); allocates, for cold paths. */
    public String argText(int i) {
        return new String(argBytes(i), StandardCharsets.ISO_8859_1);
    }

    private static int toLowerCase(byte b) {
        return b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
    }
}
