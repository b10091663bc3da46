package io.sluice.server.command;

import io.sluice.persistence.Entry;
import io.sluice.persistence.collection.PackedValue;
import io.sluice.resp.Request;

/**
 * Takes elements from the first of several keys that has some, and waits for one where the command says so: what BLPOP,
 * LMPOP, BLMPOP and their like for sorted sets have in common.
 */
final class FirstKeyPop {
    private static final byte[] COUNT = Words.lower("count");
    private static final String BAD_COUNT = "ERR count should be greater than 0";

    private static final int NONE = 0;
    private static final int ANSWERED = -1;

    /** Takes elements out of one collection, which is open. */
    @FunctionalInterface
    interface Popper {
        /**
         * Answers with so many elements from one end, and removes them.
         *
         * @param nested whether an element that has more than one part is an array of its own
         */
        void pop(CommandContext ctx, Entry entry, boolean front, int elements, boolean nested);
    }

    private final int type;
    private final PackedValue value;
    private final byte[] front;
    private final byte[] back;
    private final int elementParts;
    private final Popper popper;

    /**
     * Pops of one type of collection.
     *
     * @param value        the flyweight in which the popper expects the collection
     * @param front        the word that names the one end
     * @param back         the word that names the other
     * @param elementParts replies that one element takes where it is not nested
     */
    FirstKeyPop(int type, PackedValue value, byte[] front, byte[] back, int elementParts, Popper popper) {
        this.type = type;
        this.value = value;
        this.front = front;
        this.back = back;
        this.elementParts = elementParts;
        this.popper = popper;
    }

    /** {@code key [key ...] timeout}: one element. */
    void blocking(CommandContext ctx, boolean atFront) {
        int timeout = ctx.request().argCount() - 1;
        ctx.args().position(timeout);
        long timeoutMs = Timeouts.next(ctx);
        if (ctx.args().failed(ctx.reply())) {
            return;
        }
        int key = open(ctx, 1, timeout);
        if (key > NONE) {
            ctx.reply().array(1 + elementParts);
            replyKey(ctx, key);
            popper.pop(ctx, ctx.entry(0), atFront, 1, false);
        } else if (key == NONE && !ctx.waitForKeys(1, timeout - 1, timeoutMs, type)) {
            ctx.reply().nullArray();
        }
    }

    /** {@code numkeys key [key ...] end [COUNT count]}. */
    void multi(CommandContext ctx) {
        if (multi(ctx, 1) != ANSWERED) {
            ctx.reply().nullArray();
        }
    }

    /** {@code timeout numkeys key [key ...] end [COUNT count]}. */
    void blockingMulti(CommandContext ctx) {
        long timeoutMs = Timeouts.next(ctx);
        if (ctx.args().failed(ctx.reply())) {
            return;
        }
        int keys = multi(ctx, 2);
        if (keys != ANSWERED && !ctx.waitForKeys(3, 2 + keys, timeoutMs, type)) {
            ctx.reply().nullArray();
        }
    }

    /** Pops, or answers with an error; or gives the number of keys, none of which has anything. */
    private int multi(CommandContext ctx, int keyCount) {
        Args args = ctx.args();
        args.position(keyCount);
        int keys = args.passKeys(args.nextLong(1, Long.MAX_VALUE, Errors.BAD_KEY_COUNT), 1, Errors.SYNTAX);
        boolean atFront = args.accept(front);
        if (!atFront && !args.accept(back)) {
            args.fail(Errors.SYNTAX);
        }
        long count = nextCount(args);
        if (args.failed(ctx.reply())) {
            return ANSWERED;
        }
        int key = open(ctx, keyCount + 1, keyCount + 1 + keys);
        if (key > NONE) {
            int popped = (int) Math.min(count, value.size());
            ctx.reply().array(2);
            replyKey(ctx, key);
            ctx.reply().array(popped);
            popper.pop(ctx, ctx.entry(0), atFront, popped, true);
        }
        return key == NONE ? keys : ANSWERED;
    }

    /** Takes what is left of the arguments: how many are wanted, one if it is not said. */
    private static long nextCount(Args args) {
        long count = 1;
        boolean counted = false;
        while (args.hasNext()) {
            if (!counted && args.remaining() > 1 && args.accept(COUNT)) {
                count = args.nextLong(1, Long.MAX_VALUE, BAD_COUNT);
                counted = true;
            } else {
                args.fail(Errors.SYNTAX);
            }
        }
        return count;
    }

    /** Opens the first key in a range of arguments that is there; its index, {@link #NONE} or {@link #ANSWERED}. */
    private int open(CommandContext ctx, int first, int end) {
        for (int key = first; key < end; key++) {
            Entry entry = ctx.lookup(0, key);
            if (!Values.isType(ctx, entry, type)) {
                return ANSWERED;
            }
            if (entry.exists()) {
                value.open(ctx.keyspace(), entry);
                return key;
            }
        }
        return NONE;
    }

    private static void replyKey(CommandContext ctx, int key) {
        Request request = ctx.request();
        ctx.reply().bulk(request.argAddress(key), request.argLength(key));
    }
}
