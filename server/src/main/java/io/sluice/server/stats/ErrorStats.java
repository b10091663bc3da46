package io.sluice.server.stats;

import io.netty.buffer.ByteBuf;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Error replies counted by their first word, as {@code INFO errorstats} shows them; the number of kinds is bounded.
 */
public final class ErrorStats {
    /** As Redis: past this many kinds new ones are only in the total. */
    static final int KINDS_MAX = 128;
    /** A first word that is longer is no error code. */
    private static final int KIND_BYTES_MAX = 32;

    private final Map<String, long[]> counts = new TreeMap<>();
    private byte[] lastKind = new byte[0];
    private long[] lastCount;
    private long total;

    /**
     * Counts the error reply that starts (with its {@code -}) at {@code index}. Errors of one kind in a row allocate
     * nothing.
     */
    public void count(ByteBuf replies, int index) {
        total++;
        int start = index + 1;
        int length = 0;
        while (length < KIND_BYTES_MAX && replies.getByte(start + length) > ' ') {
            length++;
        }
        if (!isLast(replies, start, length)) {
            byte[] kind = new byte[length];
            replies.getBytes(start, kind);
            lastCount = countOf(new String(kind, StandardCharsets.ISO_8859_1));
            lastKind = kind;
        }
        if (lastCount != null) {
            lastCount[0]++;
        }
    }

    /** Counts an error that no client was sent, by its first word. */
    public void count(String error) {
        total++;
        int space = error.indexOf(' ');
        long[] count = countOf(space < 0 ? error : error.substring(0, space));
        if (count != null) {
            count[0]++;
        }
    }

    private boolean isLast(ByteBuf replies, int start, int length) {
        if (lastCount == null || lastKind.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (replies.getByte(start + i) != lastKind[i]) {
                return false;
            }
        }
        return true;
    }

    private long[] countOf(String kind) {
        long[] count = counts.get(kind);
        if (count == null && counts.size() < KINDS_MAX) {
            count = new long[1];
            counts.put(kind, count);
        }
        return count;
    }

    public long total() {
        return total;
    }

    /** Counts by kind, sorted; each in an array of one. */
    public Map<String, long[]> counts() {
        return counts;
    }

    /** Sets everything to zero. */
    public void reset() {
        counts.clear();
        lastCount = null;
        total = 0;
    }
}
