package io.sluice.server.command;

import io.sluice.persistence.collection.ElementVisitor;
import io.sluice.persistence.collection.PackedValue;
import io.sluice.resp.Glob;
import io.sluice.resp.Reply;
import org.agrona.UnsafeApi;

import java.util.Arrays;

/** {@code HSCAN}, {@code SSCAN} and {@code ZSCAN}: the elements of a collection, step by step. Reused. */
final class ElementScan implements ElementVisitor {
    private static final int HANDLES_KEPT_MAX = 8_192;

    private PackedValue value;
    private Glob pattern;
    private int[] handles = new int[64];
    private int found;
    private byte[] bytes = new byte[64];

    /** Scans a collection: {@link io.sluice.persistence.collection.HashValue#scan} or the like. */
    @FunctionalInterface
    interface Step {
        long scan(long cursor, int count, ElementVisitor visitor);
    }

    /** Answers with one element. */
    @FunctionalInterface
    interface Answer {
        void element(Reply reply, int handle);
    }

    /** Answers where no such key is; its options are not even looked at, as in Redis. */
    static void answerAbsent(Reply reply) {
        reply.array(2);
        reply.bulkText("0");
        reply.array(0);
    }

    /**
     * Reads the options and does one step.
     *
     * @param cursor         what the client gave
     * @param repliesPerElement how many replies the answer gives for each element
     */
    void run(CommandContext ctx, long cursor, PackedValue opened, Step step, int repliesPerElement, Answer answer) {
        Args args = ctx.args();
        int count = ScanOptions.COUNT_DEFAULT;
        pattern = null;
        while (args.hasNext()) {
            if (args.remaining() > 1 && args.accept(ScanOptions.COUNT)) {
                count = ScanOptions.nextCount(args);
            } else if (args.remaining() > 1 && args.accept(ScanOptions.MATCH)) {
                pattern = ScanOptions.nextPattern(args, ctx.request());
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        if (args.failed(ctx.reply())) {
            return;
        }
        value = opened;
        found = 0;
        long next = step.scan(cursor, count, this);
        Reply reply = ctx.reply();
        reply.array(2);
        reply.bulkText(Long.toUnsignedString(next));
        reply.array(found * repliesPerElement);
        for (int i = 0; i < found; i++) {
            answer.element(reply, handles[i]);
        }
        if (handles.length > HANDLES_KEPT_MAX) {
            handles = new int[64];
        }
    }

    @Override
    public void visit(int handle) {
        if (pattern != null && !matches(handle)) {
            return;
        }
        if (found == handles.length) {
            handles = Arrays.copyOf(handles, 2 * found);
        }
        handles[found++] = handle;
    }

    private boolean matches(int handle) {
        int length = value.length(handle);
        if (bytes.length < length) {
            bytes = new byte[length];
        }
        for (int i = 0; i < length; i++) {
            bytes[i] = UnsafeApi.getByte(value.address(handle) + i);
        }
        return pattern.matches(bytes, 0, length);
    }
}
