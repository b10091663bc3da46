package io.sluice.server.stats;

import io.sluice.resp.Request;
import io.sluice.server.net.Connection;

import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/**
 * The newest slow commands, for {@code SLOWLOG}. Bounded in entries, arguments and bytes of an argument, as in Redis.
 */
public final class SlowLog extends EntryLog<SlowLog.Entry> {
    static final int ARGS_MAX = 32;
    static final int ARG_BYTES_MAX = 128;
    private static final byte[] HIDDEN = ascii("(redacted)");
    private static final long NEVER = Long.MAX_VALUE;

    private long thresholdNs = 10_000_000;
    private long nextId;

    /** One slow command. */
    public record Entry(long id, long epochSeconds, long durationUs, byte[][] args, String address, String name) {
    }

    /** From which duration on a command is slow; negative: never. */
    public void thresholdUs(long microseconds) {
        thresholdNs = microseconds < 0 ? NEVER : Math.multiplyExact(Math.min(microseconds, NEVER / 1000), 1000L);
    }

    /** Whether a command that took so long belongs here. */
    public boolean isSlow(long durationNs) {
        return durationNs >= thresholdNs;
    }

    /**
     * Records a command that has just run.
     *
     * @param hidden which arguments nobody else may see
     */
    public void add(Request request, IntPredicate hidden, Connection connection, long durationNs, long epochNs) {
        int count = Math.min(request.argCount(), ARGS_MAX);
        byte[][] args = new byte[count][];
        for (int i = 0; i < count; i++) {
            args[i] = hidden.test(i) ? HIDDEN : shown(request, i, count);
        }
        addNewest(new Entry(nextId++, Math.floorDiv(epochNs, 1_000_000_000L), durationNs / 1000, args,
                connection.address(), connection.settings().name()));
    }

    private static byte[] shown(Request request, int i, int count) {
        int dropped = request.argCount() - count + 1;
        if (i == ARGS_MAX - 1 && dropped > 1) {
            return ascii("... (" + dropped + " more arguments)");
        }
        int length = request.argLength(i);
        if (length <= ARG_BYTES_MAX) {
            return request.argBytes(i);
        }
        byte[] suffix = ascii("... (" + (length - ARG_BYTES_MAX) + " more bytes)");
        byte[] shown = new byte[ARG_BYTES_MAX + suffix.length];
        request.buffer().getBytes(request.argOffset(i), shown, 0, ARG_BYTES_MAX);
        System.arraycopy(suffix, 0, shown, ARG_BYTES_MAX, suffix.length);
        return shown;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
