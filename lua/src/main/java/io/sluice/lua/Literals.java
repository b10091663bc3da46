package io.sluice.lua;

/** Nodes of constants, {@code ...} and function expressions. */
final class Literals {

    private Literals() {
    }

    static final class Value extends Expr {
        final Object value;

        Value(Object value) {
            this.value = value;
        }

        @Override
        Object eval(Frame f) {
            return value;
        }
    }

    static final class Number extends Expr {
        final double number;
        private final Double boxed;

        Number(Double boxed) {
            this.boxed = boxed;
            this.number = boxed;
        }

        @Override
        Object eval(Frame f) {
            return boxed;
        }

        @Override
        double evalNumber(Frame f) {
            return number;
        }
    }

    static final class Vararg extends Expr {
        @Override
        Object eval(Frame f) {
            return f.varargs.length > 0 ? f.varargs[0] : null;
        }

        @Override
        Object evalResults(Frame f) {
            return f.varargs;
        }

        @Override
        boolean isMulti() {
            return true;
        }
    }

    static final class Function extends Expr {
        private static final Cell[] NO_UPVALUES = new Cell[0];
        private static final int CLOSURE_BYTES = 64;

        private final Prototype proto;
        /** For each upvalue the slot of the enclosing function's cell, or ~ the index of its own upvalue. */
        private final int[] captures;

        Function(Prototype proto, int[] captures) {
            this.proto = proto;
            this.captures = captures;
        }

        @Override
        Object eval(Frame f) {
            f.rt.allocate(CLOSURE_BYTES + 8L * captures.length);
            if (captures.length == 0) {
                return new LuaClosure(proto, NO_UPVALUES);
            }
            Cell[] upvalues = new Cell[captures.length];
            for (int i = 0; i < upvalues.length; i++) {
                int from = captures[i];
                upvalues[i] = from >= 0 ? (Cell) f.slots[from] : f.upvalues[~from];
            }
            return new LuaClosure(proto, upvalues);
        }
    }
}
