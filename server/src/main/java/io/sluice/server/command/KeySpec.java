package io.sluice.server.command;

import io.sluice.resp.Request;

import java.util.List;
import java.util.function.IntConsumer;

/**
 * Where a command's keys are, in the terms of Redis's key specifications. Begin is an index, or 0 where Redis has no
 * words for the place.
 *
 * @param flags        Redis's words on how the keys are used, such as {@code RW}, {@code access}
 * @param begin        index of the first key, or of the key count if {@code keyCountIndex} says so
 * @param lastKey      range: the last key relative to {@code begin}, or if negative, counted from the end of the
 *                     arguments
 * @param keyStep      distance between keys
 * @param byKeyCount   true if the argument at {@code begin} is the number of keys that follow it
 * @param behindWord   the key is behind the last of these words, if there is one; null for the other places
 */
public record KeySpec(List<String> flags, int begin, int lastKey, int keyStep, boolean byKeyCount, byte[] behindWord) {
    private static final byte[] NO_WORD = new byte[0];
    /** Options of {@code SORT} whose values may be any word, that of another option too. */
    private static final byte[] LIMIT = Words.lower("limit");
    private static final byte[] BY = Words.lower("by");
    private static final byte[] GET = Words.lower("get");

    /**
     * Keys from {@code first} to {@code last} (negative: counted from the end), each {@code step} arguments apart.
     */
    static KeySpec range(int first, int last, int step, String flags) {
        return new KeySpec(List.of(flags.split(" ")), first, last < 0 ? last : last - first, step, false,
                null);
    }

    /** A key count at {@code index}, its keys right behind it. */
    static KeySpec counted(int index, String flags) {
        return new KeySpec(List.of(flags.split(" ")), index, 0, 1, true, null);
    }

    /** Keys that only the contents of others tell, which are not looked for. */
    static KeySpec unknown(String flags) {
        return new KeySpec(List.of(flags.split(" ")), 0, 0, 1, false, NO_WORD);
    }

    /** A key behind the last of these words. */
    static KeySpec behind(byte[] lowerCaseWord, String flags) {
        return new KeySpec(List.of(flags.split(" ")), 0, 0, 1, false, lowerCaseWord);
    }

    /** Whether Redis's terms for places have none for this one. */
    boolean isUnknown() {
        return behindWord != null;
    }

    /**
     * Shows the argument index of each key.
     *
     * @return false if the key count is not a number or does not fit the arguments
     */
    boolean forEachKey(Request request, IntConsumer key) {
        int last = lastIndex(request);
        for (int i = firstIndex(request); i <= last; i += keyStep) {
            key.accept(i);
        }
        return last >= 0;
    }

    /** The argument of the first key, if there is any. */
    public int firstIndex(Request request) {
        return isUnknown() ? Math.max(1, lastIndex(request)) : byKeyCount ? begin + 1 : begin;
    }

    /** The argument of the last key, which lies before the first if there is none; -1 for a bad key count. */
    public int lastIndex(Request request) {
        if (byKeyCount) {
            long count = keyCount(request);
            return count < 0 || begin + count >= request.argCount() ? -1 : (int) (begin + count);
        }
        if (isUnknown()) {
            return behindWord(request);
        }
        int last = lastKey < 0 ? request.argCount() + lastKey : begin + lastKey;
        return Math.max(0, Math.min(last, request.argCount() - 1));
    }

    private int behindWord(Request request) {
        int found = 0;
        for (int i = 2; behindWord.length > 0 && i + 1 < request.argCount(); i++) {
            // Values are passed over as the handler does it: who may write what depends on this being the same key.
            if (request.argIs(i, behindWord)) {
                found = ++i;
            } else if (request.argIs(i, BY) || request.argIs(i, GET)) {
                i++;
            } else if (request.argIs(i, LIMIT)) {
                i += 2;
            }
        }
        return found;
    }

    private long keyCount(Request request) {
        if (begin >= request.argCount()) {
            return -1;
        }
        int length = request.argLength(begin);
        long count = 0;
        for (int i = 0; i < length; i++) {
            int digit = request.argByte(begin, i) - '0';
            if (digit < 0 || digit > 9 || count > request.argCount()) {
                return -1;
            }
            count = count * 10 + digit;
        }
        return length == 0 ? -1 : count;
    }
}
