package io.sluice.lua;

/**
 * Nodes of {@code + - * / % ^} and unary minus. Operands come unboxed where they can. {@code evalNumber} is written
 * out in
 * each class on purpose: in one shared method the call of {@code apply} would have all of them as receivers.
 */
abstract class Arithmetic extends Expr {

    final Expr left;
    final Expr right;
    final int line;

    Arithmetic(Expr left, Expr right, int line) {
        this.left = left;
        this.right = right;
        this.line = line;
    }

    abstract double apply(double a, double b);

    abstract LuaString event();

    static Object box(Frame f, double result) {
        return result != result && f.odd != null ? f.takeOdd() : (Object) result;
    }

    /** The left operand was not a number. */
    final double oddLeft(Frame f) {
        Object a = f.takeOdd();
        return number(f, Operations.arithmetic(f, this, a, right.eval(f)));
    }

    /** The right operand was not a number. */
    final double oddRight(Frame f, double a) {
        return number(f, Operations.arithmetic(f, this, a, f.takeOdd()));
    }

    private static double number(Frame f, Object result) {
        return result instanceof Double d ? d : f.notNumber(result);
    }

    static final class Add extends Arithmetic {
        Add(Expr left, Expr right, int line) {
            super(left, right, line);
        }

        @Override
        double evalNumber(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                return oddLeft(f);
            }
            double b = right.evalNumber(f);
            return b != b && f.odd != null ? oddRight(f, a) : apply(a, b);
        }

        @Override
        Object eval(Frame f) {
            return box(f, evalNumber(f));
        }

        @Override
        double apply(double a, double b) {
            double r = a + b;
            return r == r ? r : Numbers.nan(a, b);
        }

        @Override
        LuaString event() {
            return Metatables.ADD;
        }
    }

    static final class Subtract extends Arithmetic {
        Subtract(Expr left, Expr right, int line) {
            super(left, right, line);
        }

        @Override
        double evalNumber(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                return oddLeft(f);
            }
            double b = right.evalNumber(f);
            return b != b && f.odd != null ? oddRight(f, a) : apply(a, b);
        }

        @Override
        Object eval(Frame f) {
            return box(f, evalNumber(f));
        }

        @Override
        double apply(double a, double b) {
            double r = a - b;
            return r == r ? r : Numbers.nan(a, b);
        }

        @Override
        LuaString event() {
            return Metatables.SUB;
        }
    }

    static final class Multiply extends Arithmetic {
        Multiply(Expr left, Expr right, int line) {
            super(left, right, line);
        }

        @Override
        double evalNumber(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                return oddLeft(f);
            }
            double b = right.evalNumber(f);
            return b != b && f.odd != null ? oddRight(f, a) : apply(a, b);
        }

        @Override
        Object eval(Frame f) {
            return box(f, evalNumber(f));
        }

        @Override
        double apply(double a, double b) {
            double r = a * b;
            return r == r ? r : Numbers.nan(a, b);
        }

        @Override
        LuaString event() {
            return Metatables.MUL;
        }
    }

    static final class Divide extends Arithmetic {
        Divide(Expr left, Expr right, int line) {
            super(left, right, line);
        }

        @Override
        double evalNumber(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                return oddLeft(f);
            }
            double b = right.evalNumber(f);
            return b != b && f.odd != null ? oddRight(f, a) : apply(a, b);
        }

        @Override
        Object eval(Frame f) {
            return box(f, evalNumber(f));
        }

        @Override
        double apply(double a, double b) {
            return Numbers.divide(a, b);
        }

        @Override
        LuaString event() {
            return Metatables.DIV;
        }
    }

    /** {@code %} and {@code ^}: rare enough for one class. */
    static final class Other extends Arithmetic {
        private final boolean power;

        Other(Expr left, Expr right, int line, boolean power) {
            super(left, right, line);
            this.power = power;
        }

        @Override
        double evalNumber(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                return oddLeft(f);
            }
            double b = right.evalNumber(f);
            return b != b && f.odd != null ? oddRight(f, a) : apply(a, b);
        }

        @Override
        Object eval(Frame f) {
            return box(f, evalNumber(f));
        }

        @Override
        double apply(double a, double b) {
            return power ? Numbers.pow(a, b) : Numbers.mod(a, b);
        }

        @Override
        LuaString event() {
            return power ? Metatables.POW : Metatables.MOD;
        }
    }

    /** Unary minus: its metamethod gets the operand twice. */
    static final class Negate extends Arithmetic {
        Negate(Expr operand, int line) {
            super(operand, operand, line);
        }

        @Override
        double evalNumber(Frame f) {
            double a = left.evalNumber(f);
            if (a != a && f.odd != null) {
                Object operand = f.takeOdd();
                Object result = Operations.arithmetic(f, this, operand, operand);
                return result instanceof Double d ? d : f.notNumber(result);
            }
            return Numbers.negate(a);
        }

        @Override
        Object eval(Frame f) {
            return box(f, evalNumber(f));
        }

        @Override
        double apply(double a, double b) {
            return Numbers.negate(a);
        }

        @Override
        LuaString event() {
            return Metatables.UNM;
        }
    }
}
