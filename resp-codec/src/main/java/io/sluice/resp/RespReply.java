package io.sluice.resp;

import io.netty.buffer.ByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.nio.charset.StandardCharsets;

/**
 * Writes replies as RESP2 or RESP3 to the end of one direct output buffer. Room is made once per value, and short
 * values are written as one word. Integers, bulk strings of bytes, nulls and aggregate heads allocate nothing.
 */
public final class RespReply implements Reply {
    private static final int LINE_END = '\r' | '\n' << 8;
    private static final int LINE_END_BYTES = 2;
    private static final int NUMBER_LINE_BYTES_MAX = 1 + Integers.TEXT_BYTES_MAX + LINE_END_BYTES;
    /** {@code d\r\n} from the second byte of a little-endian int on, to which marker and digit are added. */
    private static final int DIGIT_LINE = '0' << 8 | LINE_END << 16;
    private static final int DIGIT_LINE_BYTES = 4;
    private static final int VERBATIM_FORMAT_BYTES = 3;

    private static final long OK = word("+OK\r\n");
    private static final long PONG = word("+PONG\r\n");
    private static final long NULL_BULK = word("$-1\r\n");
    private static final long NULL_ARRAY = word("*-1\r\n");
    private static final long NULL = word("_\r\n");
    private static final long MINUS_ONE = word(":-1\r\n");
    private static final long TRUE = word("#t\r\n");
    private static final long FALSE = word("#f\r\n");

    private ByteBuf out;
    private int bytesMax = Integer.MAX_VALUE;
    private int protocol = 2;

    /**
     * Sets where replies go.
     *
     * @param out direct buffer to append to
     * @return this
     */
    public RespReply wrap(ByteBuf out) {
        this.out = out;
        return this;
    }

    /** The buffer replies are appended to. */
    public ByteBuf buffer() {
        return out;
    }

    /**
     * Sets the version of the replies that follow.
     *
     * @param protocol 2 or 3
     * @return this
     */
    public RespReply protocol(int protocol) {
        if (protocol != 2 && protocol != 3) {
            throw new IllegalArgumentException("protocol must be 2 or 3: " + protocol);
        }
        this.protocol = protocol;
        return this;
    }

    /**
     * Bounds what the buffer holds: what needs it to grow beyond that throws a {@link ReplyTooLargeException}, errors
     * excepted.
     */
    public void bytesMax(int bytes) {
        bytesMax = bytes;
    }

    /** Where the next reply will start; for {@link #rewind}. */
    public int position() {
        return out.writerIndex();
    }

    /** Takes back everything written since {@link #position()} gave {@code position}. */
    public void rewind(int position) {
        out.writerIndex(position);
    }

    /** Whether what was written since {@link #position()} gave {@code position} begins with an error. */
    public boolean isErrorAt(int position) {
        return out.writerIndex() > position && out.getByte(position) == '-';
    }

    @Override
    public int protocol() {
        return protocol;
    }

    @Override
    public void ok() {
        write(OK, 5);
    }

    @Override
    public void pong() {
        write(PONG, 7);
    }

    @Override
    public void simple(String ascii) {
        line('+', ascii);
    }

    @Override
    public void error(String text) {
        line('-', text);
    }

    @Override
    public void integer(long value) {
        if (value == -1) {
            write(MINUS_ONE, 5);
        } else {
            numberLine(':', value);
        }
    }

    @Override
    public void bulk(byte[] bytes) {
        bulkHead(bytes.length);
        out.writeBytes(bytes);
        out.writeShortLE(LINE_END);
    }

    @Override
    public void bulk(long address, int length) {
        bulkHead(length);
        int at = out.writerIndex();
        PlatformDependent.copyMemory(address, out.memoryAddress() + at, length);
        out.setShortLE(at + length, LINE_END);
        out.writerIndex(at + length + LINE_END_BYTES);
    }

    @Override
    public void bulkOfLong(long value) {
        int length = Integers.textLength(value);
        bulkHead(length);
        int at = out.writerIndex();
        Integers.put(out, at, value);
        out.setShortLE(at + length, LINE_END);
        out.writerIndex(at + length + LINE_END_BYTES);
    }

