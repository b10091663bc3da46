package io.sluice.resp;

import io.netty.buffer.ByteBuf;

/**
 * Cuts a client's byte stream into {@link Request requests}: RESP arrays of bulk strings (which RESP2 and RESP3
 * clients both send) and inline commands. One per connection.
 *
 * <p>The caller appends what it receives to one direct buffer, keeps calling {@link #parse} while it answers
 * {@link Result#COMPLETE}, and executes each request before the next call. Between calls it may drop what has been
 * read, move the rest, or grow the buffer: progress is kept relative to the start of the command being received, and
 * what has been understood is never read again, however the stream is cut.
 *
 * <p>Follows Redis also where it is lenient: the byte after a {@code CR} and the two bytes after an argument are
 * skipped unseen; counts below one, and lines without a word, are no command and get no answer.
 */
public final class RequestParser {
    private static final int NOT_SHORT = -1;
    private static final int NO_BULK = -1;
    private static final int NO_LINE = -1;
    private static final int LINE_END_BYTES = 2;

    /** {@code ?d\r\n} and {@code ?dd\r} as little-endian ints, and which of their bytes are fixed. */
    private static final int ONE_DIGIT = '\r' << 16 | '\n' << 24;
    private static final int ONE_DIGIT_MASK = 0xFFFF00FF;
    private static final int TWO_DIGITS = '\r' << 24;
    private static final int TWO_DIGITS_MASK = 0xFF0000FF;
    private static final int SHORT_LINE_BYTES_MIN = 4;

    private final Request request = new Request();
    private final ArgumentList args = new ArgumentList();
    private final InlineCommand inline = new InlineCommand();
    private final LongValue number = new LongValue();
    /** Arguments of the open array that have not come yet; 0 between commands. */
    private int argsLeft;
    /** Length of the argument under way, or {@link #NO_BULK} when its length line comes next. */
    private int bulkLength = NO_BULK;
    /** Where to go on, relative to the start of the command. */
    private int position;
    /** Up to where the line at {@link #position} is known not to end, relative to the start of the command. */
    private int scanned;
    /** Bytes of the last complete command. */
    private int commandBytes;
    private boolean putBack;
    private boolean isInline;
    private String errorText;

    /** What a call of {@link #parse} has found. */
    public enum Result {
        /** A command; see {@link RequestParser#request()}. The buffer's reader index is behind it. */
        COMPLETE,
        /** The bytes so far end inside a command (or there are none). */
        INCOMPLETE,
        /** The stream cannot be followed any further; see {@link RequestParser#errorText()}. Stays so for ever. */
        PROTOCOL_ERROR
    }

    /**
     * Goes on where the last call left off. Allocates nothing but room for offsets, as arguments arrive.
     *
     * @param in            the unread bytes of the connection: contiguous, direct, writable (quoted inline arguments
     *                      are unquoted in place)
     * @param limits        bounds on what is accepted
     * @param authenticated whether the client may use the full limits
     * @return what was found
     */
    public Result parse(ByteBuf in, RespLimits limits, boolean authenticated) {
        if (errorText != null) {
            return Result.PROTOCOL_ERROR;
        }
        if (putBack) {
            putBack = false;
            int start = in.readerIndex();
            in.skipBytes(commandBytes);
            return complete(in, start);
        }
        if (argsLeft == 0) {
            forget(in);
            Result found = openCommand(in, limits, authenticated, true);
            if (found != null) {
                return found;
            }
        }
        return readArguments(in, limits, authenticated);
    }

    /**
     * As {@link #parse} for a client that may use the full limits, but an inline command counts as incomplete: for
     * reading ahead of commands that are not executed yet, to which {@link #rewind} may have to return.
     */
    public Result parseArray(ByteBuf in, RespLimits limits) {
        if (errorText != null) {
            return Result.PROTOCOL_ERROR;
        }
        if (argsLeft == 0) {
            forget(in);
            Result found = openCommand(in, limits, true, false);
            if (found != null) {
                return found;
            }
        }
        return readArguments(in, limits, true);
    }

    /** The command found by the last call that answered {@link Result#COMPLETE}; valid until the next call. */
    public Request request() {
        return request;
    }

    /**
     * Takes the last call's command back, as if it had not been read yet: the reader index returns to its start, and
     * the next call of {@link #parse} yields it once more. To move the reader index alone will not do, since a quoted
     * line has been unquoted in place.
     *
     * @param in the buffer of the last call, untouched since
     */
    public void putBack(ByteBuf in) {
        in.readerIndex(in.readerIndex() - commandBytes);
        putBack = true;
    }

