package io.sluice.benchmarks;

import java.nio.ByteBuffer;

/** Counts the complete replies in a stream of RESP2 or RESP3 and keeps the first error. Resumable at any byte. */
final class ReplyCounter {
    private static final int FIRST_ERROR_CHARS_MAX = 200;

    private final StringBuilder line = new StringBuilder();
    /** Values still to come until the reply under way is complete. */
    private long valuesLeft;
    /** Payload bytes still to come, the line end behind them included. */
    private long skip;
    private long replies;
    private long errors;
    private String firstError = "";

    long replies() {
        return replies;
    }

    long errors() {
        return errors;
    }

    String firstError() {
        return firstError;
    }

    /** Consumes all that a buffer holds. */
    void read(ByteBuffer in) {
        while (in.hasRemaining()) {
            if (skip > 0) {
                int skipped = (int) Math.min(skip, in.remaining());
                in.position(in.position() + skipped);
                skip -= skipped;
                if (skip == 0) {
                    valueRead();
                }
            } else {
                byte b = in.get();
                if (b == '\n') {
                    readLine();
                    line.setLength(0);
                } else {
                    line.append((char) (b & 0xFF));
                }
            }
        }
    }

    private void readLine() {
        if (valuesLeft == 0) {
            valuesLeft = 1;
        }
        switch (line.charAt(0)) {
            case '$', '=', '!':
                long length = number();
                if (length < 0) {
                    valueRead();
                } else {
                    skip = length + 2;
                }
                break;
            case '*', '~', '>':
                valuesLeft += Math.max(0, number());
                valueRead();
                break;
            case '%':
                valuesLeft += 2 * number();
                valueRead();
                break;
            case '-':
                error();
                valueRead();
                break;
            default:
                valueRead();
                break;
        }
    }

    private void valueRead() {
        valuesLeft--;
        if (valuesLeft == 0) {
            replies++;
        }
    }

    private void error() {
        if (errors++ == 0) {
            firstError = line.substring(0, Math.min(line.length() - 1, FIRST_ERROR_CHARS_MAX));
        }
    }

    private long number() {
        return Long.parseLong(line, 1, line.length() - 1, 10);
    }
}
