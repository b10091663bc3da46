package io.sluice.lua;

/** Node of a table constructor. */
final class Constructor extends Expr {

    /** For each item its key, null for a positional one. */
    private final Expr[] keys;
    private final Expr[] values;
    private final int positional;
    private final boolean openEnded;
    private final int line;

    Constructor(Expr[] keys, Expr[] values, int line) {
        this.keys = keys;
        this.values = values;
        this.line = line;
        int count = 0;
        for (Expr key : keys) {
            count += key == null ? 1 : 0;
        }
        this.positional = count;
        int last = keys.length - 1;
        this.openEnded = last >= 0 && keys[last] == null && values[last].isMulti();
    }

    @Override
    Object eval(Frame f) {
        int named = keys.length - positional;
        f.rt.allocate(LuaTable.initialFootprint(positional, named));
        LuaTable table = new LuaTable(0, named);
        if (positional == 0) {
            for (int i = 0; i < keys.length; i++) {
                Object key = keys[i].eval(f);
                Operations.rawSet(f, line, table, key, values[i].eval(f));
            }
            return table;
        }
        Object[] items = new Object[positional];
        int count = 0;
        int last = keys.length - 1;
        for (int i = 0; i <= last; i++) {
            if (keys[i] != null) {
                Object key = keys[i].eval(f);
                Operations.rawSet(f, line, table, key, values[i].eval(f));
            } else if (i == last && openEnded) {
                items = withResults(f, items, count, values[i].evalResults(f));
                count = items.length;
            } else {
                items[count++] = values[i].eval(f);
            }
        }
        table.setArrayPart(items, count);
        return table;
    }

    private static Object[] withResults(Frame f, Object[] items, int count, Object results) {
        if (!(results instanceof Object[] many)) {
            items[count] = results;
            return items;
        }
        f.rt.allocate(8L * many.length);
        Object[] all = new Object[count + many.length];
        System.arraycopy(items, 0, all, 0, count);
        System.arraycopy(many, 0, all, count, many.length);
        return all;
    }
}
