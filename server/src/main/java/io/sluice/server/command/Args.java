package io.sluice.server.command;

import io.sluice.resp.DecimalValue;
import io.sluice.resp.Decimals;
import io.sluice.resp.Integers;
import io.sluice.resp.LongValue;
import io.sluice.resp.Reply;
import io.sluice.resp.Request;

/**
 * A cursor over a command's arguments that remembers the first error, so that a handler parses everything and checks
 * once:
 *
 * <pre>{@code
 * int key = args.next();
 * long burst = args.nextLong();
 * boolean peek = args.accept(PEEK);
 * args.expectEnd();
 * if (args.failed(reply)) {
 *     return;
 * }
 * }</pre>
 *
 * After the first error every call is harmless and its result meaningless. Arguments are named by their index in the
 * request, under which {@link Request} gives their bytes. Nothing is allocated unless text is asked for.
 */
public final class Args {
    private final LongValue number = new LongValue();
    private Request request;
    private int position;
    private String error;

    Args wrap(Request newRequest, int firstArg) {
        request = newRequest;
        position = firstArg;
        error = null;
        return this;
    }

    /** Whether arguments are left; false after an error, so that option loops end. */
    public boolean hasNext() {
        return error == null && position < request.argCount();
    }

    /** How many arguments are left. */
    public int remaining() {
        return request.argCount() - position;
    }

    /** The index of the next argument, which need not exist. */
    public int position() {
        return position;
    }

    /** Goes back (or forward) to the argument of this index. */
    public void position(int index) {
        position = index;
    }

    /** Takes the next argument and gives its index; its absence is a syntax error. */
    public int next() {
        if (position >= request.argCount()) {
            fail(Errors.SYNTAX);
            return request.argCount() - 1;
        }
        return position++;
    }

    /** Takes the next argument if it is this word, ignoring case. */
    public boolean accept(byte[] lowerCaseWord) {
        if (hasNext() && request.argIs(position, lowerCaseWord)) {
            position++;
            return true;
        }
        return false;
    }

    /** Takes a canonical decimal integer (no {@code +}, no leading zeros). */
    public long nextLong() {
        return nextLong(Errors.NOT_AN_INTEGER);
    }

    /** Takes a canonical decimal integer; {@code otherwise} is the error if it is none. */
    public long nextLong(String otherwise) {
        int arg = next();
        if (error != null) {
            return 0;
        }
        if (!Integers.parseStrict(request.buffer(), request.argOffset(arg), request.argLength(arg), number)) {
            fail(otherwise);
        }
        return number.value;
    }

    /** Takes an integer as redis-cell reads it: {@code [+-]?[0-9]+}. */
    public long nextLenientLong() {
        return nextLenientLong(Errors.NOT_AN_INTEGER);
    }

    /** Takes an integer as redis-cell reads it; {@code otherwise} is the error if it is none. */
    public long nextLenientLong(String otherwise) {
        int arg = next();
        if (error != null) {
            return 0;
        }
        if (!Integers.parseLenient(request.buffer(), request.argOffset(arg), request.argLength(arg), number)) {
            fail(otherwise);
        }
        return number.value;
    }

    /** Takes a decimal number into {@code result}; {@code otherwise} is the error if it is none. */
    public void nextDecimal(DecimalValue result, String otherwise) {
        int arg = next();
        if (error == null
                && !Decimals.parse(request.buffer(), request.argOffset(arg), request.argLength(arg), result)) {
            fail(otherwise);
        }
    }

    /** 1 if the next argument is an infinity, -1 if it is a negative one, else 0. Takes nothing. */
    public int infinitySign() {
        return hasNext()
                ? Decimals.infinitySign(request.buffer(), request.argOffset(position), request.argLength(position))
                : 0;
    }

    /** Takes a canonical integer of a range; {@code otherwise} is the error if it is none or lies outside. */
    public long nextLong(long min, long max, String otherwise) {
        long value = nextLong(otherwise);
        if (error == null && (value < min || value > max)) {
            fail(otherwise);
        }
        return value;
    }

    /**
     * Passes over keys whose number was given; to be called also after an error.
     *
     * @param behind  how many arguments must follow them at least
     * @param tooMany the error if there are not so many
     * @return the number of keys
     */
    int passKeys(long keys, int behind, String tooMany) {
        if (error == null && keys > remaining() - behind) {
            fail(tooMany);
        }
        if (error != null) {
            return 0;
        }
        position += (int) keys;
        return (int) keys;
    }

    /** Argument {@code arg} as latin-1 text. Allocates. */
    public String text(int arg) {
        return request.argText(arg);
    }

    /** Takes the next argument as latin-1 text. Allocates. */
    public String nextText() {
        int arg = next();
        return error == null ? request.argText(arg) : "";
    }

    /** Takes the next argument's bytes. Allocates. */
    public byte[] nextBytes() {
        int arg = next();
        return error == null ? request.argBytes(arg) : new byte[0];
    }

    /** Anything left over is a syntax error. */
    public void expectEnd() {
        if (error == null && position < request.argCount()) {
            fail(Errors.SYNTAX);
        }
    }

    /** Remembers an error unless there is one already. */
    public void fail(String message) {
        if (error == null) {
            error = message;
        }
    }

    /** The first error, or null. */
    public String error() {
        return error;
    }

    /** If there was an error, answers it and gives true. */
    public boolean failed(Reply reply) {
        if (error == null) {
            return false;
        }
        reply.error(error);
        return true;
    }
}
