package io.sluice.lua;

/** Statements that assign. */
final class Assignments {

    private Assignments() {
    }

    /** {@code local x = e}, and {@code x = e} for a local no closure captures. */
    static final class SetLocal extends Stat {
        private final int slot;
        private final Expr value;

        SetLocal(int slot, Expr value) {
            this.slot = slot;
            this.value = value;
        }

        @Override
        int exec(Frame f) {
            f.slots[slot] = value.eval(f);
            return NORMAL;
        }
    }

    /** {@code local x = e} for a captured local: a new cell each time. */
    static final class NewCell extends Stat {
        private final int slot;
        private final Expr value;

        NewCell(int slot, Expr value) {
            this.slot = slot;
            this.value = value;
        }

        @Override
        int exec(Frame f) {
            f.slots[slot] = new Cell(value.eval(f));
            return NORMAL;
        }
    }

    /** {@code local function}: the closure may capture its own cell. */
    static final class NewFunctionCell extends Stat {
        private final int slot;
        private final Expr function;

        NewFunctionCell(int slot, Expr function) {
            this.slot = slot;
            this.function = function;
        }

        @Override
        int exec(Frame f) {
            Cell cell = new Cell(null);
            f.slots[slot] = cell;
            cell.v = function.eval(f);
            return NORMAL;
        }
    }

    static final class SetCell extends Stat {
        private final int slot;
        private final Expr value;

        SetCell(int slot, Expr value) {
            this.slot = slot;
            this.value = value;
        }

        @Override
        int exec(Frame f) {
            ((Cell) f.slots[slot]).v = value.eval(f);
            return NORMAL;
        }
    }

    static final class SetUpvalue extends Stat {
        private final int index;
        private final Expr value;

        SetUpvalue(int index, Expr value) {
            this.index = index;
            this.value = value;
        }

        @Override
        int exec(Frame f) {
            f.upvalues[index].v = value.eval(f);
            return NORMAL;
        }
    }

    static final class SetGlobal extends Stat implements IndexNode {
        private final LuaString key;
        private final Expr value;
        private final int line;

        SetGlobal(LuaString key, Expr value, int line) {
            this.key = key;
            this.value = value;
            this.line = line;
        }

        @Override
        int exec(Frame f) {
            Operations.setIndex(f, f.rt.globals, key, value.eval(f), this);
            return NORMAL;
        }

        @Override
        public int line() {
            return line;
        }

        @Override
        public Expr base() {
            return null;
        }
    }

    /** {@code t[k] = e}. */
    static final class SetIndex extends Stat implements IndexNode {
        private final Expr base;
        private final Expr key;
        private final Expr value;
        private final int line;

        SetIndex(Expr base, Expr key, Expr value, int line) {
            this.base = base;
            this.key = key;
            this.value = value;
            this.line = line;
        }

        @Override
        int exec(Frame f) {
            Object table = base.eval(f);
            Object k = key.eval(f);
            Object v = value.eval(f);
            if (table instanceof LuaTable t && t.metatable == null && !t.isReadonly()) {
                if (k instanceof LuaString) {
                    f.rt.set(t, k, v);
                    return NORMAL;
                }
                if (k instanceof Double d && t.setElement(d, v)) {
                    return NORMAL;
                }
            }
            Operations.setIndex(f, table, k, v, this);
            return NORMAL;
        }

        @Override
        public int line() {
            return line;
        }

        @Override
        public Expr base() {
            return base;
        }
    }

    /** Several targets: all values first, then from the last target to the first, as Lua does. */
    static final class SetMany extends Stat {
        private final Target[] targets;
        private final Arguments values;

        SetMany(Target[] targets, Arguments values) {
            this.targets = targets;
            this.values = values;
        }

        @Override
        int exec(Frame f) {
            int count = targets.length;
            Object[] tables = new Object[count];
            Object[] keys = new Object[count];
            for (int i = 0; i < count; i++) {
                targets[i].prepare(f, tables, keys, i);
            }
            Object[] all = values.eval(f, 0);
            for (int i = count - 1; i >= 0; i--) {
                targets[i].assign(f, tables[i], keys[i], i < all.length ? all[i] : null);
            }
            return NORMAL;
        }
    }

    /** {@code local a, b, c = ...}. */
    static final class NewLocals extends Stat {
        private final int[] slots;
        private final boolean[] captured;
        private final Arguments values;

        NewLocals(int[] slots, boolean[] captured, Arguments values) {
            this.slots = slots;
            this.captured = captured;
            this.values = values;
        }

        @Override
        int exec(Frame f) {
            Object[] all = values.eval(f, 0);
            for (int i = 0; i < slots.length; i++) {
                Object value = i < all.length ? all[i] : null;
                f.slots[slots[i]] = captured[i] ? new Cell(value) : value;
            }
            return NORMAL;
        }
    }
}
