package io.sluice.lua;

/** {@code table}. */
final class TableLib {

    /** Moves between two looks at the interrupt flag. */
    private static final int CHECK_MASK = 0xfff;

    private TableLib() {
    }

    static void open(LuaRuntime rt) {
        Library lib = new Library()
            .add("concat", TableLib::concat)
            .add("foreach", TableLib::foreach)
            .add("foreachi", TableLib::foreachi)
            .add("getn", (r, a) -> (double) Args.table(r, a, 0).length())
            .add("insert", TableLib::insert)
            .add("maxn", (r, a) -> Args.table(r, a, 0).maxKey())
            .add("remove", TableLib::remove)
            .add("setn", TableLib::setn)
            .add("sort", TableSort::sort);
        rt.define("table", lib.table);
    }

    private static Object concat(LuaRuntime rt, Object[] args) {
        LuaString separator = Args.string(rt, args, 1, LuaString.EMPTY);
        LuaTable table = Args.table(rt, args, 0);
        int from = Args.integer(rt, args, 2, 1);
        int to = Args.absent(args, 3) ? table.length() : Args.integer(rt, args, 3);
        ByteBuilder out = new ByteBuilder(64);
        for (long i = from; i <= to; i++) {
            Object value = table.get((int) i);
            LuaString text = LuaValues.toLuaString(value);
            if (text == null) {
                throw rt.error("invalid value (" + LuaValues.typeName(value) + ") at index " + i
                    + " in table for 'concat'");
            }
            rt.allocate(text.length() + (long) separator.length());
            out.add(text.bytes);
            if (i < to) {
                out.add(separator.bytes);
            }
            if ((i & CHECK_MASK) == 0) {
                rt.checkpoint();
            }
        }
        return rt.counted(out.toLuaString());
    }

    private static Object foreach(LuaRuntime rt, Object[] args) {
        LuaTable table = Args.table(rt, args, 0);
        LuaFunction function = Args.function(rt, args, 1);
        for (int p = table.nextPosition(0); p > 0; p = table.nextPosition(p)) {
            Object result = LuaValues.first(rt.call(function, table.keyAt(p), table.valueAt(p)));
            if (result != null) {
                return result;
            }
            rt.checkpoint();
        }
        return LuaValues.NONE;
    }

    private static Object foreachi(LuaRuntime rt, Object[] args) {
        LuaTable table = Args.table(rt, args, 0);
        LuaFunction function = Args.function(rt, args, 1);
        int count = table.length();
        for (int i = 1; i <= count; i++) {
            Object result = LuaValues.first(rt.call(function, (double) i, table.get(i)));
            if (result != null) {
                return result;
            }
            rt.checkpoint();
        }
        return LuaValues.NONE;
    }

    private static Object setn(LuaRuntime rt, Object[] args) {
        Args.table(rt, args, 0);
        throw rt.error("'setn' is obsolete");
    }

    private static Object insert(LuaRuntime rt, Object[] args) {
        LuaTable table = Args.table(rt, args, 0);
        int end = table.length() + 1;
        int position;
        switch (args.length) {
            case 2:
                position = end;
                break;
            case 3:
                position = Args.integer(rt, args, 1);
                break;
            default:
                throw rt.error("wrong number of arguments to 'insert'");
        }
        BaseLib.requireWritable(rt, table);
        Object value = args[args.length - 1];
        if (position < end && !table.shiftUp(position, end - 1)) {
            for (int i = end; i > position; i--) {
                rt.set(table, (double) i, table.get(i - 1));
                if ((i & CHECK_MASK) == 0) {
                    rt.checkpoint();
                }
            }
        }
        rt.set(table, (double) position, value);
        return LuaValues.NONE;
    }

    private static Object remove(LuaRuntime rt, Object[] args) {
        LuaTable table = Args.table(rt, args, 0);
        int end = table.length();
        int position = Args.integer(rt, args, 1, end);
        if (position < 1 || position > end) {
            return LuaValues.NONE;
        }
        BaseLib.requireWritable(rt, table);
        Object removed = table.get(position);
        if (!table.shiftDown(position, end)) {
            for (int i = position; i < end; i++) {
                table.set(i, table.get(i + 1));
            }
            table.set(end, null);
        }
        return removed;
    }
}
