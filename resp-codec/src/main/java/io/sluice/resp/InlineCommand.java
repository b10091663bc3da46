package io.sluice.resp;

import io.netty.buffer.ByteBuf;

/**
 * Splits a line that a person typed into arguments, by Redis's rules: blanks separate; {@code "..."} knows {@code \n},
 * {@code \r}, {@code \t}, {@code \b}, {@code \a}, {@code \xHH} and takes any other escaped byte as it is;
 * {@code '...'} knows only {@code \'}; a closing quote must end its argument.
 *
 * <p>Unquoting only ever shortens, so it is done in place and the arguments stay in the read buffer.
 */
final class InlineCommand {
    private static final int HEX_DIGITS = 2;

    private ByteBuf line;
    private int end;
    private int at;
    private int write;

    /**
     * Adds the arguments of a line to a list, with offsets relative to the line's start.
     *
     * @param line  buffer that holds the line; quoted arguments are rewritten in it
     * @param start index of the line's first byte
     * @param end   index of the line feed that ends it
     * @param args  receives the arguments
     * @return false when quotes do not balance
     */
    boolean split(ByteBuf line, int start, int end, ArgumentList args) {
        this.line = line;
        this.at = start;
        this.end = end;
        boolean balanced = true;
        while (balanced && skipBlanks()) {
            int argStart = at;
            balanced = unquoteArgument();
            args.add(argStart - start, write - argStart);
        }
        this.line = null;
        return balanced;
    }

    private boolean skipBlanks() {
        while (at < end && isBlank(line.getByte(at))) {
            at++;
        }
        return at < end;
    }

    /** Moves {@link #at} behind the argument and {@link #write} behind its unquoted bytes. */
    private boolean unquoteArgument() {
        write = at;
        while (at < end) {
            byte b = line.getByte(at);
            if (endsBareArgument(b)) {
                return true;
            }
            at++;
            if (b == '"' || b == '\'') {
                return unquote(b);
            }
            emit(b);
        }
        return true;
    }

    private boolean unquote(byte quote) {
        while (at < end) {
            byte b = line.getByte(at++);
            if (b == quote) {
                return at == end || isBlank(line.getByte(at));
            }
            if (b != '\\' || at == end) {
                emit(b);
            } else if (quote == '"') {
                emit(escaped());
            } else if (line.getByte(at) == '\'') {
                emit(line.getByte(at++));
            } else {
                emit(b);
            }
        }
        return false;
    }

    /** The byte that a backslash in double quotes stands for; {@link #at} is behind the backslash. */
    private byte escaped() {
        byte b = line.getByte(at++);
        switch (b) {
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'b':
                return '\b';
            case 'a':
                return 0x07;
            case 'x':
                return hexEscaped();
            default:
                return b;
        }
    }

    private byte hexEscaped() {
        if (end - at < HEX_DIGITS) {
            return 'x';
        }
        int high = Character.digit(line.getByte(at), 16);
        int low = Character.digit(line.getByte(at + 1), 16);
        if (high < 0 || low < 0) {
            return 'x';
        }
        at += 2;
        return (byte) (high << 4 | low);
    }

    private void emit(byte b) {
        line.setByte(write++, b);
    }

    /** What C's {@code isspace} calls a blank. */
    private static boolean isBlank(byte b) {
        return b == ' ' || b >= '\t' && b <= '\r';
    }

    /** Fewer than the blanks: Redis ends a bare argument at these only. */
    private static boolean endsBareArgument(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }
}
