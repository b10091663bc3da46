package io.sluice.lua;

/** Statements that decide what runs next. */
final class Control {

    private Control() {
    }

    static final class Block extends Stat {
        private final Stat[] statements;

        Block(Stat[] statements) {
            this.statements = statements;
        }

        @Override
        int exec(Frame f) {
            for (Stat statement : statements) {
                int outcome = statement.exec(f);
                if (outcome != NORMAL) {
                    return outcome;
                }
            }
            return NORMAL;
        }
    }

    static final class CallStatement extends Stat {
        private final Expr call;

        CallStatement(Expr call) {
            this.call = call;
        }

        @Override
        int exec(Frame f) {
            call.evalResults(f);
            return NORMAL;
        }
    }

    /** {@code if c then ... end}, without elseif. */
    static final class If extends Stat {
        private final Expr condition;
        private final Stat then;
        private final Stat otherwise;

        If(Expr condition, Stat then, Stat otherwise) {
            this.condition = condition;
            this.then = then;
            this.otherwise = otherwise;
        }

        @Override
        int exec(Frame f) {
            if (condition.test(f)) {
                return then.exec(f);
            }
            return otherwise == null ? NORMAL : otherwise.exec(f);
        }
    }

    static final class IfChain extends Stat {
        private final Expr[] conditions;
        private final Stat[] blocks;
        private final Stat otherwise;

        IfChain(Expr[] conditions, Stat[] blocks, Stat otherwise) {
            this.conditions = conditions;
            this.blocks = blocks;
            this.otherwise = otherwise;
        }

        @Override
        int exec(Frame f) {
            for (int i = 0; i < conditions.length; i++) {
                if (conditions[i].test(f)) {
                    return blocks[i].exec(f);
                }
            }
            return otherwise == null ? NORMAL : otherwise.exec(f);
        }
    }

    static final class Break extends Stat {
        @Override
        int exec(Frame f) {
            return BREAK;
        }
    }

    static final class ReturnOne extends Stat {
        private final Expr value;

        ReturnOne(Expr value) {
            this.value = value;
        }

        @Override
        int exec(Frame f) {
            f.result = value.eval(f);
            return RETURN;
        }
    }

    static final class ReturnMany extends Stat {
        private final Arguments values;

        ReturnMany(Arguments values) {
            this.values = values;
        }

        @Override
        int exec(Frame f) {
            f.result = values.eval(f, 0);
            return RETURN;
        }
    }

    /** {@code return f(...)}: a Lua function takes this one's place, so that tail recursion needs no stack. */
    static final class TailCall extends Stat {
        private final Expr function;
        private final Arguments arguments;
        private final int site;

        TailCall(Expr function, Arguments arguments, int site) {
            this.function = function;
            this.arguments = arguments;
            this.site = site;
        }

        @Override
        int exec(Frame f) {
            Object callee = function.eval(f);
            Object[] args = arguments.eval(f, 0);
            return tail(f, callee, args, site);
        }
    }

    /** {@code return object:method(...)}. */
    static final class TailMethodCall extends Stat {
        private final Calls.MethodCall call;

        TailMethodCall(Calls.MethodCall call) {
            this.call = call;
        }

        @Override
        int exec(Frame f) {
            Object self = call.object.eval(f);
            Object callee = call.callee(f, self);
            return tail(f, callee, call.arguments(f, self), call.site);
        }
    }

    private static int tail(Frame f, Object callee, Object[] args, int site) {
        f.site = site;
        if (callee instanceof LuaClosure closure) {
            f.tailFunction = closure;
            f.result = args;
            return Stat.TAIL_CALL;
        }
        if (callee instanceof LuaFunction fn) {
            f.result = fn.call(f.rt, args);
        } else {
            CallSite at = f.proto.sites[site];
            f.result = Operations.callValue(f, callee, args, at.kind(), at.name());
        }
        return Stat.RETURN;
    }
}
