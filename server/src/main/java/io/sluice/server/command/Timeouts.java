package io.sluice.server.command;

/** Time-outs of commands that wait: seconds, with decimals if need be; 0 for never. */
final class Timeouts {
    private static final String NOT_A_NUMBER = "ERR timeout is not a float or out of range";
    private static final String OUT_OF_RANGE = "ERR timeout is out of range";
    private static final double MS_PER_SECOND = 1_000;

    private Timeouts() {
    }

    /** Takes a time-out and gives it in ms, rounded up. */
    static long next(CommandContext ctx) {
        Args args = ctx.args();
        int arg = args.next();
        if (args.error() != null) {
            return 0;
        }
        Scores number = new Scores();
        if (!number.parse(ctx.request(), arg, 0)) {
            args.fail(NOT_A_NUMBER);
            return 0;
        }
        double ms = Math.ceil(number.value() * MS_PER_SECOND);
        if (ms > Long.MAX_VALUE - (double) ctx.nowMs()) {
            args.fail(OUT_OF_RANGE);
        } else if (ms < 0) {
            args.fail(Errors.NEGATIVE_TIMEOUT);
        }
        return (long) ms;
    }
}
