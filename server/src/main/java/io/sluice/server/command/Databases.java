package io.sluice.server.command;

/** Database numbers among a command's arguments. */
final class Databases {
    private static final String NO_INT = "ERR value is out of range, value must between -2147483648 and 2147483647";

    private Databases() {
    }

    /** Takes the number of a database. */
    static int next(CommandContext ctx) {
        return next(ctx, Errors.NOT_AN_INTEGER, NO_INT);
    }

    /** Takes the number of a database; {@code invalid} is the error if it is no number or far out of range. */
    static int next(CommandContext ctx, String invalid) {
        return next(ctx, invalid, invalid);
    }

    private static int next(CommandContext ctx, String notANumber, String farOutOfRange) {
        Args args = ctx.args();
        long db = args.nextLong(notANumber);
        if (db != (int) db) {
            args.fail(farOutOfRange);
        }
        return (int) db;
    }

    /** A number that no database has is an error. */
    static void check(CommandContext ctx, int db) {
        if (db < 0 || db >= ctx.keyspace().databases()) {
            ctx.args().fail(Errors.DB_OUT_OF_RANGE);
        }
    }
}