    /**
     * Goes back to the start of a command that {@link #parse} has yielded before, and forgets all it has read since.
     * Only for arrays: a quoted line has been unquoted in place.
     *
     * @param start index in {@code in} of the command's first byte
     */
    public void rewind(ByteBuf in, int start) {
        in.readerIndex(start);
        argsLeft = 0;
        bulkLength = NO_BULK;
        position = 0;
        scanned = 0;
        errorText = null;
    }

    /** Whether the last command was an inline one. */
    public boolean isInline() {
        return isInline;
    }

    /** Bytes of the last command that {@link #parse} has yielded. */
    public int commandBytes() {
        return commandBytes;
    }

    /**
     * What is wrong with the stream, in Redis's words: {@code Protocol error: ...} without the code {@code ERR}.
     * Null while nothing is.
     */
    public String errorText() {
        return errorText;
    }

    /** Arguments this parser has room for: bounded by the arguments received, never by a number announced. */
    public int argCapacity() {
        return args.capacity();
    }

    /** Null once the head of an array is read and its arguments are next. */
    private Result openCommand(ByteBuf in, RespLimits limits, boolean authenticated, boolean takesInline) {
        while (in.isReadable()) {
            boolean array = in.getByte(in.readerIndex()) == '*';
            if (!array && !takesInline) {
                return Result.INCOMPLETE;
            }
            Result found = array ? readArrayHead(in, limits, authenticated) : readInline(in, limits);
            if (found != null || argsLeft > 0) {
                return found;
            }
        }
        return Result.INCOMPLETE;
    }

    /** Null when the head is read; an empty array is then left behind. */
    private Result readArrayHead(ByteBuf in, RespLimits limits, boolean authenticated) {
        int start = in.readerIndex();
        long count = shortNumber(in, start, in.writerIndex(), '*');
        int length;
        if (count != NOT_SHORT) {
            length = shortLineBytes((int) count);
        } else {
            int lineEnd = findLineEnd(in, 0, '\r', limits.inlineBytesMax(), "too big mbulk count string");
            if (lineEnd == NO_LINE) {
                return stopped();
            }
            length = lineEnd - start + LINE_END_BYTES;
            count = Integers.parseStrict(in, start + 1, lineEnd - start - 1, number) ? number.value : Long.MAX_VALUE;
        }
        if (count > limits.multibulkCountMax()) {
            return fail("invalid multibulk length");
        }
        if (!authenticated && count > limits.unauthenticatedArgsMax()) {
            return fail("unauthenticated multibulk length");
        }
        scanned = 0;
        if (count <= 0) {
            in.skipBytes(length);
        } else {
            argsLeft = (int) count;
            position = length;
        }
        return null;
    }

    private Result readArguments(ByteBuf in, RespLimits limits, boolean authenticated) {
        int start = in.readerIndex();
        int end = in.writerIndex();
        int bulkBytesMax = bulkBytesMax(limits, authenticated);
        int at = start + position;
        int left = argsLeft;
        int length = bulkLength;
        while (left > 0) {
            if (length == NO_BULK) {
                length = shortNumber(in, at, end, '$');
                if (length != NOT_SHORT && length <= bulkBytesMax) {
                    at += shortLineBytes(length);
                } else {
                    position = at - start;
                    length = readBulkHead(in, limits, authenticated);
                    at = start + position;
                }
            }
            if (length == NO_BULK || end - at - LINE_END_BYTES < length) {
                position = at - start;
                argsLeft = left;
                bulkLength = length;
                return stopped();
            }
            args.add(at - start, length);
            at += length + LINE_END_BYTES;
            length = NO_BULK;
            left--;
        }
        position = 0;
        scanned = 0;
        argsLeft = 0;
        bulkLength = NO_BULK;
        in.readerIndex(at);
        isInline = false;
        return complete(in, start);
    }