    @Override
    public void bulkText(String text) {
        bulk(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void nullValue() {
        if (protocol == 2) {
            write(NULL_BULK, 5);
        } else {
            write(NULL, 3);
        }
    }

    @Override
    public void nullArray() {
        if (protocol == 2) {
            write(NULL_ARRAY, 5);
        } else {
            write(NULL, 3);
        }
    }

    @Override
    public void array(int n) {
        numberLine('*', n);
    }

    @Override
    public void map(int pairs) {
        if (protocol == 2) {
            numberLine('*', 2L * pairs);
        } else {
            numberLine('%', pairs);
        }
    }

    @Override
    public void set(int n) {
        numberLine(protocol == 2 ? '*' : '~', n);
    }

    @Override
    public void push(int n) {
        numberLine(protocol == 2 ? '*' : '>', n);
    }

    @Override
    public void doubleValue(double value) {
        doubleText(DoubleText.of(value));
    }

    @Override
    public void doubleText(String decimal) {
        lineOrBulk(',', decimal);
    }

    @Override
    public void bool(boolean value) {
        if (protocol == 2) {
            numberLine(':', value ? 1 : 0);
        } else {
            write(value ? TRUE : FALSE, 4);
        }
    }

    @Override
    public void verbatim(String format, byte[] bytes) {
        if (format.length() != VERBATIM_FORMAT_BYTES) {
            throw new IllegalArgumentException("a verbatim string's format has three characters: " + format);
        }
        if (protocol == 2) {
            bulk(bytes);
            return;
        }
        room(NUMBER_LINE_BYTES_MAX + VERBATIM_FORMAT_BYTES + 1 + bytes.length + LINE_END_BYTES);
        numberLine('=', VERBATIM_FORMAT_BYTES + 1L + bytes.length);
        out.writeCharSequence(format, StandardCharsets.ISO_8859_1);
        out.writeByte(':');
        out.writeBytes(bytes);
        out.writeShortLE(LINE_END);
    }

    @Override
    public void bigNumber(String digits) {
        lineOrBulk('(', digits);
    }

    /** A type that RESP2 lacks and shows as a bulk string. */
    private void lineOrBulk(char marker, String text) {
        if (protocol == 2) {
            bulk(text.getBytes(StandardCharsets.ISO_8859_1));
        } else {
            line(marker, text);
        }
    }

    private void line(char marker, String text) {
        String oneLine = ErrorText.sanitise(text);
        int bytes = 1 + oneLine.length() + LINE_END_BYTES;
        if (marker == '-') {
            out.ensureWritable(bytes);
        } else {
            room(bytes);
        }
        out.writeByte(marker);
        out.writeCharSequence(oneLine, StandardCharsets.ISO_8859_1);
        out.writeShortLE(LINE_END);
    }

    private void room(int bytes) {
        if (out.writableBytes() < bytes) {
            if (out.writerIndex() + (long) bytes > bytesMax) {
                throw ReplyTooLargeException.INSTANCE;
            }
            out.ensureWritable(bytes);
        }
    }

    /** Makes room for a whole bulk string and writes its length. */
    private void bulkHead(int length) {
        room(NUMBER_LINE_BYTES_MAX + length + LINE_END_BYTES);
        numberLine('$', length);
    }

    private void numberLine(char marker, long value) {
        room(NUMBER_LINE_BYTES_MAX);
        int at = out.writerIndex();
        if (value >= 0 && value <= 9) {
            out.setIntLE(at, DIGIT_LINE + ((int) value << 8) | marker);
            out.writerIndex(at + DIGIT_LINE_BYTES);
        } else {
            out.setByte(at, marker);
            int length = Integers.put(out, at + 1, value);
            out.setShortLE(at + 1 + length, LINE_END);
            out.writerIndex(at + 1 + length + LINE_END_BYTES);
        }
    }

    /** Writes the lowest bytes of a word. */
    private void write(long word, int bytes) {
        room(Long.BYTES);
        int at = out.writerIndex();
        out.setLongLE(at, word);
        out.writerIndex(at + bytes);
    }

    private static long word(String ascii) {
        long word = 0;
        for (int i = 0; i < ascii.length(); i++) {
            word |= (long) ascii.charAt(i) << i * Byte.SIZE;
        }
        return word;
    }
}
