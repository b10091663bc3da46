package io.sluice.lua;

/** Nodes that read variables. */
final class Variables {

    private Variables() {
    }

    /** A local that no closure captures: its slot holds the value. */
    static final class LocalGet extends Expr {
        final int slot;
        private final String name;

        LocalGet(int slot, String name) {
            this.slot = slot;
            this.name = name;
        }

        @Override
        Object eval(Frame f) {
            return f.slots[slot];
        }

        @Override
        double evalNumber(Frame f) {
            Object value = f.slots[slot];
            return value instanceof Double d ? d : f.notNumber(value);
        }

        @Override
        boolean test(Frame f) {
            Object value = f.slots[slot];
            return value != null && value != Boolean.FALSE;
        }

        @Override
        String kind() {
            return "local";
        }

        @Override
        String name() {
            return name;
        }
    }

    /** A captured local: its slot holds the cell. */
    static final class CellGet extends Expr {
        private final int slot;
        private final String name;

        CellGet(int slot, String name) {
            this.slot = slot;
            this.name = name;
        }

        @Override
        Object eval(Frame f) {
            return ((Cell) f.slots[slot]).v;
        }

        @Override
        String kind() {
            return "local";
        }

        @Override
        String name() {
            return name;
        }
    }

    static final class UpvalueGet extends Expr {
        private final int index;
        private final String name;

        UpvalueGet(int index, String name) {
            this.index = index;
            this.name = name;
        }

        @Override
        Object eval(Frame f) {
            return f.upvalues[index].v;
        }

        @Override
        String kind() {
            return "upvalue";
        }

        @Override
        String name() {
            return name;
        }
    }

    static final class GlobalGet extends Expr implements IndexNode {
        private final LuaString key;
        private final int line;
        /** Where the key was last time; only believed when the key is there again. */
        private int hint;

        GlobalGet(LuaString key, int line) {
            this.key = key;
            this.line = line;
        }

        @Override
        Object eval(Frame f) {
            LuaTable globals = f.rt.globals;
            Object[] entries = globals.entries;
            int at = hint;
            if (at >= entries.length || entries[at] != key) {
                at = globals.find(key);
                if (at < 0) {
                    return Operations.index(f, globals, key, this);
                }
                hint = at;
            }
            Object value = globals.entries[at + 1];
            return value != null ? value : Operations.index(f, globals, key, this);
        }

        @Override
        public int line() {
            return line;
        }

        @Override
        public Expr base() {
            return null;
        }

        @Override
        String kind() {
            return "global";
        }

        @Override
        String name() {
            return key.toString();
        }
    }
}
