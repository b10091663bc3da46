package io.sluice.lua;

/** Nodes of {@code == ~= and or not #}, and of parentheses. */
final class Logic {

    private Logic() {
    }

    private abstract static class Truth extends Expr {
        @Override
        final Object eval(Frame f) {
            return test(f) ? Boolean.TRUE : Boolean.FALSE;
        }
    }

    static final class Equal extends Truth {
        private final Expr left;
        private final Expr right;
        private final boolean wanted;
        private final int line;

        Equal(Expr left, Expr right, boolean wanted, int line) {
            this.left = left;
            this.right = right;
            this.wanted = wanted;
            this.line = line;
        }

        @Override
        boolean test(Frame f) {
            return Operations.equal(f, line, left.eval(f), right.eval(f)) == wanted;
        }
    }

    /** Comparison with nil, true or false: by identity. */
    static final class Is extends Truth {
        private final Expr operand;
        private final Object value;
        private final boolean wanted;

        Is(Expr operand, Object value, boolean wanted) {
            this.operand = operand;
            this.value = value;
            this.wanted = wanted;
        }

        @Override
        boolean test(Frame f) {
            return (operand.eval(f) == value) == wanted;
        }
    }

    static final class EqualString extends Truth {
        private final Expr operand;
        private final LuaString value;
        private final boolean wanted;

        EqualString(Expr operand, LuaString value, boolean wanted) {
            this.operand = operand;
            this.value = value;
            this.wanted = wanted;
        }

        @Override
        boolean test(Frame f) {
            Object v = operand.eval(f);
            return (v == value || v instanceof LuaString s && s.contentEquals(value)) == wanted;
        }
    }

    static final class EqualNumber extends Truth {
        private final Expr operand;
        private final double value;
        private final boolean wanted;

        EqualNumber(Expr operand, double value, boolean wanted) {
            this.operand = operand;
            this.value = value;
            this.wanted = wanted;
        }

        @Override
        boolean test(Frame f) {
            double v = operand.evalNumber(f);
            if (v != v && f.odd != null) {
                f.odd = null;
            }
            return (v == value) == wanted;
        }
    }

    static final class Not extends Truth {
        private final Expr operand;

        Not(Expr operand) {
            this.operand = operand;
        }

        @Override
        boolean test(Frame f) {
            return !operand.test(f);
        }
    }

    static final class And extends Expr {
        private final Expr left;
        private final Expr right;

        And(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        Object eval(Frame f) {
            Object a = left.eval(f);
            return a == null || a == Boolean.FALSE ? a : right.eval(f);
        }

        @Override
        boolean test(Frame f) {
            return left.test(f) && right.test(f);
        }
    }

    static final class Or extends Expr {
        private final Expr left;
        private final Expr right;

        Or(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        Object eval(Frame f) {
            Object a = left.eval(f);
            return a == null || a == Boolean.FALSE ? right.eval(f) : a;
        }

        @Override
        boolean test(Frame f) {
            return left.test(f) || right.test(f);
        }
    }

    static final class Length extends Expr {
        private final Expr operand;
        private final int line;

        Length(Expr operand, int line) {
            this.operand = operand;
            this.line = line;
        }

        @Override
        Object eval(Frame f) {
            Object v = operand.eval(f);
            return v instanceof LuaTable t ? (Object) (double) t.length() : Operations.length(f, line, v, operand);
        }

        @Override
        double evalNumber(Frame f) {
            Object v = operand.eval(f);
            if (v instanceof LuaTable t) {
                return t.length();
            }
            return (Double) Operations.length(f, line, v, operand);
        }
    }

    /** Exactly one value of something multi. */
    static final class Single extends Expr {
        private final Expr inner;

        Single(Expr inner) {
            this.inner = inner;
        }

        @Override
        Object eval(Frame f) {
            return inner.eval(f);
        }
    }
}
