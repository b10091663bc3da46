package io.sluice.lua;

/** One left side of an assignment to several. */
abstract class Target {

    /** Evaluates what the target itself needs, before any value. */
    void prepare(Frame f, Object[] tables, Object[] keys, int i) {
    }

    abstract void assign(Frame f, Object table, Object key, Object value);

    static final class LocalTarget extends Target {
        private final int slot;
        private final boolean captured;

        LocalTarget(int slot, boolean captured) {
            this.slot = slot;
            this.captured = captured;
        }

        @Override
        void assign(Frame f, Object table, Object key, Object value) {
            if (captured) {
                ((Cell) f.slots[slot]).v = value;
            } else {
                f.slots[slot] = value;
            }
        }
    }

    static final class UpvalueTarget extends Target {
        private final int index;

        UpvalueTarget(int index) {
            this.index = index;
        }

        @Override
        void assign(Frame f, Object table, Object key, Object value) {
            f.upvalues[index].v = value;
        }
    }

    /** A table's field, or a global with its constant key and no base. */
    static final class IndexTarget extends Target implements IndexNode {
        private final Expr base;
        private final Expr keyNode;
        private final int line;

        IndexTarget(Expr base, Expr key, int line) {
            this.base = base;
            this.keyNode = key;
            this.line = line;
        }

        @Override
        void prepare(Frame f, Object[] tables, Object[] keys, int i) {
            tables[i] = base == null ? f.rt.globals : base.eval(f);
            keys[i] = keyNode.eval(f);
        }

        @Override
        void assign(Frame f, Object table, Object key, Object value) {
            Operations.setIndex(f, table, key, value, this);
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
}
