package io.sluice.lua;

/** Nodes of calls. */
final class Calls {

    private Calls() {
    }

    /** What all calls share: results, name, and the way to something that is no function. */
    abstract static class CallExpr extends Expr {
        final int site;

        CallExpr(int site) {
            this.site = site;
        }

        @Override
        final Object eval(Frame f) {
            Object results = evalResults(f);
            if (results instanceof Object[] many) {
                return many.length > 0 ? many[0] : null;
            }
            return results;
        }

        @Override
        abstract Object evalResults(Frame f);

        @Override
        final boolean isMulti() {
            return true;
        }

        final Object callOther(Frame f, Object callee, Object... args) {
            CallSite at = f.proto.sites[site];
            f.site = site;
            return Operations.callValue(f, callee, args, at.kind(), at.name());
        }
    }

    static final class Call0 extends CallExpr {
        private final Expr function;

        Call0(Expr function, int site) {
            super(site);
            this.function = function;
        }

        @Override
        Object evalResults(Frame f) {
            Object callee = function.eval(f);
            if (callee instanceof LuaFunction fn) {
                f.site = site;
                return fn.call0(f.rt);
            }
            return callOther(f, callee);
        }
    }

    static final class Call1 extends CallExpr {
        private final Expr function;
        private final Expr first;

        Call1(Expr function, Expr first, int site) {
            super(site);
            this.function = function;
            this.first = first;
        }

        @Override
        Object evalResults(Frame f) {
            Object callee = function.eval(f);
            Object a = first.eval(f);
            if (callee instanceof LuaFunction fn) {
                f.site = site;
                return fn.call1(f.rt, a);
            }
            return callOther(f, callee, a);
        }
    }

    static final class Call2 extends CallExpr {
        private final Expr function;
        private final Expr first;
        private final Expr second;

        Call2(Expr function, Expr first, Expr second, int site) {
            super(site);
            this.function = function;
            this.first = first;
            this.second = second;
        }

        @Override
        Object evalResults(Frame f) {
            Object callee = function.eval(f);
            Object a = first.eval(f);
            Object b = second.eval(f);
            if (callee instanceof LuaFunction fn) {
                f.site = site;
                return fn.call2(f.rt, a, b);
            }
            return callOther(f, callee, a, b);
        }
    }

    static final class Call3 extends CallExpr {
        private final Expr function;
        private final Expr[] arguments;

        Call3(Expr function, Expr[] arguments, int site) {
            super(site);
            this.function = function;
            this.arguments = arguments;
        }

        @Override
        Object evalResults(Frame f) {
            Object callee = function.eval(f);
            Object a = arguments[0].eval(f);
            Object b = arguments[1].eval(f);
            Object c = arguments[2].eval(f);
            if (callee instanceof LuaFunction fn) {
                f.site = site;
                return fn.call3(f.rt, a, b, c);
            }
            return callOther(f, callee, a, b, c);
        }
    }

    /** More arguments, or as many as the last one gives. */
    static final class CallMany extends CallExpr {
        private final Expr function;
        private final Arguments arguments;

        CallMany(Expr function, Arguments arguments, int site) {
            super(site);
            this.function = function;
            this.arguments = arguments;
        }

        @Override
        Object evalResults(Frame f) {
            Object callee = function.eval(f);
            Object[] args = arguments.eval(f, 0);
            if (callee instanceof LuaFunction fn) {
                f.site = site;
                return fn.call(f.rt, args);
            }
            return callOther(f, callee, args);
        }
    }

    /** {@code object:name(...)}. */
    static final class MethodCall extends CallExpr implements IndexNode {
        final Expr object;
        private final LuaString method;
        private final Arguments arguments;
        private final int line;

        MethodCall(Expr object, LuaString method, Arguments arguments, int site, int line) {
            super(site);
            this.object = object;
            this.method = method;
            this.arguments = arguments;
            this.line = line;
        }

        @Override
        Object evalResults(Frame f) {
            Object self = object.eval(f);
            Object callee = callee(f, self);
            Object[] args = arguments(f, self);
            if (callee instanceof LuaFunction fn) {
                f.site = site;
                return fn.call(f.rt, args);
            }
            return callOther(f, callee, args);
        }

        Object callee(Frame f, Object self) {
            return Operations.index(f, self, method, this);
        }

        Object[] arguments(Frame f, Object self) {
            Object[] args = arguments.eval(f, 1);
            args[0] = self;
            return args;
        }

        @Override
        public int line() {
            return line;
        }

        @Override
        public Expr base() {
            return object;
        }
    }
}
