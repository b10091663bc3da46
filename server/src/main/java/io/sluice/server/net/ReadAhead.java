package io.sluice.server.net;

import io.netty.buffer.ByteBuf;
import io.sluice.persistence.KeyPrefetch;
import io.sluice.resp.Request;
import io.sluice.resp.RequestParser;
import io.sluice.resp.RespLimits;

/**
 * The next commands of a client's pipeline, parsed before the first of them is executed, so that what all of them will
 * look up can be fetched from memory at once. One serves all connections of the loop, since it is empty between them,
 * and a second one those that are served in the midst of a command.
 */
public final class ReadAhead {
    /** Commands that are looked at together. */
    static final int COMMANDS_MAX = KeyPrefetch.KEYS_MAX;

    /** A command with more arguments is not read ahead: its time goes elsewhere, and its offsets take room. */
    private static final int ARGS_MAX = 64;

    private final Request[] requests = new Request[COMMANDS_MAX];
    private final int[] starts = new int[COMMANDS_MAX];
    private int size;
    private boolean used;
    /** For whoever executes commands while a command of this one is running; null until that happens. */
    private ReadAhead spare;

    /** Nothing is here yet. */
    public ReadAhead() {
        for (int i = 0; i < COMMANDS_MAX; i++) {
            requests[i] = new Request();
        }
    }

    /** One that is free: this one, or while a command of it is running another. */
    ReadAhead use() {
        if (used) {
            if (spare == null) {
                spare = new ReadAhead();
            }
            return spare.use();
        }
        used = true;
        return this;
    }

    /** Its commands are executed or put back. */
    void leave() {
        used = false;
    }

    /** Commands that are here. */
    public int size() {
        return size;
    }

    /** One of them, in the order of the stream. */
    public Request request(int i) {
        return requests[i];
    }

    /**
     * Parses the next command, and further ones as long as they are there and no more than {@code max}.
     *
     * @return what the first was; if it is complete, then {@link #size()} commands are here
     */
    public RequestParser.Result fill(
            RequestParser parser, ByteBuf in, RespLimits limits, boolean authenticated, int max) {
        size = 0;
        RequestParser.Result first = parser.parse(in, limits, authenticated);
        if (first != RequestParser.Result.COMPLETE) {
            return first;
        }
        add(parser, in);
        int last = authenticated && !parser.isInline() ? Math.min(max, COMMANDS_MAX) : 1;
        while (size < last && in.isReadable() && parser.parseArray(in, limits) == RequestParser.Result.COMPLETE) {
            if (parser.request().argCount() > ARGS_MAX) {
                parser.rewind(in, in.readerIndex() - parser.commandBytes());
                break;
            }
            add(parser, in);
        }
        return first;
    }

    private void add(RequestParser parser, ByteBuf in) {
        requests[size].copy(parser.request());
        starts[size] = in.readerIndex() - parser.commandBytes();
        size++;
    }

    /** Gives the commands from {@code i} on back to the parser. */
    void putBack(int i, RequestParser parser, ByteBuf in) {
        if (i == size) {
            return;
        }
        if (parser.isInline()) {
            parser.putBack(in);
        } else {
            parser.rewind(in, starts[i]);
        }
    }
}
