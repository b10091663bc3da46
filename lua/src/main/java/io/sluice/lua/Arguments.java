package io.sluice.lua;

/** A list of expressions of which the last may give any number of values: arguments, returned values. */
final class Arguments {

    private final Expr[] list;
    private final boolean openEnded;

    Arguments(Expr[] list) {
        this.list = list;
        this.openEnded = list.length > 0 && list[list.length - 1].isMulti();
    }

    /** The values, after {@code reserved} places that the caller fills. */
    Object[] eval(Frame f, int reserved) {
        int fixed = openEnded ? list.length - 1 : list.length;
        if (!openEnded) {
            Object[] values = new Object[reserved + fixed];
            for (int i = 0; i < fixed; i++) {
                values[reserved + i] = list[i].eval(f);
            }
            return values;
        }
        Object[] values = new Object[reserved + fixed + 1];
        for (int i = 0; i < fixed; i++) {
            values[reserved + i] = list[i].eval(f);
        }
        Object rest = list[fixed].evalResults(f);
        if (!(rest instanceof Object[] many)) {
            values[reserved + fixed] = rest;
            return values;
        }
        Object[] all = new Object[reserved + fixed + many.length];
        System.arraycopy(values, 0, all, 0, reserved + fixed);
        System.arraycopy(many, 0, all, reserved + fixed, many.length);
        return all;
    }
}
