package io.sluice.server.command;

import io.sluice.persistence.collection.ZSetValue;
import io.sluice.resp.Request;

/** A range of a sorted set by score: {@code -inf 5}, {@code (1 (2}. */
final class ScoreRange {
    static final String INVALID = "ERR min or max is not a float";

    private final Scores number = new Scores();
    private double min;
    private double max;
    private boolean aboveMin;
    private boolean belowMax;

    /** Reads both ends. False if one is no number. */
    boolean parse(Request request, int minArg, int maxArg) {
        aboveMin = isExclusive(request, minArg);
        belowMax = isExclusive(request, maxArg);
        min = parse(request, minArg, aboveMin);
        max = parse(request, maxArg, belowMax);
        return !Double.isNaN(min) && !Double.isNaN(max);
    }

    private static boolean isExclusive(Request request, int arg) {
        return request.argLength(arg) > 0 && request.argByte(arg, 0) == '(';
    }

    /** Returns no number if the text is none. As to {@code strtod}, nothing at all is zero, and blanks may lead. */
    private double parse(Request request, int arg, boolean exclusive) {
        int from = exclusive ? 1 : 0;
        int length = request.argLength(arg);
        if (length == from) {
            return 0;
        }
        while (from < length && isBlank(request.argByte(arg, from))) {
            from++;
        }
        return number.parse(request, arg, from) ? number.value() : Double.NaN;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b >= '\t' && b <= '\r';
    }

    /** The first position of the range. */
    int from(ZSetValue zset) {
        return aboveMin ? zset.firstAbove(min) : zset.firstAtLeast(min);
    }

    /** The position behind the last one of the range, before {@link #from} if the range is empty. */
    int to(ZSetValue zset) {
        return belowMax ? zset.firstAtLeast(max) : zset.firstAbove(max);
    }
}
