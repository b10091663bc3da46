package io.sluice.resp;

import io.netty.buffer.ByteBuf;

/**
 * The one way by which bytes of a client get into an error reply. Every control character becomes a blank, so that no
 * second reply can be forged, and an echo is cut at {@link #ECHO_BYTES_MAX} bytes, as Redis does.
 */
public final class ErrorText {
    /** Most bytes of one piece of client text in an error. */
    public static final int ECHO_BYTES_MAX = 128;

    private static final int DELETE = 0x7F;

    private ErrorText() {
    }

    /** An argument as it may be shown: cut and free of control characters, one character per byte. */
    public static String echo(Request request, int arg) {
        return echo(request.buffer(), request.argOffset(arg), request.argLength(arg));
    }

    /** Bytes as they may be shown: cut and free of control characters, one character per byte. */
    public static String echo(ByteBuf buffer, int offset, int length) {
        StringBuilder text = new StringBuilder();
        append(text, buffer, offset, Math.min(length, ECHO_BYTES_MAX));
        return text.toString();
    }

    /** A text as it may be shown: cut and free of control characters. */
    public static String echo(String text) {
        return sanitise(text.length() > ECHO_BYTES_MAX ? text.substring(0, ECHO_BYTES_MAX) : text);
    }

    /** A whole text without control characters, not cut; the very same if it has none. */
    public static String sanitise(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (isControl(text.charAt(i))) {
                return replaceControls(text);
            }
        }
        return text;
    }

    /**
     * Redis's answer to a name that is no command: the name, and of the arguments as many as
     * {@link #ECHO_BYTES_MAX} bytes, quotes included, take.
     */
    public static String unknownCommand(Request request) {
        StringBuilder args = new StringBuilder();
        for (int i = 1; i < request.argCount() && args.length() < ECHO_BYTES_MAX; i++) {
            int room = ECHO_BYTES_MAX - args.length();
            args.append('\'');
            append(args, request.buffer(), request.argOffset(i), Math.min(request.argLength(i), room));
            args.append("' ");
        }
        return "ERR unknown command '" + echo(request, 0) + "', with args beginning with: " + args;
    }

    private static void append(StringBuilder text, ByteBuf buffer, int offset, int length) {
        for (int i = 0; i < length; i++) {
            char c = (char) (buffer.getByte(offset + i) & 0xFF);
            text.append(isControl(c) ? ' ' : c);
        }
    }

    private static String replaceControls(String text) {
        StringBuilder replaced = new StringBuilder(text);
        for (int i = 0; i < replaced.length(); i++) {
            if (isControl(replaced.charAt(i))) {
                replaced.setCharAt(i, ' ');
            }
        }
        return replaced.toString();
    }

    private static boolean isControl(char c) {
        return c < ' ' || c == DELETE;
    }
}
