package io.sluice.lua;

/** Nodes of {@code < <= > >=}. {@code a > b} is {@code b < a}, with {@code a} evaluated first. */
abstract class Comparison extends Expr {

    final Expr left;
    final Expr right;
    final int line;

    Comparison(Expr left, Expr right, int line) {
        this.left = left;
        this.right = right;
        this.line = line;
    }

    /** The comparison of operands that are not both numbers. */
    abstract boolean compare(Frame f, Object a, Object b);

    final boolean oddLeft(Frame f) {
        Object a = f.takeOdd();
        return compare(f, a, right.eval(f));
    }

    final boolean oddRight(Frame f, double a) {
        return compare(f, a, f.takeOdd());
    }

    @Override
    final Object eval(Frame f) {
        return test(f) ? Boolean.TRUE : Boolean.FALSE;
    }

    static final class Less extends Comparison {
        Less(Expr left, Expr right, int line) {
            super(left, right, line);
        }

        @Override
        boolean test(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                return oddLeft(f);
            }
            double b = right.evalNumber(f);
            return b != b && f.odd != null ? oddRight(f, a) : a < b;
        }

        @Override
        boolean compare(Frame f, Object a, Object b) {
            return Operations.less(f, line, a, b);
        }
    }

    static final class LessEqual extends Comparison {
        LessEqual(Expr left, Expr right, int line) {
            super(left, right, line);
        }

        @Override
        boolean test(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                return oddLeft(f);
            }
            double b = right.evalNumber(f);
            return b != b && f.odd != null ? oddRight(f, a) : a <= b;
        }

        @Override
        boolean compare(Frame f, Object a, Object b) {
            return Operations.lessEqual(f, line, a, b);
        }
    }

    static final class Greater extends Comparison {
        Greater(Expr left, Expr right, int line) {
            super(left, right, line);
        }

        @Override
        boolean test(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                return oddLeft(f);
            }
            double b = right.evalNumber(f);
            return b != b && f.odd != null ? oddRight(f, a) : a > b;
        }

        @Override
        boolean compare(Frame f, Object a, Object b) {
            return Operations.less(f, line, b, a);
        }
    }

    static final class GreaterEqual extends Comparison {
        GreaterEqual(Expr left, Expr right, int line) {
            super(left, right, line);
        }

        @Override
        boolean test(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                return oddLeft(f);
            }
            double b = right.evalNumber(f);
            return b != b && f.odd != null ? oddRight(f, a) : a >= b;
        }

        @Override
        boolean compare(Frame f, Object a, Object b) {
            return Operations.lessEqual(f, line, b, a);
        }
    }
}
