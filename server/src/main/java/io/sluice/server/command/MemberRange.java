package io.sluice.server.command;

import io.sluice.persistence.collection.ZSetValue;
import io.sluice.resp.Request;

/** A range of a sorted set by member, where all scores are equal: {@code - +}, {@code [a (b}. */
final class MemberRange {
    static final String INVALID = "ERR min or max not valid string range item";

    private Request request;
    private int min;
    private int max;

    /** Reads both ends. False if one is neither {@code -} nor {@code +} nor begins with a bracket. */
    boolean parse(Request newRequest, int minArg, int maxArg) {
        request = newRequest;
        min = minArg;
        max = maxArg;
        return isValid(minArg) && isValid(maxArg);
    }

    private boolean isValid(int arg) {
        int length = request.argLength(arg);
        return length > 0 && switch (request.argByte(arg, 0)) {
            case '-', '+' -> length == 1;
            case '[', '(' -> true;
            default -> false;
        };
    }

    /** The first position of the range. */
    int from(ZSetValue zset) {
        return bound(zset, min, request.argByte(min, 0) == '(');
    }

    /** The position behind the last one of the range, before {@link #from} if the range is empty. */
    int to(ZSetValue zset) {
        return bound(zset, max, request.argByte(max, 0) == '[');
    }

    private int bound(ZSetValue zset, int arg, boolean behind) {
        byte kind = request.argByte(arg, 0);
        if (kind == '-') {
            return 0;
        }
        if (kind == '+') {
            return zset.size();
        }
        long address = request.argAddress(arg) + 1;
        int length = request.argLength(arg) - 1;
        return behind ? zset.firstMemberAbove(address, length) : zset.firstMemberAtLeast(address, length);
    }
}
