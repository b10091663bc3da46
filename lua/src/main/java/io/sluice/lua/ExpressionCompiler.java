package io.sluice.lua;

import io.sluice.lua.Syntax.Binary;
import io.sluice.lua.Syntax.BinaryOperator;
import io.sluice.lua.Syntax.Constant;
import io.sluice.lua.Syntax.Expression;
import java.util.ArrayList;
import java.util.List;

/** Makes nodes of expressions. */
final class ExpressionCompiler {

    private final FunctionCompiler function;

    ExpressionCompiler(FunctionCompiler function) {
        this.function = function;
    }

    Expr compile(Expression e) {
        if (e instanceof Constant c) {
            return c.value() instanceof Double d ? new Literals.Number(d) : new Literals.Value(c.value());
        }
        if (e instanceof Syntax.LocalUse l) {
            return l.local().captured ? new Variables.CellGet(l.local().slot, l.local().name)
                : new Variables.LocalGet(l.local().slot, l.local().name);
        }
        if (e instanceof Syntax.UpvalueUse u) {
            return new Variables.UpvalueGet(u.index(), u.name());
        }
        if (e instanceof Syntax.GlobalUse g) {
            return new Variables.GlobalGet(g.name(), g.line());
        }
        if (e instanceof Syntax.Index i) {
            return index(i);
        }
        if (e instanceof Syntax.Call c) {
            return call(c);
        }
        if (e instanceof Syntax.MethodCall m) {
            Expr object = function.expression(m.object());
            Arguments arguments = function.arguments(m.arguments());
            return new Calls.MethodCall(object, m.name(), arguments, function.methodSite(m.line(), m.name()), m.line());
        }
        if (e instanceof Binary b) {
            return binary(b);
        }
        if (e instanceof Syntax.Unary u) {
            return unary(u);
        }
        if (e instanceof Syntax.Single s) {
            return single(function.expression(s.inner()));
        }
        if (e instanceof Syntax.FunctionExpression f) {
            return function.function(f.body());
        }
        return e instanceof Syntax.Vararg ? new Literals.Vararg() : table((Syntax.TableConstructor) e);
    }

    private static Expr single(Expr inner) {
        return inner.isMulti() ? new Logic.Single(inner) : inner;
    }

    private Expr index(Syntax.Index i) {
        Expr base = function.expression(i.table());
        if (i.key() instanceof Constant c) {
            if (c.value() instanceof LuaString s) {
                return new Indexing.Field(base, s, i.line());
            }
            if (c.value() instanceof Double d && d == (int) (double) d) {
                return new Indexing.Element(base, (int) (double) d, i.line());
            }
        }
        return new Indexing.Any(base, function.expression(i.key()), i.line());
    }

    private Expr call(Syntax.Call c) {
        Expr callee = function.expression(c.function());
        Expr[] args = function.expressions(c.arguments());
        int site = function.site(c.line(), callee);
        boolean openEnded = args.length > 0 && args[args.length - 1].isMulti();
        if (openEnded || args.length > 3) {
            return new Calls.CallMany(callee, new Arguments(args), site);
        }
        return switch (args.length) {
            case 0 -> new Calls.Call0(callee, site);
            case 1 -> new Calls.Call1(callee, args[0], site);
            case 2 -> new Calls.Call2(callee, args[0], args[1], site);
            default -> new Calls.Call3(callee, args, site);
        };
    }

    private Expr unary(Syntax.Unary u) {
        Expr operand = function.expression(u.operand());
        return switch (u.operator()) {
            case MINUS -> new Arithmetic.Negate(operand, u.line());
            case NOT -> new Logic.Not(operand);
            case LENGTH -> new Logic.Length(operand, u.line());
        };
    }

    private Expr binary(Binary b) {
        int line = b.line();
        if (b.operator() == BinaryOperator.CONCAT) {
            return concat(b);
        }
        if (b.operator() == BinaryOperator.EQ || b.operator() == BinaryOperator.NE) {
            return equality(b);
        }
        if (b.left() instanceof Constant c && decides(b.operator(), c.value())) {
            return single(function.expression(b.right()));
        }
        Expr left = function.expression(b.left());
        Expr right = function.expression(b.right());
        return switch (b.operator()) {
            case OR -> new Logic.Or(left, right);
            case AND -> new Logic.And(left, right);
            case LT -> new Comparison.Less(left, right, line);
            case GT -> new Comparison.Greater(left, right, line);
            case LE -> new Comparison.LessEqual(left, right, line);
            case GE -> new Comparison.GreaterEqual(left, right, line);
            case ADD -> new Arithmetic.Add(left, right, line);
            case SUB -> new Arithmetic.Subtract(left, right, line);
            case MUL -> new Arithmetic.Multiply(left, right, line);
            case DIV -> new Arithmetic.Divide(left, right, line);
            case MOD -> new Arithmetic.Other(left, right, line, false);
            default -> new Arithmetic.Other(left, right, line, true);
        };
    }

    /** Whether a constant on the left of and or or makes the right operand the result. */
    private static boolean decides(BinaryOperator operator, Object left) {
        return operator == BinaryOperator.AND && LuaValues.isTrue(left)
            || operator == BinaryOperator.OR && !LuaValues.isTrue(left);
    }

    private Expr equality(Binary b) {
        boolean wanted = b.operator() == BinaryOperator.EQ;
        Expression constant = b.right() instanceof Constant ? b.right() : b.left();
        if (!(constant instanceof Constant c)) {
            return new Logic.Equal(function.expression(b.left()), function.expression(b.right()), wanted, b.line());
        }
        Expr operand = function.expression(constant == b.right() ? b.left() : b.right());
        if (c.value() instanceof Double d) {
            return new Logic.EqualNumber(operand, d, wanted);
        }
        return c.value() instanceof LuaString s ? new Logic.EqualString(operand, s, wanted)
            : new Logic.Is(operand, c.value(), wanted);
    }

    private Expr concat(Binary b) {
        List<Expr> parts = new ArrayList<>();
        Expression rest = b;
        while (rest instanceof Binary chain && chain.operator() == BinaryOperator.CONCAT) {
            parts.add(function.expression(chain.left()));
            rest = chain.right();
        }
        parts.add(function.expression(rest));
        return new Concat(parts.toArray(new Expr[0]), b.line());
    }

    private Expr table(Syntax.TableConstructor t) {
        Expr[] keys = new Expr[t.keys().size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = t.keys().get(i) == null ? null : function.expression(t.keys().get(i));
        }
        return new Constructor(keys, function.expressions(t.values()), t.line());
    }
}
