package io.sluice.server.command;

import io.sluice.persistence.Entry;

import java.util.Locale;

/**
 * The option {@code EX | PX | EXAT | PXAT} of several commands: first its words are taken, and only when all of the
 * command has been read, its number, since a syntax error goes before a bad number.
 */
final class ExpiryOption {
    /** How a client gives a time. */
    enum Unit {
        EX(true, true),
        PX(false, true),
        EXAT(true, false),
        PXAT(false, false);

        private final byte[] word = Words.lower(name().toLowerCase(Locale.ROOT));
        private final boolean seconds;
        private final boolean relative;

        Unit(boolean seconds, boolean relative) {
            this.seconds = seconds;
            this.relative = relative;
        }
    }

    /** What {@link #absoluteMs} gives for a time beyond 64 bits. */
    static final long OUT_OF_RANGE = Long.MIN_VALUE;

    private static final Unit[] UNITS = Unit.values();
    private static final long MS_PER_SECOND = 1_000;

    private Unit unit;
    private int arg;

    /** Forgets what was taken from the command before. */
    void clear() {
        unit = null;
    }

    boolean isGiven() {
        return unit != null;
    }

    /**
     * Takes the option if it is next. Another unit than before is a syntax error, the same one replaces it, as in
     * Redis.
     */
    boolean accept(Args args) {
        for (Unit candidate : UNITS) {
            if (args.accept(candidate.word)) {
                if (unit != null && unit != candidate) {
                    args.fail(Errors.SYNTAX);
                }
                unit = candidate;
                arg = args.next();
                return true;
            }
        }
        return false;
    }

    /** Reads the time that was taken, which must be positive: absolute, in ms. */
    long atMs(CommandContext ctx) {
        Args args = ctx.args();
        args.position(arg);
        return positiveMs(ctx, unit, args.nextLong());
    }

    /** A positive time as absolute ms; anything else is an error that names the command. */
    static long positiveMs(CommandContext ctx, Unit unit, long value) {
        long atMs = absoluteMs(unit, value, ctx.nowMs());
        if (value <= 0 || atMs <= 0) {
            ctx.args().fail(invalidTime(ctx));
        }
        return atMs;
    }

    /** A time as absolute ms, or {@link #OUT_OF_RANGE}. */
    static long absoluteMs(Unit unit, long value, long nowMs) {
        long ms = value;
        if (unit.seconds) {
            if (value > Long.MAX_VALUE / MS_PER_SECOND || value < Long.MIN_VALUE / MS_PER_SECOND) {
                return OUT_OF_RANGE;
            }
            ms *= MS_PER_SECOND;
        }
        if (unit.relative) {
            if (ms > Long.MAX_VALUE - nowMs) {
                return OUT_OF_RANGE;
            }
            ms += nowMs;
        }
        // The last millisecond of all stands for "never", and the first one for "out of range".
        return Math.max(OUT_OF_RANGE + 1, Math.min(ms, Entry.NO_EXPIRY - 1));
    }

    static String invalidTime(CommandContext ctx) {
        return "ERR invalid expire time in '" + ctx.command().fullName() + "' command";
    }
}
