package io.sluice.server.command;

import io.sluice.resp.Glob;
import io.sluice.resp.Request;

/** What {@code SCAN} and its relatives for collections have in common. */
final class ScanOptions {
    /** Most elements that one call looks for; more are asked for in vain. */
    static final int COUNT_MAX = 4_096;
    static final int COUNT_DEFAULT = 10;
    static final byte[] MATCH = Words.lower("match");
    static final byte[] COUNT = Words.lower("count");

    private static final String INVALID_CURSOR = "ERR invalid cursor";
    /** Digits of the largest unsigned 64-bit number. */
    private static final int CURSOR_DIGITS_MAX = 20;

    private ScanOptions() {
    }

    /** Takes a cursor: an unsigned 64-bit number. */
    static long nextCursor(Args args, Request request) {
        int arg = args.next();
        int length = request.argLength(arg);
        boolean digits = length > 0 && length <= CURSOR_DIGITS_MAX;
        for (int i = 0; i < length && digits; i++) {
            digits = request.argByte(arg, i) >= '0' && request.argByte(arg, i) <= '9';
        }
        try {
            return digits ? Long.parseUnsignedLong(request.argText(arg)) : fail(args);
        } catch (NumberFormatException e) {
            return fail(args);
        }
    }

    private static long fail(Args args) {
        args.fail(INVALID_CURSOR);
        return 0;
    }

    /** Takes how many elements are asked for. */
    static int nextCount(Args args) {
        long count = args.nextLong();
        if (count < 1) {
            args.fail(Errors.SYNTAX);
        }
        return (int) Math.min(count, COUNT_MAX);
    }

    /** Takes a pattern; null for one that everything matches. */
    static Glob nextPattern(Args args, Request request) {
        return globOf(request, args.next());
    }

    /** Null for a pattern that everything matches. */
    static Glob globOf(Request request, int arg) {
        Glob glob = Glob.of(request.argBytes(arg));
        return glob.matchesAll() ? null : glob;
    }
}