    /** Reads the length line at {@link #position} and moves behind it; {@link #NO_BULK} if it cannot. */
    private int readBulkHead(ByteBuf in, RespLimits limits, boolean authenticated) {
        int lineStart = in.readerIndex() + position;
        int lineEnd = findLineEnd(in, position, '\r', limits.inlineBytesMax(), "too big bulk count string");
        if (lineEnd == NO_LINE) {
            return NO_BULK;
        }
        if (in.getByte(lineStart) != '$') {
            fail("expected '$', got '" + ErrorText.echo(in, lineStart, 1) + "'");
            return NO_BULK;
        }
        if (!Integers.parseStrict(in, lineStart + 1, lineEnd - lineStart - 1, number)
            || number.value < 0 || number.value > limits.bulkBytesMax()) {
            fail("invalid bulk length");
            return NO_BULK;
        }
        if (number.value > bulkBytesMax(limits, authenticated)) {
            fail("unauthenticated bulk length");
            return NO_BULK;
        }
        scanned = 0;
        position += lineEnd - lineStart + LINE_END_BYTES;
        return (int) number.value;
    }

    /** Null when the line holds no word; it is then left behind. */
    private Result readInline(ByteBuf in, RespLimits limits) {
        int start = in.readerIndex();
        int lineEnd = findLineEnd(in, 0, '\n', limits.inlineBytesMax(), "too big inline request");
        if (lineEnd == NO_LINE) {
            return stopped();
        }
        scanned = 0;
        in.readerIndex(lineEnd + 1);
        if (!inline.split(in, start, lineEnd, args)) {
            return fail("unbalanced quotes in request");
        }
        isInline = true;
        return args.count() == 0 ? null : complete(in, start);
    }

    /** Arrays that were large for the last command go only if the request does not refer to them either. */
    private void forget(ByteBuf in) {
        args.clear();
        request.wrap(in, 0, args.offsets(), args.lengths(), 0);
    }

    private Result complete(ByteBuf in, int start) {
        commandBytes = in.readerIndex() - start;
        request.wrap(in, start, args.offsets(), args.lengths(), args.count());
        return Result.COMPLETE;
    }

    /**
     * Looks for the end of the line at an offset from the command's start, going on where the last look stopped.
     *
     * @return index of the terminator, which is followed by at least one byte if it is a {@code CR}; or
     *     {@link #NO_LINE}, after {@link #fail} if the line is too long
     */
    private int findLineEnd(ByteBuf in, int lineOffset, char terminator, int lineBytesMax, String tooLong) {
        int start = in.readerIndex();
        int end = in.writerIndex();
        int lineStart = start + lineOffset;
        int searchEnd = (int) Math.min(end, (long) lineStart + lineBytesMax + 1);
        int found = in.indexOf(start + Math.max(scanned, lineOffset), searchEnd, (byte) terminator);
        if (found < 0) {
            if (end - lineStart > lineBytesMax) {
                fail(tooLong);
            }
            scanned = searchEnd - start;
            return NO_LINE;
        }
        if (terminator == '\r' && found + 1 == end) {
            scanned = found - start;
            return NO_LINE;
        }
        return found;
    }

    private Result stopped() {
        return errorText == null ? Result.INCOMPLETE : Result.PROTOCOL_ERROR;
    }

    private Result fail(String text) {
        errorText = "Protocol error: " + text;
        return Result.PROTOCOL_ERROR;
    }

    private static int bulkBytesMax(RespLimits limits, boolean authenticated) {
        return authenticated
            ? limits.bulkBytesMax() : Math.min(limits.bulkBytesMax(), limits.unauthenticatedBulkBytesMax());
    }

    /**
     * The number on a line of one or two digits: nearly all of them, at a fraction of the general way's cost.
     *
     * @return the number, or {@link #NOT_SHORT} for every other line
     */
    private static int shortNumber(ByteBuf in, int at, int end, char marker) {
        if (end - at < SHORT_LINE_BYTES_MIN) {
            return NOT_SHORT;
        }
        int word = in.getIntLE(at);
        int first = (word >>> 8 & 0xFF) - '0';
        if ((word & ONE_DIGIT_MASK) == (ONE_DIGIT | marker) && first >= 0 && first <= 9) {
            return first;
        }
        int second = (word >>> 16 & 0xFF) - '0';
        if ((word & TWO_DIGITS_MASK) == (TWO_DIGITS | marker) && first > 0 && first <= 9 && second >= 0 && second <= 9
            && end - at > SHORT_LINE_BYTES_MIN && in.getByte(at + SHORT_LINE_BYTES_MIN) == '\n') {
            return first * 10 + second;
        }
        return NOT_SHORT;
    }

    private static int shortLineBytes(int shortNumber) {
        return shortNumber < 10 ? SHORT_LINE_BYTES_MIN : SHORT_LINE_BYTES_MIN + 1;
    }
}
