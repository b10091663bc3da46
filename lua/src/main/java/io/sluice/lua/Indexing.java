package io.sluice.lua;

/** Nodes that read {@code t.name}, {@code t[1]} and {@code t[key]}. */
final class Indexing {

    private Indexing() {
    }

    private abstract static class Get extends Expr implements IndexNode {
        final Expr base;
        final int line;

        Get(Expr base, int line) {
            this.base = base;
            this.line = line;
        }

        @Override
        public int line() {
            return line;
        }

        @Override
        public Expr base() {
            return base;
        }

        @Override
        String kind() {
            return "field";
        }

        @Override
        String name() {
            return "?";
        }
    }

    /** The value of a string key in a table, remembering where it was; null if it is not there. */
    static final class Field extends Get {
        private final LuaString key;
        private int hint;

        Field(Expr base, LuaString key, int line) {
            super(base, line);
            this.key = key;
        }

        @Override
        Object eval(Frame f) {
            Object table = base.eval(f);
            if (table instanceof LuaTable t) {
                Object[] entries = t.entries;
                int at = hint;
                if (at >= entries.length || entries[at] != key) {
                    at = t.find(key);
                }
                if (at >= 0) {
                    hint = at;
                    Object value = entries[at + 1];
                    if (value != null) {
                        return value;
                    }
                }
                if (t.metatable == null) {
                    return null;
                }
            }
            return Operations.index(f, table, key, this);
        }

        @Override
        String name() {
            return key.toString();
        }
    }

    static final class Element extends Get {
        private final int key;

        Element(Expr base, int key, int line) {
            super(base, line);
            this.key = key;
        }

        @Override
        Object eval(Frame f) {
            Object table = base.eval(f);
            if (table instanceof LuaTable t) {
                Object value = t.get(key);
                if (value != null || t.metatable == null) {
                    return value;
                }
            }
            return Operations.index(f, table, (double) key, this);
        }
    }

    static final class Any extends Get {
        private final Expr key;

        Any(Expr base, Expr key, int line) {
            super(base, line);
            this.key = key;
        }

        @Override
        Object eval(Frame f) {
            Object table = base.eval(f);
            if (!(table instanceof LuaTable t)) {
                return Operations.index(f, table, key.eval(f), this);
            }
            double number = key.evalNumber(f);
            if (number != number && f.odd != null) {
                Object other = f.takeOdd();
                Object value = other instanceof LuaString s ? t.get(s) : t.get(other);
                return value != null || t.metatable == null ? value : Operations.index(f, table, other, this);
            }
            Object value = t.get(number);
            return value != null || t.metatable == null ? value : Operations.index(f, table, number, this);
        }
    }
}
