package io.sluice.resp;

import io.netty.buffer.ByteBuf;

/**
 * Cuts a client's byte stream into {@link Request requests}: RESP arrays of bulk strings (which RESP2 and RESP3
 * clients both send) and inline commands. One per connection.
 *
 * <p>The caller appends what it receives to one direct buffer, keeps calling {@link #parse} while it answers
 * {@link Result#COMPLETE}, and executes each request before the next call. Between calls it may compact or grow the
 * buffer. On {@link Result#PROTOCOL_ERROR} it answers {@code ERR} and {@link #errorText()} and closes.
 */
public final class RequestParser {
    private final Request request = new Request();
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
     * Goes on where the last call left off.
     *
     * @param in            the unread bytes of the connection, contiguous and direct
     * @param limits        bounds on what is accepted
     * @param authenticated whether the client may use the full limits
     * @return what was found
     */
    public Result parse(ByteBuf in, RespLimits limits, boolean authenticated) {
        throw new UnsupportedOperationException();
    }

    /** The command found by the last call that answered {@link Result#COMPLETE}; valid until the next call. */
    public Request request() {
        return request;
    }

    /** Redis's text for the protocol error ({@code Protocol error: ...}), without the code {@code ERR}; or null. */
    public String errorText() {
        return errorText;
    }

    /** Arguments this parser has room for: bounded by the arguments received, never by a number announced. */
    public int argCapacity() {
        return 0;
    }
}
