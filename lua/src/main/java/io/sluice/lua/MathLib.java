package io.sluice.lua;

/** {@code math}. */
final class MathLib {

    private static final double RADIANS_PER_DEGREE = Math.PI / 180.0;

    private MathLib() {
    }

    static void open(LuaRuntime rt) {
        Library lib = new Library();
        trigonometry(lib);
        lib.number("abs", Math::abs)
            .number("ceil", Math::ceil)
            .number("floor", Math::floor)
            .number("sqrt", Math::sqrt)
            .number("exp", Math::exp)
            .number("log", Math::log)
            .number("log10", Math::log10)
            .add("fmod", MathLib::fmod)
            .add("mod", MathLib::fmod)
            .add("pow", MathLib::pow)
            .add("max", new Extreme(true))
            .add("min", new Extreme(false))
            .add("modf", MathLib::modf)
            .add("frexp", MathLib::frexp)
            .add("ldexp", MathLib::ldexp)
            .add("random", MathLib::random)
            .add("randomseed", MathLib::randomSeed)
            .constant("pi", Math.PI)
            .constant("huge", Double.POSITIVE_INFINITY);
        rt.define("math", lib.table);
    }

    private static void trigonometry(Library lib) {
        lib.number("sin", Math::sin)
            .number("cos", Math::cos)
            .number("tan", Math::tan)
            .number("asin", Math::asin)
            .number("acos", Math::acos)
            .number("atan", Math::atan)
            .number("sinh", Math::sinh)
            .number("cosh", Math::cosh)
            .number("tanh", Math::tanh)
            .number("deg", x -> x / RADIANS_PER_DEGREE)
            .number("rad", x -> x * RADIANS_PER_DEGREE)
            .add("atan2", MathLib::atan2);
    }

    // Two arguments are looked at from the last one on, as compiled C does: it shows when both are wrong.

    private static Object pow(LuaRuntime rt, Object[] args) {
        double b = Args.number(rt, args, 1);
        return Numbers.pow(Args.number(rt, args, 0), b);
    }

    private static Object ldexp(LuaRuntime rt, Object[] args) {
        int exponent = Args.integer(rt, args, 1);
        return Math.scalb(Args.number(rt, args, 0), exponent);
    }

    private static Object atan2(LuaRuntime rt, Object[] args) {
        double x = Args.number(rt, args, 1);
        return Math.atan2(Args.number(rt, args, 0), x);
    }

    private static Object fmod(LuaRuntime rt, Object[] args) {
        double b = Args.number(rt, args, 1);
        double a = Args.number(rt, args, 0);
        double r = a % b;
        return r == r ? r : Numbers.nan(a, b);
    }

    private static Object modf(LuaRuntime rt, Object[] args) {
        double x = Args.number(rt, args, 0);
        double whole = x < 0 ? Math.ceil(x) : Math.floor(x);
        double fraction = Double.isInfinite(x) ? 0 : x - whole;
        return new Object[] {whole, Math.copySign(fraction, x)};
    }

    private static Object frexp(LuaRuntime rt, Object[] args) {
        double x = Args.number(rt, args, 0);
        if (x == 0 || Double.isInfinite(x) || x != x) {
            return new Object[] {x, 0.0};
        }
        boolean tiny = Math.abs(x) < Double.MIN_NORMAL;
        double scaled = tiny ? x * 0x1p54 : x;
        int exponent = Math.getExponent(scaled) + 1;
        return new Object[] {Math.scalb(scaled, -exponent), (double) (exponent - (tiny ? 54 : 0))};
    }

    private static Object random(LuaRuntime rt, Object[] args) {
        double r = (double) (rt.random.next() % RandomSequence.MAX) / RandomSequence.MAX;
        switch (args.length) {
            case 0:
                return r;
            case 1:
                int upper = Args.integer(rt, args, 0);
                Args.check(rt, upper >= 1, 0, "interval is empty");
                return Math.floor(r * upper) + 1;
            case 2:
                int from = Args.integer(rt, args, 0);
                int to = Args.integer(rt, args, 1);
                Args.check(rt, from <= to, 1, "interval is empty");
                return Math.floor(r * (to - from + 1)) + from;
            default:
                throw rt.error("wrong number of arguments");
        }
    }

    private static Object randomSeed(LuaRuntime rt, Object[] args) {
        rt.random.seed(Args.integer(rt, args, 0));
        return LuaValues.NONE;
    }

    /** {@code max} and {@code min}. */
    private static final class Extreme extends LuaFunction {
        private final boolean largest;

        Extreme(boolean largest) {
            this.largest = largest;
        }

        @Override
        public Object call2(LuaRuntime rt, Object a, Object b) {
            if (a instanceof Double x && b instanceof Double y) {
                return better(y, x) ? b : a;
            }
            return call(rt, new Object[] {a, b});
        }

        @Override
        public Object call(LuaRuntime rt, Object[] args) {
            double best = Args.number(rt, args, 0);
            for (int i = 1; i < args.length; i++) {
                double d = Args.number(rt, args, i);
                best = better(d, best) ? d : best;
            }
            return best;
        }

        private boolean better(double d, double best) {
            return largest ? d > best : d < best;
        }
    }
}
