package io.sluice.resp;

import io.netty.buffer.ByteBuf;

/**
 * The one way by which bytes of a client get into an error reply. Every control character becomes a blank, so that no
 * second reply can be forged, and an echo is cut at {@link #ECHO_BYTES_MAX} bytes, as Redis does.
 */
public final class ErrorText {
    /** Most bytes of one piece of client text in an error. */
    public static final int ECHO_BYTES_MAX = 128;

    private ErrorText() {
    }

    /** An argument as it may be shown: cut and free of control characters, one character per byte. */
    public static String echo(Request request, int arg) {
        throw new UnsupportedOperationException();
    }

    /** Bytes as they may be shown: cut and free of control characters, one character per byte. */
    public static String echo(ByteBuf buffer, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    /** A text as it may be shown: cut and free of control characters. */
    public static String echo(String text) {
        throw new UnsupportedOperationException();
    }

    /** A whole error text without control characters, not cut. */
    public static String sanitise(String text) {
        throw new UnsupportedOperationException();
    }

    /** Redis's answer to a name that is no command, with the arguments' beginnings. */
    public static String unknownCommand(Request request) {
        throw new UnsupportedOperationException();
    }
}
