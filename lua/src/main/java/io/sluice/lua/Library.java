package io.sluice.lua;

import java.util.function.DoubleUnaryOperator;

/** Puts functions into a library's table. */
final class Library {

    final LuaTable table;

    Library(LuaTable table) {
        this.table = table;
    }

    Library() {
        this(new LuaTable());
    }

    Library add(String name, LuaHost body) {
        table.set(name, LuaHostFunction.internal(body));
        return this;
    }

    Library add(String name, LuaFunction function) {
        table.set(name, function);
        return this;
    }

    /** A function of one number. */
    Library number(String name, DoubleUnaryOperator body) {
        table.set(name, new NumberFunction(body));
        return this;
    }

    Library constant(String name, Object value) {
        table.set(name, value);
        return this;
    }

    /** A function of one number, called without an argument array. */
    private static final class NumberFunction extends LuaFunction {
        private final DoubleUnaryOperator body;

        NumberFunction(DoubleUnaryOperator body) {
            this.body = body;
        }

        @Override
        public Object call1(LuaRuntime rt, Object a) {
            return a instanceof Double d ? (Object) apply(d) : call(rt, new Object[] {a});
        }

        @Override
        public Object call(LuaRuntime rt, Object[] args) {
            return apply(Args.number(rt, args, 0));
        }

        private double apply(double x) {
            double r = body.applyAsDouble(x);
            return r == r ? r : Numbers.nan(x, x);
        }
    }
}
