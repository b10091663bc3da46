package io.sluice.lua;

/**
 * {@code table.sort}: the quicksort of Lua 5.1 (median of three, smaller part first by recursion), so that equal
 * elements
 * and inconsistent comparisons come out as they do there.
 */
final class TableSort {

    private final LuaRuntime rt;
    private final LuaTable table;
    private final LuaFunction order;

    private TableSort(LuaRuntime rt, LuaTable table, LuaFunction order) {
        this.rt = rt;
        this.table = table;
        this.order = order;
    }

    static Object sort(LuaRuntime rt, Object[] args) {
        LuaTable table = Args.table(rt, args, 0);
        LuaFunction order = Args.absent(args, 1) ? null : Args.function(rt, args, 1);
        new TableSort(rt, table, order).sort(1, table.length());
        return LuaValues.NONE;
    }

    private boolean less(Object a, Object b) {
        if (order != null) {
            return LuaValues.isTrue(LuaValues.first(rt.call(order, a, b)));
        }
        if (a instanceof Double x && b instanceof Double y) {
            return x < y;
        }
        if (a instanceof LuaString x && b instanceof LuaString y) {
            return x.compareTo(y) < 0;
        }
        boolean sameType = LuaValues.typeName(a).equals(LuaValues.typeName(b));
        Object handler = sameType ? Metatables.shared(rt, a, b, Metatables.LT) : null;
        if (handler == null) {
            throw new LuaError(Operations.compareMessage(a, b)).at(rt);
        }
        return LuaValues.isTrue(LuaValues.first(rt.callValue(handler, a, b)));
    }

    private void swap(int i, Object a, int j, Object b) {
        BaseLib.requireWritable(rt, table);
        table.set(i, b);
        table.set(j, a);
    }

    private void orderPair(int i, int j) {
        Object a = table.get(i);
        Object b = table.get(j);
        if (less(b, a)) {
            swap(i, a, j, b);
        }
    }

    private void sort(int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            orderPair(low, high);
            if (high - low == 1) {
                return;
            }
            int middle = (low + high) / 2;
            Object pivot = table.get(middle);
            Object first = table.get(low);
            if (less(pivot, first)) {
                swap(middle, pivot, low, first);
            } else {
                Object last = table.get(high);
                if (less(last, pivot)) {
                    swap(middle, pivot, high, last);
                }
            }
            if (high - low == 2) {
                return;
            }
            pivot = table.get(middle);
            swap(middle, pivot, high - 1, table.get(high - 1));
            int split = partition(low, high, pivot);
            if (split - low < high - split) {
                sort(low, split - 1);
                low = split + 1;
            } else {
                sort(split + 1, high);
                high = split - 1;
            }
        }
    }

    /**
     * Moves what is less than the pivot (at high-1) before it, what is greater behind; returns where the pivot
     * ends.
     */
    private int partition(int low, int high, Object pivot) {
        int i = low;
        int j = high - 1;
        while (true) {
            Object a = table.get(++i);
            while (less(a, pivot)) {
                if (i > high) {
                    throw rt.error("invalid order function for sorting");
                }
                a = table.get(++i);
            }
            Object b = table.get(--j);
            while (less(pivot, b)) {
                if (j < low) {
                    throw rt.error("invalid order function for sorting");
                }
                b = table.get(--j);
            }
            if (j < i) {
                break;
            }
            swap(i, a, j, b);
            rt.checkpoint();
        }
        swap(high - 1, table.get(high - 1), i, table.get(i));
        return i;
    }
}
